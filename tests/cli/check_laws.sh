# Every ready-made law of a switch, on both kinds of junctions, with its bonds either way and in each
# of its states: a run ends where the circuit or the masses must be, by hand.
set -eu
junct=${JUNCT:-build/junct}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# expect NAME VALUE...: the outputs of the model on standard input at its end.
expect() {
    name=$1
    shift
    cat > "$work/m.hbg"
    if ! $junct simulate "$work/m.hbg" -o "$work/t.csv" > "$work/said" 2>&1; then
        echo "$name: does not run"
        cat "$work/said"
        failed=1
        return
    fi
    tail -1 "$work/t.csv" | cut -d, -f3- > "$work/got"
    echo "$@" | tr ' ' ',' > "$work/wanted"
    if ! paste -d' ' "$work/got" "$work/wanted" | awk '{
        n = split($1, got, ","); split($2, want, ",")
        for (i = 1; i <= n; i++) {
            d = got[i] - want[i]
            if (d > 1e-9 || d < -1e-9) exit 1
        }
    }'; then
        echo "$name: $(cat "$work/got") instead of $(cat "$work/wanted")"
        failed=1
    fi
}

# The law, the direction of the bond, the source's value, the current along the circuit's arrows.
# A loop of a source, 2 Ohm and an X1 that leads to the reference; an X0 beside a source of flow and
# 2 of resistance is its dual.
while read -r law bond value flow; do
    case $bond in
    away) x1='n -> x' ;;
    towards) x1='x -> n' ;;
    esac
    law=$(echo "$law" | tr '_' ' ')
    case $law in
    *'on(g)'*) gate='switch g off, on at 0.25' ;;
    *) gate= ;;
    esac
    expect "X1 $law $bond $value" "$flow" <<MODEL
Se V = $value
R  r = 2
1  loop
0  n
X1 x
V -> loop -> r
loop -> n
$x1
switch x $law
$gate
output f(r)
simulate to 1 every 1
MODEL
    case $law in *0.5*) continue ;; esac # a drop is that of an X1
    effort=$(echo "$flow" | awk '{ print 4 * $1 }')
    expect "X0 $law $bond $value" "$effort" <<MODEL
Sf J = $value
R  r = 2
0  n
1  loop
X0 x
J -> n -> r
n -> loop
$(echo "$x1" | sed 's/n/loop/')
switch x $law
$gate
output e(r)
simulate to 1 every 1
MODEL
done <<'CASES'
diode away 3 1.5
diode away -3 0
diode towards 3 0
diode towards -3 -1.5
diode(0.5) away 3 1.25
diode(0.5) away -3 0
diode(0.5) towards 3 0
diode(0.5) towards -3 -1.25
stop away 3 1.5
stop away -3 0
stop towards 3 0
stop towards -3 -1.5
transistor(t>=0.5) away 3 1.5
transistor(t>=0.5) away -3 -1.5
transistor(t>=0.5) towards 3 1.5
transistor(t>=0.5) towards -3 -1.5
transistor(t>=0.5)_reverse_diode away 3 1.5
transistor(t>=0.5)_reverse_diode away -3 -1.5
transistor(t>=0.5)_reverse_diode towards 3 1.5
transistor(t>=0.5)_reverse_diode towards -3 -1.5
transistor(t<0.5) away 3 0
transistor(t<0.5) away -3 0
transistor(t<0.5) towards 3 0
transistor(t<0.5) towards -3 0
transistor(t<0.5)_reverse_diode away 3 0
transistor(t<0.5)_reverse_diode away -3 -1.5
transistor(t<0.5)_reverse_diode towards 3 1.5
transistor(t<0.5)_reverse_diode towards -3 0
transistor(pwm(0.8,1/2)) away 3 1.5
transistor(pwm(0.8,1/2)) away -3 -1.5
transistor(pwm(0.8,1/2)) towards 3 1.5
transistor(pwm(0.8,1/2)) towards -3 -1.5
transistor(pwm(0.8,1/2))_reverse_diode away 3 1.5
transistor(pwm(0.8,1/2))_reverse_diode away -3 -1.5
transistor(pwm(0.8,1/2))_reverse_diode towards 3 1.5
transistor(pwm(0.8,1/2))_reverse_diode towards -3 -1.5
transistor(pwm(1.5,1/2)) away 3 0
transistor(pwm(1.5,1/2)) away -3 0
transistor(pwm(1.5,1/2)) towards 3 0
transistor(pwm(1.5,1/2)) towards -3 0
transistor(pwm(1.5,1/2))_reverse_diode away 3 0
transistor(pwm(1.5,1/2))_reverse_diode away -3 -1.5
transistor(pwm(1.5,1/2))_reverse_diode towards 3 1.5
transistor(pwm(1.5,1/2))_reverse_diode towards -3 0
transistor(on(g)) away 3 1.5
transistor(on(g)) away -3 -1.5
transistor(on(g)) towards 3 1.5
transistor(on(g)) towards -3 -1.5
transistor(on(g))_reverse_diode away 3 1.5
transistor(on(g))_reverse_diode away -3 -1.5
transistor(on(g))_reverse_diode towards 3 1.5
transistor(on(g))_reverse_diode towards -3 -1.5
transistor(not_on(g)) away 3 0
transistor(not_on(g)) away -3 0
transistor(not_on(g)) towards 3 0
transistor(not_on(g)) towards -3 0
transistor(not_on(g))_reverse_diode away 3 0
transistor(not_on(g))_reverse_diode away -3 -1.5
transistor(not_on(g))_reverse_diode towards 3 1.5
transistor(not_on(g))_reverse_diode towards -3 0
thyristor(t>=0.5) away 3 1.5
thyristor(t>=0.5) away -3 0
thyristor(t>=0.5) towards 3 0
thyristor(t>=0.5) towards -3 -1.5
thyristor(t>=2) away 3 0
thyristor(t>=2) away -3 0
thyristor(t>=2) towards 3 0
thyristor(t>=2) towards -3 0
thyristor(t<0.5) away 3 1.5
thyristor(t<0.5) away -3 0
thyristor(t<0.5) towards 3 0
thyristor(t<0.5) towards -3 -1.5
thyristor(pwm(3,1/10)) away 3 1.5
thyristor(pwm(3,1/10)) away -3 0
thyristor(pwm(3,1/10)) towards 3 0
thyristor(pwm(3,1/10)) towards -3 -1.5
thyristor(pwm(3,1/10,2)) away 3 0
thyristor(pwm(3,1/10,2)) away -3 0
thyristor(pwm(3,1/10,2)) towards 3 0
thyristor(pwm(3,1/10,2)) towards -3 0
thyristor(on(g)) away 3 1.5
thyristor(on(g)) away -3 0
thyristor(on(g)) towards 3 0
thyristor(on(g)) towards -3 -1.5
thyristor(on(g)_and_t>2) away 3 0
thyristor(on(g)_and_t>2) away -3 0
thyristor(on(g)_and_t>2) towards 3 0
thyristor(on(g)_and_t>2) towards -3 0
diode(0.5) away 0.4 0
diode(0.5) towards -0.4 0
CASES

# A brake between a mass and the ground slips when the force exceeds 1, and holds again at rest.
while read -r bond force p; do
    [ "$bond" = along ] && bonds='F -> b -> m' || bonds='b -> F
b -> m'
    expect "X1 brake $bond $force" "$p" <<MODEL
Se F = $force
I  m = 1
X1 b
$bonds
switch b brake(1)
output p(m)
simulate to 4 every 1
MODEL
done <<'CASES'
along t/8 0
along t/2 3
along -t/2 -3
along if(t<1,2,-0.8) 0
along if(t<1,2,-2) -4
against t/2 -3
against -t/2 3
CASES

# A clutch passes on half of the torque until that exceeds 1: at t = 1, with half of the impulse.
while read -r bond torque p1 p2; do
    [ "$bond" = along ] && bonds='j1 -> b -> j2' || bonds='j2 -> b -> j1'
    expect "X0 brake $bond $torque" "$p1" "$p2" <<MODEL
Se T = $torque
I  J1 = 1
I  J2 = 1
1  j1
1  j2
X0 b
T -> j1 -> J1
j2 -> J2
$bonds
switch b brake(1)
output p(J1), p(J2)
simulate to 2 every 1
MODEL
done <<'CASES'
along t 1 1
along 2*t 3.5 0.5
along -2*t -3.5 -0.5
against 2*t 3.5 0.5
against -2*t -3.5 -0.5
CASES

# A mass that a stop lets pass one way only; with a gap, not before it has closed.
while read -r law p0 force p; do
    expect "X1 $law $p0 $force" "$p" <<MODEL
Se F = $force
I  m = 1, p0 = $p0
X1 k
F -> k -> m
signal x = int(f(m), 1)
switch k $law
output p(m)
simulate to 2 every 1
MODEL
done <<'CASES'
stop -1 0 0
stop 1 0 1
stop -1 if(t<1,-1,1) 1
stop(x) -1 0 0
stop(x) -1/4 0 -0.25
stop(x) -1 max(0,4*(t-1.5)) 0.5
CASES

# An X1 that hangs on a junction has its flow, whichever way the bond points.
while read -r law p0 force p; do
    expect "X1 $law from $p0 $force" "$p" <<MODEL
Se F = $force
I  m = 1, p0 = $p0
X1 k
1  j
j -> m
F -> j
k -> j
signal x = int(f(m), 1)
switch k $law
output p(m)
simulate to 2 every 1
MODEL
done <<'CASES'
stop -1 0 0
stop 1 0 1
stop(x) -1 0 0
stop(x) -1/4 0 -0.25
CASES
while read -r law p0 force p; do
    expect "X1 $law to $p0 $force" "$p" <<MODEL
Se F = $force
I  m = 1, p0 = $p0
X1 k
1  j
j -> m
F -> j
j -> k
signal x = int(-f(m), 1)
switch k $law
output p(m)
simulate to 2 every 1
MODEL
done <<'CASES'
stop -1 0 0
stop 1 0 1
CASES

# Two masses that can push but not pull.
while read -r bond p1 p2 end1 end2; do
    [ "$bond" = along ] && bonds='j1 -> k -> j2' || bonds='j2 -> k -> j1'
    expect "X0 stop $bond $p1 $p2" "$end1" "$end2" <<MODEL
I  m1 = 1, p0 = $p1
I  m2 = 1, p0 = $p2
1  j1
1  j2
X0 k
j1 -> m1
j2 -> m2
$bonds
switch k stop
output p(m1), p(m2)
simulate to 1 every 1
MODEL
done <<'CASES'
along 2 0 1 1
along 0 2 0 2
against 2 0 2 0
against 0 2 1 1
CASES

exit $failed

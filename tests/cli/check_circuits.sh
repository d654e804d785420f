# Circuits and machines as one would write them after reading the manual: ready-made laws, units, no
# spelt-out condition. Each runs at the first attempt and ends where textbooks say.
set -eu
junct=${JUNCT:-build/junct}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# expect NAME VALUE TOLERANCE: runs the model on standard input, without a warning; its last output
# ends within the tolerance (as a part of the value, or as it is for 0).
expect() {
    cat >"$work/m.hbg"
    if ! $junct simulate "$work/m.hbg" -q -o "$work/t.csv" >"$work/said" 2>&1 || [ -s "$work/said" ]; then
        echo "$1: does not run, or warns"
        cat "$work/said"
        failed=1
        return
    fi
    if ! tail -1 "$work/t.csv" | awk -F, -v want="$2" -v part="$3" '{
        d = $NF - want; bound = want == 0 ? part : part*want
        exit !(d*d <= bound*bound) }'; then
        echo "$1: ends at $(tail -1 "$work/t.csv" | sed 's/.*,//') instead of $2"
        failed=1
    fi
}

bridge='0 a
0 b
0 plus
0 minus
X1 d1
X1 d2
X1 d3
X1 d4
Se G = 0
G -> minus
a -> d1 -> plus
b -> d2 -> plus
minus -> d3 -> a
minus -> d4 -> b'
diodes='switch d1 diode
switch d2 diode
switch d3 diode
switch d4 diode'

# 325 V through a transformer of 10:1 and a bridge on a resistor: the mean is 2/pi of the crest.
expect 'full bridge on a transformer' 20.6901 1e-5 <<MODEL
domain electrical
Se mains = 325*sin(100*pi*t)
TF n = 10
1  coil
$bridge
mains -> n -> coil -> a
b -> coil
R  load = 50 Ohm
plus -> load
$diodes
output mean = int(e(load))/40 ms
simulate to 40 ms every 1 ms
MODEL

# With drops of 0.7 V the capacitor is charged to the crest less two of them.
expect 'full bridge with drops' 10.6 2e-3 <<MODEL
domain electrical
Se V = 12*sin(100*pi*t)
R  r = 10 mOhm
C  c = 1 mF
1  coil
$bridge
V -> coil -> a
b -> coil
coil -> r
plus -> c
$(echo "$diodes" | sed 's/diode$/diode(0.7)/')
output u = e(c)
simulate to 0.1 every 1 ms
MODEL

# Six diodes on three phases and a resistor: 3*sqrt(3)/pi of the crest.
expect 'three-phase bridge' 537.5457 1e-5 <<'MODEL'
domain electrical
Se G = 0
0  plus
0  minus
0  star
R  load = 30 Ohm
G -> minus
plus -> load
for k in 1..3 {
  Se V[k] = 325*sin(100*pi*t - (k - 1)*2*pi/3)
  1  line[k]
  0  a[k]
  X1 up[k]
  X1 low[k]
  V[k] -> line[k]
  star -> line[k] -> a[k]
  a[k] -> up[k] -> plus
  minus -> low[k] -> a[k]
  switch up[k] diode
  switch low[k] diode
}
output mean = int(e(load))/40 ms
simulate to 40 ms every 1 ms
MODEL

# Thyristors fired 30 degrees late, a current that does not lapse: 2/pi*cos(30 degrees).
expect 'thyristor bridge' 179.182 5e-3 <<MODEL
domain electrical
Se V = 325*sin(100*pi*t)
R  r = 10 Ohm
I  L = 200 mH
1  coil
1  dc
$bridge
V -> coil -> a
b -> coil
plus -> dc -> r
dc -> L
switch d1 thyristor(pwm(20 ms, 1/20, 5 ms/3))
switch d4 thyristor(pwm(20 ms, 1/20, 5 ms/3))
switch d2 thyristor(pwm(20 ms, 1/20, 35 ms/3))
switch d3 thyristor(pwm(20 ms, 1/20, 35 ms/3))
signal late = if(t > 0.3, 1, 0)
output mean = int(late*e(plus))/0.2 s [V]
simulate to 0.5 every 1 ms
MODEL

# Flyback converter, continuous: 24 V*0.4/0.6/2.
expect flyback 8 0.01 <<'MODEL'
domain electrical
Se V = 24 V
I  T(p, s) = [400u, 200u; 200u, 100.001u]
C  c = 100 uF
R  load = 5 Ohm
X1 q
X1 d
0  out
1  second
V -> q -> T.p
second -> T.s
second -> d -> out -> c
out -> load
switch q transistor(pwm(20u, 0.4))
switch d diode
output u = e(c)
simulate to 20 ms every 20u
MODEL

# Forward converter, whose core is demagnetised into the source: 48 V*0.4/2.
expect forward 9.6 5e-3 <<'MODEL'
domain electrical
Se V = 48 V
Se back = -48 V
Se G = 0
I  Lm = 1 mH
TF n = 2
I  L = 100 uH
C  c = 47 uF
R  load = 2 Ohm
0  core
0  node
0  out
1  choke
X1 q
X1 demag
X1 d1
X1 d2
V -> q -> core -> Lm
back -> demag -> core
core -> n -> d1 -> node -> choke -> out -> c
G -> d2 -> node
choke -> L
out -> load
switch q transistor(pwm(20u, 0.4))
switch demag diode
switch d1 diode
switch d2 diode
output u = e(c)
simulate to 4 ms every 20u
MODEL

# A half bridge with reverse diodes takes the current back while both gates are off: no mean.
expect 'half bridge' 0 0.05 <<'MODEL'
domain electrical
Se plus = 100 V
Se minus = -100 V
R  r = 2 Ohm
I  L = 1 mH
0  leg
1  load
X1 high
X1 low
plus -> high -> leg -> low -> minus
leg -> load -> r
load -> L
switch high transistor(pwm(1 ms, 0.45)) reverse diode
switch low transistor(pwm(1 ms, 0.45, 0.5 ms)) reverse diode
signal late = if(t > 10 ms, 1, 0)
output mean = int(late*f(L))/10 ms [A]
simulate to 20 ms every 0.1 ms
MODEL

# A clutch that the brake law lets slip above 6 N*m passes on 3 N*m/s until t = 2 s.
expect clutch 6 1e-9 <<'MODEL'
domain rotational
Se T = 6 N*m/s * t
I  J1 = 1 kg*m^2
I  J2 = 1 kg*m^2
1  motor
1  load
X0 clutch
T -> motor -> J1
motor -> clutch -> load -> J2
switch clutch brake(6 N*m)
output w = f(load)
simulate to 4 every 0.1
MODEL

# A ball on an elastic floor comes back to where it was let go after 2*sqrt(2h/g) and the contact's
# time; without loss its energy stays.
expect 'bouncing on a stop' 9.81 1e-9 <<'MODEL'
domain translational
Se weight = 9.81 N
I  m = 1 kg
C  floor = 1 mm/N
1  v                             # down is positive
X0 contact
weight -> v -> m
v -> contact -> floor
signal gap = 1 m - int(f(m))
switch contact stop(gap)
output energy = p(m)*f(m)/2 + q(floor)*e(floor)/2 + 9.81 N * gap
simulate to 3 every 0.01
MODEL

# A stop without a spring takes all the energy: at rest on the floor.
expect 'a stop that is hit' 0 1e-12 <<'MODEL'
domain translational
Se weight = -9.81 N
I  m = 1 kg
X1 floor
weight -> floor -> m
signal x = int(f(m), 2 m)
switch floor stop(x)
output v = f(m)
simulate to 2 every 0.01
MODEL

# A pump between two check valves only ever fills the accumulator: by the volume of a stroke each second.
expect 'check valves' 3e-3 1e-6 <<'MODEL'
domain hydraulic
Sf pump = pi*1 l/s * sin(2*pi*t)
C  accumulator = 1e-9 m^3/Pa
Se tank = 0 Pa
0  p
X1 inlet
X1 outlet
pump -> p
tank -> inlet -> p
p -> outlet -> accumulator
switch inlet diode
switch outlet diode
output volume = q(accumulator)
simulate to 3 every 0.01
MODEL

exit $failed

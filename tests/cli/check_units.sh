# Units, where people and programs read them: JSON, legends, tables, drawings, the end of a run.
set -eu
junct=${JUNCT:-build/junct}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# has FILE TEXT: the file has a line with this text.
has() {
    if ! grep -qF -- "$2" "$1"; then
        echo "$1 has no '$2':"
        head -c 3000 "$1"
        failed=1
    fi
}

# A condenser microphone: a field of two domains, whose entries differ in unit.
cat >"$work/microphone.hbg" <<'MODEL'
model microphone
domain electrical
domain translational : y
param k = 3 Ohm
Se V = 6
C  K(x, y) = [10u F, 100u; 100u, 5 mm/N], q0 = [0, 1 mm]
R  r = k
R  d = 1/3.5
I  m = 2200e-6
1  a
X1 y
V -> a -> K.x
a -> r
y -> K.y
y -> m
y -> d
switch y on, off at 1/2
output i = f(a), x = q(K.y), force = e(K.y)
simulate to 1 every 1/100
MODEL
m=$work/microphone.hbg

for command in matrices modes analyse; do
    "$junct" $command --json "$m" >"$work/$command" 2>"$work/err"
    has "$work/$command" '"units": {"V": "V", "k": "Ohm", "K.x": "F", "K.y": "m/N", "K.x.y": "s^3*A/kg/m", "d": "N*s/m", "m": "kg"}'
    has "$work/$command" '"output_units": {"i": "A", "x": "m", "force": "N"}'
done
has "$work/matrices" '"states": [{"element": "K.x", "form": "state", "unit": "C"}, {"element": "K.y", "form": "state", "unit": "m"}, {"element": "m", "form": "state", "unit": "N*s"}'
# A row of S is what the element is given, a column what it answers with.
has "$work/matrices" '"rows": [{"element": "K.x", "form": "state", "unit": "A"}, {"element": "K.y", "form": "state", "unit": "m/s"}, {"element": "m", "form": "state", "unit": "N"}, {"element": "m", "form": "pseudo", "unit": "m/s"}'
has "$work/matrices" '"cols": [{"element": "K.x", "form": "state", "unit": "V"}, {"element": "K.y", "form": "state", "unit": "N"}, {"element": "m", "form": "state", "unit": "m/s"}, {"element": "m", "form": "pseudo", "unit": "N"}'
has "$work/matrices" '{"element": "V", "form": "input", "unit": "V"}'
has "$work/matrices" '{"element": "d", "form": "flow-in", "unit": "m/s", "guard": "1"}'

# Without a domain there are none.
sed '/^domain/d' "$m" >"$work/plain.hbg"
"$junct" matrices --json "$work/plain.hbg" >"$work/json" 2>"$work/err"
if grep -q unit "$work/json"; then
    echo "a model without a domain has units"
    failed=1
fi

# Legends and the end of a run; without outputs the states have theirs.
"$junct" simulate "$m" --plot "$work/plot.svg" -o "$work/trace.csv" 2>"$work/said"
has "$work/plot.svg" 'N</text>'
has "$work/said" ' J'
grep -v '^output' "$m" >"$work/states.hbg"
"$junct" simulate "$work/states.hbg" --plot "$work/states.svg" -o "$work/trace.csv" 2>"$work/said"
has "$work/states.svg" 'C</text>'
# Temperature times heat flow is no power.
"$junct" simulate examples/heater.hbg -o "$work/trace.csv" 2>"$work/said"
if grep -q ' J$' "$work/said"; then
    echo "a thermal model has energies in J"
    failed=1
fi

# The report: values as they were written, with the unit that belongs to them; a field is one row.
"$junct" report "$m" -o "$work/report" 2>"$work/err"
has "$work/report/microphone.tex" '1/3.5 N*s/m'
has "$work/report/microphone.tex" '2200e-6 kg'
has "$work/report/microphone.tex" '3 Ohm'
has "$work/report/microphone.tex" '[10u F, 100u; 100u, 5 mm/N]'
has "$work/report/microphone.tex" 'addlegendentry{$\mathrm{force}$ in N}'
"$junct" draw "$m" -o "$work/picture.svg" 2>"$work/err"
has "$work/picture.svg" '1/3.5 N*s/m'
has "$work/picture.svg" '2200e-6 kg'

# --set takes what a file may have, with the same checks: 10 kOhm is 10000, and not volts.
for value in 10000 10k 10kOhm '10 kOhm' 0.01MOhm 20000/2; do
    "$junct" simulate examples/regulator.hbg --set "load=$value" --to 20u -q >"$work/set" 2>"$work/err" || failed=1
    [ -f "$work/first" ] || cp "$work/set" "$work/first"
    cmp "$work/first" "$work/set" || failed=1
done
# refused MODEL SET TEXT: wrong usage, and why.
refused() {
    code=0
    "$junct" simulate "$1" --set "$2" --to 20u >"$work/out" 2>"$work/said" || code=$?
    [ $code = 2 ] || { echo "--set $2: exit code $code"; failed=1; }
    has "$work/said" "$3"
}
refused examples/regulator.hbg 'load=10 V' 'the value of load is in Ohm'
refused examples/regulator.hbg 'V=24 mA' 'the value of V is in V'
refused examples/regulator.hbg 'V=24V' 'a unit stands after a space or a prefix'
refused "$m" 'k=3 V' 'the value of k is in Ohm'
refused examples/buck.hbg 'V=24 rpm' 'is not rational'
"$junct" report "$m" --set 'k=4 Ohm' -o "$work/report" 2>"$work/err"
has "$work/report/microphone.tex" '4 Ohm'

# A plain factor may have lost its unit: e/(rho*g) is a level, not a pressure, and a duty cycle is not in Pa.
cat >"$work/level.hbg" <<'MODEL'
model level
domain hydraulic
param rho = 1000
param g = 9.81
Sf pump = 1 l/s
C  tank = 1e-5
R  out = 1e7 Pa*s/m^3
0  a
pump -> a -> tank
a -> out
output h = e(a)/(rho*g), h2 = e(a)/9810, duty = min(0.02*e(a), 0.95), twice = 2*e(a), half = e(a)*0.5, q = f(out)
simulate to 10 every 1/10
MODEL
"$junct" matrices --json "$work/level.hbg" >"$work/json" 2>"$work/err"
has "$work/json" '"output_units": {"twice": "Pa", "half": "Pa", "q": "m^3/s"}'
# A unit without prefixes stands once, above its axis.
"$junct" simulate "$work/level.hbg" --plot "$work/level.svg" -q -o "$work/trace.csv" 2>"$work/said"
has "$work/level.svg" '>m^3/s</text>'
has "$work/level.svg" '>2e-5</text>'
exit $failed

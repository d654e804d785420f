# junct verify from the outside: exit codes, JSON, pictures, wrong usage.
set -eu
junct=${JUNCT:-build/junct}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*"
    exit 1
}
# CODE ARGUMENTS...: what is printed goes to $work/out and $work/err.
ends() {
    want=$1 code=0
    shift
    "$junct" verify "$@" >"$work/out" 2>"$work/err" || code=$?
    [ $code -eq "$want" ] || { cat "$work/err"; fail "junct verify $*: exit code $code, not $want"; }
}

ends 0 examples/buck.hbg --json
grep -q '"settling": {"verdict": "proved", "changes": 2, "changes_found": 2}' "$work/out" || fail "changes of the buck"
ends 4 examples/relay.hbg --json
grep -q '"settling": {"verdict": "refuted", "witness": {"state": {}' "$work/out" || fail "witness of the relay"
grep -q '"cycle": [0-9]' "$work/out" || fail "cycle of the relay"
ends 0 examples/buck.hbg --graph "$work/graph.svg"
grep -q '</svg>' "$work/graph.svg" || fail "graph of modes"
ends 4 examples/rod_threshold.hbg --plot 'p(mx),p(my)' -o "$work/plane.svg" --max-seconds 20
grep -q 'never settles' "$work/plane.svg" || fail "plane of the rod"

# A case begins where the witness stands: a run of it does not get past t = 0.
# WHY MODEL ARGUMENTS...
case_stops() {
    why=$1
    shift
    rm -f "$work/case.hbg"
    ends 4 "$@" --max-seconds 20 --write-case "$work/case.hbg"
    grep -q "tried at once: .*$why" "$work/err" || fail "$1: what the case does is not said"
    code=0
    "$junct" simulate "$work/case.hbg" -q -o "$work/t.csv" 2>"$work/err" || code=$?
    [ $code -eq 1 ] || [ $code -eq 3 ] || fail "the case of $1 runs: exit code $code"
    grep -q "$why" "$work/err" || { cat "$work/err"; fail "the case of $1 stops for another reason"; }
}
case_stops 'the switches change for ever at t = 0' examples/rod_threshold.hbg
grep -q '^I  my .*, p0 = 1/100$' "$work/case.hbg" || fail "the state of the rod"
grep -q 'gap = int(-fall, -1/1000)' "$work/case.hbg" || fail "the integral of the rod"
case_stops 'the switches change for ever at t = 0' examples/relay.hbg
grep -q '^Se V *= [0-9]*/[0-9]*$' "$work/case.hbg" || fail "the input of the relay"
case_stops 'the sources are in conflict' examples/halfbridge.hbg --set dead=0
grep -q '^param dead = 0 ' "$work/case.hbg" || fail "a value that was set"
grep -q '^switch low_gate on *# was: switch low_gate pwm' "$work/case.hbg" || fail "a modulation that is held"
# An assert that is broken; an automaton, a discrete variable, a field.
cat >"$work/m.hbg" <<'END'
model m
Se V = 10
I  M(a, b) = [2, 1; 1, 3], p0 = [1, 1]
R  r = 1
discrete n = 0
1  loop
X1 s
V -> s -> loop -> M.a
s -> M.b
loop -> r
automaton s {
  open   off initial
  closed on
  open -> closed when p(M.b) < -1 { n = n + 1 }
}
bound 2 <= n <= 3
assert not (on(s) and f(M.a) > 7) "slow"
simulate to 1 every 0.1
END
case_stops 'the assert "slow" does not hold' "$work/m.hbg"
grep -q 'closed on  *initial' "$work/case.hbg" || fail "the state of the automaton"
grep -q 'p0 = \[[^1]' "$work/case.hbg" || fail "the state of the field"
grep -q 'discrete n = [23]' "$work/case.hbg" || fail "the discrete variable"
# Nothing to write, and a state that no statement of its own can express.
rm -f "$work/case.hbg"
ends 0 examples/buck.hbg --write-case "$work/case.hbg"
[ ! -e "$work/case.hbg" ] || fail "a case of what is proved"
sed 's/^Se V = 12 V/for k in 1..1 {\n  Se V[k] = 12 V\n}/; s/^V ->/V[1] ->/; s/e(V)/e(V[1])/' examples/relay.hbg >"$work/m.hbg"
ends 3 "$work/m.hbg" --write-case "$work/case.hbg"
grep -q 'V\[1\] has no statement of its own' "$work/err" || fail "a source in a loop"
[ ! -e "$work/case.hbg" ] || fail "a case that is not right is written"
# It buzzes once t > 10: no case of that begins at 0, where another claim fails because the ramp is held.
printf 'model m\nSe V = 2*t\nR r = 1\n1 l\nX1 s\nV -> l -> r\nl -> s\nswitch s off, on when e(V) > 6, off when t > 10\nassert e(V) = 2*t\nsimulate to 1 every 1\n' >"$work/m.hbg"
ends 3 "$work/m.hbg" --write-case "$work/case.hbg"
[ ! -e "$work/case.hbg" ] || fail "a case that stops for another reason is written"

# A table has the values of its file: 4.5 is one of them, 6 is not, though nothing proves that.
printf 't,v\n0,0\n1,5\n2,3\n' >"$work/v.csv"
printf 'model m\nSe V = table("v.csv", "v")\nR r = 1\n1 l\nX1 s\nV -> l -> r\nl -> s\nswitch s on, off at 9\nassert e(V) <= 5\nassert e(V) <= 4\n' >"$work/m.hbg"
ends 4 "$work/m.hbg" --json
tr -d '\n ' <"$work/out" | grep -q '"verdict":"open".*"verdict":"refuted"' || fail "the values of a table"

# What is refuted is said by the exit code, whatever else is asked for; how far the same happens.
ends 4 examples/relay.hbg --json --graph "$work/graph.svg"
grep -q '"ranges": {"V": {"above": "54/5", "below": "11"}}' "$work/out" || fail "the range of the relay"
ends 4 examples/relay.hbg
grep -q 'The same happens for 54/5 < V < 11' "$work/out" || fail "the range of the relay in words"

# A claim that fails says what it compares, and what is not linear has a name.
printf 'model m\nSe V = 10\nI L = 1\nR r = 1\nR q : e = f^3\n1 a\nX1 s\nV -> s -> a -> L\na -> r\nswitch s on, off at 5\nassert f(L) <= 5 "at most 5"\n' >"$work/m.hbg"
grep -v '^R q' "$work/m.hbg" >"$work/n.hbg"
ends 4 "$work/n.hbg"
grep -Eq 'lasts there, with f\(L\) = [0-9]' "$work/out" || fail "the value that breaks a claim"
ends 4 "$work/n.hbg" --json
grep -Eq '"values": \{"f\(L\)": [0-9]' "$work/out" || fail "the value that breaks a claim, in JSON"
sed 's/^a -> r/a -> r\na -> q/' "$work/m.hbg" >"$work/n.hbg"
ends 3 "$work/n.hbg"
grep -q "the law of 'q' is not linear" "$work/out" || fail "the law that is not linear has no name"
# A dead end is told as one, a hair away from where its condition turns.
printf 'model m\nSe V = 12\nSe G = 0\nI L = 1m\nX1 hi\nX1 lo\n0 n\nV -> hi -> n\nG -> lo -> n\nn -> L\nswitch hi off, on when f(L) < 2, off when f(L) > 3\nswitch lo on, on when f(L) > 2.5, off when f(L) < 1\n' >"$work/m.hbg"
ends 4 "$work/m.hbg"
tr '\n' ' ' <"$work/out" | grep -q 'which leads to mode 11, and there sources are in conflict. A run stops there.' || fail "what a dead end is"
sed -n 's/^From mode .* p(L) = \([0-9]*\)\/\([0-9]*\).*: .* turns on.*/\1 \2/p' "$work/out" | head -1 | awk '
    { p = 1000 * $1 / $2; found = (p > 1.98 && p < 2) || (p > 2.5 && p < 2.525) } END { exit !found }
' || fail "the dead end is not where its condition turns"

# A model that cannot even start, and bounds within which no mode lasts.
printf 'model m\nSe V = 1\nSe W = 2\n0 n\nR q = 1\nX1 a\nX1 b\nV -> a -> n\nW -> b -> n\nn -> q\nswitch a on\nswitch b on, off at 1\n' >"$work/m.hbg"
ends 4 "$work/m.hbg"
grep -q 'As the model starts, in mode 11' "$work/out" || fail "the start is not told"
printf 'model m\nSe V = 10\nI L = 1\n1 loop\nX1 d\nV -> d -> loop -> L\nswitch d diode\nbound p(L) <= -1\n' >"$work/m.hbg"
ends 3 "$work/m.hbg"
grep -q 'within the bounds no mode lasts' "$work/out" || fail "what is proved of nothing"

ends 2 examples/buck.hbg --at 'p(L)=1'
ends 2 examples/rod_threshold.hbg --plot 'p(mx),p(my)' --at 'p(K)=1' -o "$work/no.svg"
ends 2 examples/rod_threshold.hbg --plot 'p(mx),p(my)' --at 'p(J)' -o "$work/no.svg"
ends 2 examples/buck.hbg --plot 'p(L)' -o "$work/no.svg"
ends 2 examples/buck.hbg --plot 'p(L),q(C1)'
ends 2 examples/buck.hbg --max-changes 0
ends 2 examples/buck.hbg --max-seconds soon
printf 'model m\nSe V = 1\nI L = 1\n1 a\nX1 s\nV -> s -> a -> L\nswitch s diode\nbound p(L) < 1\n' >"$work/m.hbg"
ends 1 "$work/m.hbg"
printf 'model m\nSe V = 1\nI L = 1\n1 a\nX1 s\nV -> s -> a -> L\nswitch s diode\nbound p(L) <= 1\nbound p(L) >= 2\n' >"$work/m.hbg"
ends 1 "$work/m.hbg"
grep -q 'bound-contradiction' "$work/err" || fail "contradictory bounds"
printf 'model m\nSe V = 1\nI L = 1\n1 a\nX1 s\nV -> s -> a -> L\nswitch s diode\nassert f(LL) > 0\n' >"$work/m.hbg"
ends 1 "$work/m.hbg"
printf 'model m\nSe V = 1\nI L\n1 a\nX1 s\nV -> s -> a -> L\nswitch s diode\n' >"$work/m.hbg"
ends 1 "$work/m.hbg"
grep -q 'value-missing' "$work/err" || fail "a value that is missing"
printf 'model m\nSe V\nX0 x\nC c = 1\nR r = 1\nx -> c\nV -> x\nx -> r\n' >"$work/m.hbg"
ends 1 "$work/m.hbg"
grep -q 'value-missing' "$work/err" || fail "a source in conflict whose value is missing"

# In a run an assert is located, f(L) = 10*(1 - exp(-t)) <= 5 up to ln 2, and the run stops there.
printf 'model m\nSe V = 10\nI L = 1\nR r = 1\n1 a\nX1 s\nV -> s -> a -> L\na -> r\nswitch s on, off at 5\nassert f(L) <= 5 "at most 5"\noutput i = f(L)\nsimulate to 6 every 1\n' >"$work/m.hbg"
code=0
"$junct" simulate "$work/m.hbg" -q -o "$work/t.csv" 2>"$work/err" || code=$?
[ $code -eq 3 ] || fail "a run with a broken assert: exit code $code"
grep -q 'at t = 0.69314718055994.* the assert "at most 5" does not hold' "$work/err" || fail "where the assert broke"
"$junct" simulate "$work/m.hbg" -q -o "$work/t.csv" --events "$work/e.csv" 2>"$work/err" || true
grep -q '^0.69314718055994[0-9]*,assert,1,1,,,at most 5' "$work/e.csv" || fail "the assert among the events"
"$junct" simulate "$work/m.hbg" -q -o "$work/t.csv" --events "$work/e.csv" --keep-going 2>"$work/err" || fail "--keep-going: exit code $?"
[ "$(grep -c ,assert, "$work/e.csv")" -eq 1 ] || fail "asserts among the events of a run that goes on"
"$junct" simulate "$work/m.hbg" -q -o "$work/t.csv" --keep-going 2>"$work/err" || fail "--keep-going: exit code $?"
grep -q 'did not hold, 1 time' "$work/err" || fail "how often the assert broke"

# The section of a report, with the graph of modes.
"$junct" report examples/buck.hbg --verify --no-run --format md -o "$work/report" 2>/dev/null || fail "report --verify"
grep -q '^## Switching' "$work/report/buck.md" || fail "the section on switching"
grep -q 'Settling: proved. Every instant ends, after 2 changes at most' "$work/report/buck.md" || fail "the verdict in the report"
grep -q 'Taken for granted' "$work/report/buck.md" || fail "what the report takes for granted"
grep -q '</svg>' "$work/report/buck-modes.svg" || fail "the graph of modes of the report"
"$junct" report examples/buck.hbg --verify --no-run -o "$work/report" 2>/dev/null || fail "report --verify in LaTeX"
arrows=$(grep -c '^<path' "$work/report/buck-modes.svg")
[ "$arrows" -gt 0 ] || fail "arrows between modes"
[ "$(grep -c 'to\[bend right' "$work/report/buck.tex")" -eq "$arrows" ] || fail "the same graph of modes in LaTeX"

# A source that varies within bounds may stop at 0, where diodes tie it; a sine passes it, also where the capacitor
# is below 0 as the model starts, and a run goes on there.
sed 's/^Se V = .*/Se V = 20\nbound -20 <= e(V) <= 20/' examples/rectifier.hbg >"$work/bounded.hbg"
"$junct" verify "$work/bounded.hbg" >"$work/out" 2>/dev/null || true
grep -q '^Dead ends: open: sources that may change' "$work/out" || fail "the conflict of a source that varies"
sed 's/^C  C1 = .*/C C1 = 1\/1000, q0 = -1\/1000/' examples/rectifier.hbg >"$work/below.hbg"
"$junct" verify "$work/below.hbg" >"$work/out" 2>/dev/null || true
grep -q '^Dead ends: refuted' "$work/out" && fail "a conflict that no run has"
"$junct" simulate "$work/below.hbg" --to 0.001 -q -o "$work/t.csv" 2>/dev/null || fail "a capacitor below 0"

# Around what is refuted: the plane in which instants end, in both forms of the report.
"$junct" report examples/rod_threshold.hbg --verify --no-run --format md -o "$work/report" 2>/dev/null || fail "report on the rod"
grep -q 'rod_threshold-plane.svg' "$work/report/rod_threshold.md" || fail "the plane in Markdown"
grep -q 'never settles' "$work/report/rod_threshold-plane.svg" || fail "the region that never settles"
"$junct" report examples/rod_threshold.hbg --verify --no-run -o "$work/report" 2>/dev/null || fail "report on the rod in LaTeX"
grep -q 'never settles' "$work/report/rod_threshold.tex" || fail "the plane in LaTeX"

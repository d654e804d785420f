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
grep -q '"settling": {"verdict": "proved", "changes": 2}' "$work/out" || fail "changes of the buck"
ends 4 examples/relay.hbg --json
grep -q '"settling": {"verdict": "refuted", "witness": {"state": {}' "$work/out" || fail "witness of the relay"
grep -q '"cycle": [0-9]' "$work/out" || fail "cycle of the relay"
ends 0 examples/buck.hbg --graph "$work/graph.svg"
grep -q '</svg>' "$work/graph.svg" || fail "graph of modes"
ends 4 examples/rod_threshold.hbg --plot 'p(mx),p(my)' -o "$work/plane.svg" --max-seconds 20
grep -q 'never settles' "$work/plane.svg" || fail "plane of the rod"

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

# In a run an assert is located, f(L) = 10*(1 - exp(-t)) <= 5 up to ln 2, and the run stops there.
printf 'model m\nSe V = 10\nI L = 1\nR r = 1\n1 a\nX1 s\nV -> s -> a -> L\na -> r\nswitch s on, off at 5\nassert f(L) <= 5 "at most 5"\noutput i = f(L)\nsimulate to 6 every 1\n' >"$work/m.hbg"
code=0
"$junct" simulate "$work/m.hbg" -q -o "$work/t.csv" 2>"$work/err" || code=$?
[ $code -eq 3 ] || fail "a run with a broken assert: exit code $code"
grep -q 'at t = 0.69314718055994.* the assert "at most 5" does not hold' "$work/err" || fail "where the assert broke"
"$junct" simulate "$work/m.hbg" -q -o "$work/t.csv" --keep-going 2>"$work/err" || fail "--keep-going: exit code $?"
grep -q 'did not hold, 1 time' "$work/err" || fail "how often the assert broke"

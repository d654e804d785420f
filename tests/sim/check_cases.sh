#!/bin/bash
# What of the cases is seen at the command line only: rows of pinnacles, the choice to be strict,
# and runs that are told when to end.
set -u
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
cases=tests/sim/cases
failed=0
fail() { echo "$1"; failed=1; }

# The ten intermediate speeds of the piston at t = 1: 0.6 of the last by each bounce, 1/1.01 of it
# as relief opens, while a bounce leaves more than 3/8.
$JUNCT simulate examples/pinnacle.hbg --pinnacles -q -o "$dir/p.csv" || fail "--pinnacles: exit code $?"
awk 'BEGIN {
    for (v = 4; v > 0.25;) {
        printf "%.9f\n", v *= 0.6
        if (v > 0.375) printf "%.9f\n", v /= 1.01
    }
}' > "$dir/right"
awk -F, '$1 == 1 { n++; v[n] = $3 } END { for (i = 2; i < n; i++) printf "%.9f\n", v[i] }' \
    "$dir/p.csv" > "$dir/got"
diff "$dir/right" "$dir/got" || fail "the pinnacles of pinnacle.hbg"

# Nothing determines how two closed switches share.
$JUNCT simulate $cases/share.hbg --strict -q -o "$dir/s.csv" 2> "$dir/message"
[ $? = 3 ] || fail "--strict: exit code is not 3"
grep -q 's1\|s2' "$dir/message" || fail "--strict does not name the switches"

# A run of a thousand million events ends in order, with rows.
cat > "$dir/long.hbg" <<'END'
Se V = 1
I L = 1
R r : e = f + f^3/10
X1 s
Se W = 1
R side = 1
1 loop
V -> loop -> L
loop -> r
W -> s -> side
switch s pwm(1e-6, 1/2)
output p = p(L)
simulate to 1000 every 1
END
for method in auto radau; do
    # judged by processor time: a busy machine makes any clock late
    (
        ulimit -t 4
        $JUNCT simulate "$dir/long.hbg" --method $method --max-seconds 1 -q -o "$dir/l.csv" 2> "$dir/message"
    )
    [ $? = 3 ] || fail "--max-seconds, $method: exit code is not 3, or too late"
    [ "$(wc -l < "$dir/l.csv")" -gt 1 ] || fail "--max-seconds, $method: no rows"
done

# A source that is given another value may have been the only one to read an integral. With e = f^3
# and 1 V, q = 1 - (1 - 2t/3)^(3/2).
cat > "$dir/unread.hbg" << 'END'
Se s = atan(int(t, 0))
R r : e = f^3
C c = 1
1 j
s -> j -> r
j -> c
output q(c)
simulate to 1 every 1
END
$JUNCT simulate "$dir/unread.hbg" --set s=1 -q -o "$dir/u.csv" || fail "--set of a source with an integral: exit code $?"
grep -q '^1,,0\.8075499102[67]' "$dir/u.csv" || fail "--set of a source with an integral: wrong value"
exit $failed

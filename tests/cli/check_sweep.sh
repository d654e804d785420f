# Sweeps: the same bytes for any number of workers and whatever happens on the way; a table that was
# begun is gone on with; values of a row repeat its run; pictures; what is wrong is said.
set -eu
junct=$(realpath "${JUNCT:-build/junct}")
examples=$PWD/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$*"
    exit 1
}
# The exit code, and a part of what is said.
says() {
    expected=$1 part=$2
    shift 2
    code=0
    "$@" >out 2>err || code=$?
    [ $code -eq "$expected" ] || fail "exit code $code instead of $expected: $*: $(cat err)"
    [ -z "$part" ] || grep -qF -- "$part" err || fail "'$part' is not said: $*: $(cat err)"
}

buck=$examples/buck.hbg
ask="sweep $buck --vary load=log:1:100:30 --vary L=50u,100u,200u --measure mean(v) --to 2m -q"

# ---- workers
"$junct" $ask >alone.csv
[ "$(wc -l <alone.csv)" -eq 91 ]
for jobs in 2 5; do
    "$junct" $ask -j $jobs -o by.csv
    cmp alone.csv by.csv
    [ ! -e by.csv.part ] && [ ! -e by.csv.part.id ]
done

# A worker that is killed takes nothing with it.
slow="sweep $buck --vary load=1:100:250 --measure mean(v) --to 15m -q"
"$junct" $slow -o calm.csv
"$junct" $slow -j 2 -o rough.csv &
boss=$!
for turn in 1 2 3; do
    sleep 0.2
    victim=$(ps -eo pid,ppid | awk -v p=$boss '$2 == p { print $1; exit }')
    [ -z "$victim" ] || kill -9 "$victim" 2>/dev/null || :
done
wait $boss
cmp calm.csv rough.csv

# ---- going on
"$junct" $slow -o begun.csv &
boss=$!
sleep 0.4
kill -9 $boss 2>/dev/null || :
wait $boss 2>/dev/null || :
if [ -e begun.csv.part ]; then # it had not come to its end
    printf '17,cut o' >>begun.csv.part # a row that was cut off
    says 2 'the beginning of another sweep' "$junct" $slow --from 1m -o begun.csv
    "$junct" $slow -j 2 -o begun.csv
fi
cmp calm.csv begun.csv
# Ctrl-C: what is there is said, and is whole.
"$junct" $slow -o stopped.csv 2>err &
boss=$!
sleep 0.4
kill -INT $boss 2>/dev/null || :
code=0
wait $boss || code=$?
if [ $code -eq 3 ] && [ -e stopped.csv.part ]; then
    cmp -n "$(wc -c <stopped.csv.part)" calm.csv stopped.csv.part
fi
says 0 '' "$junct" $slow --restart -o stopped.csv
cmp calm.csv stopped.csv

# A disk that is full: whole rows stay, and it goes on when there is room.
code=0
(ulimit -f 1 && "$junct" $slow -o full.csv) 2>err || code=$?
[ $code -eq 3 ]
grep -q 'rows are in full.csv.part; the same command goes on' err
cmp -n "$(wc -c <full.csv.part)" calm.csv full.csv.part
[ "$(tail -c 1 full.csv.part | wc -l)" -eq 1 ]
"$junct" $slow -o full.csv
cmp calm.csv full.csv
if [ -w /dev/full ]; then
    says 3 'No space left' "$junct" $ask -o /dev/full
fi

# ---- a row repeats a run
"$junct" sweep "$buck" --vary 'load=normal(40,5)' --vary 'q0(C1)=uniform(0,1m)' --samples 3 --seed 5 \
    --measure 'final(v)' --to 1m >draws.csv
"$junct" sweep "$buck" --vary 'load=normal(40,5)' --vary 'q0(C1)=uniform(0,1m)' --samples 3 --seed 5 \
    --measure 'final(v)' --to 1m -j 3 | cmp - draws.csv
load=$(sed -n 3p draws.csv | cut -d, -f2) charge=$(sed -n 3p draws.csv | cut -d, -f3)
"$junct" sweep "$buck" --set "load=$load" --vary "q0(C1)=$charge" --measure 'final(v)' --to 1m |
    tail -n 1 | cut -d, -f3 >one
sed -n 3p draws.csv | cut -d, -f4 | cmp - one

# ---- methods agree
"$junct" sweep "$buck" --vary load=10,40 --measure 'mean(v)' --to 1m --method radau | cut -d, -f3 >radau
"$junct" sweep "$buck" --vary load=10,40 --measure 'mean(v)' --to 1m | cut -d, -f3 >exact
paste radau exact | awk 'NR > 1 && ($1 / $2 - 1) ^ 2 > 1e-16 { bad = 1 } END { exit bad }'

# ---- pictures
picture() {
    name=$1
    shift
    "$junct" sweep "$@" -q -o "$name.csv" --plot "$name.svg"
    [ -s "$name.svg" ] && tail -n 1 "$name.svg" | grep -q '</svg>'
}
picture curve "$buck" --vary load=log:1:100:5 --measure 'mean(v)' --to 1m
[ "$(grep -c 'class="line' curve.svg)" -eq 1 ]
picture family "$buck" --vary load=1:100:5 --vary L=50u,100u --measure 'mean(v)' --to 1m
grep -q 'L = 100u' family.svg
picture map "$buck" --vary load=1:100:5 --vary L=50u,100u --measure 'mean(v)' --to 1m --plot-kind map
[ "$(grep -c 'class="cell"' map.svg)" -eq 74 ] # 10, and the 64 of the scale
picture bars "$buck" --vary 'load=uniform(1,9)' --samples 20 --measure 'mean(v)' --to 1m
grep -q '20 runs, mean' bars.svg
picture dots "$examples/boost_peak.hbg" --vary iref=1,2 --each-period 'f(L)' --periods 4 --to 3m
[ "$(grep -o 'h0' dots.svg | wc -l)" -eq 8 ]
says 2 'a map needs two' "$junct" sweep "$buck" --vary load=1,2 --plot x.svg --plot-kind map
says 2 'curve, map, scatter' "$junct" sweep "$buck" --vary load=1,2 --plot x.svg --plot-kind pie

# ---- the period doubles: 1 A repeats every period, 2 A every second one
"$junct" sweep "$examples/boost_peak.hbg" --vary iref=1,2 --each-period 'f(L)' --periods 4 --to 20m >peaks
awk -F, 'function same(a, b) { return (a / b - 1) ^ 2 < 1e-16 }
    NR == 2 && !same($3, $4) { bad = 1 } NR == 3 && (same($3, $4) || !same($3, $5)) { bad = 1 }
    END { exit bad }' peaks

# ---- what is wrong
says 2 'nothing is varied' "$junct" sweep "$buck"
says 2 "did you mean 'load'" "$junct" sweep "$buck" --vary laod=1,2
says 2 'exclude each other' "$junct" sweep "$buck" --vary load=1,2 --steady --analyse
says 2 "belongs to '--analyse'" "$junct" sweep "$buck" --vary load=1,2 --mode 10
says 2 "is for runs, not for '--steady'" "$junct" sweep "$buck" --vary load=1,2 --steady --to 1
says 2 'a whole number' "$junct" sweep "$buck" --vary 'load=uniform(1,2)' --samples 0
says 2 'more than 10^12 rows' "$junct" sweep "$buck" --vary load=1:2:1000000 --vary L=1m:2m:1000000 --vary C1=1:2:9
says 2 "did you mean 'mean'" "$junct" sweep "$buck" --vary load=1,2 --measure 'maen(v)'
says 2 'nothing is drawn' "$junct" sweep "$buck" --vary load=1,2 --samples 3
says 2 "'--vary" "$junct" sweep "$buck" --vary
says 2 '--vary:1:6: error' "$junct" sweep "$buck" --vary load=x
says 2 'no pwm' "$junct" sweep "$examples/clutch.hbg" --vary J1=1,2 --each-period 'f(J1)'
says 0 '' "$junct" sweep "$examples/clutch.hbg" --vary J1=1,2 --each-period 'f(J1)' --period 0.1 --periods 3
says 1 'nothing in the model gives a period' "$junct" sweep "$examples/clutch.hbg" --vary J1=1,2 --steady
says 2 "write 'e0(C1)'" "$junct" sweep "$buck" --vary 'f0(C1)=1' --to 1m
says 2 "write 'p0(L)'" "$junct" sweep "$buck" --vary 'q0(L)=1' --to 1m
# Exit codes are those of a run: the model is wrong, or nothing was answered.
sed 's/^R  load.*/R load/' "$buck" >open.hbg
says 1 'has no value' "$junct" sweep open.hbg --vary L=1m,2m --to 1m
says 0 '1 row has no full answer' "$junct" sweep "$buck" --vary L=0,1m --to 1m
says 3 '2 rows have no full answer' "$junct" sweep "$buck" --vary load=1,2 --to 1m --max-seconds 1e-9
# What grows beyond what doubles hold ends, and says so.
says 3 '1 row has no full answer' "$junct" sweep "$examples/boost_peak.hbg" --vary load=-1.5 --to 1
grep -q 'a run holds none beyond 1e+140' out
says 3 'a run holds none beyond 1e+140' "$junct" simulate "$examples/boost_peak.hbg" --set load=-1.5 --to 1 -o grown.csv
# Numbers that are no fractions.
"$junct" sweep "$examples/boost_peak.hbg" --vary iref=1,2 --measure 'x = sqrt(iref)' --measure 'y = mean(3)*pi' --to 1m >numbers
awk -F, 'NR > 1 && (($3 / sqrt($2) - 1) ^ 2 > 1e-28 || ($4 / 9.42477796076938 - 1) ^ 2 > 1e-24) { bad = 1 }
    END { exit bad || NR != 3 }' numbers
# What is no number is said, and leaves the other fields as they are; what never happens is just empty.
says 0 '1 row has no full answer' "$junct" sweep "$examples/boost_peak.hbg" --vary iref=1,2 --measure '1/(iref - 1)' \
    --measure 'mean(2)' --measure 'first(v > 1000)' --to 1m
grep -qx "0,1,,2,,'1/(iref - 1)' is no number with these values" out
grep -qx '1,2,1,2,,ok' out
says 3 '2 rows have no full answer' "$junct" sweep "$examples/boost_peak.hbg" --vary iref=1,2 --to 1m \
    --measure 'x = sqrt(mean(v) - 2*max(v))' --measure 'sqrt(-1)'
[ "$(grep -c "'x' is no number with these values" out)" -eq 2 ]
"$junct" sweep "$examples/stickslip.hbg" --vary m=1,2 --steady --free --measure period >free
[ "$(grep -c ',ok$' free)" -eq 2 ]
# A value that is no number for some time is said, of orbits as of runs, and leaves the others.
printf 'model m\nSe V = cos(t)\nI L = 1\nR r = 1\n1 a\nV -> a -> L\na -> r\noutput i = f(L)\n' >root.hbg
for of in --steady '--to 10'; do
    says 0 '2 rows have no full answer' "$junct" sweep root.hbg --vary r=1,2 $of \
        --measure 'mean(sqrt(i))' --measure 'max(i)'
    [ "$(grep -c '^[01],[12],,0\.[0-9]*,"nothing determines' out)" -eq 2 ] || fail "$of: $(cat out)"
done
# A capacitor is switched between source and output: all the charge comes in impulses, which no mean has. With them the
# source gives in the mean what the load takes.
printf '%s\n' 'model pump' 'Se V = 10' 'C Cf = 1u' 'C Co = 10u' 'R load = 50' '0 a' '0 out' 'X1 s1' 'X1 s2' \
    'V -> s1 -> a -> s2 -> out -> Co' 'a -> Cf' 'out -> load' 'switch s1 pwm(10u, 1/2)' \
    'switch s2 pwm(10u, 1/2, 5u)' 'simulate to 5m every 1u' >pump.hbg
for of in --steady '--from 4m'; do
    says 0 '2 rows have no full answer' "$junct" sweep pump.hbg --vary load=50,100 $of --measure 'mean(f(V))' \
        --measure 'mean(f(load))' --measure 'max(f(load))'
    sed -n '2,$s/"//gp' out | awk -F'[, ]' '{ if ($3 != 0 || ($NF / $4 - 1) ^ 2 > 1e-16) bad = 1 } END { exit bad || NR != 2 }' ||
        fail "$of: $(cat out)"
    grep -q "'f(V)' has impulses, and is measured between them: with them its mean is 0.1666372132" out
done
says 2 'add --steady' "$junct" sweep pump.hbg --vary load=50 --measure '2*multiplier'
says 2 'add --analyse' "$junct" sweep pump.hbg --vary load=50 --measure poles
# Impulses whose areas cancel are impulses.
printf '%s\n' 'model fill_and_empty' 'Se V = 10' 'Se G = 0' 'C Cf = 1u' '0 a' 'X1 s1' 'X1 s2' 'V -> s1 -> a' 'G -> s2 -> a' \
    'a -> Cf' 'switch s1 pwm(10u, 1/2)' 'switch s2 pwm(10u, 1/2, 5u)' 'simulate to 100u every 1u' >cancel.hbg
for of in --steady '--to 100u'; do
    says 0 '1 row has no full answer' "$junct" sweep cancel.hbg --vary V=10 $of --measure 'mean(f(Cf))'
    grep -q "'f(Cf)' has impulses" out || fail "$of: $(cat out)"
done

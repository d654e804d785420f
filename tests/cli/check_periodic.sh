# junct steady and junct bode: their forms, and what they say of wrong input.
set -eu
export LC_ALL=C.UTF-8
junct=${JUNCT:-build/junct}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# says CODE TEXT ARGUMENT...: the exit code, and a text in what is printed.
says() {
    code=$1 text=$2
    shift 2
    got=0
    "$junct" "$@" >"$work/out" 2>&1 </dev/null || got=$?
    if [ "$got" != "$code" ] || ! grep -q -F -e "$text" "$work/out"; then
        echo "junct $*: exit code $got, not $code; or without '$text':"
        head -n 20 "$work/out"
        failed=1
    fi
}

buck=examples/buck.hbg
says 0 'stable' steady $buck
says 0 '"status": "found"' steady $buck --json
says 0 'name,mean,rms,min,max,ripple,thd,amplitude1,phase1' steady $buck --csv
says 0 'multipliers = [complex(' steady $buck --octave
says 0 'efficiency' steady $buck --load load
printf 'model m\nSe V = 0*cos(t)\nI L = 1\nR r = 1\n1 a\nV -> a -> L\na -> r\n' >"$work/none.hbg"
says 0 'as the load: none, because no source gives power' steady "$work/none.hbg" --load r
sed 's|pwm(20e-6, 1/2)|pwm(tp, D)|; s|^model.*|&\nparam D = 1/2\nparam tp = 20u|' $buck >"$work/duty.hbg"
says 0 'stable' steady "$work/duty.hbg" --set D=0.4
says 0 'response of v to duty(s)' bode "$work/duty.hbg" --from 'duty(s)' --to v --freq 100
says 3 "the duty cycle of 's' is at its end, 0" bode "$work/duty.hbg" --from 'duty(s)' --to v --freq 100 --set D=0
says 3 "the duty cycle of 's' is at its end, 1" bode "$work/duty.hbg" --from 'duty(s)' --to v --freq 100 --set D=1
says 2 'the duty cycle of s is not between 0 and 1' steady "$work/duty.hbg" --set D=1.5
says 2 'the duty cycle of s is not between 0 and 1' simulate "$work/duty.hbg" --set D=-1
says 2 'the period of s is not positive' steady "$work/duty.hbg" --set tp=0
says 0 'the duty cycle of s is not between 0 and 1' sweep "$work/duty.hbg" --steady --vary D=0.5,1.2 --measure 'mean(v)'
says 0 'closes after 1 period already' steady $buck --times 2
says 0 'integrated' steady $buck --method radau
says 2 'there is no resistor of that name' steady $buck --load L
says 2 "'--periods' belongs to '--plot'" steady $buck --periods 2
says 2 'a number from 1 to 9' steady $buck --plot "$work/x.svg" --periods 0
says 2 'must be positive' steady $buck --period -1
says 2 'a whole number' steady $buck --times 0
says 2 'has no clock' steady $buck --free --times 2
says 1 'steady-clocked' steady $buck --free
says 1 'steady-timeless' steady examples/clutch.hbg
says 3 'comes to rest' steady examples/ball.hbg --free
printf 'model m\nSe V = 1 + sin(2*pi*t)\nI L = 1\n1 n\nV -> n -> L\n' >"$work/grows.hbg"
says 3 'no periodic orbit was found' steady "$work/grows.hbg"
printf 'model m\nSe V = t\nI L = 1\n1 n\nV -> n -> L\n' >"$work/ramp.hbg"
says 1 'steady-aperiodic' steady "$work/ramp.hbg"
says 3 'asked to stop before the start of the run was known' steady $buck --max-seconds 1e-9
says 3 'asked to stop' bode $buck --from V --freq 1 --max-seconds 1e-9
if [ -w /dev/full ]; then
    says 3 'No space left' steady $buck -o /dev/full
    says 3 'No space left' bode $buck --from V --freq 1 -o /dev/full
fi

# An orbit of 80 modes is folded in text, and whole in JSON; one of six is not folded.
says 0 '… and 74 more (--json has all); in one period:' steady examples/spwm.hbg
says 0 '0110          40         10m           250u   50.0 %' steady examples/spwm.hbg
[ "$("$junct" steady examples/spwm.hbg --json | grep -o '"from"' | wc -l)" = 80 ] || { echo "JSON does not have all modes"; failed=1; }
[ "$("$junct" steady examples/inverter.hbg | grep -c '16.7 %')" = 6 ] || { echo "six modes are folded"; failed=1; }
says 0 'averaged' bode examples/regulator.hbg --from V --freq 100,1k
says 0 'no averaged model' bode $buck --from 'duty(s)' --to v --freq 100:10k:5
says 0 '"points": [' bode $buck --from V --to v --freq 100 --json
says 0 'f,v re,v im,v dB,v phase' bode $buck --from V --to v --freq 100 --csv
says 0 'response = [complex(' bode $buck --from V --to v --freq 100 --octave
says 0 'phase margin' bode $buck --from 'duty(s)' --to v --freq 10:100k:50 --margins
says 0 'dB at' bode $buck --from 'duty(s)' --to v --freq 10:100k:5 --margins --plot "$work/m.svg"
[ "$(grep -c 'class="margin' "$work/m.svg")" = 2 ] || { echo "margins are not drawn"; failed=1; }
# Margins near the right end: their labels stay within the frame, and none lies over another.
"$junct" bode $buck --from 'duty(s)' --to v,i --freq 15k:51k:40 --margins --plot "$work/l.svg" >/dev/null
awk -F'"' '/class="label/ { n = split($0, part, "<text class=\"label"); split(part[n], at, "\"");
        x = at[3]; y = at[5]; text = at[6]; sub(/^>/, "", text); sub(/<.*/, "", text); w = 6 * length(text)
        if (x < 70 || x + w > 701) exit bad = 1
        for (i = 0; i < k; i++)
            if (x < r[i] && l[i] < x + w && y - 12 < b[i] && b[i] - 12 < y) exit bad = 1
        l[k] = x; r[k] = x + w; b[k++] = y }
    END { exit bad || k < 2 }' "$work/l.svg" || { echo "labels of margins overlap"; failed=1; }
grep -q '>50k<' "$work/l.svg" || { echo "a short range has no numbers"; failed=1; }
says 0 'response of v to V' bode $buck --from V --to v --freq 100 --mode 10
printf 'Se V = 1\nR r = 1k\nC c = 1u\n1 j\nV -> j -> r\nj -> c\noutput u = e(c)\n' >"$work/rc.hbg"
says 0 '159.155           0.5          -0.5     -3.01030    -45.0000' bode "$work/rc.hbg" --from V --freq 100,159.15494309189535 # 1/(2 pi r c)
printf 'Se V = 1\nR r : e = f^3\nC c = 1u\n1 j\nV -> j -> r\nj -> c\noutput u = e(c)\n' >"$work/cube.hbg"
"$junct" bode "$work/cube.hbg" --from V --freq 100 >/dev/null 2>&1 && { echo "a cube has a response"; failed=1; }
says 0 'slope' bode $buck --sensitivity
sed 's|pwm(20e-6, 1/2)|pwm(20e-6, 1/2, 5u)|' $buck >"$work/late.hbg"
says 0 'times and phases count from t = 5u' steady "$work/late.hbg"
says 0 '"offset": 5' steady "$work/late.hbg" --json
says 2 'which frequencies' bode $buck --from V
says 2 'what is disturbed' bode $buck --freq 1
says 2 '--freq 1:2: write' bode $buck --from V --freq 1:2
says 2 '--freq 5,3: write' bode $buck --from V --freq 5,3
says 2 '--freq 0,3: write' bode $buck --from V --freq 0,3
says 2 '--freq 1:2:1: write' bode $buck --from V --freq 1:2:1
says 2 '--freq x: write' bode $buck --from V --freq x
says 2 'there is no source of that name' bode $buck --from L --freq 1
says 2 'there is no switch of that name' bode $buck --from 'duty(x)' --freq 1
says 2 'has no pwm' bode $buck --from 'duty(d)' --freq 1
says 2 "there is no output or signal 'x'; there are v, i" bode $buck --from V --to x --freq 1
says 2 'means nothing in one mode' bode $buck --from 'duty(s)' --mode 10 --freq 1
says 2 "goes without '--freq'" bode $buck --sensitivity --freq 1
says 3 'the mode is forbidden' bode $buck --from V --to v --freq 1 --mode 11
says 3 'is not linear' bode examples/cistern.hbg --from pump --freq 1 --mode 1

# Multipliers near 1: this SEPIC loses 1.31082e-9 of a deviation in a period (matrix exponentials).
cat >"$work/sepic.hbg" <<'END'
Se Vin = 12
I L1 = 100u
I L2 = 100u
C C1 = 10u
C Co = 100u
R load = 10
1 a
0 sw
X0 q
1 mid
0 n
X1 d
0 out
Vin -> a -> L1
a -> sw -> q
sw -> mid -> C1
mid -> n -> L2
n -> d -> out -> Co
out -> load
switch q pwm(10u, 1/2)
switch d diode
END
says 0 '(size 1 - 1.3e-09)' steady "$work/sepic.hbg"
says 0 'a deviation loses 1.3e-09 of itself' steady "$work/sepic.hbg"

# Nothing is left of a file that cannot be written whole.
if [ -w /dev/full ]; then
    says 3 'No space left' steady $buck -o /dev/full
    says 3 'No space left' bode $buck --from V --freq 1:10:100 -o /dev/full
fi

"$junct" steady $buck --plot "$work/orbit.svg" >/dev/null
"$junct" bode $buck --from V --freq 10:10k:20 --plot "$work/bode.svg" >/dev/null
for picture in orbit bode; do
    rsvg-convert "$work/$picture.svg" -o "$work/$picture.png" || failed=1
done
exit $failed

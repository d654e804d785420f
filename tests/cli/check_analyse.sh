# junct analyse: every form of every kind of answer, and requests it cannot meet.
set -eu
junct=${JUNCT:-build/junct}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
model=examples/chopper.hbg

fail() {
    echo "$1"
    exit 1
}

# wrong CODE MESSAGE OPTIONS...: the exit code, the beginning of what is said, and nothing written.
wrong() {
    code=$1 message=$2
    shift 2
    status=0
    "$junct" analyse "$@" >"$work/out" 2>"$work/err" || status=$?
    [ $status -eq "$code" ] || fail "analyse $*: exit code $status, not $code"
    [ ! -s "$work/out" ] || fail "analyse $*: something was written"
    grep -qF -e "$message" "$work/err" || fail "analyse $*: $(cat "$work/err")"
}

for form in '' --json --csv --latex; do
    for what in '' '--mode 101' --all '--from 100 --to 001' '--mode 110'; do
        "$junct" analyse $model $form $what >"$work/out" 2>"$work/err" ||
            fail "analyse $form $what: exit code $?"
        [ -s "$work/out" ] && [ ! -s "$work/err" ] || fail "analyse $form $what: $(cat "$work/err")"
    done
done

# 6 modes are allowed, in 2 of them E is invertible: each says what the inputs do in its jump
[ "$("$junct" analyse $model --all --json | grep -c '"jump_u":')" -eq 6 ] ||
    fail 'a mode is without jump_u'

"$junct" analyse $model --graph "$work/modes.svg" >"$work/out"
[ "$(grep -c '<g><title>' "$work/modes.svg")" -eq 8 ] || fail 'the graph does not have 8 modes'
[ "$(grep -c '<line' "$work/modes.svg")" -eq 12 ] || fail 'the graph does not have 12 edges'
[ "$(grep -c '<path d="M[0-9.]* [0-9.]*L[^z]*" stroke' "$work/modes.svg")" -eq 2 ] ||
    fail 'not two modes are struck out'

wrong 2 "mode '10' has 2 digits" $model --mode 10
wrong 2 "there is no switch 's9'" $model --mode s9=1
wrong 2 "'--from' and '--to' belong together" $model --from 100
wrong 2 "choose one of '--from'" $model --from 100 --to 000 --all
wrong 2 "2^16 modes" examples/arm.hbg --all
wrong 2 "at most 256 modes" examples/arm.hbg --graph "$work/arm.svg"
sed 's/^output .*/output y = f(nowhere)/' $model >"$work/missing.hbg"
wrong 1 "nowhere" "$work/missing.hbg" --mode 100

# Every example is a correct model: each command exits with 0, prints something, and does not warn,
# but of sources whose feedback is left out.
set -eu
junct=${JUNCT:-build/junct}
err=$(mktemp)
trap 'rm -f "$err"' EXIT
count=0
for example in examples/*.hbg; do
    for command in check modes matrices 'matrices --json'; do
        code=0
        out=$("$junct" $command "$example" 2>"$err") || code=$?
        if [ $code -ne 0 ] || [ -z "$out" ] || grep -E '(warning|error):' "$err" | grep -qv '\[feedback\]$'; then
            echo "junct $command $example: exit code $code"
            cat "$err"
            exit 1
        fi
    done
    count=$((count + 1))
done
[ $count -gt 0 ]

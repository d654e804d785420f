# The example programs of the library compile without a warning, and each prints what the comment
# at its head says.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
for source in examples/api/*.c; do
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror -Iinclude -o "$work/program" "$source" \
        -Lbuild -ljunct -lm -Wl,-rpath,"$PWD/build"
    "$work/program" >"$work/printed" 2>"$work/said"
    sed -n '/It prints$/,/\*\//s/^ \*     //p' "$source" >"$work/expected"
    [ -s "$work/expected" ] && [ ! -s "$work/said" ]
    diff -U0 --label "$source" "$work/expected" --label printed "$work/printed"
    count=$((count + 1))
done
[ $count -gt 0 ]

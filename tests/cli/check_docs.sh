# What the documentation shows is what the program does.
#
# In README.md and docs/*.md, a block of ```sh with a line "$ junct …" is run, and the lines below
# the command, up to the next one, are all that it prints, messages included. A line that is just
# "…" stands for any lines. A block of ```hbg that begins with "# NAME.hbg" is a file of that name,
# for the commands after it. A picture of docs/pictures is the one that such a command makes. Links to files must lead somewhere; README.md must name every package
# that is needed, and the manual every diagnostic.
set -eu
export LC_ALL=C.UTF-8
junct=${JUNCT:-build/junct}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/in"
ln -s "$(realpath "$junct")" "$work/bin/junct"
ln -s "$PWD/examples" "$work/in/examples"
PATH=$work/bin:$PATH
unset COLUMNS
failed=0

# The blocks of a page, each in a file of its own: FOLDER/NNN.sh and FOLDER/NNN.hbg.
split_blocks() {
    awk -v folder="$2" '
        /^```/ { if (out) { close(out); out = ""; next }
                 kind = substr($0, 4)
                 if (kind == "sh" || kind == "hbg") out = sprintf("%s/%03d.%s", folder, ++n, kind)
                 next }
        out { print > out }' "$1"
}

# Runs the commands of a block; prints it as it is now.
replay() {
    while IFS= read -r line; do
        case $line in
        '$ junct'* | '$ cut'*)
            printf '%s\n' "$line"
            (cd "$work/in" && eval "${line#??}") 2>&1 </dev/null || :
            ;;
        esac
    done <"$1"
}

# Whether a text fits a pattern, in which lines "…" stand for any lines.
fits() {
    awk -v pattern="$1" '
        BEGIN { while ((getline line < pattern) > 0) want[++n] = line }
        { have[NR] = $0 }
        END {
            i = j = 1
            while (j <= NR)
                if (i <= n && want[i] == "…") { any = i++; from = j }
                else if (i <= n && want[i] == have[j]) { i++; j++ }
                else if (any) { i = any + 1; j = ++from }
                else exit 1
            while (i <= n && want[i] == "…") i++
            exit i <= n
        }' "$2"
}

check_page() {
    blocks=$work/blocks
    rm -rf "$blocks"
    mkdir "$blocks"
    split_blocks "$1" "$blocks"
    for block in "$blocks"/*; do
        case $block in
        *.hbg)
            name=$(sed -n '1s/^# \([a-z0-9_]*\.hbg\)$/\1/p' "$block")
            [ -z "$name" ] || cp "$block" "$work/in/$name"
            ;;
        *.sh)
            grep -q '^\$ junct' "$block" || continue
            replay "$block" >"$work/now"
            if ! fits "$block" "$work/now"; then
                diff -u --label "$1" "$block" --label 'what is printed now' "$work/now" || :
                failed=1
            fi
            ;;
        esac
    done
}

# Links to files.
check_links() {
    grep -o '\]([A-Za-z0-9_./-]*[)#]' "$1" | sed 's/^](//; s/.$//' | while read -r link; do
        [ -z "$link" ] || [ -e "$(dirname "$1")/$link" ] || echo "$1: there is no $link"
    done
}

for page in README.md docs/*.md; do
    check_page "$page"
    check_links "$page" >"$work/links"
    if [ -s "$work/links" ]; then
        cat "$work/links"
        failed=1
    fi
done

# Pictures are those that the commands of the pages make; PICTURES=new puts these in their place.
for picture in docs/pictures/*.svg; do
    made=$work/in/$(basename "$picture")
    [ "${PICTURES:-}" != new ] || cp "$made" "$picture"
    cmp -s "$made" "$picture" && continue
    echo "$picture is not what is drawn now: run tests/cli/check_docs.sh with PICTURES=new"
    failed=1
done

sed -n 's/^X([A-Z0-9_]*, *[A-Z]*, *"\([a-z0-9-]*\)".*/\1/p' include/junct/diag_codes.h |
    sort >"$work/codes"
sed -n 's/^| `\([a-z0-9-]*\)` | \(error\|warning\) |.*/\1/p' docs/manual.md | sort >"$work/listed"
diff -U0 --label include/junct/diag_codes.h "$work/codes" --label docs/manual.md "$work/listed" ||
    failed=1

# README.md counts the examples, and their own page has a line for each.
count=$(ls examples/*.hbg | wc -l)
grep -q "): $count models, each" README.md ||
    { echo "README.md: there are $count models in examples"; failed=1; }
for model in examples/*.hbg; do
    grep -q "^| \`$(basename "$model")\` |" examples/README.md ||
        { echo "examples/README.md does not list $(basename "$model")"; failed=1; }
done

for package in $(sed -n 's/^\(build\|test\) *\([a-z0-9-]*\) .*/\2/p' .tools/deps.sh); do
    grep -q -w -e "$package" README.md || { echo "README.md does not name $package"; failed=1; }
done
exit $failed

# The manual page and --help name the same commands and the same options.
set -eu
junct=${JUNCT:-build/junct}
page=docs/junct.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n 's/^\.It Cm \([a-z]*\).*/\1/p' $page | sort >"$work/manual_commands"
"$junct" --help >"$work/help"
while read -r command; do
    grep -qw "$command" "$work/help" || { echo "--help does not name $command"; exit 1; }
    "$junct" "$command" --help >>"$work/help"
done <"$work/manual_commands"

grep '^\.It Fl ' $page | grep -oE ' -[a-z]+' | sed 's/ -/--/' | sort -u >"$work/manual"
grep -oE -e '--[a-z]+' "$work/help" | sort -u >"$work/program"
diff -U0 --label "$page" "$work/manual" --label "junct --help" "$work/program"

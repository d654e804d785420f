# The manual page and --help name the same commands and the same options.
set -eu
junct=${JUNCT:-build/junct}
page=docs/junct.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n 's/^\.It Cm \([a-z]*\).*/\1/p' $page | sort >"$work/manual_commands"
"$junct" --help >"$work/help"
sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$work/help" | sort >"$work/program_commands"
diff -U0 --label $page "$work/manual_commands" --label "junct --help" "$work/program_commands"
while read -r command; do
    "$junct" "$command" --help >>"$work/help"
done <"$work/manual_commands"

grep '^\.It Fl ' $page | grep -oE ' -[a-z][a-z-]+' | sed 's/ -/--/' | sort -u >"$work/manual"
grep -oE -e '--[a-z][a-z-]+' "$work/help" | sort -u >"$work/program"
diff -U0 --label "$page" "$work/manual" --label "junct --help" "$work/program"

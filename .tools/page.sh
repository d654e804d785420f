#!/bin/sh
# page.sh DYGRAPHS: puts the files of src/page together, as C on standard output.
#
# src/page/page.html has a line for each part: @style, @program, @library (of the folder given), and
# @data, which parts jni_page_head from jni_page_tail. @policy stands for the hashes of style and
# programs: a browser runs these and nothing else.
set -eu
cd "$(dirname "$0")/.."
dygraphs=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -e "$dygraphs/dygraph.min.js" ] || {
    echo "page.sh: there is no $dygraphs/dygraph.min.js (make deps installs it)" >&2
    exit 1
}

# In the order in which one uses another. The parts stand between their tags as they are, line
# breaks included: the hashes count every byte.
files='guards math view graph matrices modes plots run main'
{
    echo
    cat "$dygraphs/dygraph.min.css"
    echo
    cat src/page/page.css
} >"$work/style"
{
    echo
    grep -v '^//# sourceMappingURL' "$dygraphs/dygraph.min.js"
} >"$work/library"
{
    echo
    echo '"use strict";'
    for file in $files; do cat "src/page/$file.js"; done
} >"$work/program"

hash_of() {
    printf "'sha256-%s'" "$(env printf "$(sha256sum <"$1" | cut -c1-64 | sed 's/../\\x&/g')" | base64)"
}
styles=$(hash_of "$work/style")
scripts="$(hash_of "$work/library") $(hash_of "$work/program")"
policy="default-src 'none'; style-src $styles; script-src $scripts; base-uri 'none'; form-action 'none'"

as_c() {
    sed -e 's/[\\"]/\\&/g' -e 's/?/\\?/g' -e 's/.*/    "&\\n"/'
}

page() {
    while IFS= read -r line; do
        case $line in
        *@style*) printf '<style>'; cat "$work/style"; echo '</style>' ;;
        *@library*) printf '<script>'; cat "$work/library"; echo '</script>' ;;
        *@program*) printf '<script>'; cat "$work/program"; echo '</script>' ;;
        *@policy*) printf '%s\n' "<meta http-equiv=\"Content-Security-Policy\" content=\"$policy\">" ;;
        *) printf '%s\n' "$line" ;;
        esac
    done
}

echo 'const char jni_page_head[] ='
sed '/@data/,$d' src/page/page.html | page | as_c
echo '    ;'
echo 'const char jni_page_tail[] ='
sed '1,/@data/d' src/page/page.html | page | as_c
echo '    ;'

# The reports of all examples, their runs included, are LaTeX without errors, undefined references
# and overfull boxes of more than 20 pt.
set -eu
junct=${JUNCT:-build/junct}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# All lines of the log in which something is too wide or missing.
faults() {
    awk '/^Overfull/ { if (substr($3, 2) + 0 > 20) print }
         /LaTeX Warning: (Reference|Citation|There were undefined)/ { print }' "$1"
}

for example in examples/*.hbg; do
    name=$(basename "$example" .hbg)
    code=0
    "$junct" report "$example" -o "$work" >"$work/out" 2>&1 || code=$?
    grep -q 'stopped early' "$work/$name.tex" && [ $code = 3 ] || [ $code = 0 ] || failed=1
    grep -q 'section{Simulation}' "$work/$name.tex" || failed=1
    for form in -draftmode -output-format=pdf; do # the first only for the references
        (cd "$work" && max_print_line=1000 pdflatex $form -interaction=nonstopmode \
            -halt-on-error "$name.tex" >out 2>&1 </dev/null) || failed=1
    done
    faults "$work/$name.log" >"$work/faults"
    if [ ! -s "$work/$name.pdf" ] || [ -s "$work/faults" ]; then
        echo "$example"
        cat "$work/faults"
        tail -n 5 "$work/out"
        failed=1
    fi
done
exit $failed

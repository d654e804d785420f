#!/bin/sh
# valgrind.sh PROGRAM JOBS EXAMPLE...: every command on every example, JOBS of them at a time; any
# error or leak is a failure. A run may stop early (exit code 3), as that of the bouncing ball does, and
# a model may have no period (exit code 1 of steady).
set -eu
program=$1
jobs=$2
shift 2
[ $# -gt 0 ] || { echo "valgrind: no examples" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for example; do
    out=$folder/$(basename "$example" .hbg)
    mkdir "$out"
    mode=$("$program" check "$example" | sed -n 's/^ *reference *\([01]*\).*/\1/p')
    while read -r command; do
        echo "$out $program $command $example"
    done <<END
check
modes
matrices
matrices --json
analyse
analyse --numeric --json --mode $mode
simulate -q -o $out/trace.npy --events $out/events.csv --plot $out/plot.svg
draw -o $out/drawing.tex
report -o $out
page -o $out/page.html
steady --max-seconds 20
END
done >"$folder/list"

# shellcheck disable=SC2016 # the inner shell expands them
xargs -P "$jobs" -L 1 sh -c '
    log=$(mktemp "$1/log.XXXXXX")
    shift
    code=0
    ${VALGRIND:-valgrind} -q --error-exitcode=99 --leak-check=full \
        --suppressions=.tools/valgrind.supp "$@" >/dev/null 2>"$log" </dev/null || code=$?
    echo "valgrind: $*: exit code $code"
    case $code$2 in
    0* | 3* | 1steady) ;;
    *)
        cat "$log"
        exit 1
        ;;
    esac' valgrind <"$folder/list"

#!/bin/sh
# valgrind.sh PROGRAM EXAMPLE...: every command on every example; any error or leak is a failure.
set -eu
program=$1
shift
[ $# -gt 0 ] || { echo "valgrind: no examples" >&2; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
for example; do
    for command in check modes matrices 'matrices --json'; do
        code=0
        # shellcheck disable=SC2086 # a command and its options
        ${VALGRIND:-valgrind} -q --error-exitcode=99 --leak-check=full \
            "$program" $command "$example" >/dev/null 2>"$log" </dev/null || code=$?
        echo "valgrind: $command $example: exit code $code"
        if [ $code -ne 0 ]; then
            cat "$log"
            failed=1
        fi
    done
done
exit $failed

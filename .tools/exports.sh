#!/bin/sh
# exports.sh HEADER...: the version script of the shared library: it exports what public headers declare,
# and nothing else, whatever the other functions of the library are called.
set -eu
echo '{'
echo '    global:'
cat "$@" |
    sed -e 's://.*::' -e ':again' -e 's:/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/::' -e '/\/\*/{N' -e 'b again' -e '}' |
    grep -oE '\bjn_[a-z0-9_]+ *(\(|;|\[)' | sed 's/ *[(;[]$//' | sort -u | sed 's/.*/        &;/'
echo '    local: *;'
echo '};'

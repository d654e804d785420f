#!/bin/sh
# fuzz.sh FUZZER SECONDS: replays the kept corpus and the examples, then searches on from there
# (unless SECONDS is 0). How long one input may take: tests/fuzz/patience.h.
#
# What it finds on the way stays in build/fuzz/corpus; an input that fails is written beside it
# and belongs, once the fault is mended, into tests/fuzz/corpus.
set -eu
fuzzer=$1
seconds=$2
found=build/fuzz/corpus
log=$fuzzer.log
mkdir -p $found
cp examples/*.hbg $found/
leaks=1
kept=
[ ! -d tests/fuzz/corpus ] || kept=tests/fuzz/corpus

# LeakSanitizer stops its process from outside, which some containers do not allow.
"$fuzzer" -runs=0 >"$log" 2>&1 || :
if grep -q 'LeakSanitizer has encountered a fatal error' "$log"; then
    echo "fuzz: this system does not let LeakSanitizer work; leaks are not looked for"
    leaks=0
    export ASAN_OPTIONS=detect_leaks=0
fi

how="-max_total_time=$seconds -timeout=600"
[ "$seconds" != 0 ] || how="-runs=0 -timeout=600"
if "$fuzzer" $how -max_len=4096 -rss_limit_mb=2048 \
    -detect_leaks=$leaks -print_final_stats=1 -artifact_prefix=build/fuzz/ $found $kept >"$log" 2>&1; then
    sed -n "s|^stat::number_of_executed_units: *|$fuzzer: inputs run: |p" "$log"
else
    tail -n 60 "$log"
    exit 1
fi

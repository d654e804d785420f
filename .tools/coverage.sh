#!/bin/sh
# coverage.sh DIR: the share of lines reached in each source file, from the counters below DIR.
set -eu
find "$1" -name '*.gcno' | sort | xargs gcov -n 2>/dev/null | awk -F "[':% ]+" '
/^File/ { file = $2 }
/^Lines executed/ && file ~ /^src\// {
    # A header with code is counted once for each file that includes it: keep the best.
    if (!(file in lines) || $3 > share[file]) {
        share[file] = $3
        lines[file] = $5
    }
    file = ""
}
END {
    for (file in lines) {
        printf "%6.1f %%  %5d lines  %s\n", share[file], lines[file], file | "sort -k4"
        reached += share[file] * lines[file] / 100
        all += lines[file]
    }
    close("sort -k4")
    if (!all) {
        print "no counters found" > "/dev/stderr"
        exit 1
    }
    printf "%6.1f %%  %5d lines  in all\n", 100 * reached / all, all
}'

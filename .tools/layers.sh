#!/bin/sh
# layers.sh [ROOT]: checks that every stage includes only itself and earlier stages.
#
# Checked are src/STAGE/* and the public headers. A header of include/junct belongs to the stage it
# is named after, or to the one listed below. Private headers stay in their stage, but those of
# base and algebra are for everyone. junct.h is for users: the program, tests and examples.
cd "${1:-$(dirname "$0")/..}" || exit 2

find src include \( -name '*.c' -o -name '*.h' \) | sort | xargs awk '
BEGIN {
    count = split("base algebra syntax graph junction implicit analyse sim periodic verify write " \
        "sweep cli", stages)
    for (i = 1; i <= count; i++) {
        rank[stages[i]] = i
        home[stages[i]] = stages[i]
    }
    assign("base", "status limits diag diag_codes csv")
    assign("algebra", "guard formula ratfun guarded eliminate plain dense lapack unit")
    assign("graph", "expr")
    assign("junction", "solved")
    assign("sim", "follow")
    assign("write", "page draw plot chart html report trace write_analyse write_verify " \
        "write_periodic")
}

function assign(stage, headers,    names, n, i) {
    n = split(headers, names)
    for (i = 1; i <= n; i++)
        home[names[i]] = stage
}

function fail(message) {
    printf "%s:%d: %s\n", FILENAME, FNR, message
    failed = 1
}

# The stage of a public header, from its file name.
function home_of(file,    name) {
    name = file
    sub(/.*\//, "", name)
    sub(/\.h$/, "", name)
    if (name in home)
        return home[name]
    fail("include/junct/" name ".h belongs to no stage: list it in .tools/layers.sh")
    return ""
}

function check(mine, theirs, header, public) {
    if (mine == "" || theirs == "" || mine == theirs)
        return
    if (!(theirs in rank))
        fail("\"" header "\": there is no stage " theirs)
    else if (rank[theirs] > rank[mine])
        fail("stage " mine " includes \"" header "\" of the later stage " theirs)
    else if (mine == "sim" && theirs == "analyse")
        fail("stages sim and analyse may not include each other (\"" header "\")")
    else if (!public && theirs != "base" && theirs != "algebra")
        fail("stage " mine " includes \"" header "\", private to stage " theirs)
}

FNR == 1 {
    mine = ""
    umbrella = FILENAME == "include/junct.h"
    if (FILENAME ~ /^src\//) {
        mine = FILENAME
        sub(/^src\//, "", mine)
        sub(/\/.*/, "", mine)
        if (!(mine in rank))
            fail("there is no stage " mine)
    } else if (!umbrella)
        mine = home_of(FILENAME)
}

/^[ \t]*#[ \t]*include[ \t]*"/ && !umbrella {
    header = $0
    sub(/^[^"]*"/, "", header)
    sub(/".*/, "", header)
    if (header == "junct.h") {
        if (mine != "cli")
            fail("\"junct.h\" is for the program, tests and examples; include the stage")
    } else if (header ~ /^junct\//) {
        check(mine, home_of(header), header, 1)
    } else if (header ~ /\//) {
        theirs = header
        sub(/^(\.\.\/)*(src\/)?/, "", theirs)
        sub(/\/.*/, "", theirs)
        check(mine, theirs, header, 0)
    } else if (FILENAME ~ /^include\/junct\//) {
        check(mine, home_of(header), header, 1)
    }
}

END { exit failed }
'

# The stages of this tree are in order, and layers.sh finds every kind of disorder.
set -eu
.tools/layers.sh

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/include/junct"

# case_of FILE HEADER EXPECTED: one file with one include; an empty EXPECTED means it is right.
case_of() {
    rm -rf "$tree/src"
    rm -f "$tree"/include/junct/*
    mkdir -p "$tree/src" "$(dirname "$tree/$1")"
    printf '/* first line */\n#include "%s"\n' "$2" >"$tree/$1"
    code=0
    got=$(.tools/layers.sh "$tree" 2>&1) || code=$?
    if [ -z "$3" ]; then
        [ "$code" -eq 0 ] && [ -z "$got" ] || { echo "$1 with \"$2\" is right, but: $got"; exit 1; }
    elif [ "$code" -eq 0 ] || [ "$got" != "$1:$3" ]; then
        printf '%s with "%s":\n  expected %s:%s\n  got      %s (exit code %d)\n' \
            "$1" "$2" "$1" "$3" "$got" "$code"
        exit 1
    fi
}

case_of src/graph/build.c junct/syntax.h ''
case_of src/graph/build.c private.h ''
case_of src/graph/build.c ../base/text.h ''
case_of src/write/text.c junct/analyse.h ''
case_of src/write/text.c junct/sim.h ''
case_of src/cli/main.c junct.h ''
case_of include/junct/graph.h junct/syntax.h ''
case_of src/syntax/parse.c junct/graph.h \
    '2: stage syntax includes "junct/graph.h" of the later stage graph'
case_of src/algebra/guard.c junct/page.h \
    '2: stage algebra includes "junct/page.h" of the later stage write'
case_of include/junct/guard.h junct/expr.h \
    '2: stage algebra includes "junct/expr.h" of the later stage graph'
case_of src/implicit/mode.c ../junction/rows.h \
    '2: stage implicit includes "../junction/rows.h", private to stage junction'
case_of src/sim/run.c junct/analyse.h \
    '2: stages sim and analyse may not include each other ("junct/analyse.h")'
case_of src/analyse/order.c junct/sim.h \
    '2: stage analyse includes "junct/sim.h" of the later stage sim'
case_of src/write/json.c junct.h \
    '2: "junct.h" is for the program, tests and examples; include the stage'
case_of src/graph/build.c junct/unheard_of.h \
    '2: include/junct/unheard_of.h belongs to no stage: list it in .tools/layers.sh'
case_of src/extras/toy.c toy.h '1: there is no stage extras'

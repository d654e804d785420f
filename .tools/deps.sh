#!/bin/sh
# deps.sh GROUP...: installs what the groups need and is missing, with apt-get where there is one.
#
# Whether a thing is there is asked of the compiler and the shell, not of a package manager, so
# that libraries installed in any way will do. When nothing is missing this takes no time.
set -eu
CC=${CC:-cc}

# group, package of Debian and Ubuntu, what shows that it is there. Alternatives are separated by |:
# the headers of Arb, Antic and Calcium moved into FLINT with its version 3.
needs='
build     build-essential   command:cc
build     pkg-config        command:pkg-config
build     libflint-dev      header:flint/fmpz_mpoly.h
build     libflint-arb-dev  header:arb.h|header:flint/arb.h
build     libantic-dev      header:antic/nf.h|header:flint/nf.h
build     libcalcium-dev    header:calcium/fmpz_mpoly_q.h|header:flint/fmpz_mpoly_q.h
build     libcsv-dev        header:csv.h
build     libgraphviz-dev   header:graphviz/gvc.h
build     libopenblas-serial-dev library:openblas
build     libsuitesparse-dev  header:suitesparse/klu.h
build     libz3-dev         header:z3.h
build     libjs-dygraphs    file:/usr/share/javascript/dygraphs/dygraph.min.js
test      chromium          command:chromium|command:chromium-browser|command:google-chrome
test      libcunit1-dev     header:CUnit/Basic.h
test      liblapacke-dev    header:lapacke.h
test      libjson-c-dev     header:json-c/json.h
test      texlive-latex-base  command:pdflatex
test      texlive-latex-recommended  tex:booktabs.sty
test      texlive-pictures  tex:pgfplots.sty
test      libopenmpi-dev    command:mpicc
test      librsvg2-bin      command:rsvg-convert
test      poppler-utils     command:pdftoppm
fuzz      clang             command:clang
fuzz      libclang-rt-dev   fuzzer
bench     ngspice           command:ngspice
bench     libsundials-dev   header:ida/ida.h
valgrind  valgrind          command:valgrind
lint      cppcheck          command:cppcheck
lint      clang-tidy        command:clang-tidy
format    clang-format      command:clang-format
'

present() {
    case $1 in
    command:*) command -v "${1#command:}" >/dev/null ;;
    header:*) echo "#include <${1#header:}>" | $CC -E -include stdio.h -x c - >/dev/null 2>&1 ;;
    library:*) echo 'int main(void) { return 0; }' |
        $CC -x c -o /dev/null - "-l${1#library:}" >/dev/null 2>&1 ;;
    file:*) [ -e "${1#file:}" ] ;;
    tex:*) kpsewhich "${1#tex:}" >/dev/null 2>&1 ;;
    fuzzer) echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -x c -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null ;;
    esac
}

any_present() {
    for probe in $(echo "$1" | tr '|' ' '); do
        ! present "$probe" || return 0
    done
    return 1
}

# The packages of the groups that are not there, one a line.
missing() {
    echo "$needs" | while read -r group package probes; do
        case " $* " in
        *" ${group:-none} "*) any_present "$probes" || echo "$package" ;;
        esac
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

lack=$(missing "$@")
[ -n "$lack" ] || exit 0
echo "missing:" $lack >&2

if command -v apt-get >/dev/null && { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }; then
    export DEBIAN_FRONTEND=noninteractive
    as_root apt-get update -q || echo "apt-get update failed; going on with the lists there are" >&2
    known=
    for package in $lack; do
        ! apt-cache show "$package" >/dev/null 2>&1 || known="$known $package"
    done
    [ -z "$known" ] || as_root apt-get install -q -y --no-install-recommends $known || :
    lack=$(missing "$@")
fi

# Fuzzing is the one thing the tests can do without.
required=$(echo "$lack" | grep -v -x -e clang -e libclang-rt-dev || :)
if [ -n "$required" ] || { [ "$*" = fuzz ] && [ -n "$lack" ]; }; then
    {
        echo "These are needed and could not be installed (names as in Debian and Ubuntu):"
        echo "$lack" | sed 's/^/    /'
        echo "Libraries: FLINT 2.9 or later (before 3.0 also Arb, Antic and Calcium), GMP,"
        echo "libcsv, Graphviz, OpenBLAS, Z3 and KLU of SuiteSparse;"
        echo "for the tests CUnit 2.1, json-c and LAPACKE. Install them in this system's way, then try again."
    } >&2
    exit 1
fi

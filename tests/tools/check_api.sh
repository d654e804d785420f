# The example programs of the library compile without a warning, and each prints what the comment
# at its head says.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
for source in examples/api/*.c; do
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror -Iinclude -o "$work/program" "$source" \
        -Lbuild -ljunct -lm -Wl,-rpath,"$PWD/build"
    "$work/program" >"$work/printed" 2>"$work/said"
    sed -n '/It prints$/,/\*\//s/^ \*     //p' "$source" >"$work/expected"
    [ -s "$work/expected" ] && [ ! -s "$work/said" ]
    diff -U0 --label "$source" "$work/expected" --label printed "$work/printed"
    count=$((count + 1))
done
[ $count -gt 0 ]

# From C++: each header alone, and a program that is linked.
cxx=${CXX:-c++}
command -v "$cxx" >/dev/null || exit 77
for header in include/junct.h include/junct/*.h; do
    [ "$header" != include/junct/diag_codes.h ] || continue # a list for diag.h
    echo "#include \"${header#include/}\"" >"$work/header.cpp"
    "$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$work/header.cpp"
done
cat >"$work/program.cpp" <<'END'
#include <cstdio>
#include <cstring>
#include "junct.h"

int main()
{
    static const char text[] = "Se V = 1\nR r = 1\nI L = 1\n1 j\nV -> j -> L\nj -> r\n";
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = nullptr;
    jn_sim *s = nullptr;
    jn_sim_options o{};
    jn_stopped stop;
    if (jn_graph_read(&g, jn_source_of(a, "x.hbg", text, std::strlen(text)), d) != JN_OK ||
        jn_sim_new(&s, g, &o, d) != JN_OK || jn_sim_advance(s, 1, &stop) != JN_OK)
        return 1;
    std::printf("%.9f\n", jn_sim_state(s)[0]); // 1 - exp(-1)
    jn_sim_free(s);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(a);
}
END
"$cxx" -std=c++11 -Wall -Wextra -Werror -Iinclude -o "$work/program" "$work/program.cpp" \
    -Lbuild -ljunct -Wl,-rpath,"$PWD/build"
[ "$("$work/program")" = 0.632120559 ]

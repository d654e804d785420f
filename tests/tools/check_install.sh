# What `make install` leaves is enough to build and run a user's program, both ways of linking, and
# `make uninstall` takes all of it away again.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

make -s install PREFIX=/opt/junct DESTDIR="$root"
lib=$root/opt/junct/lib

cat >"$root/user.c" <<'END'
#include <junct.h>
#include <stdio.h>
int main(void)
{
    jn_arena *a = jn_arena_new();
    puts(jn_arena_printf(a, "%d switches", 3));
    jn_arena_free(a);
    return 0;
}
END
pc() {
    PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$lib/pkgconfig pkg-config "$@" junct
}
${CC:-cc} -o "$root/shared" "$root/user.c" $(pc --cflags --libs)
LD_LIBRARY_PATH=$lib "$root/shared" | grep -qx '3 switches'
ldd "$root/shared" | grep -q 'libjunct\.so\.[0-9]'

${CC:-cc} -o "$root/static" "$root/user.c" $(pc --cflags) "$lib/libjunct.a" \
    $(pc --static --libs | sed 's/.*-ljunct//')
"$root/static" | grep -qx '3 switches'

"$root/opt/junct/bin/junct" --help >"$root/help" && grep -q matrices "$root/help"
[ -s "$root/opt/junct/share/man/man1/junct.1" ]

make -s uninstall PREFIX=/opt/junct DESTDIR="$root"
left=$(find "$root/opt" ! -type d)
[ -z "$left" ] && [ ! -d "$root/opt/junct/include/junct" ] || { echo "left: $left"; exit 1; }

# deps.sh on three machines made up for it: complete, fresh with apt-get, and without apt-get.
set -eu
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
for tool in sh cat grep sed tr; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
done

# fake NAME: a program with the script on standard input.
fake() {
    { echo '#!/bin/sh'; cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

deps() {
    code=0
    env -i PATH="$work/bin" WORK="$work" "$top/.tools/deps.sh" "$@" >"$work/out" 2>&1 || code=$?
}

fail() {
    echo "$1; deps.sh said (exit code $code):"
    cat "$work/out" "$work/log" 2>/dev/null
    exit 1
}

# The compiler finds libcsv's header only once its package is installed; the user is not root.
fake cc <<'END'
[ -e "$WORK/installed" ] || ! grep -q csv.h
END
echo 'exec "$@"' | fake sudo
echo 'echo 1000' | fake id
echo 'true' | fake pkg-config

deps build
[ $code -eq 1 ] || fail 'success without apt-get'
grep -q libcsv-dev "$work/out" && grep -q libcsv "$work/out" || fail 'nothing said of libcsv'

fake apt-get <<'END'
echo "apt-get $*" >>"$WORK/log"
[ "$1" != install ] || : >"$WORK/installed"
END
echo 'true' | fake apt-cache
deps build
[ $code -eq 0 ] || fail 'failure with apt-get'
grep -q '^apt-get update' "$work/log" || fail 'the package lists were not renewed'
grep -q '^apt-get install .*-y --no-install-recommends libcsv-dev$' "$work/log" ||
    fail 'libcsv-dev, and only that, should have been installed'

rm "$work/log"
deps build
[ $code -eq 0 ] && [ ! -e "$work/log" ] && [ ! -s "$work/out" ] || fail 'more to do on a complete machine'

# A package that does not exist (there is no libcalcium-dev beside FLINT 3) is left out.
rm "$work/installed"
echo 'false' | fake apt-cache
deps build
[ $code -eq 1 ] || fail 'success although nothing could be installed'
! grep -q install "$work/log" || fail 'an unknown package was asked for'

# make links Calcium and the peer of the benchmarks only where the compiler finds their headers.
peers() {
    (cd "$top" && make -s CC="$work/bin/cc" --eval='peers: ; @echo "$(LIBS) $(BENCH_LIBS)"' peers) >"$work/out"
}
code=0
fake cc <<'END'
! grep -q -e '^#include <calcium/' -e '^#include <ida/'
END
peers
! grep -q -e calcium -e sundials "$work/out" || fail 'libraries without their headers'
echo 'true' | fake cc
peers
grep -q -e '-lcalcium.*-lsundials_ida' "$work/out" || fail 'libraries left out although their headers are there'

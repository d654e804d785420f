# The kept corpus replayed, and a short search on from there, where clang has libFuzzer.
set -eu
if ! .tools/deps.sh fuzz >/dev/null 2>&1; then
    echo 'there is no clang with libFuzzer'
    exit 77
fi
timeout 300 make -s fuzz FUZZ_SECONDS=10

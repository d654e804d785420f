# The kept corpus replayed, and a short search on from there, where clang has libFuzzer.
set -eu
if ! .tools/deps.sh fuzz; then
    echo 'no clang with libFuzzer: not fuzzed' >&2
    exit 0
fi
timeout 300 make -s fuzz FUZZ_SECONDS=20

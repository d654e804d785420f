# The kept corpus and the examples through every fuzzer, and some random models, where clang has
# libFuzzer. Nothing is searched for here: a test says the same each time.
set -eu
if ! .tools/deps.sh fuzz >/dev/null 2>&1; then
    echo 'there is no clang with libFuzzer'
    exit 77
fi
make -s fuzz FUZZ_SECONDS=0 FUZZ_MODELS=200

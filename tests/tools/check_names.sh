# What the shared library exports begins with jn_; whatever else the archive holds begins with jni_, so
# that a program linked with either can have any other name for itself.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only build/libjunct.so | awk '{ print $3 }' | sort -u >"$work/exported"
nm -g --defined-only build/libjunct.a | awk 'NF == 3 { print $3 }' | sort -u >"$work/defined"
[ -s "$work/exported" ]
if grep -v '^jn_' "$work/exported"; then
    echo 'exported, and does not begin with jn_'
    exit 1
fi
if comm -23 "$work/defined" "$work/exported" | grep -v '^jni_'; then
    echo 'in no public header, and does not begin with jni_'
    exit 1
fi

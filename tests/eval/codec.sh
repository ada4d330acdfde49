#!/bin/sh
# What every recipe of keys and values costs in bytes and in answers, on the planted facts: a table as CSV.
#
#   tests/eval/codec.sh [BUILD_DIR [CODEC,K_BITS,V_BITS ...]]
#
# The document is read once, at 16 bits; the others are made from that index, which is what encoding with them
# would have given. Takes about five minutes a recipe.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$top/build/release}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- 0,16,16 1,8,8 2,8,8 2,8,4 2,4,4 2,4,3 2,4,2 2,3,3 2,3,2 2,2,3 2,2,2
lctool=$top/lctool
[ ! -x "$build/lctool" ] || lctool=$build/lctool
export PYTHONDONTWRITEBYTECODE=1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

python3 "$top/tests/eval/plant.py" "$tmp/doc.txt" "$tmp/doc.tsv" >&2
"$lctool" encode --quiet --device cpu --kv exact -o "$tmp/exact.kvz" "$tmp/doc.txt"
echo codec,k_bits,v_bits,bytes,bytes_per_token,ratio,k_error,v_error,decode_gb_s,kind,read,asked,right,found_1,found_4,found_16
for recipe; do
    # shellcheck disable=SC2046 # three words are wanted
    size=$("$build/tests/kvz-recode" "$tmp/exact.kvz" "$tmp/r.kvz" $(echo "$recipe" | tr , ' '))
    for kind in lexical paraphrase; do
        for read in cached both; do
            python3 "$top/tests/eval/grade.py" "$tmp/r.kvz" "$tmp/doc.tsv" --lctool "$lctool" --kind $kind --prefix \
                --max-tokens 12 -- --device cpu --read $read > "$tmp/log"
            awk -v first="$recipe,$size" -v read=$read -v OFS=, \
                'END { print first, $1, read, $2, $3, $4, $5, $6 }' "$tmp/log"
        done
    done
done

#!/bin/sh
# What every recipe of keys and values costs in bytes and in answers, on the planted facts: a table as CSV.
#
#   tests/eval/codec.sh [--quick] [BUILD_DIR [CODEC,K_BITS,V_BITS ...]]
#
# The document is read once, at 16 bits; the others are made from that index, which is what encoding with them
# would have given. Bits of codec 3 are hundredths. Half a minute to two minutes a recipe and kind of question;
# --quick asks the questions in the facts' own words only, of a shorter document, for the recipes of --kv and one between.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
quick= kinds="lexical paraphrase"
if [ "${1:-}" = --quick ]; then
    quick=1 kinds=lexical
    shift
fi
build=${1:-$top/build/release}
[ $# -eq 0 ] || shift
if [ $# -eq 0 ] && [ -n "$quick" ]; then
    set -- 0,16,16 1,8,8 3,250,175 3,120,90
elif [ $# -eq 0 ]; then
    set -- 0,16,16 1,8,8 2,8,4 2,4,4 2,3,3 2,3,2 2,2,2 \
        3,740,720 3,500,450 3,350,280 3,280,165 3,250,175 3,160,130 3,120,90 3,110,90 3,80,60
fi
lctool=$top/lctool
[ ! -x "$build/lctool" ] || lctool=$build/lctool
export PYTHONDONTWRITEBYTECODE=1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

python3 "$top/tests/eval/plant.py" "$tmp/doc.txt" "$tmp/doc.tsv" ${quick:+--bytes 30000} >&2
"$lctool" encode --quiet --device cpu --kv-bits 16 -o "$tmp/exact.kvz" "$tmp/doc.txt"
echo codec,k_bits,v_bits,bytes,bytes_per_token,ratio,k_error,v_error,decode_gb_s,kind,read,asked,right,found_1,found_4,found_16
for recipe; do
    # shellcheck disable=SC2046 # three words are wanted
    size=$("$build/tests/kvz-recode" "$tmp/exact.kvz" "$tmp/r.kvz" $(echo "$recipe" | tr , ' '))
    for kind in $kinds; do
        for read in cached both; do
            python3 "$top/tests/eval/grade.py" "$tmp/r.kvz" "$tmp/doc.tsv" --lctool "$lctool" --kind $kind --prefix \
                --max-tokens 12 -- --device cpu --read $read > "$tmp/log"
            awk -v first="$recipe,$size" -v read=$read -v OFS=, \
                'END { print first, $1, read, $2, $3, $4, $5, $6 }' "$tmp/log"
        done
    done
done

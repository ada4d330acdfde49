# not under sanitizers
# Facts planted in some 18,000 tokens of a real book are found and answered no worse than tests/eval/README says,
# with some room for another processor's rounding.
export PYTHONDONTWRITEBYTECODE=1
use_model 2> /dev/null
python3 "$TOP/tests/eval/plant.py" doc.txt doc.tsv 2> /dev/null
lctool encode --quiet --device cpu doc.txt
grade() { # NAME, options of grade.py
    name=$1; shift
    if python3 "$TOP/tests/eval/grade.py" doc.kvz doc.tsv --lctool lctool "$@" -- --device cpu > log 2>&1; then
        echo "$name: as good as it was"
    else
        echo "$name: worse than it was"
        cat log >&2
    fi
}
grade "own words" --kind lexical --prefix --max-tokens 12 --min-right 14 --min-found 1=13 --min-found 4=15
grade "paraphrased" --kind paraphrase --max-tokens 24 --min-right 9 --min-found 1=9 --min-found 16=11
# This model's answers end with their first sentence; asked for all of them, it goes on.
cut -f 3 doc.tsv | sed 1d | head -4 > asked
lctool query --json --device cpu --questions asked --quote 0 --min-score 0 doc.kvz > short
lctool query --json --device cpu --questions asked --sentences 0 --min-score 0 doc.kvz > long
grep -c '"sentences"' short | sed 's/[1-4]/one sentence/'
grep -c '"finish":"sentences"' long
jq -r --slurpfile long long '.answer as $a | any($long[]; .answer | startswith($a))' short | sort -u

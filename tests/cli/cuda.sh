# not under sanitizers
# On a GPU the real model finds and answers the planted facts no worse than on the processor, within little memory
# too. Status 77: there is none.
export PYTHONDONTWRITEBYTECODE=1
[ -e /dev/nvidiactl ] || [ -e /dev/dxg ] || exit 77
use_model 2> /dev/null
python3 "$TOP/tests/eval/plant.py" doc.txt doc.tsv 2> /dev/null
if ! lctool encode --quiet --device cuda doc.txt 2> why; then
    grep -q "built without CUDA" why && exit 77
    cat why >&2
    exit 1
fi
grade() { # NAME, options of grade.py
    name=$1; shift
    if python3 "$TOP/tests/eval/grade.py" doc.kvz doc.tsv --lctool lctool "$@" > log 2>&1; then
        echo "$name: as good as it was"
    else
        echo "$name: worse than it was"
        cat log >&2
    fi
}
grade "own words" --kind lexical --prefix --max-tokens 12 --min-right 11 --min-found 1=14 --min-found 4=15 -- --device cuda
grade "paraphrased" --kind paraphrase --max-tokens 1 --min-found 4=8 --min-found 16=11 -- --device cuda
grade "in 600 MiB" --kind lexical --prefix --max-tokens 12 --min-right 11 --min-found 4=15 -- --device cuda --vram 600M
lctool query doc.kvz "Who?" --device cuda --vram 20M > out 2> why || grep -o "of GPU memory needed" why

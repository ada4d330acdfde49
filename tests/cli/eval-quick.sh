# not under sanitizers
# Every suite in small: its document is read, its questions are asked and graded, and the tables are written. Facts
# planted in some hundred tokens are found and answered; the rest of so small a run shows that the suites work, no more.
export PYTHONDONTWRITEBYTECODE=1
use_model 2> /dev/null
python3 "$TOP/tests/eval/suite.py" out --quick --lctool lctool --perplexity "$TOP/build/release/tests/prefix-perplexity" \
    --min niah.found_4=0.9 --min niah.score=0.6 --min niah_single_1.found_4=1 --min passkey.found_4=1 2> log || cat log >&2
cut -d, -f1-3,5 out/results.csv | sort -u
grep -c 'in sight when' out/results.md
cut -d, -f1,3-5 out/perplexity.csv
awk -F, 'NR > 1 && !($6 > 5 && $6 < 200)' out/perplexity.csv

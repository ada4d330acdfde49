# not under sanitizers
# The suites' graders and documents are what tests/eval/README promises.
export PYTHONDONTWRITEBYTECODE=1
python3 "$TOP/tests/eval/score.py" --check
python3 "$TOP/tests/eval/check_suites.py"
python3 "$TOP/tests/eval/people.py" --check
python3 "$TOP/tests/eval/readers.py" --check
python3 "$TOP/tests/eval/packages.py" --check 2> /dev/null # which documents are not installed

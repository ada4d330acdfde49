# The tables of questions keep what tests/eval/README promises.
export PYTHONDONTWRITEBYTECODE=1
python3 "$TOP/tests/eval/plant.py" --check
python3 "$TOP/tests/eval/real.py" --check

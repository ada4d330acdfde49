"""Tables of questions: TSV with a head row, and which passage of a text each is about.

A resolved table, which plant.py and real.py write and grade.py and bm25.py read, has the columns
    id kind question prefix keys start end
kind     lexical (asked in the passage's own words) or paraphrase (hardly a word shared)
prefix   first words of the answer, may be empty
keys     strings one of which a right answer holds, whatever the case, separated by |
start    first byte of the passage in the document's text, end the byte after its last
"""
import csv
import json
import pathlib
import re

DATA = pathlib.Path(__file__).resolve().parent / "data"  # tables of questions, as written by hand
COLUMNS = ["id", "kind", "question", "prefix", "keys", "start", "end"]


def read(path):
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def write(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write("\t".join(COLUMNS) + "\n")
        for row in rows:
            f.write("\t".join(str(row[c]) for c in COLUMNS) + "\n")


def resolved(path):
    rows = read(path)
    for row in rows:
        row["start"], row["end"] = int(row["start"]), int(row["end"])
    return rows


def answer_of(line):
    """An object of lctool's; where it says that nothing answers the question, the answer is empty."""
    a = json.loads(line)
    return {**a, "answer": a["answer"] or ""} if "answer" in a else a


def right(row, answer):
    """A key counts where a word begins, a short one only as a whole word: "no" is not in "know" or "not"."""
    for key in row["keys"].lower().split("|"):
        end = r"(?![a-z0-9])" if len(key) <= 3 else ""
        if re.search(r"(?<![a-z0-9])" + re.escape(key) + end, answer.lower()):
            return True
    return False


def covered(row, ranges):
    """Whether (start, end) ranges together hold at least half of the passage."""
    held, at = 0, row["start"]
    for start, end in sorted(ranges):
        start, end = max(start, at), min(end, row["end"])
        if end > start:
            held += end - start
            at = end
    return 2 * held >= row["end"] - row["start"]


def first_rank(row, ranges):
    """How many of the ranges, best first, it takes to cover the passage; None: all of them do not."""
    touching = [i for i, (start, end) in enumerate(ranges) if start < row["end"] and end > row["start"]]
    for n in range(1, len(touching) + 1):
        if covered(row, [ranges[i] for i in touching[:n]]):
            return touching[n - 1] + 1
    return None

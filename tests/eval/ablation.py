"""Each idea on and off: what the default loses without it, and what others would bring. Writes ablation.csv.

    python3 ablation.py OUT.csv --work DIR [--lctool ./lctool] [--threads N] [--only "NAME;..."]

Documents and indexes are report.py's, in DIR. Columns: the idea, the options of encode and query that stand for it, then for
each document and kind of question how many were right, of how many, and how many passages were among the first four
pieces of evidence; tokens read is the mean over all questions.
"""
import argparse
import csv
import pathlib
import shlex
import subprocess
import sys

import grade
import questions
import records
import report
import suite
import two_places

# Name: options of encode | of query. What is not said is the default.
IDEAS = {
    "default": "",
    # who chooses the blocks
    "heads without words": "| --select vote",
    "words without heads": "| --select bm25",
    "heads, every key scanned": "| --select exact",
    "all heads vote": "--voters all |",
    "each layer chooses its own": "--voters all | --scope layer",
    # the question
    "question said twice": "| --echo 1",
    "mean of the queries": "| --probe mean",
    "biased mean of the queries": "| --probe bias",
    "each query's best key": "| --reduce max",
    "sum of similarities": "| --reduce sum",
    # what stands for a block
    "spans": "--represent spans |",
    "spans and re-ranking by keys": "--represent spans | --rerank 256",
    "spans, heads without words": "--represent spans | --select vote",
    "spans, re-ranked, without words": "--represent spans | --select vote --rerank 256",
    "ltri": "--method ltri |",
    "mean of keys": "--represent mean |",
    "highest and lowest keys": "--represent quest |",
    # which of them are read, and how
    "no judge": "| --likelihood 1",
    "twice as many judged": "| --likelihood 24",
    "all of the budget": "| --allot fixed",
    "stored blocks": "| --read cached",
    "stored blocks, not sharpened": "| --read cached --sharpen 1",
    "stored sentences": "| --read cached-sentences",
    "their text anew": "| --read fresh",
    "both": "| --read both",
    "one place": "| --hops 1",
    "two places, always": "| --hops 2",
    # the answer
    "no favour for copying": "| --copy 0",
    "nothing quoted": "| --quote 0",
    "neither": "| --copy 0 --quote 0",
    "no window": "| --window 0",
}
DOCUMENTS = "facts, held out, 150,000 bytes", "policy", "records", "two places, held out"
KINDS = {"lexical": "own words", "paraphrase": "other words"}


def graded(o, name, index, table):
    """(column, right, asked, found, tokens read, seconds) of each kind of question."""
    if name == "records":
        asked = records.questions(records.records(600, 7), 7)
        answers = grade.ask_all([o.lctool, "query", index, "--json", "--quiet", *o.options], [q for q, _ in asked])
        yield "records", sum(key in a["answer"] for (_, key), a in zip(asked, answers)), len(asked), "", answers
        return
    if "two places" in name:
        rows = questions.read(questions.DATA / "two-places-held-out.tsv")
        answers = grade.ask_all([o.lctool, "query", index, "--json", "--quiet", "--max-tokens", "40", *o.options],
                                [r["question"] for r in rows])
        yield "two places", sum(map(two_places.right, rows, [a["answer"] for a in answers])), len(rows), "", answers
        return
    rows = questions.resolved(table)
    answers = grade.ask(argparse.Namespace(lctool=o.lctool, index=index, prefix=False, max_tokens=32, options=o.options), rows)
    for kind, said in KINDS.items():
        some = [(r, a) for r, a in zip(rows, answers) if r["kind"] == kind]
        ranks = [questions.first_rank(r, [(e["start"], e["end"]) for e in a["evidence"]]) for r, a in some]
        yield (f"{name.split(',')[0]}, {said}", sum(questions.right(r, a["answer"]) for r, a in some), len(some),
               sum(k is not None and k <= 4 for k in ranks), [a for _, a in some])


def measure(o, idea):
    encode, _, query = IDEAS[idea].partition("|")
    o.options = ["--device", "cpu", "--threads", str(o.threads), *shlex.split(query)]
    right, read = {}, []
    for name in DOCUMENTS:
        index, table, _ = report.index_of(o, name, report.BOOKS[name][0], shlex.split(encode))
        for column, good, asked, found, answers in graded(o, name, index, table):
            right[column] = [good, asked, found]
            read += [a["tokens"]["read"] for a in answers]
    return right, grade.mean(read)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--work", type=pathlib.Path, required=True)
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--only", default="", help="these ideas alone")
    o = p.parse_args()
    o.work, o.lctool = o.work.resolve(), str(pathlib.Path(o.lctool).resolve())
    by = suite.version(o)
    lines = []
    for idea in [i for i in IDEAS if not o.only or i in o.only.split(";")]:
        right, read = measure(o, idea)
        lines.append([by, idea, IDEAS[idea].strip(), *(v for r in right.values() for v in r), f"{read:.0f}"])
        print(f"{idea:<36}", *(f"{r[0]}/{r[1]}" for r in right.values()), f"{read:.0f} tokens", flush=True)
        with open(o.out, "w", encoding="utf-8", newline="") as f:
            w = csv.writer(f, lineterminator="\n")
            w.writerow(["commit", "idea", "options", *(f"{c}: {w}" for c in right for w in ("right", "asked", "found@4")),
                        "tokens read"])
            w.writerows(lines)


if __name__ == "__main__":
    sys.exit(main())

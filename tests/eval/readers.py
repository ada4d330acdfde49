"""Documents and questions by readers who had not seen the code: letters, contracts, logs, diaries, minutes, novels, ...

    python3 readers.py DIR [--only WORD] [--kind KIND] [--list] [--lctool ./lctool] [-- OPTIONS OF lctool query]
    python3 readers.py --check              every passage stands in its document, and holds a key of its answer

data/readers/SET-NAME.txt (.md, .csv, .log) is a document, the .json beside it has its questions:

    kind      own: in the document's words; other: in none of them, if it can be helped; mixed: as an ordinary reader
              asks, with words half remembered; plain: the same of a short document, whose whole text a reader knows;
              near: sounds answered, and is not
    keys      strings one of which a right answer contains, case and white space aside; of "near" none
    passage   what answers it, copied from the document

A set is what one reader wrote at one time; its letter says when, in the order a v w x y s z t u r. All were looked at since, so
they tell what is lost, no longer what a new reader would find: that is in notes/readers.txt. Indexes stay in DIR for the next run. A question of kind "near" is right with a score
below 0.5, where lctool says that the document may not answer it.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import grade
import questions

TEXTS = questions.DATA / "readers"
KINDS = "own", "plain", "mixed", "other", "near"
MARKS = str.maketrans("\u2019\u2018\u201c\u201d", "''\"\"")


def folded(text):
    return re.sub(r"\s+", "", text.translate(MARKS).lower())


def holds(text, keys):
    return any(folded(key) in folded(text) for key in keys)


def documents():
    """(path, its questions), in the order of their names."""
    for path in sorted(TEXTS.glob("*.json")):
        text = next(p for p in sorted(path.parent.glob(f"{path.stem}.*")) if p != path)
        yield text, json.loads(path.read_text(encoding="utf-8"))


def check():
    bad, counts, size = [], collections.Counter(), 0
    for path, asked in documents():
        text = folded(path.read_text(encoding="utf-8"))
        size += 1
        for q in asked:
            counts[q["kind"]] += 1
            if q["kind"] not in KINDS or bool(q["keys"]) == (q["kind"] == "near"):
                bad.append(f"{path.name}: {q['question']}: its kind is {q['kind']}")
            if folded(q["passage"]) not in text:
                bad.append(f"{path.name}: {q['question']}: its passage is not there")
    print("\n".join(bad) or f"{size} documents, {sum(counts.values())} questions: " +
          ", ".join(f"{counts[kind]} {kind}" for kind in KINDS))
    return 1 if bad else 0


def is_right(q, answer):
    if q["kind"] == "near":
        return answer["score"] < 0.5
    return holds(answer["answer"], q["keys"])


def ask(path, asked, o, options):
    """{kind: counts} of one document."""
    index = pathlib.Path(o.dir, path.stem + ".kvz")
    if not index.exists():
        subprocess.run([o.lctool, "encode", "--quiet", "-o", str(index), str(path)], check=True)
    answers = grade.ask_all([o.lctool, "query", str(index), "--json", "--quiet", "--min-score", "0", "--evidence", "4",
                             *options], [q["question"] for q in asked])
    counts = collections.defaultdict(collections.Counter)
    for q, a in zip(asked, answers, strict=True):
        ok = is_right(q, a)
        first, four = (any(holds(e["text"], q["keys"]) for e in a["evidence"][:n]) for n in (1, 4))
        counts[q["kind"]].update(asked=1, right=ok, first=first, four=four)
        if o.list:
            print("right" if ok else "WRONG", q["kind"], path.name, q["question"], "|".join(q["keys"]),
                  f"{a['score']:.2f}", repr(a["answer"]), sep="\t")
    return counts


def main():
    own, options = grade.own_and_options(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("dir", nargs="?", help="of the indexes; one that is there is asked, not made again")
    p.add_argument("--check", action="store_true")
    p.add_argument("--only", default="", help="documents whose name has this")
    p.add_argument("--kind", choices=KINDS)
    p.add_argument("--list", action="store_true", help="every question with its answer")
    p.add_argument("--lctool", default="./lctool")
    o = p.parse_args(own)
    if o.check:
        return check()
    if not o.dir:
        p.error("DIR is needed")
    pathlib.Path(o.dir).mkdir(parents=True, exist_ok=True)
    totals = collections.defaultdict(collections.Counter)
    for path, asked in documents():
        asked = [q for q in asked if o.kind in (None, q["kind"])]
        if o.only in path.name and asked:
            for kind, counts in ask(path, asked, o, options).items():
                totals[kind].update(counts)
    for kind in KINDS:
        c = totals[kind]
        if c["asked"]:
            print(f"{kind:<6} asked {c['asked']:4d} right {c['right']:4d} found@1 {c['first']:4d} found@4 {c['four']:4d}",
                  flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Questions that one place of a document does not answer: plants both sentences of each in a book, and counts answers.

    python3 two_places.py OUT.txt TABLE.tsv [--bytes N] [--seed N] [--book handbook|policy]
    python3 two_places.py --ask INDEX.kvz TABLE.tsv [--lctool ./lctool] [--list] [-- OPTIONS OF lctool query]

two-places.tsv and two-hops.tsv are for tuning; two-places-held-out.tsv is for reporting only. An answer is right that says
a key of each half: keys are separated by |, halves by &. read: how many of the two sentences were read.
"""
import argparse
import pathlib
import random
import sys

import book
import grade
import haystack
import questions


def plant(rows, o):
    rng = random.Random(o.seed)
    text = book.book(o.book, o.bytes)[0]
    notes = [row[column].encode() for row in rows for column in ("first", "second")]
    rng.shuffle(notes)
    text, _ = haystack.weave(text, notes, [rng.choice(haystack.DEPTHS) for _ in notes])
    pathlib.Path(o.out).write_bytes(text)
    print(f"{o.out}: {len(text)} bytes, {len(rows)} questions", file=sys.stderr)


def right(row, answer):
    return all(questions.right({"keys": keys}, answer) for keys in row["keys"].split("&"))


def ask(rows, o):
    answers = grade.ask_all([o.lctool, "query", o.out, "--json", "--quiet", "--evidence", "16", "--max-tokens", "40",
                             *o.options], [row["question"] for row in rows])
    kinds = {}
    for row, a in zip(rows, answers):
        read = " ".join(e["text"] for e in a["evidence"] if e["read"])
        n = sum(row[column] in " ".join(read.split()) for column in ("first", "second"))
        counted = kinds.setdefault(row.get("kind") or "bridge", [0, 0, 0])
        for i, more in enumerate((1, right(row, a["answer"]), n)):
            counted[i] += more
        if o.list:
            print("right" if right(row, a["answer"]) else "WRONG", n, f"{row['id']}: {row['question']} -> {a['answer']!r}")
    for kind, (asked, good, n) in sorted(kinds.items()):
        print(f"{kind:<8} asked {asked:3d} right {good:3d} read {n / asked:.2f}")
    print(f"first token {grade.mean(a['seconds']['first_token'] for a in answers):.3f} s")


def main():
    own, options = grade.own_and_options(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--ask", action="store_true")
    p.add_argument("out")
    p.add_argument("table")
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--list", action="store_true", help="every question with its answer")
    p.add_argument("--book", default="handbook", choices=book.BOOKS)
    p.add_argument("--bytes", type=int, default=120000, help="of the book, about 4.2 a token (default 120000)")
    p.add_argument("--seed", type=int, default=1)
    o = p.parse_args(own)
    o.options = options
    (ask if o.ask else plant)(questions.read(o.table), o)


if __name__ == "__main__":
    main()

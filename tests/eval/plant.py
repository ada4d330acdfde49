"""Plants facts in a book: the document, and a table of questions about them (see questions.py).

    python3 plant.py OUT.txt OUT.tsv [--facts FILE] [--bytes N] [--seed N] [--book handbook|policy]
    python3 plant.py --check            the paraphrases share no word with their facts; the document is as it should be

The facts of facts.tsv are for tuning; facts-held-out.tsv is for reporting only. Each fact is put between
two sentences of a long paragraph; the depths are spread evenly, and which fact lies where depends on the seed.
"""
import argparse
import pathlib
import random
import re
import sys

import book
import questions
import words



def gaps(text):
    """Offsets between two sentences of a paragraph of at least 300 bytes."""
    at = 0
    for line in text.split(b"\n"):
        if len(line) >= 300:
            for m in re.finditer(rb"[a-z]{3}\. (?=[A-Z])", line):
                yield at + m.end()
        at += len(line) + 1


def plant(text, facts, seed):
    """The new text, and (start, end) of each fact in it."""
    rng = random.Random(seed)
    order = rng.sample(range(len(facts)), len(facts))
    free = list(gaps(text))
    chosen = []
    for i in range(len(facts)):
        want = (i + rng.uniform(0.25, 0.75)) / len(facts) * len(text)
        best = min(free, key=lambda g: abs(g - want))
        chosen.append(best)
        free = [g for g in free if abs(g - best) > 200]
    out, done, where = b"", 0, [None] * len(facts)
    for gap, i in zip(sorted(chosen), order):
        fact = facts[i]["fact"].encode()
        out += text[done:gap]
        where[i] = (len(out), len(out) + len(fact))
        out += fact + b" "
        done = gap
    return out + text[done:], where


def rows(facts, where):
    for fact, (start, end) in zip(facts, where):
        common = dict(keys=fact["keys"], start=start, end=end)
        yield dict(id=fact["id"], kind="lexical", question=fact["question"], prefix=fact["prefix"], **common)
        yield dict(id=fact["id"], kind="paraphrase", question=fact["paraphrase"],
                   prefix=fact["paraphrase_prefix"], **common)


def check():
    text, _ = book.book("handbook", 85000)
    bad, seen = [], set()
    for name in "facts.tsv", "facts-held-out.tsv":
        facts = questions.read(questions.DATA / name)
        planted, where = plant(text, facts, 1)
        if len(facts) < 16:
            bad.append(f"{name}: only {len(facts)} facts")
        for fact, (start, end) in zip(facts, where):
            def fail(why):
                bad.append(f"{name}: {fact['id']}: {why}")
            both = words.shared(fact["fact"], fact["paraphrase"] + " " + fact["paraphrase_prefix"])
            if both:
                fail(f"the paraphrase shares {', '.join(both)}")
            if not questions.right(fact, fact["fact"]):
                fail("its keys are not in the fact")
            for text_of in "question", "prefix", "paraphrase", "paraphrase_prefix":
                if questions.right(fact, fact[text_of]):
                    fail(f"the {text_of} gives the key away")
            if planted[start:end].decode() != fact["fact"]:
                fail("is not where the table says")
            if any(re.search(rb"\b" + key.lower().encode() + rb"\b", text.lower())
                   for key in fact["keys"].split("|") if not key.isdigit() and len(key) > 4):
                fail("the book itself says its key")
            if fact["id"] in seen:
                fail("the id is used twice")
            seen.add(fact["id"])
        gap = max(b - a for a, b in zip(sorted(s for s, _ in where), sorted(s for s, _ in where)[1:]))
        if gap > 3 * len(text) / len(facts):
            bad.append(f"{name}: {gap} bytes without a fact")
    print("\n".join(bad) or f"{len(seen)} facts are in order")
    return 1 if bad else 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out", nargs="?")
    p.add_argument("table", nargs="?")
    p.add_argument("--facts", default=questions.DATA / "facts.tsv")
    p.add_argument("--book", default="handbook", choices=book.BOOKS)
    p.add_argument("--bytes", type=int, default=85000, help="of the book, about 4.2 a token (default 85000)")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--check", action="store_true")
    o = p.parse_args()
    if o.check:
        return check()
    if not o.table:
        p.error("OUT.txt and OUT.tsv are missing")
    facts = questions.read(o.facts)
    text, where = plant(book.book(o.book, o.bytes)[0], facts, o.seed)
    pathlib.Path(o.out).write_bytes(text)
    questions.write(o.table, rows(facts, where))
    print(f"{o.out}: {len(text)} bytes, {len(facts)} facts", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

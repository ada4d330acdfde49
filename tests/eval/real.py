"""Real questions about a real book: the document, and a table of the questions (see questions.py).

    python3 real.py handbook|policy OUT.txt OUT.tsv [--bytes N]
    python3 real.py --check         every passage is there once; no paraphrase shares a word with its passage

book-questions.tsv names the page and quotes the passage that holds the answer; where it lies in the text is found here.
"""
import argparse
import pathlib
import sys

import book
import haystack
import questions
import words

TABLE = questions.DATA / "book-questions.tsv"


def find(row, text, pages):
    """(start, end) of the row's passage, or what is wrong with it; None when its page was cut off."""
    if row["file"] not in pages:
        return None
    first, last = pages[row["file"]]
    quote = row["quote"].encode()
    count = text[first:last].count(quote)
    if count != 1:
        return f"its quote is {count} times in {row['file']}"
    start = text.index(quote, first)
    return start, start + len(quote)


def part(text, pages, rows, n_bytes):
    """Whole pages that follow each other, of about that many bytes, with the most passages of rows in them: (start, end)."""
    ends = sorted(end for _, end in pages.values())
    ranges = []
    for start, _ in pages.values():
        end = min(ends, key=lambda e: abs(e - start - n_bytes) if e > start else len(text) + n_bytes)
        ranges.append((sum(start <= a and b <= end for a, b in rows), -start, start, end))
    return max(ranges)[2:]


def whole(o, n_tokens, n_cases):
    """The book as it is, a part of it where it is longer: its questions, asked in its words and in other ones."""
    text, pages = haystack.pages(o.book)
    rows = [(r, find(r, text, pages)) for r in questions.read(TABLE) if r["book"] == o.book]
    first, last = part(text, pages, [w for _, w in rows], int(n_tokens * haystack.TOKEN_BYTES["essay"]))
    cases = []
    for task, kind in TASKS.items():
        some = [(r, w) for r, w in rows if r["kind"] == kind and first <= w[0] and w[1] <= last]
        haystack.generator("book", o.seed, n_tokens).shuffle(some)
        cases += [haystack.Case(task, "any_key", r["question"], "", 40, r["keys"].split("|"),
                                [("book.txt", a - first, b - first)]) for r, (a, b) in some[:n_cases]]
    yield haystack.Document({"book.txt": text[first:last]}, cases)


TASKS = {"book": "lexical", "book_paraphrased": "paraphrase"}
GROUPS = {"book": (list(TASKS), whole)}


def check():
    bad, kinds, seen = [], {}, set()
    rows = questions.read(TABLE)
    books = {name: book.book(name) for name in sorted({row["book"] for row in rows})}
    for row in rows:
        def fail(why):
            bad.append(f"{row['id']}: {why}")
        where = find(row, *books[row["book"]])
        if not isinstance(where, tuple):
            fail(where or f"no page {row['file']}")
        both = words.shared(row["quote"], row["question"])
        if row["kind"] == "paraphrase" and both:
            fail(f"the paraphrase shares {', '.join(both)}")
        if row["kind"] == "lexical" and len(both) < 2:
            fail("hardly a word shared, but called lexical")
        if row["id"] in seen:
            fail("the id is used twice")
        seen.add(row["id"])
        kinds[row["book"], row["kind"]] = kinds.get((row["book"], row["kind"]), 0) + 1
    print("\n".join(bad) or "; ".join(f"{b}, {k}: {n}" for (b, k), n in sorted(kinds.items())))
    return 1 if bad else 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("book", nargs="?", choices=book.BOOKS)
    p.add_argument("out", nargs="?")
    p.add_argument("table", nargs="?")
    p.add_argument("--bytes", type=int)
    p.add_argument("--check", action="store_true")
    o = p.parse_args()
    if o.check:
        return check()
    if not o.table:
        p.error("BOOK, OUT.txt and OUT.tsv are needed")
    text, pages = book.book(o.book, o.bytes)
    rows = []
    for row in questions.read(TABLE):
        where = find(row, text, pages) if row["book"] == o.book else None
        if isinstance(where, str):
            raise SystemExit(f"{row['id']}: {where}")
        if where:
            rows.append(dict(row, prefix="", start=where[0], end=where[1]))
    pathlib.Path(o.out).write_bytes(text)
    questions.write(o.table, rows)
    print(f"{o.out}: {len(text)} bytes, {len(rows)} questions", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

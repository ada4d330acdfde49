"""Real questions about texts that packages carry: a license, a standard, a constitution, instructions, news, a list.

    python3 texts.py NAME OUT.txt OUT.tsv     the text, at most its first TEXTS bytes, and a table of the questions (questions.py)
    python3 texts.py --check                  every passage is there once in the texts that are installed

text-questions.tsv quotes of each passage what is enough to find it; white space counts as one space there. A paraphrase
here does without the passage's telling words, but not without every word of it as those of book-questions.tsv do.
"""
import gzip
import pathlib
import re
import sys

import haystack
import questions

TABLE = questions.DATA / "text-questions.tsv"
# name: package, file, bytes that are asked about (0: all)
TEXTS = {
    "gpl": ("base-files", "/usr/share/common-licenses/GPL-3", 0),
    "fhs": ("debian-policy", "/usr/share/doc/debian-policy/fhs/fhs-3.0.txt.gz", 0),
    "constitution": ("doc-debian", "/usr/share/doc/debian/constitution.txt.gz", 0),
    "bugs": ("doc-debian", "/usr/share/doc/debian/bug-reporting.txt.gz", 0),
    "news": ("coreutils", "/usr/share/doc/coreutils/NEWS.gz", 60000),
    "faq": ("valgrind", "/usr/share/doc/valgrind/FAQ.txt.gz", 0),
    "groups": ("base-passwd", "/usr/share/doc/base-passwd/users-and-groups.txt.gz", 0),
}


def text(name):
    """The bytes of a text, whole lines; None where its package is not installed."""
    _, file, most = TEXTS[name]
    path = pathlib.Path(file)
    if not path.exists():
        return None
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data[:data.rindex(b"\n", 0, most) + 1] if most else data


def find(row, data):
    """(start, end) of the row's passage, or how often it is there."""
    quote = rb"\s+".join(re.escape(word.encode()) for word in row["quote"].split())
    found = [m.span() for m in re.finditer(quote, data)]
    return found[0] if len(found) == 1 else len(found)


def resolved(name, data):
    """The rows of a text with the byte ranges of their passages."""
    for row in (r for r in questions.read(TABLE) if r["text"] == name):
        where = find(row, data)
        if not isinstance(where, tuple):
            raise SystemExit(f"{row['id']}: its quote is {where} times in {name}")
        yield dict(row, prefix="", start=where[0], end=where[1])


def whole(_, n_tokens, n_cases):
    """Every text that is installed and has between half as many tokens and as many."""
    for name in TEXTS:
        data = text(name)
        if data is None or not n_tokens / 2 < len(data) / haystack.TOKEN_BYTES["essay"] <= n_tokens:
            continue
        rows = list(resolved(name, data))
        yield haystack.Document({f"{name}.txt": data}, [
            haystack.Case(task, "any_key", r["question"], "", 40, r["keys"].split("|"),
                          [(f"{name}.txt", r["start"], r["end"])])
            for task, kind in TASKS.items() for r in [r for r in rows if r["kind"] == kind][:n_cases]])


TASKS = {"texts": "lexical", "texts_paraphrased": "paraphrase"}
GROUPS = {"texts": (list(TASKS), whole)}


def check():
    bad, counts, missing = [], {}, []
    for row in questions.read(TABLE):
        data = text(row["text"])
        if data is None:
            missing.append(row["text"])
        elif not isinstance(find(row, data), tuple):
            bad.append(f"{row['id']}: its quote is {find(row, data)} times in {row['text']}")
        else:
            counts[row["text"]] = counts.get(row["text"], 0) + 1
    for name in dict.fromkeys(missing):
        print(f"{name}: not installed (package {TEXTS[name][0]})", file=sys.stderr)
    print("\n".join(bad) or "; ".join(f"{name}: {n}" for name, n in counts.items()))
    return 1 if bad else 0


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if len(sys.argv) != 4 or sys.argv[1] not in TEXTS:
        raise SystemExit(f"usage: texts.py {'|'.join(TEXTS)} OUT.txt OUT.tsv")
    name, out, table = sys.argv[1:]
    data = text(name)
    if data is None:
        raise SystemExit(f"{TEXTS[name][1]} is not there: install {TEXTS[name][0]}")
    rows = list(resolved(name, data))
    pathlib.Path(out).write_bytes(data)
    questions.write(table, rows)
    print(f"{out}: {len(data)} bytes, {len(rows)} questions", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What summaries of the handbook's chapters share with what their authors wrote about them.

    python3 summaries.py OUT_DIR [--lctool PROGRAM] [--bytes N] [--words N] [--csv FILE]

A chapter's introduction is taken out of it and is the reference; what is left, at most N bytes, is encoded (once:
OUT_DIR keeps it) and summarised in each of the ways. One line a way: ROUGE-1 and ROUGE-Lsum against the
introduction, ROUGE-1 against the headings of the chapter's sections, words, seconds, the mean over the chapters.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import book
import score

WAYS = [("state", ["--from", "state"]), ("blocks", ["--quote", "never"]), ("blocks, strays", ["--quote", "strays"]),
        ("blocks, always", ["--quote", "always"]), ("sections", ["--sections"])]
SECTION = re.compile(r"\d+\.\d+\. ")
PARAGRAPHS = 2  # of the introduction that speak of the chapter; side notes follow


def chapters(limit):
    """(name, text without its introduction, introduction, headings) of each."""
    text, where = book.book("handbook")
    found = []
    for page, (start, end) in where.items():
        part = text[start:end].decode()
        if part.startswith("Chapter "):
            found.append([page.removesuffix(".html"), part])
        elif found and SECTION.match(part):
            found[-1][1] += part
    for name, whole in found:
        lines = whole.split("\n")
        first = next(i for i, line in enumerate(lines) if SECTION.match(line))
        intro = " ".join([line for line in lines[1:first] if len(line) > 100][:PARAGRAPHS])
        heads = "\n".join(SECTION.sub("", line) for line in lines if SECTION.match(line))
        body = "\n".join(lines[:1] + lines[first:]).encode()[:limit].decode(errors="ignore")
        yield name, body, intro, heads


def rouge_1(prediction, reference):
    a, b = (collections.Counter(score.rouge_words(t)) for t in (prediction, reference))
    return score.f_measure(sum((a & b).values()), sum(a.values()), sum(b.values()))


def summary(lctool, index, words, options):
    done = subprocess.run([lctool, "summarize", str(index), "--json", "--words", str(words), *options],
                          capture_output=True, text=True, check=True)
    j = json.loads(done.stdout)
    return j.get("summary", j["sections"][0])["text"], j["seconds"]["total"]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--bytes", type=int, default=40000)
    p.add_argument("--words", type=int, default=100)
    p.add_argument("--csv")
    o = p.parse_args()
    out = pathlib.Path(o.out)
    out.mkdir(parents=True, exist_ok=True)
    rows = {way: [] for way, _ in WAYS}
    for name, body, intro, heads in chapters(o.bytes):
        text, index = out / f"{name}.txt", out / f"{name}.kvz"
        if not index.exists():
            text.write_text(body)
            subprocess.run([o.lctool, "encode", str(text), "-o", str(index), "--kv", "small", "--quiet"], check=True)
        for way, options in WAYS:
            # A section is written in proportion, so that all of them are about as long.
            words = max(10, o.words // 2) if way == "sections" else o.words
            said, seconds = summary(o.lctool, index, words, options)
            rows[way].append((rouge_1(said, intro), score.rouge_lsum(said, [intro]), rouge_1(said, heads),
                              len(said.split()), seconds))
            print(f"{name} {way} {rows[way][-1][0]:.3f} {said!r}", file=sys.stderr, flush=True)
    lines = ["from,chapters,rouge_1,rouge_lsum,headings_rouge_1,words,seconds"]
    for way, values in rows.items():
        means = [sum(v) / len(v) for v in zip(*values)]
        lines.append(f"{way},{len(values)}," + ",".join(f"{m:.3f}" for m in means[:3]) +
                     f",{means[3]:.0f},{means[4]:.1f}")
    text = "\n".join(lines) + "\n"
    if o.csv:
        pathlib.Path(o.csv).write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()

"""What summaries of the handbook's chapters share with what their authors wrote about them.

    python3 summaries.py OUT_DIR [--lctool PROGRAM] [--bytes N] [--words N] [--ways NAME,...] [--csv FILE]

A chapter's introduction is taken out of it and is the reference; what is left, at most N bytes, is encoded (once:
OUT_DIR keeps it) and summarised in each of the ways. One line a way, the mean over the chapters: ROUGE-1 and
ROUGE-Lsum against the introduction, ROUGE-1 against the headings of the chapter's sections, and, since these tell
ways hardly apart, what asks for no reference:
    divergence  Jensen-Shannon, in bits, of the telling words of the summary and of the chapter: less is better (Louis and
                Nenkova, Automatically Assessing Machine Summary Content Without a Gold Standard, 2013)
    whole       share of sentences that begin with a capital or a number and end with a stop
    leaning     share of sentences that begin with a word for something said before ("This", "However")
    covered     share of the chapter's numbered sections that some sentence rests on, of as many as it has sentences
    again       the largest share of a sentence's telling words that one other sentence has, mean over the sentences
words, seconds.
"""
import argparse
import collections
import json
import math
import pathlib
import re
import subprocess
import sys

import book
import score

WAYS = [("state", ["--from", "state"]), ("blocks", ["--quote", "never"]), ("strays", ["--quote", "strays"]),
        ("always", ["--quote", "always"]), ("sections", ["--sections"])]
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


COMMON = set("""about after also because been before being between both could does each either from have here however into
    itself just like made make many more most much must only other over same several should since some such than that their them
    then there these they this those through thus under until used uses using very well were what when where whether which while
    will with within without would your""".split())
LEANING = set("this these those such it they their its however but and or so thus therefore hence then also he she".split())


def telling(text):
    return [w for w in re.findall(r"[^\W_]+", text.lower()) if len(w) > 3 and w not in COMMON]


def divergence(a, b):
    """Of two texts' words, in bits: 0 where they are the same, 1 where none is in both."""
    p, q = collections.Counter(telling(a)), collections.Counter(telling(b))
    n, m, sum_ = max(1, p.total()), max(1, q.total()), 0.0
    for w in p | q:
        x, y = p[w] / n, q[w] / m
        sum_ += sum(v * math.log2(2 * v / (x + y)) for v in (x, y) if v) / 2
    return sum_


def share(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def shape(statements, body):
    """(whole, leaning, covered, again) of a summary's sentences."""
    texts = [s["text"].strip('"') for s in statements]
    words = [set(telling(t)) for t in texts]
    starts = [m.start() for m in re.finditer(rb"(?m)^\d+\.\d+\. ", body.encode())]
    places = [s["evidence"][0]["focus"]["start"] for s in statements if s["evidence"]]
    covered = {max((i for i, at in enumerate(starts) if at <= p), default=-1) for p in places}
    return (share(bool(re.match(r"\W*[A-Z\d]", t) and re.search(r"[.!?]\W*$", t)) for t in texts),
            share(re.findall(r"\w+", t.lower())[:1] != [] and re.findall(r"\w+", t.lower())[0] in LEANING for t in texts),
            len(covered - {-1}) / max(1, min(len(starts), len(texts))),
            share(max((len(w & v) / max(1, len(w)) for j, v in enumerate(words) if j != i), default=0)
                  for i, w in enumerate(words)))


def summary(lctool, index, words, options):
    done = subprocess.run([lctool, "summarize", str(index), "--json", "--words", str(words), *options],
                          capture_output=True, text=True, check=True)
    j = json.loads(done.stdout)
    of = j.get("summary", j["sections"][0])
    return of["text"], of["statements"], j["seconds"]["total"]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--bytes", type=int, default=40000)
    p.add_argument("--words", type=int, default=100)
    p.add_argument("--ways", help="those whose name is one of these, commas between them; the default is all")
    p.add_argument("--csv")
    o = p.parse_args()
    out = pathlib.Path(o.out)
    out.mkdir(parents=True, exist_ok=True)
    ways = [(way, options) for way, options in WAYS if not o.ways or way in o.ways.split(",")]
    rows = {way: [] for way, _ in ways}
    for name, body, intro, heads in chapters(o.bytes):
        text, index = out / f"{name}.txt", out / f"{name}.kvz"
        if not index.exists():
            text.write_text(body)
            subprocess.run([o.lctool, "encode", str(text), "-o", str(index), "--kv", "small", "--quiet"], check=True)
        for way, options in ways:
            # A section is written in proportion, so that all of them are about as long.
            words = max(10, o.words // 2) if way == "sections" else o.words
            said, statements, seconds = summary(o.lctool, index, words, options)
            rows[way].append((rouge_1(said, intro), score.rouge_lsum(said, [intro]), rouge_1(said, heads),
                              divergence(said, body), *shape(statements, body), len(said.split()), seconds))
            print(f"{name} {way} {rows[way][-1][0]:.3f} {said!r}", file=sys.stderr, flush=True)
    lines = ["from,chapters,rouge_1,rouge_lsum,headings_rouge_1,divergence,whole,leaning,covered,again,words,seconds"]
    for way, values in rows.items():
        means = [sum(v) / len(v) for v in zip(*values)]
        lines.append(f"{way},{len(values)}," + ",".join(f"{m:.3f}" for m in means[:-2]) +
                     f",{means[-2]:.0f},{means[-1]:.1f}")
    text = "\n".join(lines) + "\n"
    if o.csv:
        pathlib.Path(o.csv).write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()

"""What a user could do instead: BM25 over the same blocks. In how many questions is the passage among the first k?

    python3 bm25.py DOC.txt QUESTIONS.tsv [--spans SPANS | --block BYTES] [--list]

SPANS is what `lctool inspect --json --spans INDEX` prints; without it the document is cut every BYTES bytes at a
space (default 270, about 64 tokens of English).
"""
import argparse
import collections
import json
import math
import pathlib

import questions
import words

K1, B = 1.2, 0.75
RANKS = 1, 4, 8, 16, 64


def cut(text, size):
    out, at = [], 0
    while at < len(text):
        end = at + size
        if end < len(text):
            space = max(text.rfind(b" ", at, end), text.rfind(b"\n", at, end))
            end = space + 1 if space > at else end
        out.append((at, min(end, len(text))))
        at = out[-1][1]
    return out


def read_spans(path):
    """(start, end) of every block of an index of one document."""
    spans = [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]
    if len({s["document"] for s in spans}) != 1:
        raise SystemExit(f"{path}: the spans of one document are needed")
    return [(s["start"], s["end"]) for s in spans]


class Bm25:
    def __init__(self, texts):
        self.bags = [collections.Counter(words.stem(w) for w in words.words(t)) for t in texts]
        self.lengths = [sum(b.values()) for b in self.bags]
        self.mean = sum(self.lengths) / len(self.lengths)
        self.n_with = collections.Counter(w for b in self.bags for w in b)

    def rank(self, question):
        """Indices of the texts, best first; those that share no word come last, in order."""
        asked = words.content(question)
        idf = {w: math.log(1 + (len(self.bags) - self.n_with[w] + 0.5) / (self.n_with[w] + 0.5)) for w in asked}

        def score(i):
            bag, scale = self.bags[i], K1 * (1 - B + B * self.lengths[i] / self.mean)
            return sum(idf[w] * bag[w] * (K1 + 1) / (bag[w] + scale) for w in asked if w in bag)
        scores = [score(i) for i in range(len(self.bags))]
        return sorted(range(len(self.bags)), key=lambda i: -scores[i])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("document")
    p.add_argument("questions")
    p.add_argument("--spans")
    p.add_argument("--block", type=int, default=270)
    p.add_argument("--list", action="store_true", help="the rank of each question's passage too")
    o = p.parse_args()
    text = pathlib.Path(o.document).read_bytes()
    blocks = read_spans(o.spans) if o.spans else cut(text, o.block)
    index = Bm25([text[a:b].decode(errors="replace") for a, b in blocks])
    found, asked = collections.Counter(), collections.Counter()
    for row in questions.resolved(o.questions):
        order = index.rank(row["question"])
        rank = questions.first_rank(row, [blocks[i] for i in order])
        asked[row["kind"]] += 1
        for k in RANKS:
            found[row["kind"], k] += rank is not None and rank <= k
        if o.list:
            print(f"{row['id']}\t{row['kind']}\t{rank}")
    print(f"{len(blocks)} blocks; passage among the first {', '.join(map(str, RANKS))}:")
    for kind, n in sorted(asked.items()):
        print(f"  {kind:<10} {' '.join(f'{found[kind, k]:3d}' for k in RANKS)}  of {n}")


if __name__ == "__main__":
    main()

"""Documents that people hold, made from templates, and what their holders ask: half to look at, half only counted.

    python3 people.py DIR [--half dev|held] [--lctool ./lctool]          writes the documents, encodes and asks each
    python3 people.py DIR --index WORK --list [--only NAME] [-- OPTIONS OF lctool query]
    python3 people.py --check               every passage is there once, and holds a key of its answer

people.txt has the documents: lines as they are written, %-lines that make the bulk between them, and the questions with
their keys and the words of the passage that hold the answer. A passage is found where a piece of evidence has
half of these words, white space counted as one space. --list shows the questions of half dev alone.

    =document NAME dev|held FILE [COLUMNS]  begins one; longer lines than COLUMNS are broken
    %list NAME                              templates or words, one a line, up to an empty line; {NAME} draws one of them
    %prose N K NAME                         N paragraphs of K sentences of a list
    %lines N NAME                           N lines of a list
    %clock 2024-03-01T08:00 A B             {clock FORMAT} is A to B minutes later each time, {same FORMAT} is not
    %q QUESTION => KEY|KEY => PASSAGE       a question
    %ask I QUESTION => KEY => PASSAGE       about the I-th of the last %lines, whose draws are named in braces
\u2039 and \u203a are braces of the document. {n A B} is a number, {e A B} one with cents, {# NAME} counts, {NAME!} draws no word twice, {LABEL=NAME} is remembered as LABEL.
"""
import argparse
import collections
import datetime
import html
import pathlib
import random
import re
import subprocess
import sys
import textwrap

import grade
import questions

TEXTS = questions.DATA / "people.txt"
HALVES = "dev", "held"
BRACES = str.maketrans("\u2039\u203a", "{}")
SLOT = re.compile(r"\{([^{}]+)\}")
Question = collections.namedtuple("Question", "question keys passage")


class Maker:
    """Writes one document."""

    def __init__(self, name, shared, seed):
        self.name = name
        self.lists = dict(shared)
        self.draw = random.Random(f"{seed} {name}")
        self.decks, self.counts, self.drawn, self.rows = {}, collections.Counter(), {}, []
        self.out, self.questions = [], []
        self.clock = self.step = None

    def word(self, name):
        """The next one of a list's: all of them are drawn before one comes again."""
        deck = self.decks.setdefault(name, [])
        if not deck:
            deck += self.draw.sample(self.lists[name], len(self.lists[name]))
        return deck.pop()

    def slot(self, text):
        word, _, rest = text.partition(" ")
        if word == "n":
            return str(self.draw.randint(*map(int, rest.split())))
        if word == "e":
            low, high = map(int, rest.split())
            return f"{self.draw.randint(low, high)}.{self.draw.randrange(100):02}"
        if word == "#":
            self.counts[rest] += 1
            return str(self.counts[rest])
        if word in ("clock", "same"):
            if word == "clock":
                self.clock += datetime.timedelta(minutes=self.draw.randint(*self.step), seconds=self.draw.randrange(60))
            return self.clock.strftime(rest)
        if word.endswith("!"):
            if self.decks.get(word) == []:
                raise SystemExit(f"{self.name}: {word} has no more words")
            if word not in self.decks:
                self.decks[word] = self.draw.sample(self.lists[word[:-1]], len(self.lists[word[:-1]]))
            return self.decks[word].pop()
        return self.word(word)

    def made(self, template):
        """TEMPLATE with its slots filled, the leftmost first; what was drawn is in self.drawn."""
        self.drawn = {}
        while found := SLOT.search(template):
            label, _, slot = found[1].rpartition("=")
            text = self.slot(slot)
            while inner := SLOT.search(text):
                text = text[:inner.start()] + self.slot(inner[1].rpartition("=")[2]) + text[inner.end():]
            self.drawn.setdefault(label or slot.split(" ")[0].rstrip("!"), text)
            template = template[:found.start()] + text + template[found.end():]
        return template

    def directive(self, line):
        kind, _, rest = line[1:].partition(" ")
        if kind == "prose":
            n, k, name = rest.split()
            for _ in range(int(n)):
                self.out += [" ".join(self.made(self.word(name)) for _ in range(int(k))), ""]
        elif kind == "lines":
            n, name = rest.split()
            self.rows = []
            for _ in range(int(n)):
                self.out.append(self.made(self.word(name)))
                self.rows.append(self.drawn)
        elif kind == "clock":
            start, low, high = rest.split()
            self.clock, self.step = datetime.datetime.fromisoformat(start), (int(low), int(high))
        elif kind in ("q", "ask"):
            if kind == "ask":
                row, _, rest = rest.partition(" ")
                drawn = self.rows[int(row) - (int(row) > 0)]
                rest = SLOT.sub(lambda m: drawn[m[1]], rest)
            question, keys, passage = rest.split(" => ")
            self.questions.append(Question(question, keys, passage.translate(BRACES)))
        else:
            raise SystemExit(f"{self.name}: no directive {line}")


def documents(seed=1):
    """{name: (half, file, text, questions)} of people.txt."""
    made, shared, maker, columns, words = {}, {}, None, 0, None

    def done():
        if maker:
            lines = [part for line in maker.out for part in folded(line, columns)]
            made[maker.name] = (half, file, "\n".join(lines).translate(BRACES) + "\n", maker.questions)

    half = file = ""
    for line in TEXTS.read_text(encoding="utf-8").splitlines():
        if words is not None:
            words.append(line)
            if not line:
                words.pop()
                words = None
        elif line.startswith("%list "):
            words = (maker.lists if maker else shared).setdefault(line[6:], [])
        elif line.startswith("=document "):
            done()
            _, name, half, file, *rest = line.split()
            columns = int(rest[0]) if rest else 0
            maker = Maker(name, shared, seed)
        elif line.startswith("%"):
            maker.directive(line)
        elif maker:
            maker.out.append(maker.made(line))
    done()
    return made


def folded(line, columns):
    if not columns or len(line) <= columns:
        return [line]
    indent = re.match(r"[ >]*", line)[0]
    return textwrap.wrap(line, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def plain(text):
    """As a passage is compared: without tags, white space as one space."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).replace(">", " ").split())


def holds(piece, words):
    """Whether a piece of evidence has the first half of a passage or its last one: blocks end anywhere."""
    half = (len(words) + 1) // 2
    return " ".join(words[:half]) in piece or " ".join(words[-half:]) in piece


def check():
    bad, counts = [], collections.Counter()
    for name, (half, _, text, asked) in documents().items():
        flat = plain(text)
        counts.update({half: 1, half + " asked": len(asked), half + " bytes": len(text.encode())})
        for q in asked:
            if flat.count(plain(q.passage)) != 1:
                bad.append(f"{name}: {q.question}: its passage is {flat.count(plain(q.passage))} times there")
            if not questions.right({"keys": q.keys}, q.passage):
                bad.append(f"{name}: {q.question}: its passage has no key of it")
    print("\n".join(bad) or "; ".join(f"{half}: {counts[half]} documents, {counts[half + ' bytes']} bytes, "
                                      f"{counts[half + ' asked']} questions" for half in HALVES))
    return 1 if bad else 0


def ask(name, half, index, asked, o, options):
    """(asked, right, found in the first piece of evidence, in the first four, with another answer behind the first)."""
    answers = grade.ask_all([o.lctool, "query", str(index), "--json", "--quiet", "--evidence", "4", *options],
                            [q.question for q in asked])
    counts = collections.Counter(asked=len(asked))
    for q, a in zip(asked, answers):
        pieces = [plain(e["text"]) for e in a["evidence"]]
        ok = questions.right({"keys": q.keys}, a["answer"])
        first, four = (any(holds(p, plain(q.passage).split()) for p in pieces[:n]) for n in (1, 4))
        counts.update(right=ok, first=first, four=four, two=a["alternative"] is not None)
        if o.list and half == "dev":
            print("right" if ok else "WRONG", 1 if first else 4 if four else "-", name, q.question, q.keys,
                  repr(a["answer"]), sep="\t")
    return counts


def row(label, c):
    print(f"{label:<18} asked {c['asked']:3d} right {c['right']:3d} found@1 {c['first']:3d} found@4 {c['four']:3d} "
          f"two answers {c['two']:2d}", flush=True)


def main():
    own, options = grade.own_and_options(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("dir", nargs="?", help="of the documents")
    p.add_argument("--check", action="store_true")
    p.add_argument("--half", choices=HALVES)
    p.add_argument("--only", help="one document")
    p.add_argument("--index", help="directory of the indexes (DIR); one that is there is asked, not made again")
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--list", action="store_true", help="every question of half dev with its answer")
    p.add_argument("--seed", type=int, default=1)
    o = p.parse_args(own)
    if o.check:
        return check()
    if not o.dir:
        p.error("DIR is needed")
    totals = collections.defaultdict(collections.Counter)
    work = pathlib.Path(o.index or o.dir)
    for path in (pathlib.Path(o.dir), work):
        path.mkdir(parents=True, exist_ok=True)
    for name, (half, file, text, asked) in documents(o.seed).items():
        if o.half not in (None, half) or o.only not in (None, name):
            continue
        document, index = pathlib.Path(o.dir, file), work / f"{name}.kvz"
        document.write_text(text, encoding="utf-8")
        if not index.exists():
            subprocess.run([o.lctool, "encode", "--quiet", "-o", str(index), str(document)], check=True)
        counts = ask(name, half, index, asked, o, options)
        row(f"{half} {name}", counts)
        totals[half].update(counts)
    for half in HALVES:
        if half in totals:
            row(f"{half}, all", totals[half])
    return 0


if __name__ == "__main__":
    sys.exit(main())

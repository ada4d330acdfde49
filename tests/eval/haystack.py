"""What the suites' documents are made of: words and prose of Debian packages, noise, and needles woven in.

The words come from wamerican, the prose from debian-handbook or debian-policy (book.py). Everything depends on the
random generator that is given and on nothing else.
"""
import functools
import pathlib
import random
import re
import uuid

import book

DICTIONARY = pathlib.Path("/usr/share/dict/american-english")
NOISE = b"The hill is high. The lake is deep. The path is long. Off we walk. Up and home again."
# Bytes of a document per token, of the kinds of text below, as SmolLM2's tokenizer cuts them: a length is meant in
# tokens, and the exact number is in the results.
TOKEN_BYTES = {"essay": 4.6, "noise": 3.35, "needle": 2.2, "numbers": 2.55, "uuids": 1.37, "json": 1.13, "list": 1.9,
               "coded": 2.55}
DEPTHS = [round(100 * i / 39) for i in range(40)]


class Case:
    """One question about a document.

    needles: [(file, start, end)], the bytes that hold the answer; references: what the metric compares with; depth:
    of the needle in percent, for the grid of depths.
    """

    def __init__(self, task, metric, question, prefix, n_tokens, references, needles, depth=None):
        self.task, self.metric, self.question, self.prefix = task, metric, question, prefix
        self.n_tokens, self.references, self.needles, self.depth = n_tokens, references, needles, depth


class Document:
    """files: {name: bytes}, read as one index in this order; cases: the questions about them."""

    def __init__(self, files, cases):
        self.files, self.cases = files, cases


def generator(*key):
    return random.Random(" ".join(map(str, key)))


@functools.lru_cache(maxsize=None)
def dictionary():
    """Words of 4 to 8 plain letters, in the dictionary's order."""
    if not DICTIONARY.exists():
        raise SystemExit(f"{DICTIONARY} is not there: install wamerican")
    return [w for w in DICTIONARY.read_text(encoding="utf-8").split() if re.fullmatch("[a-z]{4,8}", w)]


@functools.lru_cache(maxsize=None)
def adjectives():
    return [w for w in dictionary() if re.search("(ous|ful|ive|less|able|ish)$", w)]


@functools.lru_cache(maxsize=None)
def nouns():
    return [w for w in dictionary() if re.search("(er|or|ment|ist|ship|ion|ice|age|el|ow|et)$", w)]


def new(rng, make, used):
    """One more of make(rng) that was not there before."""
    while True:
        value = make(rng)
        if value not in used:
            used.add(value)
            return value


def pair_word(rng):
    return f"{rng.choice(adjectives())}-{rng.choice(nouns())}"


def number(rng, n_digits=7):
    return str(rng.randrange(10 ** (n_digits - 1), 10 ** n_digits))


def uuid4(rng):
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


@functools.lru_cache(maxsize=None)
def pages(name):
    return book.book(name)


@functools.lru_cache(maxsize=None)
def prose(name):
    return b" ".join(pages(name)[0].split())


@functools.lru_cache(maxsize=4)
def sentence_starts(text):
    return [0] + [m.end() for m in re.finditer(rb"[a-z)\"]{2}\. (?=[A-Z])", text)] + [len(text)]


def essay(name, n_bytes, rng):
    """Prose of that many bytes, from a random sentence on; the book begins again when it ends."""
    text = prose(name)
    begin = rng.choice(sentence_starts(text)[:-1])
    out = text[begin:]
    while len(out) < n_bytes:
        out += b" " + text
    return out[:n_bytes].rsplit(b" ", 1)[0] + b" "


def noise(n_bytes):
    return [NOISE] * max(4, round(n_bytes / (len(NOISE) + 1)))


def weave(text, notes, depths):
    """Puts sentences between those of a text: the new text, and where each came to lie. Two share a gap only where there
    are too few."""
    gaps = sentence_starts(text)
    held, at = [0] * len(gaps), []
    for depth in depths:
        want = round((len(gaps) - 1) * depth / 100)
        best = min(range(len(gaps)), key=lambda i: (held[i], abs(i - want)))
        held[best] += 1
        at.append(gaps[best])
    out, done, where = b"", 0, {}
    for gap, i in sorted(zip(at, range(len(notes)))):
        out += text[done:gap]
        if out and not out.endswith(b" "):
            out += b" "
        where[i] = (len(out), len(out) + len(notes[i]))
        out += notes[i] + b" "
        done = gap
    return out + text[done:], [where[i] for i in range(len(notes))]


def lines(filler, notes, places):
    """The lines of filler with notes[i] before line places[i] (increasing): the text, and where each note lies."""
    out, where, at = [], [], 0
    pending = list(zip(places, notes))
    for i in range(len(filler) + 1):
        while pending and pending[0][0] == i:
            note = pending.pop(0)[1]
            where.append((at, at + len(note)))
            out.append(note)
            at += len(note) + 1
        if i < len(filler):
            out.append(filler[i])
            at += len(filler[i]) + 1
    return b"\n".join(out) + b"\n", where


def listed(items):
    """a; a and b; a, b, and c"""
    if len(items) < 3:
        return " and ".join(items)
    return ", ".join(items[:-1]) + ", and " + items[-1]

"""RULER's thirteen tasks, with sentences of our own: the structure, the numbers and the grades are the suite's.

Two things differ. The document is read before a question is known, so that what the suite puts before the context (what
it is about to ask) is left out. And several cases share a document where they cannot be confused: each case of a task
in prose has a thing of its own (ticket, parcel, ...), of which its needles alone speak.
"""
import math
import random

import haystack
import questions
import real
from haystack import Case, Document

THINGS = """ticket parcel locker badge permit cabin invoice meter ledger gate crate radio shelf harbour engine garden
camera saddle violin turbine orchard ferry beacon chapel""".split()
KINDS = {"number": haystack.number, "uuid": haystack.uuid4}


class Needle:
    """`per_key` values for each of some keys, about one thing; `asked` of the keys are asked for."""

    def __init__(self, rng, task, thing, kind, n_keys, per_key, n_asked, used):
        self.task, self.thing, self.kind = task, thing, kind
        self.values = {haystack.new(rng, haystack.pair_word, used): [KINDS[kind](rng) for _ in range(per_key)]
                       for _ in range(n_keys)}
        self.asked = rng.sample(list(self.values), n_asked)

    def sentences(self):
        """[(sentence, whether it is asked for)]"""
        return [(f"For the record, a {self.thing} {self.kind} of {key} is {value}.".encode(), key in self.asked)
                for key, values in self.values.items() for value in values]

    def case(self, needles):
        wanted = [v for key in self.asked for v in self.values[key]]
        keys = haystack.listed(self.asked)
        if len(wanted) == 1:
            ask = f"Which {self.thing} {self.kind} of {keys} is on record in the text?"
            prefix = f"The {self.thing} {self.kind} of {keys} on record in the text is"
        else:
            ask = f"What are all the {self.thing} {self.kind}s of {keys} that are on record in the text?"
            prefix = f"The {self.thing} {self.kind}s of {keys} on record in the text are"
        return Case(self.task, "match_all", ask, prefix, 128, wanted, needles)


# task: kind of value, keys, values a key, keys asked for
PROSE_TASKS = {
    "niah_single_2": ("number", 1, 1, 1),
    "niah_single_3": ("uuid", 1, 1, 1),
    "niah_multikey_1": ("number", 4, 1, 1),
    "niah_multivalue": ("number", 1, 4, 1),
    "niah_multiquery": ("number", 4, 1, 4),
}


def shared(o, n_tokens, n_cases):
    """How many cases of a task each document holds. Unless told, the text stays the most of it."""
    each = 1 if o.alone else o.share or max(1, min(4, n_tokens // 8000))
    return [min(each, n_cases - i) for i in range(0, n_cases, each)]


def prose(o, n_tokens, n_cases):
    """The five tasks whose needles lie in prose."""
    if o.alone:
        plans = [[task] for task in PROSE_TASKS for _ in range(n_cases)]
    else:
        plans = [[task for task in PROSE_TASKS for _ in range(n)] for n in shared(o, n_tokens, n_cases)]
    for i, plan in enumerate(plans):
        rng = haystack.generator("prose", o.seed, n_tokens, i)
        things, used = rng.sample(THINGS, len(plan)), set()
        needles = [Needle(rng, task, thing, *PROSE_TASKS[task], used) for task, thing in zip(plan, things)]
        notes = [(s, j, asked) for j, needle in enumerate(needles) for s, asked in needle.sentences()]
        rng.shuffle(notes)
        left = max(n_tokens // 4, n_tokens - sum(len(s) for s, _, _ in notes) / haystack.TOKEN_BYTES["needle"])
        text = haystack.essay(o.book, int(left * haystack.TOKEN_BYTES["essay"]), rng)
        text, where = haystack.weave(text, [s for s, _, _ in notes], [rng.choice(haystack.DEPTHS) for _ in notes])
        cases = [needle.case([("prose.txt", *w) for w, (_, k, asked) in zip(where, notes) if k == j and asked])
                 for j, needle in enumerate(needles)]
        yield Document({"prose.txt": text}, cases)


def single_1(o, n_tokens, n_cases):
    for i, n in enumerate(shared(o, n_tokens, n_cases)):
        rng = haystack.generator("noise", o.seed, n_tokens, i)
        things, used = rng.sample(THINGS, n), set()
        needles = [Needle(rng, "niah_single_1", thing, "number", 1, 1, 1, used) for thing in things]
        filler = haystack.noise(n_tokens * haystack.TOKEN_BYTES["noise"])
        places = sorted(rng.sample(range(len(filler) + 1), n))
        text, where = haystack.lines(filler, [x.sentences()[0][0] for x in needles], places)
        yield Document({"noise.txt": text}, [x.case([("noise.txt", *w)]) for x, w in zip(needles, where)])


def all_needles(task, make_key, kind, size):
    """A document of needles only, each with its own key: any of them can be asked for."""
    def generate(o, n_tokens, n_cases):
        rng = haystack.generator(task, o.seed, n_tokens)
        used, rows, length = set(), [], 0
        while length < n_tokens * haystack.TOKEN_BYTES[size] or len(rows) < n_cases:
            key, value = haystack.new(rng, make_key, used), KINDS[kind](rng)
            rows.append((key, value, f"For the record, a parcel {kind} of {key} is {value}.".encode()))
            length += len(rows[-1][2]) + 1
        text, where = haystack.lines([], [r[2] for r in rows], [0] * len(rows))
        cases = [Case(task, "match_all", f"Which parcel {kind} of {key} is on record in the text?",
                      f"The parcel {kind} of {key} on record in the text is", 128, [value], [("needles.txt", *w)])
                 for (key, value, _), w in rng.sample(list(zip(rows, where)), n_cases)]
        yield Document({"needles.txt": text}, cases)
    return generate


def variable(rng, n_letters=5):
    return "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(n_letters))


def chain(rng, n_letters, used):
    """Five variables, and the lines that hand one value on from each to the next."""
    names = [haystack.new(rng, lambda r: variable(r, n_letters), used) for _ in range(5)]
    value = haystack.number(rng, 5)
    return names, value, [f"LET {a} = {b}".encode() for a, b in zip(names, [value, *names])]


def vt_question(value):
    return (f"Which variables have the value {value} in the text above, directly or by way of other variables?",
            f"Following the assignments in the text above, the 5 variables that have the value {value} are:")


def vt(o, n_tokens, n_cases):
    """Chains of assignments in noise, after an example with its answer."""
    for i, n in enumerate(shared(o, n_tokens, n_cases)):
        rng, used = haystack.generator("vt", o.seed, n_tokens, i), set()
        names, value, example = chain(rng, 3, used)
        head, _ = haystack.lines([haystack.NOISE] * 10, example, sorted(rng.sample(range(11), 5)))
        ask, prefix = vt_question(value)
        head += f"\nQuestion: {ask}\nAnswer: {prefix} {' '.join(names)}\n\n".encode()
        filler = haystack.noise(n_tokens * haystack.TOKEN_BYTES["noise"] - len(head))
        chains = [chain(rng, 5, used) for _ in range(n)]
        places = sorted((place, j) for j in range(n) for place in rng.sample(range(len(filler) + 1), 5))
        pending = [iter(c[2]) for c in chains]
        text, where = haystack.lines(filler, [next(pending[j]) for _, j in places], [p for p, _ in places])
        cases = []
        for j, (names, value, _) in enumerate(chains):
            spots = [("noise.txt", len(head) + a, len(head) + b) for (a, b), (_, k) in zip(where, places) if k == j]
            cases.append(Case("vt", "match_all", *vt_question(value), 30, names, spots))
        yield Document({"noise.txt": head + text}, cases)


def word_list(rng, words, n_common, common_times, other_times):
    common, others = words[:n_common], words[n_common:]
    items = common * common_times + others * other_times
    rng.shuffle(items)
    return common, " ".join(f"{i}. {w}" for i, w in enumerate(items, 1))


CWE_ASK = "Which 10 words are the most common ones in the list above?"
CWE_PREFIX = "The 10 words that stand most often in the list are:"


def cwe(o, n_tokens, n_cases):
    """The ten commonest words of a list, after an example with its answer. The whole list counts, so no needle."""
    for i in range(n_cases):
        rng = haystack.generator("cwe", o.seed, n_tokens, i)
        short = n_tokens < 4096
        size = n_tokens * haystack.TOKEN_BYTES["list"] / 11
        n_other = max(10, int((size - 10 * (6 if short else 30)) / (1 if short else 3)))
        words = rng.sample(haystack.dictionary(), 10 + n_other)
        example, shown = word_list(rng, rng.sample(haystack.dictionary(), 20 if short else 40), 10,
                                   3 if short else 10, 1 if short else 3)
        numbered = " ".join(f"{k}. {w}" for k, w in enumerate(example, 1))
        common, text = word_list(rng, words, 10, 6 if short else 30, 1 if short else 3)
        text = f"{shown}\nQuestion: {CWE_ASK}\nAnswer: {CWE_PREFIX} {numbered}\n\n{text}\n"
        yield Document({"list.txt": text.encode()}, [Case("cwe", "match_all", CWE_ASK, CWE_PREFIX, 120, common, [])])


def fwe(o, n_tokens, n_cases):
    """The three commonest of coded words; frequencies fall with the square of the rank, and the first of all is dots."""
    zeta = math.pi ** 2 / 6
    for i in range(n_cases):
        rng = haystack.generator("fwe", o.seed, n_tokens, i)
        used, n_items = set(), int(n_tokens * haystack.TOKEN_BYTES["coded"] / 7)
        words = ["..."] + [haystack.new(rng, lambda r: variable(r, 6).lower(), used)
                           for _ in range(max(10, n_tokens // 50))]
        total, items = n_items, []
        while len(items) < n_items:  # the rare words' shares are cut to whole numbers
            items = [w for k, w in enumerate(words, 1) for _ in range(int(total * k ** -2 / zeta))]
            total += max(1, total // 50)
        rng.shuffle(items)
        yield Document({"coded.txt": (" ".join(items) + "\n").encode()}, [Case(
            "fwe", "match_all",
            "Which three coded words come most often in the text above? Explain nothing, and pass over the dots.",
            "The three coded words that come most often in the text above are:", 50, words[1:4], [])])


def passages(rng, gold, others, n_bytes):
    """Gold and the first of the other paragraphs, of that many bytes, shuffled and numbered: the text, and where each
    gold one lies."""
    chosen, length = list(gold), sum(map(len, gold))
    for p in others:
        if length >= n_bytes:
            break
        chosen.append(p)
        length += len(p) + 15
    rng.shuffle(chosen)
    out, where = b"", {}
    for i, p in enumerate(chosen, 1):
        out += f"Passage {i}:\n".encode()
        where[p] = len(out)
        out += p + b"\n\n"
    return out, [where[p] for p in gold]


def qa_case(task, row, n_tokens, needles):
    return Case(task, "match_part", f"Answer in a few words, and say nothing else. {row['question']}", "The answer is",
                n_tokens, row["keys"].split("|"), needles)


def qa(task, kind):
    """Questions about paragraphs of the books, among other paragraphs: those of the same pages first."""
    def generate(o, n_tokens, n_cases):
        name = o.book
        text, pages = haystack.pages(name)
        rows = [r for r in questions.read(real.TABLE) if r["book"] == name and r["kind"] == kind]
        rng = haystack.generator(task, o.seed, n_tokens)
        rng.shuffle(rows)
        rows = rows[:n_cases]
        for first in range(0, len(rows), 4):
            some, gold, others = rows[first:first + 4], [], {}
            for row in some:
                start, end = real.find(row, text, pages)
                begin = text.rfind(b"\n", 0, start) + 1
                line = text[begin:text.index(b"\n", end)]
                gold.append((line, start - begin, end - begin))
                a, b = pages[row["file"]]
                others.update((p, 0) for p in text[a:b].split(b"\n") if len(p) >= 200)
            near = [p for p in others if p not in [g[0] for g in gold]]
            far = [p for p in text.split(b"\n") if len(p) >= 200 and p not in others]
            rng.shuffle(near)
            rng.shuffle(far)
            unique = list(dict.fromkeys(g[0] for g in gold))
            # The pages' own paragraphs first, as the suite takes those of the same article first.
            out, where = passages(rng, unique, near + far, int(n_tokens * haystack.TOKEN_BYTES["essay"]))
            at = dict(zip(unique, where))
            yield Document({"passages.txt": out}, [
                qa_case(task, row, 32, [("passages.txt", at[g] + a, at[g] + b)]) for row, (g, a, b) in zip(some, gold)])
    return generate


def qa_2(o, n_tokens, n_cases):
    """Answers that need two paragraphs: the first names whom the second is about."""
    rows = hops()
    rng = haystack.generator("qa_2", o.seed, n_tokens)
    rng.shuffle(rows)
    others = list(dict.fromkeys(p for p in haystack.pages(o.book)[0].split(b"\n") if len(p) >= 200))
    for first in range(0, min(n_cases, len(rows)), 4):
        some = rows[first:min(first + 4, n_cases)]
        gold = [r[c].encode() for r in some for c in ("first", "second")]
        rng.shuffle(others)
        out, where = passages(rng, gold, others, int(n_tokens * haystack.TOKEN_BYTES["essay"]))
        spots = [("passages.txt", w, w + len(g)) for w, g in zip(where, gold)]
        yield Document({"passages.txt": out},
                       [qa_case("qa_2", r, 32, spots[2 * i:2 * i + 2]) for i, r in enumerate(some)])


def hops():
    return questions.read(questions.DATA / "two-hops.tsv")


# group: (tasks, what makes its documents from options, tokens and cases)
GROUPS = {
    "prose": (list(PROSE_TASKS), prose),
    "noise": (["niah_single_1"], single_1),
    "numbers": (["niah_multikey_2"], all_needles("niah_multikey_2", haystack.pair_word, "number", "numbers")),
    "uuids": (["niah_multikey_3"], all_needles("niah_multikey_3", haystack.uuid4, "uuid", "uuids")),
    "vt": (["vt"], vt),
    "cwe": (["cwe"], cwe),
    "fwe": (["fwe"], fwe),
    "qa_1": (["qa_1"], qa("qa_1", "lexical")),
    "qa_1_paraphrased": (["qa_1_paraphrased"], qa("qa_1_paraphrased", "paraphrase")),
    "qa_2": (["qa_2"], qa_2),
}

"""The grid of lengths and depths, about facts that share nothing with each other, and questions over several documents."""
import book
import haystack
import plant
import questions
from haystack import Case, Document
from ruler import Needle, hops

N_DEPTHS = 10
N_ALIKE = 8


def niah(o, n_tokens, n_cases):
    """A document holds ten facts, one at each depth; with each further document other facts lie there."""
    rows = questions.read(questions.DATA / ("facts-held-out.tsv" if o.held_out else "facts.tsv"))
    for i in range(-(-n_cases // N_DEPTHS)):
        rng = haystack.generator("niah", o.seed, n_tokens, i)
        facts = rng.sample(rows, N_DEPTHS)
        depths = [round(100 * d / (N_DEPTHS - 1)) for d in range(N_DEPTHS)]
        text = haystack.essay(o.book, int(n_tokens * haystack.TOKEN_BYTES["essay"]), rng)
        text, where = haystack.weave(text, [f["fact"].encode() for f in facts], depths)
        yield Document({"book.txt": text}, [
            Case("niah", "any_key", f["question"], f["prefix"], 24, f["keys"].split("|"), [("book.txt", *w)], depth)
            for f, w, depth in zip(facts, where, depths)])


def multidoc(o, n_tokens, n_cases):
    """Four documents in one index; what a question needs lies in two of them."""
    rows = hops()
    for i in range(-(-n_cases // 4)):
        rng = haystack.generator("multidoc", o.seed, n_tokens, i)
        names = [f"{n}-{k}.txt" for n in sorted(book.BOOKS) for k in (1, 2)]
        notes, some = {n: [] for n in names}, rng.sample(rows, min(4, n_cases - 4 * i))
        for j, row in enumerate(some):
            for column, name in zip(("first", "second"), rng.sample(names, 2)):
                notes[name].append((j, row[column].encode()))
        files, spots = {}, [[] for _ in some]
        for name in names:
            text = haystack.essay(name.split("-")[0], int(n_tokens / len(names) * haystack.TOKEN_BYTES["essay"]), rng)
            files[name], where = haystack.weave(text, [s for _, s in notes[name]],
                                                [rng.choice(haystack.DEPTHS) for _ in notes[name]])
            for (j, _), w in zip(notes[name], where):
                spots[j].append((name, *w))
        yield Document(files, [Case("multidoc", "match_part", row["question"], "The answer is", 32,
                                    row["keys"].split("|"), spot) for row, spot in zip(some, spots)])


def alike(o, n_tokens, n_cases):
    """Eight needles that differ in one name and one number only, all of which are asked for."""
    for i in range(-(-n_cases // N_ALIKE)):
        rng = haystack.generator("alike", o.seed, n_tokens, i)
        used = set()
        all_of_them = [Needle(rng, "alike", "ticket", "number", 1, 1, 1, used) for _ in range(N_ALIKE)]
        text = haystack.essay(o.book, int(n_tokens * haystack.TOKEN_BYTES["essay"]), rng)
        depths = [round(100 * (k + rng.random()) / N_ALIKE) for k in range(N_ALIKE)]
        text, where = haystack.weave(text, [n.sentences()[0][0] for n in all_of_them], depths)
        yield Document({"book.txt": text}, [n.case([("book.txt", *w)]) for n, w in zip(all_of_them, where)])


GROUPS = {"niah": (["niah"], niah), "alike": (["alike"], alike), "multidoc": (["multidoc"], multidoc)}

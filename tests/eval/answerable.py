"""Does the score tell questions that a document answers from questions that it does not?

    python3 answerable.py DIR [--half dev|held] [--only SUITE[.DOCUMENT]] [--lctool ./lctool] [--list] [-- OPTIONS OF lctool query]
    python3 answerable.py --check

Documents of people.py, packages.py and texts.py, the policy manual and the handbook, a text with planted facts and records,
made and encoded under DIR unless they are there. Asked of each are its own questions, which are counted as answered
where the answer is right, and questions that it does not answer, of three degrees:
    else      about something else altogether: of a document of another suite, eight of each
    subject   about the document's subject, but not said in it: unanswerable.tsv
    near      as one that it answers, with another name, number or thing: likewise
Prints the area under the ROC curve of the score, rightly answered questions against each degree and against those that were
answered wrongly, and how many of each score below some thresholds: at 0.001 SmolLM2-135M's profile has lctool query say that
nothing answers the question, at 0.5 that the document may not answer it. Half dev is to look at (--list), half held only
to count. --check: the words of column "absent", one of which an answer would need, are not in the texts.
"""
import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys

import grade
import packages
import people
import questions
import records
import texts

TABLE = questions.DATA / "unanswerable.tsv"
DEGREES = "else", "subject", "near"
THRESHOLDS = 0.001, 0.06, 0.1, 0.2, 0.3, 0.5
OTHERS = 8  # questions of other suites that a document is asked
NOTES, NOTES_SEED = 600, 7
NOT_LOOKED_AT = "bugs", "faq", "groups"  # of texts.py
PEOPLE = "people", "facts"  # their questions are asked of all other suites, and those of all others of them
Suite = collections.namedtuple("Suite", "half path rows")  # PATH: what is encoded; its index is beside it
Row = collections.namedtuple("Row", "degree question right")  # RIGHT: tells a right answer; None: there is none


def by_keys(keys):
    return lambda answer: questions.right({"keys": keys}, answer)


def of_people(folder):
    for name, (half, file, text, asked) in people.documents().items():
        path = folder / f"{name}{pathlib.Path(file).suffix}"
        path.write_text(text, encoding="utf-8")
        yield f"people.{name}", Suite(half, path, [Row("own", q.question, by_keys(q.keys)) for q in asked])


def of_packages(folder):
    for name, document in packages.DOCUMENTS.items():
        path = packages.copied(name, folder)
        if path:
            yield f"packages.{name}", Suite(document.half, path, [
                Row("paraphrase" if r["kind"] == "paraphrase" else "own", r["question"],
                    lambda answer, keys=r["keys"]: packages.has(answer, keys))
                for r in packages.rows_of(name) if r["kind"] != "nothing"])


def asked(rows):
    return [Row("paraphrase" if r["kind"] == "paraphrase" else "own", r["question"], by_keys(r["keys"])) for r in rows]


def of_texts(folder):
    for name in texts.TEXTS:
        data = texts.text(name)
        if data is not None:
            path = folder / f"{name}.txt"
            path.write_bytes(data)
            yield f"texts.{name}", Suite("held" if name in NOT_LOOKED_AT else "dev", path, asked(texts.resolved(name, data)))


def made(script, *arguments):
    subprocess.run([sys.executable, "-B", pathlib.Path(__file__).parent / script, *arguments], check=True,
                   stdout=subprocess.DEVNULL)


def of_books(folder):
    for name, half in ("policy", "dev"), ("handbook", "held"):
        path, table = folder / f"{name}.txt", folder / f"{name}.tsv"
        made("real.py", name, path, table)
        yield f"book.{name}", Suite(half, path, asked(questions.resolved(table)))


def of_facts(folder):
    path, table = folder / "facts.txt", folder / "facts.tsv"
    made("plant.py", path, table, "--bytes", "150000")
    yield "facts.facts", Suite("dev", path, asked(questions.resolved(table)))


def of_records(folder):
    path = folder / "notes"
    made("records.py", path)
    yield "records.notes", Suite("dev", path, [
        Row("own", question, lambda answer, key=key: key in answer)
        for question, key in records.questions(records.records(NOTES, NOTES_SEED), NOTES_SEED)])


def find_others(suites):
    """Each suite's rows with questions that it does not answer, of its half."""
    table = collections.defaultdict(list)
    for r in questions.read(TABLE):
        table[r["document"]].append(Row(r["degree"], r["question"], None))
    pools = collections.defaultdict(list)  # a question that any document of its kind may answer is of none
    for name, s in suites.items():
        if name != "people.hausordnung" and not name.startswith("records"):
            pools[name.startswith(PEOPLE), s.half] += [r.question for r in s.rows if not re.search(
                r"(?i)section|question \d|article|chapter|\bfirst\b|\bthis\b", r.question)]
    for name, s in suites.items():
        pool = pools[not name.startswith((*PEOPLE, "records")), s.half]
        draw = random.Random(f"else {name}")
        yield name, s._replace(rows=s.rows + table[name] + [
            Row("else", q, None) for q in draw.sample(pool, min(OTHERS, len(pool)))])


def ask(o, name, s):
    """(row, score, whether it is answered rightly) of each row."""
    index = s.path.parent / f"{s.path.stem}.kvz"
    if not index.exists():
        subprocess.run([o.lctool, "encode", "--quiet", "-o", index, s.path], check=True)
    for rows, least in ([r for r in s.rows if r.right], "0"), ([r for r in s.rows if not r.right], "1e6"):
        base = [o.lctool, "query", index, "--json", "--quiet", *o.options, "--min-score", least]
        for r, a in zip(rows, grade.ask_all(base, [r.question for r in rows])):
            ok = bool(r.right and r.right(a["answer"]))
            if o.list and s.half == "dev":
                print(f"{a['score']:.3f}", "right" if ok else "WRONG" if r.right else r.degree, name, r.question,
                      repr(a["answer"]), sep="\t")
            yield r, a["score"], ok


def area(yes, no):
    """The chance that one of YES scores more than one of NO; equal scores count half."""
    return sum((y > n) + (y == n) / 2 for y in yes for n in no) / (len(yes) * len(no)) if yes and no else float("nan")


def report(half, scores):
    """SCORES of each kind: those of right answers, "own" and "paraphrase", then of others."""
    right = scores["own"] + scores["paraphrase"]
    print(f"{half:<12} {'n':>4} {'ROC area':>9}  below " + " ".join(f"{t:>5}" for t in THRESHOLDS))
    for kind in ("own", "paraphrase", "wrong", *DEGREES):
        own = scores[kind]
        a = area(right, own) if kind not in ("own", "paraphrase") else float("nan")
        print(f"{kind:<12} {len(own):4d} {a:9.3f}        " + " ".join(f"{sum(x < t for x in own):5d}" for t in THRESHOLDS))


def check():
    bad, counts = [], collections.Counter()
    made_texts = {f"people.{name}": text for name, (_, _, text, _) in people.documents().items()}
    made_texts |= {f"texts.{name}": (texts.text(name) or b"").decode("utf-8", "replace") for name in texts.TEXTS}
    made_texts["records.notes"] = "".join(records.note(i, r) for i, r in enumerate(records.records(NOTES, NOTES_SEED)))
    for r in questions.read(TABLE):
        counts[r["degree"]] += 1
        suite, _, name = r["document"].partition(".")
        known = r["document"] in made_texts or (suite == "packages" and name in packages.DOCUMENTS) or suite == "book"
        text = " ".join(made_texts.get(r["document"], "").split())
        if not known or r["degree"] not in DEGREES:
            bad.append(f"{r['question']}: no such document or degree")
        for word in r["absent"].split("|") if r["absent"] != "-" else ():
            if re.search(r"(?i)(?<![a-z0-9])" + re.escape(word), text):
                bad.append(f"{r['document']}: {r['question']}: it has '{word}'")
    print("\n".join(bad) or "; ".join(f"{degree}: {n}" for degree, n in counts.items()))
    return 1 if bad else 0


def main():
    own, options = grade.own_and_options(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("dir", nargs="?", type=pathlib.Path)
    p.add_argument("--half", choices=people.HALVES)
    p.add_argument("--only", default="", help="a suite or one document of it")
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--list", action="store_true", help="every question of half dev with its score and answer")
    p.add_argument("--check", action="store_true")
    o = p.parse_args(own)
    o.options = options
    if o.check:
        return check()
    if not o.dir:
        p.error("DIR is needed")
    suites = {}
    for make in of_people, of_packages, of_texts, of_books, of_facts, of_records:
        folder = o.dir / make.__name__[len("of_"):]
        folder.mkdir(parents=True, exist_ok=True)
        suites.update(make(folder))
    scores = collections.defaultdict(lambda: collections.defaultdict(list))
    for name, s in find_others(suites):
        if o.half in (None, s.half) and f"{name}.".startswith(o.only):
            for r, score, ok in ask(o, name, s):
                scores[s.half][r.degree if ok or not r.right else "wrong"].append(score)
    for half, of in scores.items():
        report(half, of)
    return 0


if __name__ == "__main__":
    sys.exit(main())

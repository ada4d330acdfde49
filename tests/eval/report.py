"""Makes results.csv, measured.csv and niah.png, the tables that are kept beside this file, anew in OUT_DIR.

    python3 report.py OUT_DIR [--work DIR] [--jobs N] [--parts NAME,...] [--only-encode] [--plot PYTHON]

Each part is a run of suite.py, in OUT_DIR/PART, with as many cases as an hour or two of two cores allow; "books" are the
questions of grade.py, records.py, two_places.py, people.py and readers.py, which need no suite. The indexes stay in DIR (default:
OUT_DIR/work) for the next run: remove it when encoding has changed. A run that was stopped goes on where it was.
"""
import argparse
import concurrent.futures
import csv
import json
import pathlib
import re
import shlex
import subprocess
import sys

import questions

HERE = pathlib.Path(__file__).resolve().parent
TASKS = "niah,alike,prose,noise,numbers,uuids,kv,vt,qa_1,qa_2,qa_1_paraphrased,multidoc"
COUNTED = "cwe,fwe,passkey,number"
RIVALS = "heads: | --select vote;words: | --select bm25"
SEEDS = "ltri;infllm;actqkv: --method infllm | --method actqkv;quest;kt"
FULL = "full: | --method full --positions original --no-survey"
# Name: methods, lengths, cases, groups; the longest first, for they are run side by side.
PARTS = {
    "default-128k": ("default", "128K", 4, "niah,alike,prose,uuids,kv,noise,numbers,vt,qa_1,qa_2"),
    "default-32k": ("default", "32K", 4, TASKS),
    "seeds-32k": (SEEDS, "32K", 4, "niah,alike"),
    "book": (f"default;{RIVALS}", "8K,32K,128K", 16, "book"),
    "counted-128k": ("default", "128K", 2, "passkey,number"),
    "default": ("default", "2K,8K", 4, f"{TASKS},{COUNTED}"),
    "counted-32k": ("default", "32K", 2, COUNTED),
    "seeds-8k": (f"{SEEDS};{FULL};streaming: | --method streaming;snapkv: | --method snapkv", "8K", 4, "niah,alike"),
    "full-2k": (FULL, "2K", 4, f"{TASKS},{COUNTED.replace('fwe,', '')}"),
    "texts": ("default;words: | --select bm25", "8K", 16, "texts"),
    "rivals": (RIVALS, "8K,32K,128K", 4, "niah,alike"),
    "exact": ("exact: | --select exact", "8K,32K", 4, "niah"),
    "hops": ("hops 2: | --hops 2", "8K,32K", 4, "qa_2,multidoc"),
    "streaming": ("streaming: | --method streaming", "32K,128K", 4, "niah"),
    "full-32k": (FULL, "32K", 1, "niah"),
}
# What makes a document and its table of questions, what asks them, and the options of both.
BOOKS = {
    "facts, held out, 150,000 bytes": ("plant.py {doc} {table} --bytes 150000 --facts {data}/facts-held-out.tsv", "grade.py"),
    "facts, 600,000 bytes": ("plant.py {doc} {table} --bytes 600000", "grade.py"),
    "policy": ("real.py policy {doc} {table}", "grade.py"),
    "handbook": ("real.py handbook {doc} {table}", "grade.py"),
    "records": ("records.py {doc}", "records.py --ask"),
    "two places": ("two_places.py {doc} {data}/two-places.tsv", "two_places.py --ask"),
    "two places, held out": ("two_places.py {doc} {data}/two-places-held-out.tsv --bytes 85000", "two_places.py --ask"),
}
MEASURED = "commit processor document tokens command kind questions right found@1 found@4 found@16 read".split()


def python(script, *args, **options):
    return subprocess.run([sys.executable, "-B", str(HERE / script), *map(str, args)], check=True, encoding="utf-8", **options)


def suite(o, name):
    methods, lengths, cases, groups = PARTS[name]
    python("suite.py", o.out / name, "--work", o.work, "--book", "policy", "--seed", 7, "--held-out", "--max-tokens", 64,
           "--common", f"--device cpu --threads {o.threads}", "--methods", methods, "--lengths", lengths, "--cases", cases,
           "--groups", groups, "--plot", o.plot, "--lctool", o.lctool, *(["--only-encode"] if o.only_encode else []))


def index_of(o, name, make, options=()):
    """The index of a document, which is encoded where none is kept, its table of questions, and its tokens."""
    place = o.work / re.sub(r"\W+", "-", " ".join([name, *options]))
    place.mkdir(parents=True, exist_ok=True)
    doc, table, index, told = place / "doc.txt", place / "doc.tsv", place / "doc.kvz", place / "encode.json"
    if not told.exists():
        script, *args = shlex.split(make.format(doc=doc, table=table, data=questions.DATA))
        python(script, *args, stdout=subprocess.DEVNULL)
        told.write_bytes(subprocess.run([o.lctool, "encode", "--json", "--quiet", "--force", "-o", index, "--threads",
                                         str(o.threads), *options, doc], check=True, stdout=subprocess.PIPE).stdout)
    return index, table, json.loads(told.read_text(encoding="utf-8"))["tokens"]


def books(o, name):
    """Lines of measured.csv: what was asked of one document, by kind of question."""
    make, ask = BOOKS[name]
    index, table, tokens = index_of(o, name, make)
    if o.only_encode:
        return []
    script, *args = shlex.split(ask)
    if "two_places" in script:
        table = shlex.split(make.format(doc="", table="", data=questions.DATA))[1]
    said = python(script, *args, index, *([] if "records" in script else [table]), "--lctool", o.lctool, "--", "--device",
                  "cpu", "--threads", o.threads, stdout=subprocess.PIPE).stdout
    rows = []
    for line in said.splitlines():
        counted = re.match(r"(\S*) *asked +(\d+) right +(\d+)", line)
        graded = re.match(r"(\w+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) ", line)
        if counted or graded:
            rows.append([tokens, f"{make.format(doc='DOC', table='TABLE', data='tests/eval/data')}; encode; {ask}",
                         *(counted or graded).groups()])
    return rows


def people(o):
    """Lines of measured.csv: the two halves of people.py's questions."""
    place = o.work / "people"
    said = python("people.py", place, "--lctool", o.lctool, "--", "--device", "cpu", "--threads", o.threads,
                  stdout=subprocess.PIPE).stdout
    return [["", "people.py DIR", *m.groups()] for m in
            re.finditer(r"^(dev|held), all +asked +(\d+) right +(\d+) found@1 +(\d+) found@4 +(\d+)", said, re.M)]


def readers(o):
    """Lines of measured.csv: readers.py's questions by kind; without an embedder, as all others."""
    said = python("readers.py", o.work / "readers", "--lctool", o.lctool, "--", "--device", "cpu", "--threads", o.threads,
                  stdout=subprocess.PIPE).stdout
    return [["", "readers.py DIR", *m.groups()] for m in
            re.finditer(r"^(\w+) +asked +(\d+) right +(\d+) found@1 +(\d+) found@4 +(\d+)", said, re.M)]


def gather(o):
    """Answers of all parts as one, where their commands name no directory."""
    import tables
    with open(o.out / "answers.jsonl", "w", encoding="utf-8") as f:
        for name in PARTS:
            path = o.out / name / "answers.jsonl"
            for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
                row = json.loads(line)
                words = [{str(o.out / name): "OUT", str(o.work): "WORK"}.get(w, w) for w in shlex.split(row["command"])]
                for option in "--plot", "--lctool":
                    if option in words:
                        del words[words.index(option):words.index(option) + 2]
                row["command"] = shlex.join(words)
                f.write(json.dumps(row) + "\n")
    subprocess.run([o.plot, HERE / "heatmap.py", o.out], check=True)
    tables.write(o.out)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("--work", type=pathlib.Path)
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--jobs", type=int, default=2, help="how many parts are run side by side (default: %(default)s)")
    p.add_argument("--threads", type=int, default=1, help="of lctool, in each (default: %(default)s)")
    p.add_argument("--parts", default=",".join([*PARTS, "books"]), help="default: all: %(default)s")
    p.add_argument("--only-encode", action="store_true")
    p.add_argument("--plot", default=sys.executable, help="a Python with matplotlib")
    o = p.parse_args()
    o.out, o.work, o.lctool = o.out.resolve(), (o.work or o.out / "work").resolve(), str(pathlib.Path(o.lctool).resolve())
    o.out.mkdir(parents=True, exist_ok=True)
    o.work.mkdir(parents=True, exist_ok=True)
    chosen = o.parts.split(",")
    for name in set(chosen) - {*PARTS, "books"}:
        p.error(f"no part {name}")
    sys.path.insert(0, str(HERE))
    import suite as suites
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        asked = {n: pool.submit(books, o, n) for n in reversed(BOOKS) if "books" in chosen}
        held = [(name, pool.submit(part, o)) for name, part in (("people", people), ("readers", readers))
                if "books" in chosen and not o.only_encode]
        runs = [pool.submit(suite, o, n) for n in PARTS if n in chosen]
        for r in runs:
            r.result()
    if o.only_encode:
        return
    if asked:
        with open(o.out / "measured.csv", "w", encoding="utf-8", newline="") as f:
            w = csv.writer(f, lineterminator="\n")
            w.writerow(MEASURED)
            origin = suites.version(o), suites.origin(argparse.Namespace(seed=7))["processor"]
            rows = [[*origin, name, *row] for name in BOOKS for row in asked[name].result()]
            rows += [[*origin, name, *row] for name, run in held for row in run.result()]
            w.writerows(row + [""] * (len(MEASURED) - len(row)) for row in rows)
    if runs:
        gather(o)


if __name__ == "__main__":
    main()

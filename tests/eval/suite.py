"""Runs the suites with the lctool binary: encodes each document, then asks its questions, for each method.

    python3 suite.py OUT_DIR [options]        OUT_DIR/answers.jsonl, results.csv, results.md, niah-METHOD.png

answers.jsonl has a line for every question. A run that was stopped goes on from it; results.csv and results.md are made
from it anew. A method is NAME[@MAX_LENGTH][: ENCODE OPTIONS | QUERY OPTIONS]; methods are separated by ";". "default" is
lctool as it comes, another bare NAME stands for "NAME: --method NAME | --no-survey", so that its model is what answers.
"""
import argparse
import fcntl
import hashlib
import json
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import book
import haystack
import infinite
import needles
import perplexity
import questions
import real
import ruler
import score
import tables
import texts

GROUPS = {**needles.GROUPS, **ruler.GROUPS, **infinite.GROUPS, **real.GROUPS, **texts.GROUPS}
RANKS = 1, 4, 16
FULL = dict(methods="default", lengths="4K,8K,16K,32K,64K,128K", cases=20, max_tokens=128)
QUICK = dict(methods="default", lengths="640", cases=1, max_tokens=40)


class Method:
    def __init__(self, text):
        head, _, options = text.partition(":")
        self.name, _, limit = head.strip().partition("@")
        self.limit = length(limit) if limit else None
        encode, _, query = options.partition("|")
        self.encode, self.query = shlex.split(encode), shlex.split(query)
        if ":" not in text and self.name != "default":
            self.encode, self.query = ["--method", self.name], ["--no-survey"]


def length(text):
    return int(text[:-1]) * 1024 if text.upper().endswith("K") else int(text)


def run(command, cwd=None):
    r = subprocess.run(command, stdout=subprocess.PIPE, cwd=cwd, check=False, encoding="utf-8", errors="replace")
    if r.returncode:
        raise SystemExit(f"suite: {shlex.join(map(str, command))}: exit {r.returncode}")
    return [questions.answer_of(line) for line in r.stdout.splitlines()]


def version(o):
    """Of lctool: what an index was made by."""
    return subprocess.run([o.lctool, "--version"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout.split()[1]


def encode(o, document, options, where):
    """The index of a document in directory `where`, and what encode says about it; kept ones are used again."""
    digest = hashlib.sha256()
    for part in [*options, *(n.encode() + b"\0" + t for n, t in document.files.items())]:
        digest.update((part if isinstance(part, bytes) else part.encode()) + b"\0")
    place = where / digest.hexdigest()[:16]
    index, told = place / "index.kvz", place / "encode.json"
    if index.exists() and told.exists():
        return index, json.loads(told.read_text(encoding="utf-8"))
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "lock", "w", encoding="utf-8") as lock:  # other runs may want the same one (report.py)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if told.exists():
            return index, json.loads(told.read_text(encoding="utf-8"))
        for name, text in document.files.items():
            (place / name).write_bytes(text)
        said = run([o.lctool, "encode", "--json", "--quiet", "--force", "-o", "index.kvz", *o.common, *options,
                    *document.files], cwd=place)[0]
        said = {k: said[k] for k in ("tokens", "blocks", "bytes", "seconds")}
        said["by"] = version(o)
        told.write_text(json.dumps(said), encoding="utf-8")
    return index, said


def ask(o, index, cases, options):
    """lctool's answer to each case. Those with the same first words of the answer share a process."""
    alike, answers = {}, {}
    for i, case in enumerate(cases):
        alike.setdefault(("" if o.plain else case.prefix, min(case.n_tokens, o.max_tokens)), []).append(i)
    for (prefix, n_tokens), some in alike.items():
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as f:
            f.write("".join(cases[i].question + "\n" for i in some))
            f.flush()
            got = run([o.lctool, "query", index, "--json", "--quiet", "--evidence", "64", "--max-tokens", str(n_tokens),
                       *(["--answer-prefix", prefix] if prefix else []), *o.common, *options, "--questions", f.name])
        if len(got) != len(some):
            raise SystemExit(f"suite: {len(some)} questions, but {len(got)} answers")
        answers.update(zip(some, got))
    return [answers[i] for i in range(len(cases))]


def grade(case, prediction):
    if case.metric == "any_key":
        return float(questions.right({"keys": "|".join(case.references)}, prediction))
    return score.METRICS[case.metric](prediction, case.references)


def share_found(case, evidence):
    """The share of the case's needles that these pieces of evidence cover; None without needles."""
    if not case.needles:
        return None
    found = [questions.covered({"start": start, "end": end},
                               [(e["start"], e["end"]) for e in evidence if e["document"] == name])
             for name, start, end in case.needles]
    return sum(found) / len(found)


def row(case, answer):
    evidence = answer["evidence"]
    return dict(
        task=case.task, depth=case.depth, score=grade(case, answer["answer"]),
        **{f"found_{k}": share_found(case, evidence[:k]) for k in RANKS},
        found_read=share_found(case, [e for e in evidence if e["read"]]),
        tokens_read=answer["tokens"]["read"], blocks_read=len(answer["blocks"]),
        first_token_s=answer["seconds"]["first_token"], total_s=answer["seconds"]["total"],
        question=case.question, prefix=case.prefix, answer=answer["answer"], references=case.references,
        needles=case.needles,
        blocks=[[e["document"], e["start"], e["end"], round(e["score"], 3)] for e in evidence[:16]])


def origin(o):
    """What every line carries, so that a table can be made again."""
    top = pathlib.Path(__file__).parent
    git = subprocess.run(["git", "-C", top, "describe", "--always", "--dirty"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False, encoding="utf-8")
    cpu = re.search("^model name\\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    return dict(commit=git.stdout.strip() or "unknown", seed=o.seed, processor=cpu.group(1) if cpu else platform.machine(),
                command=shlex.join(["tests/eval/suite.py", *sys.argv[1:]]))


def evaluate(o, out):
    made_by = origin(o)
    path = out / "answers.jsonl"
    done = set()
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        old = json.loads(line)
        if old["commit"] != made_by["commit"] or old["seed"] != o.seed:
            raise SystemExit(f"{path}: of commit {old['commit']}, seed {old['seed']}; remove it or choose another OUT_DIR")
        done.add((old["method"], old["group"], old["length"], old["document"]))
    work = pathlib.Path(o.work or tempfile.mkdtemp(dir=out))
    if o.perplexity:
        perplexity.measure(o, out, work, encode, made_by)
    with open(path, "a", encoding="utf-8") as f:
        for n_tokens in o.lengths:
            for group in o.groups:
                methods = [m for m in o.methods if m.limit is None or n_tokens <= m.limit]
                for i, document in enumerate(GROUPS[group][1](o, n_tokens, o.cases)):
                    left = [m for m in methods if (m.name, group, n_tokens, i) not in done]
                    for options in sorted({tuple(m.encode) for m in left}):
                        index, said = encode(o, document, options, work)
                        for m in [m for m in left if tuple(m.encode) == options and not o.only_encode]:
                            answers = ask(o, index, document.cases, m.query)
                            common = dict(method=m.name, group=group, length=n_tokens, document=i, tokens=said["tokens"],
                                          encode_s=said["seconds"], index_bytes=said["bytes"], encoded_by=said["by"],
                                          **made_by)
                            f.write("".join(json.dumps({**common, **row(c, a)}) + "\n"
                                            for c, a in zip(document.cases, answers)))
                            f.flush()
                        if not o.work:
                            shutil.rmtree(index.parent)
                        print(f"{n_tokens} {group} {i}: {said['tokens']} tokens", file=sys.stderr)
    if not o.work:
        shutil.rmtree(work)


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--quick", action="store_true", help="one short document of each kind, the default method")
    p.add_argument("--methods", help=f"default: {FULL['methods']}")
    p.add_argument("--lengths", help=f"of documents in tokens (default: {FULL['lengths']})")
    p.add_argument("--cases", type=int, help=f"of each task and length (default: {FULL['cases']})")
    p.add_argument("--max-tokens", type=int, help="of an answer, where the task allows more (default: 128)")
    p.add_argument("--groups", default=",".join(GROUPS), help="kinds of documents (default: all: %(default)s)")
    p.add_argument("--seed", type=int, default=42)
    p.add_argument("--book", default="handbook", choices=book.BOOKS)
    p.add_argument("--held-out", action="store_true", help="the facts that are not for tuning")
    p.add_argument("--alone", action="store_true", help="every case of a task in prose or noise has a document of its own")
    p.add_argument("--share", type=int, choices=range(1, 5), help="how many cases of such a task share a document (default: "
                   "one for every 8,000 tokens, at most 4)")
    p.add_argument("--plain", action="store_true", help="do not give the first words of an answer")
    p.add_argument("--work", help="keep documents and indexes in this directory, and use those that are there: remove "
                                  "it when encoding has changed")
    p.add_argument("--only-encode", action="store_true", help="with --work: ask nothing yet")
    p.add_argument("--perplexity", metavar="PROGRAM", help="prefix-perplexity of tests/tools: measure that, too")
    p.add_argument("--min", action="append", default=[], metavar="TASK.COLUMN=VALUE",
                   help="exit 1 when a task's mean is less: for tests")
    p.add_argument("--common", default="--device cpu", help="options of encode and query alike (default: %(default)s)")
    p.add_argument("--plot", default=sys.executable, help="a Python with matplotlib")
    o = p.parse_args()
    for name, value in (QUICK if o.quick else FULL).items():
        if getattr(o, name) is None:
            setattr(o, name, value)
    found = shutil.which(o.lctool)
    if not found:
        p.error(f"{o.lctool}: no such program")
    o.lctool = str(pathlib.Path(found).absolute())
    o.methods = [Method(m) for m in o.methods.split(";") if m.strip()]
    o.lengths = [length(n) for n in o.lengths.split(",")]
    o.groups, o.common = o.groups.split(","), shlex.split(o.common)
    for group in o.groups:
        if group not in GROUPS:
            p.error(f"no group {group}; there are {', '.join(GROUPS)}")
    if o.only_encode and not o.work:
        p.error("--only-encode keeps nothing without --work")
    return o


def main():
    o = options()
    out = pathlib.Path(o.out)
    out.mkdir(parents=True, exist_ok=True)
    evaluate(o, out)
    if o.only_encode:
        return 0
    here = pathlib.Path(__file__).parent
    subprocess.run([shutil.which(o.plot) or sys.executable, here / "heatmap.py", out], check=True)
    tables.write(out)
    print(f"{out / 'results.csv'}, {out / 'results.md'}", file=sys.stderr)
    wrong = [w for m in o.min for w in tables.short_of(out, *re.fullmatch(r"(\w+)\.(\w+)=([\d.]+)", m).groups())]
    for w in wrong:
        print(f"suite: {w}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

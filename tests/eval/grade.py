"""Asks an index a table of questions (see questions.py) and counts: answers right, passages found, seconds, tokens.

    python3 grade.py INDEX.kvz QUESTIONS.tsv [--lctool ./lctool] [--kind lexical|paraphrase] [--prefix]
                     [--list] [--min-right N] [--min-found K=N ...] [-- OPTIONS OF lctool query]

found@k   the passage is covered by the first k pieces of evidence
--prefix  gives each answer its first words (one run of lctool a question)
--min-*   exit 1 when fewer than N were right, or found among the first K: for tests
"""
import argparse
import collections
import subprocess
import sys
import tempfile

import questions

RANKS = 1, 4, 16


def run(command):
    r = subprocess.run(command, stdout=subprocess.PIPE, check=False, encoding="utf-8", errors="replace")
    if r.returncode:
        raise SystemExit(f"grade: {' '.join(command)}: exit {r.returncode}")
    return [questions.answer_of(line) for line in r.stdout.splitlines()]


def ask_all(base, asked):
    """One object of lctool's for each question ASKED; BASE is the command without them."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as f:
        f.write("".join(question + "\n" for question in asked))
        f.flush()
        return run([*base, "--questions", f.name])


def own_and_options(argv):
    """What stands before "--", and the options of lctool behind it."""
    return (argv[:argv.index("--")], argv[argv.index("--") + 1:]) if "--" in argv else (argv, [])


def ask(o, rows):
    """One answer object of lctool per row, in order."""
    base = [o.lctool, "query", o.index, "--json", "--quiet", "--evidence", str(max(RANKS)), "--max-tokens",
            str(o.max_tokens), *o.options]
    if o.prefix:
        return [a for row in rows for a in run([*base, "--answer-prefix", row["prefix"], "-q", row["question"]])]
    return ask_all(base, [row["question"] for row in rows])


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def report(kind, rows, answers):
    """Prints one line of the table and returns (right, {k: found})."""
    right = sum(questions.right(row, a["answer"]) for row, a in zip(rows, answers))
    ranks = [questions.first_rank(row, [(e["start"], e["end"]) for e in a["evidence"]])
             for row, a in zip(rows, answers)]
    found = {k: sum(r is not None and r <= k for r in ranks) for k in RANKS}
    print(f"{kind:<10} {len(rows):5d} {right:5d} " + " ".join(f"{found[k]:8d}" for k in RANKS) +
          f" {mean(a['tokens']['read'] for a in answers):8.0f}"
          f" {mean(a['seconds']['first_token'] for a in answers):8.2f}"
          f" {mean(a['seconds']['total'] for a in answers):8.2f}")
    return right, found


def main():
    own, options = own_and_options(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("index")
    p.add_argument("questions")
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--kind")
    p.add_argument("--prefix", action="store_true")
    p.add_argument("--max-tokens", type=int, default=32)
    p.add_argument("--list", action="store_true", help="every question with its answer and the passage's rank")
    p.add_argument("--min-right", type=int)
    p.add_argument("--min-found", action="append", default=[], metavar="K=N")
    o = p.parse_args(own)
    o.options = options

    rows = [r for r in questions.resolved(o.questions) if o.kind in (None, r["kind"])]
    if not rows:
        raise SystemExit(f"grade: no question of kind {o.kind} in {o.questions}")
    answers = ask(o, rows)
    if len(answers) != len(rows):
        raise SystemExit(f"grade: {len(rows)} questions, but {len(answers)} answers")
    if o.list:
        for row, a in zip(rows, answers):
            rank = questions.first_rank(row, [(e["start"], e["end"]) for e in a["evidence"]])
            mark = "right" if questions.right(row, a["answer"]) else "WRONG"
            print(f"{mark} {rank or '-':>3} {row['id']}/{row['kind']}: {row['question']} -> {a['answer']!r}")
    print(f"{'kind':<10} {'asked':>5} {'right':>5} " + " ".join(f"{f'found@{k}':>8}" for k in RANKS) +
          f" {'read':>8} {'first s':>8} {'total s':>8}")
    by_kind = collections.defaultdict(list)
    for row, a in zip(rows, answers):
        by_kind[row["kind"]].append((row, a))
    right, found = 0, collections.Counter()
    for kind, pairs in sorted(by_kind.items()):
        r, f = report(kind, *zip(*pairs))
        right += r
        found.update(f)

    wrong = []
    if o.min_right is not None and right < o.min_right:
        wrong.append(f"{right} answers right, {o.min_right} expected")
    for want in o.min_found:
        k, n = map(int, want.split("="))
        if k not in RANKS:
            p.error(f"--min-found {want}: K is one of {', '.join(map(str, RANKS))}")
        if found[k] < n:
            wrong.append(f"{found[k]} passages among the first {k}, {n} expected")
    for w in wrong:
        print(f"grade: {w}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

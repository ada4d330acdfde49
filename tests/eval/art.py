"""ART swept on answers: an index's questions, read from stored blocks with all of them in sight, then with thresholds.

    python3 art.py INDEX.kvz QUESTIONS.tsv OUT.csv [--lctool ./lctool] [--budgets 1024,8192] [--scales 0.01,0.1] [--patience 2,8]

right: answers that hold a key, of the questions in the passage's own words; read: the share
of the blocks in sight that was read; same: answers that are word by word those of everything read.
"""
import argparse
import csv
import pathlib
import platform
import re
import subprocess

import grade
import questions

COLUMNS = "commit processor index tokens prefix budget scale direction patience questions right read same".split()


def ask(o, rows, budget, extra):
    o.options = ["--read", "cached", "--scope", "question", "--allot", "fixed", "--likelihood", "1", "--budget", str(budget),
                 "--traverse", "importance", *extra]
    return grade.ask(o, rows)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("index")
    p.add_argument("questions")
    p.add_argument("out")
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--budgets", default="1024,8192")
    p.add_argument("--scales", default="0.003,0.01,0.03,0.1,0.3")
    p.add_argument("--patience", default="8")
    p.add_argument("--max-tokens", type=int, default=16)
    p.add_argument("--prefix", action="store_true", help="give each answer its first words: a run of lctool a question")
    o = p.parse_args()
    rows = [r for r in questions.resolved(o.questions) if r["kind"] == "lexical"]
    commit = subprocess.run([o.lctool, "--version"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout.split()[1]
    cpu = re.search("^model name\\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    with open(o.out, "w", encoding="utf-8", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(COLUMNS)
        for budget in o.budgets.split(","):
            whole = None
            for scale, patience in [(None, None)] + [(s, n) for n in o.patience.split(",") for s in o.scales.split(",")]:
                # The direction's threshold goes with the square of the size's: an output that turns by an angle a has
                # moved by a, and one minus its cosine is a * a / 2.
                direction = float(scale) ** 2 if scale else None
                extra = ["--art-scale", scale, "--art-dir", str(direction), "--art-patience", patience] if scale else []
                answers = ask(o, rows, budget, extra)
                whole = whole or answers
                art = [a["art"] for a in answers] if scale else []
                w.writerow([commit, cpu.group(1) if cpu else platform.machine(), pathlib.Path(o.index).name,
                            answers[0]["tokens"]["document"], "yes" if o.prefix else "no", budget, scale or 0,
                            f"{direction or 0:.6g}", patience or 0, len(rows),
                            sum(questions.right(r, a["answer"]) for r, a in zip(rows, answers)),
                            f"{sum(a['read'] for a in art) / sum(a['blocks'] for a in art):.3f}" if art else 1,
                            sum(a["answer"] == b["answer"] for a, b in zip(answers, whole))])
                f.flush()


if __name__ == "__main__":
    main()

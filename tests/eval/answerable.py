"""How well the score of an answer tells questions that the document answers from questions that it does not.

    python3 answerable.py INDEX.kvz ANSWERED.tsv OTHER.tsv... [--lctool ./lctool] [-- OPTIONS OF lctool query]

ANSWERED is a resolved table of questions about the indexed document (see questions.py); OTHER are tables of facts that were
not planted in it, facts.tsv or facts-held-out.tsv. Prints the area under the ROC curve, and for a few thresholds
the share of each kind that --min-score would refuse.
"""
import argparse
import sys

import grade
import questions

THRESHOLDS = 3, 3.5, 4, 4.4, 5, 6


def scores(o, asked):
    base = [o.lctool, "query", o.index, "--json", "--quiet", "--min-score", "1e6", *o.options]
    return [answer["score"] for answer in grade.ask_all(base, asked)]


def area(yes, no):
    """The chance that one of YES scores more than one of NO; equal scores count half."""
    return sum((y > n) + (y == n) / 2 for y in yes for n in no) / (len(yes) * len(no))


def main():
    own, options = grade.own_and_options(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("index")
    p.add_argument("answered")
    p.add_argument("other", nargs="+")
    p.add_argument("--lctool", default="./lctool")
    o = p.parse_args(own)
    o.options = options
    rows = questions.resolved(o.answered)
    others = [row for path in o.other for row in questions.read(path)]
    groups = {kind: scores(o, [r["question"] for r in rows if r["kind"] == kind]) for kind in ("lexical", "paraphrase")}
    no = scores(o, [r["question"] for r in others] + [r["paraphrase"] for r in others])
    print(f"{'questions':<12} {'n':>4} {'ROC area':>9}  refused below " + " ".join(f"{t:>5}" for t in THRESHOLDS))
    for kind, yes in [*groups.items(), ("others", no)]:
        refused = " ".join(f"{sum(s < t for s in yes) / len(yes):5.2f}" for t in THRESHOLDS)
        print(f"{kind:<12} {len(yes):4d} {area(yes, no) if yes is not no else float('nan'):9.3f}{'':16}{refused}")


if __name__ == "__main__":
    main()

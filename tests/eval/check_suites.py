"""The suites' documents are what they claim: needles lie where the cases say and hold what is asked for, lengths are
about right, and the same seed makes the same bytes in another process.

    python3 check_suites.py [--digest]
"""
import argparse
import hashlib
import os
import subprocess
import sys

import suite

LENGTHS = 1024, 16384
N_CASES = 4


def documents():
    o = argparse.Namespace(seed=42, book="handbook", held_out=False, alone=False, share=None)
    for n_tokens in LENGTHS:
        for group, (tasks, generate) in suite.GROUPS.items():
            if group == "texts":  # as many as are installed: texts.py checks them
                continue
            yield n_tokens, group, tasks, list(generate(o, n_tokens, N_CASES))


def digest(made):
    out = hashlib.sha256()
    for n_tokens, group, _, docs in made:
        for d in docs:
            out.update(repr((n_tokens, group, d.files, [vars(c) for c in d.cases])).encode())
    return out.hexdigest()


def faults(group, tasks, docs):
    """What is wrong with a group's documents, a line each."""
    cases = [(d, c) for d in docs for c in d.cases]
    for task in tasks:
        n = sum(c.task == task for _, c in cases)
        # A niah document has ten facts, an alike one eight needles, and a short part of a book answers few questions.
        if n not in (N_CASES, 8, 10) and not (group == "book" and 0 < n < N_CASES):
            yield f"{group}: {n} cases of {task}"
    for d, c in cases:
        if any(not 0 <= start < end <= len(d.files[name]) for name, start, end in c.needles):
            yield f"{c.task}: a needle lies outside its file"
            continue
        held = [d.files[name][start:end].decode() for name, start, end in c.needles]
        found = [any(r.lower() in h.lower() for h in held) for r in c.references]
        # One of several ways to say it is enough where one is enough for the grade; a passage of a real book may call
        # what is asked for by a pronoun.
        enough = any if c.metric in ("match_part", "any_key") else all
        if c.needles and not group.startswith(("qa_1", "book")) and not enough(found):
            yield f"{c.task}: {c.references} is not in {held}"
        if c.metric == "match_all" and any(r.lower() in f"{c.question} {c.prefix}".lower() for r in c.references):
            yield f"{c.task}: the question gives the answer away"
        if c.metric == "first_int" and sum(t.decode().count(c.references[0]) for t in d.files.values()) != 2:
            yield f"{c.task}: the key is not there twice"
        if "\n" in c.question:
            yield f"{c.task}: a question of two lines"


def main():
    if sys.argv[1:] == ["--digest"]:
        print(digest(documents()))
        return 0
    bad, n_docs, n_cases = [], 0, 0
    made = list(documents())
    for n_tokens, group, tasks, docs in made:
        bad += [f"{n_tokens}: {f}" for f in faults(group, tasks, docs)]
        n_docs, n_cases = n_docs + len(docs), n_cases + sum(len(d.cases) for d in docs)
    other = dict(os.environ, PYTHONHASHSEED="7")
    again = subprocess.run([sys.executable, __file__, "--digest"], env=other, stdout=subprocess.PIPE, check=True,
                           encoding="utf-8").stdout.strip()
    if again != digest(made):
        bad.append("another process makes other documents")
    print("\n".join(bad) or f"{n_docs} documents and {n_cases} cases are what they should be")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""Records that differ in little: makes a directory of notes, each about a project of its own, and counts answers.

    python3 records.py DIR [--notes N] [--seed N]
    python3 records.py --ask INDEX.kvz [--notes N] [--seed N] [--lctool ./lctool] [--list] [-- OPTIONS OF lctool query]

Of N notes, each with the same words but for a number, a name, a room, a sum and a month, 32 questions: 16 for the name and
8 for the room, which stand in sentences with the number asked for, and 8 for the sum, which does not.
"""
import argparse
import json
import os
import random
import subprocess
import sys

import grade

FIRST = "Anna Boris Clara David Elena Frank Greta Henry Irene Jacob Karin Louis Marta Nils Olga Peter Rosa Simon Tilda Uwe".split()
LAST = "Moss Hale Brandt Costa Lindner Okoye Pratt Quist Rowan Sand Thorne Ulrich Voss Weber Young Zeller".split()
ROOMS = "Oak Birch Cedar Maple Elm Alder Walnut Willow".split()
MONTHS = "May June July August".split()
KINDS = (("Who is the treasurer of project P{}?", "name", 16), ("In which room did project P{} meet?", "room", 8),
         ("What was the budget of project P{}?", "sum", 8))


def records(n, seed):
    draw = random.Random(seed)
    return [{"name": f"{draw.choice(FIRST)} {draw.choice(LAST)}", "room": draw.choice(ROOMS),
             "sum": str(draw.randint(200, 9999)), "month": draw.choice(MONTHS)} for _ in range(n)]


def note(i, r):
    return (f"Meeting note {i}. The project P{i} met in the {r['room']} room. The treasurer of project P{i} is {r['name']}. "
            f"The budget was set to {r['sum']} crowns and the next meeting is in {r['month']}.\n")


def questions(all_records, seed):
    """(question, what a right answer says) of each."""
    draw = random.Random(seed + 1)
    return [(text.format(i), all_records[i][key]) for text, key, count in KINDS
            for i in draw.sample(range(len(all_records)), count)]


def ask(o, options):
    asked = questions(records(o.notes, o.seed), o.seed)
    done = subprocess.run([o.lctool, "query", o.path, "--questions", "-", "--json", "--quiet", *options],
                          input="\n".join(q for q, _ in asked), capture_output=True, text=True, check=True)
    answers = [json.loads(line)["answer"] or "" for line in done.stdout.splitlines()]
    right = [key in answer for (_, key), answer in zip(asked, answers)]
    for (question, key), answer, ok in zip(asked, answers, right):
        if o.list:
            print("right" if ok else "WRONG", question, key, answer, sep="\t")
    print(f"asked {len(asked)} right {sum(right)}")


def main():
    own, options = grade.own_and_options(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("path")
    p.add_argument("--ask", action="store_true")
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--list", action="store_true")
    p.add_argument("--notes", type=int, default=600)
    p.add_argument("--seed", type=int, default=7)
    o = p.parse_args(own)
    if o.ask:
        ask(o, options)
        return
    os.makedirs(o.path, exist_ok=True)
    for i, r in enumerate(records(o.notes, o.seed)):
        with open(os.path.join(o.path, f"{i:04}.txt"), "w", encoding="utf-8") as f:
            f.write(note(i, r))


if __name__ == "__main__":
    main()

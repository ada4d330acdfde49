"""What guessing ahead (lctool query --draft) gains: the time of answers behind their first token, with guesses and without.

    python3 drafts.py [--exe PROGRAM[,PROGRAM...]] [--drafts 0,7] [--runs 4] INDEX QUESTIONS.txt [OPTION of query ...]

QUESTIONS: one a line. All are asked by each program with each number of guesses in turn, and that RUNS times over; counted is
the least time of each answer. One line each: tokens, milliseconds, tokens a second (with --quote 0 --sentences 0 tokens
are what the model wrote; else what was said, in the same time), and the ratio to the first one's time. Ends with 1 where
answers differ.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def answers(exe, draft, args, options):
    command = [exe, "query", "--json", "--quiet", "--device", "cpu", "--draft", draft, *options, "--questions", args.questions,
               args.index]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--exe", default=str(HERE.parent.parent / "lctool"))
    p.add_argument("--drafts", default="0,7")
    p.add_argument("--runs", type=int, default=4)
    p.add_argument("index")
    p.add_argument("questions")
    args, options = p.parse_known_args()
    ways = [(exe, draft) for exe in args.exe.split(",") for draft in args.drafts.split(",")]
    least, said = {w: None for w in ways}, {}
    for _ in range(args.runs):
        for w in ways:
            got = answers(*w, args, options)
            spent = [a["seconds"]["total"] - a["seconds"]["first_token"] for a in got]
            least[w] = [min(pair) for pair in zip(least[w] or spent, spent)]
            said[w] = [(a["answer"], a["tokens"]["answer"]) for a in got]
    first = sum(least[ways[0]])
    for w in ways:
        tokens, seconds = sum(max(n - 1, 0) for _, n in said[w]), sum(least[w])
        print(f"{os.path.basename(w[0])} --draft {w[1]}: {tokens} tokens, {seconds * 1e3:.1f} ms, {tokens / seconds:.0f} "
              f"tokens/s, {seconds / first:.3f} of the first one's time")
    if any(said[w] != said[ways[0]] for w in ways):
        sys.exit("answers differ")


if __name__ == "__main__":
    main()

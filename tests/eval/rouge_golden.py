"""Makes rouge-golden.jsonl: random texts and what the package rouge-score gives for them (needs that package).

    python3 rouge_golden.py > data/rouge-golden.jsonl
"""
import json
import random

from rouge_score import rouge_scorer

WORDS = "the a Of sea, ship ships sails wind 7 42 night's e-mail \u00e9t\u00e9 North north. and and".split()


def text(rng):
    lines = [" ".join(rng.choices(WORDS, k=rng.randint(0, 12))) for _ in range(rng.randint(1, 5))]
    return "\n".join(lines)


def main():
    rng = random.Random(42)
    scorer = rouge_scorer.RougeScorer(["rougeL", "rougeLsum"])
    for _ in range(200):
        prediction, reference = text(rng), text(rng)
        scores = scorer.score(reference, prediction)
        print(json.dumps([prediction, reference, scores["rougeL"].fmeasure, scores["rougeLsum"].fmeasure]))


if __name__ == "__main__":
    main()

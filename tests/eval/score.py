"""Graders: what a prediction scores against the references, 0 to 1, as the public suites count it.

    python3 score.py METRIC ANSWERS.jsonl    the mean over lines {"prediction", "references"[, "classes"]}
    python3 score.py --check                 the graders against examples worked by hand and against rouge-golden.jsonl

RULER          match_all (share of the references contained), match_part (any reference contained)
InfiniteBench  first_int (first integer of the prediction), in_words (reference among the words), rouge_lsum (En.Sum)
LongBench      f1, rouge_l, classification, retrieval, count, code_similarity
rouge_l and rouge_lsum are the F measures of the package rouge-score without its stemmer.
"""
import collections
import difflib
import json
import math
import pathlib
import re
import string
import sys

import questions

GOLDEN = questions.DATA / "rouge-golden.jsonl"


def clean(prediction):
    """RULER's: control characters become line ends, white space around goes."""
    return re.sub(r"[\x00-\x1f]", "\n", prediction).strip()


def match_all(prediction, references, _classes=()):
    text = clean(prediction).lower()
    return sum(r.lower() in text for r in references) / len(references)


def match_part(prediction, references, _classes=()):
    text = clean(prediction).lower()
    return float(any(r.lower() in text for r in references))


def first_int(prediction, references, _classes=()):
    found = re.search(r"\d+", prediction)
    return float(found is not None and found.group() == references[0])


def in_words(prediction, references, _classes=()):
    return float(references[0] in re.sub(r"[\n:\"'.,?!{}]", " ", prediction).split())


def normal(text):
    """Lower case without punctuation and articles, white space folded."""
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def f_measure(common, n_predicted, n_wanted):
    if common == 0:
        return 0.0
    precision, recall = common / n_predicted, common / n_wanted
    return 2 * precision * recall / (precision + recall)


def f1(prediction, references, _classes=()):
    """The best over the references of the F measure of bags of words."""
    got = normal(prediction)

    def one(reference):
        want = normal(reference)
        common = sum((collections.Counter(got) & collections.Counter(want)).values())
        return f_measure(common, len(got), len(want))
    return max(map(one, references))


def rouge_words(text):
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).split()


def lcs_table(a, b):
    """[len(a) + 1][len(b) + 1]: length of the longest common subsequence of the first i of a and j of b."""
    table = [[0] * (len(b) + 1)]
    for x in a:
        last, row = table[-1], [0]
        for j, y in enumerate(b):
            row.append(last[j] + 1 if x == y else max(last[j + 1], row[j]))
        table.append(row)
    return table


def lcs_places(want, got):
    """Which places of want one longest common subsequence takes; at a tie the end of want goes before that of got."""
    table, i, j, out = lcs_table(want, got), len(want), len(got), set()
    while i and j:
        if want[i - 1] == got[j - 1]:
            i, j = i - 1, j - 1
            out.add(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return out


def rouge_l(prediction, references, _classes=()):
    got = rouge_words(prediction)

    def one(reference):
        want = rouge_words(reference)
        return f_measure(lcs_table(want, got)[-1][-1], len(got), len(want)) if want and got else 0.0
    return max(map(one, references))


def rouge_lsum(prediction, references, _classes=()):
    """A line is a sentence; each reference sentence takes the union of its subsequences with all predicted ones, and
    no word counts more often than it stands in either text."""
    def one(reference):
        want = [w for w in map(rouge_words, reference.split("\n")) if w]
        got = [g for g in map(rouge_words, prediction.split("\n")) if g]
        left_want = collections.Counter(w for s in want for w in s)
        left_got = collections.Counter(w for s in got for w in s)
        n_want, n_got, hits = sum(left_want.values()), sum(left_got.values()), 0
        for sentence in want:
            for place in sorted(set().union(*(lcs_places(sentence, g) for g in got))):
                word = sentence[place]
                if left_want[word] > 0 and left_got[word] > 0:
                    hits += 1
                    left_want[word] -= 1
                    left_got[word] -= 1
        return f_measure(hits, n_got, n_want)
    return max(map(one, references))


def classification(prediction, references, classes):
    """1 over the number of classes named, if the right one is: names that are a part of the right one do not count."""
    want = references[0]
    named = [c for c in classes if c in prediction and (c == want or c not in want)]
    return 1 / len(named) if want in named else 0.0


def share_of_numbers(prediction, wanted):
    numbers = re.findall(r"\d+", prediction)
    return numbers.count(wanted) / len(numbers) if numbers else 0.0


def retrieval(prediction, references, _classes=()):
    """The share of the numbers said that are the one in the reference ("Paragraph 7")."""
    return share_of_numbers(prediction, re.search(r"\d+", references[0]).group())


def count(prediction, references, _classes=()):
    return share_of_numbers(prediction, references[0])


def code_similarity(prediction, references, _classes=()):
    """Edit similarity in whole percents of the first line that is neither comment nor fence."""
    lines = [line for line in prediction.lstrip("\n").split("\n") if not any(c in line for c in ("`", "#", "//"))]
    line = lines[0] if lines else ""
    return max(round(100 * difflib.SequenceMatcher(None, line, r).ratio()) / 100 for r in references)


METRICS = {f.__name__: f for f in (match_all, match_part, first_int, in_words, f1, rouge_l, rouge_lsum, classification,
                                   retrieval, count, code_similarity)}

# metric, prediction, references, classes, score worked by hand
EXAMPLES = [
    ("match_all", "They are 123 and\x00 Blue", ["123", "blue", "77", "x"], (), 0.5),
    ("match_all", "", ["1"], (), 0.0),
    ("match_part", "it was the FERRY", ["ship", "ferry"], (), 1.0),
    ("match_part", "a boat", ["ship", "ferry"], (), 0.0),
    ("first_int", " is 71432. 9 is not", ["71432"], (), 1.0),
    ("first_int", "9 then 71432", ["71432"], (), 0.0),
    ("first_int", "none", ["71432"], (), 0.0),
    ("in_words", '"ab-12", "k": "cd"', ["ab-12"], (), 1.0),
    ("in_words", "xab-12", ["ab-12"], (), 0.0),
    # 2 of 3 words said are wanted, 2 of 2 wanted are said: 2 * (2/3) * 1 / (5/3)
    ("f1", "The blue, big ship!", ["a Blue ship"], (), 0.8),
    ("f1", "the", ["a ship"], (), 0.0),
    ("f1", "red ship", ["nothing", "red ship"], (), 1.0),
    # a bag: the second "go" is wanted only once; 1/2 and 1/1
    ("f1", "go go", ["go"], (), 2 / 3),
    # the longest common subsequence of a b c d and a c b d is 3 of 4 and 4
    ("rouge_l", "a b c d", ["A c, b d"], (), 0.75),
    ("rouge_l", "", ["a"], (), 0.0),
    # lines may change places: both lines are found whole, where rouge_l sees 2 of 4
    ("rouge_lsum", "c d\na b", ["a b\nc d"], (), 1.0),
    ("rouge_l", "c d\na b", ["a b\nc d"], (), 0.5),
    # union of {w1 w2} and {w1 w3 w5} over a sentence of five words: 4 hits of 10 said, 5 wanted
    ("rouge_lsum", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", ["w1 w2 w3 w4 w5"], (), 2 * 0.4 * 0.8 / 1.2),
    ("classification", "Food or place", ["place"], ("food", "place", "Food"), 0.5),
    ("classification", "Sports fan", ["Sports fan"], ("Sports", "Sports fan", "Other"), 1.0),
    ("classification", "Other", ["Sports"], ("Sports", "Other"), 0.0),
    ("retrieval", "Paragraph 7, or 70 or 7", ["Paragraph 7"], (), 2 / 3),
    ("retrieval", "the first", ["Paragraph 1"], (), 0.0),
    ("count", "There are 12, not 13", ["12"], (), 0.5),
    # blocks "ab" and "d" match: 2 * 3 / (4 + 4)
    ("code_similarity", "# why\nabcd\nmore", ["abxd"], (), 0.75),
    ("code_similarity", "```", ["x"], (), 0.0),
]


def check():
    bad = []
    for metric, prediction, references, classes, want in EXAMPLES:
        got = METRICS[metric](prediction, references, classes)
        if not math.isclose(got, want, abs_tol=1e-12):
            bad.append(f"{metric}({prediction!r}, {references}) is {got}, by hand {want}")
    n = 0
    for n, line in enumerate(GOLDEN.read_text(encoding="utf-8").splitlines(), 1):
        prediction, reference, want_l, want_lsum = json.loads(line)
        for metric, want in ((rouge_l, want_l), (rouge_lsum, want_lsum)):
            got = metric(prediction, [reference])
            if not math.isclose(got, want, abs_tol=1e-9):
                bad.append(f"{GOLDEN.name}, line {n}: {metric.__name__} is {got}, rouge-score's {want}")
    print("\n".join(bad) or f"{len(EXAMPLES)} examples and {n} pairs of texts are graded as they should be")
    return 1 if bad else 0


def main(argv):
    if argv == ["--check"]:
        return check()
    if len(argv) != 2 or argv[0] not in METRICS:
        print(__doc__, file=sys.stderr)
        return 2
    rows = [json.loads(line) for line in pathlib.Path(argv[1]).read_text(encoding="utf-8").splitlines()]
    if not rows:
        raise SystemExit(f"{argv[1]}: no line")
    scores = [METRICS[argv[0]](r["prediction"], r["references"], r.get("classes", ())) for r in rows]
    print(f"{argv[0]} {100 * sum(scores) / len(scores):.2f} over {len(scores)} predictions")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

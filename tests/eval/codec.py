#!/usr/bin/env python3
"""What every recipe of keys and values costs in bytes, in answers and in what a model predicts: CSV, and a chart.

    python3 codec.py BUILD_DIR [-o CSV] [--chart PNG] [--quick] [RECIPE ...]     (make eval-codec)

A recipe is CODEC,K_BITS,V_BITS (bits of codec 4 in hundredths), and ",alike" behind it stores all layers alike.

Documents are read once, at 16 bits; the others are made from that index, which is what encoding with them would have
given. "lost" counts the questions that 16 bits answer and the recipe does not, "won" the other way round: answers turn
either way where a small model is not sure of them. Reading on after a document that is all in sight, "more" is how much
perplexity grows beside 16 bits and "divergence" that of the predictions (nats), over the next text of the book and over
the questions about the document with their answers, which have to be found in it.

--quick: a short document, and only 16 bits and the recipes of --kv. About a minute a recipe, twice that with --quick off.
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile

import grade
import questions

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"),
                     "lctool/models/SmolLM2-135M-Instruct.Q4_1.gguf")
EXACT = "0,16,16"
IDEAS = [("8 bits and deflate", ["1,8,8"]),
         ("rotation, equal bits", ["2,4,4", "2,3,2"]),
         ("directions, layers alike", ["4,360,340,alike", "4,210,190,alike", "4,160,150,alike", "4,100,110,alike"]),
         ("directions, a step for each layer", ["4,360,340", "4,210,190", "4,160,150", "4,100,110"])]
QUICK = ["4,210,190", "4,100,110"]  # balanced, small
READS = "sentences", "cached"
FIELDS = ["idea", "recipe", "bytes", "bytes_per_token", "ratio", "k_error", "v_error", "decode_gb_s", "asked",
          *(f"{what}_{read}" for read in READS for what in ("right", "lost", "won")),
          "found_1", "found_4", "found_16", "more_text", "divergence_text", "more_answers", "divergence_answers"]


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


def make_document(directory, name, size, *options):
    paths = [os.path.join(directory, name + end) for end in (".txt", ".tsv")]
    run(sys.executable, "-B", os.path.join(HERE, "plant.py"), *paths, "--bytes", str(size), *options)
    return paths


def continuations(directory, document, table):
    """The text that follows the document in the book, and questions with their answers."""
    book = os.path.join(directory, "book.txt")
    run(sys.executable, "-B", os.path.join(HERE, "book.py"), "handbook", book, "--bytes", "120000")
    with open(book, encoding="utf-8") as f:
        text = f.read()
    with open(document, encoding="utf-8") as f:
        end = f.read()[-200:]
    at = text.index(end) + len(end)
    rows = [r for r in questions.resolved(table) if r["kind"] == "lexical"]
    asked = "\n\n" + "".join(f"Question: {r['question']}\nAnswer: {r['prefix']} {r['keys'].split('|')[0]}.\n\n" for r in rows)
    paths = []
    for name, words in (("text", text[at:at + 8000]), ("answers", asked)):
        paths.append(os.path.join(directory, name + ".next"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write(words)
    return paths


class Bench:
    def __init__(self, build, directory, quick):
        self.lctool = os.path.join(build, "lctool") if os.path.exists(os.path.join(build, "lctool")) else "./lctool"
        self.tests, self.directory = os.path.join(build, "tests"), directory
        self.sets = [make_document(directory, "facts", 30000 if quick else 85000)]
        if not quick:
            self.sets.append(make_document(directory, "held-out", 42000, "--facts", os.path.join(HERE, "facts-held-out.tsv")))
        self.short = make_document(directory, "short", 36000)
        self.next = continuations(directory, *self.short)
        self.exact = {document: self.encode(document) for document, _ in (*self.sets, self.short)}
        self.baseline = None

    def encode(self, document):
        out = document[:-len(".txt")] + ".exact"
        run(self.lctool, "encode", "--quiet", "--device", "cpu", "--kv-bits", "16", "-o", out, document)
        return out

    def recode(self, document, recipe):
        """The index stored with RECIPE, and what kvz-recode says of it."""
        out = os.path.join(self.directory, "recipe.kvz")
        return out, run(os.path.join(self.tests, "kvz-recode"), self.exact[document], out, *recipe.split(",")).strip().split(",")

    def ask(self, index, table, read):
        o = argparse.Namespace(lctool=self.lctool, index=index, max_tokens=16, prefix=True,
                               options=["--device", "cpu", "--read", read])
        rows = [r for r in questions.resolved(table) if r["kind"] == "lexical"]
        answers = grade.ask(o, rows)
        ranks = [questions.first_rank(r, [(e["start"], e["end"]) for e in a["evidence"]]) for r, a in zip(rows, answers)]
        return [questions.right(r, a["answer"]) for r, a in zip(rows, answers)], ranks

    def loss(self, index, following):
        return run(os.path.join(self.tests, "kv-loss"), MODEL, following, self.exact[self.short[0]], index).strip().split(",")

    def measure(self, idea, recipe):
        right, ranks, row = {read: [] for read in READS}, [], {"idea": idea, "recipe": recipe}
        for document, table in self.sets:
            index, size = self.recode(document, recipe)
            if document == self.sets[0][0]:
                row.update(zip(("bytes", "bytes_per_token", "ratio", "k_error", "v_error", "decode_gb_s"), size))
            for read in READS:
                got, where = self.ask(index, table, read)
                right[read] += got
                ranks += where if read == READS[0] else []
        self.baseline = self.baseline or right
        row["asked"] = len(ranks)
        for read in READS:
            pairs = list(zip(self.baseline[read], right[read]))
            row.update({f"right_{read}": sum(right[read]), f"lost_{read}": sum(a and not b for a, b in pairs),
                        f"won_{read}": sum(b and not a for a, b in pairs)})
        row.update({f"found_{k}": sum(r is not None and r <= k for r in ranks) for k in grade.RANKS})
        index, _ = self.recode(self.short[0], recipe)
        for name, following in zip(("text", "answers"), self.next):
            loss = self.loss(index, following)
            row[f"more_{name}"], row[f"divergence_{name}"] = loss[6], loss[7]
        return row


def chart(path, rows):
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("codec: no chart: this Python has no matplotlib", file=sys.stderr)
        return
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2))
    panels = [("divergence_text", "divergence over the next text, nats"),
              ("divergence_answers", "divergence over answers, nats"),
              (None, "answers lost, of both ways to read")]
    for axis, (field, title) in zip(axes, panels):
        for idea in dict.fromkeys(r["idea"] for r in rows if r["recipe"] != EXACT):
            mine = sorted((float(r["bytes_per_token"]), float(r[field]) if field else
                           sum(int(r[f"lost_{read}"]) for read in READS)) for r in rows if r["idea"] == idea)
            axis.plot([x for x, _ in mine], [y for _, y in mine], marker="o", label=idea)
        axis.set_xscale("log")
        axis.set_xticks([2000, 3000, 5000, 8000, 12000], ["2,000", "3,000", "5,000", "8,000", "12,000"])
        axis.minorticks_off()
        if field:
            axis.set_yscale("log")
        axis.set_xlabel("bytes a token, whole file")
        axis.set_title(title, fontsize=10)
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("recipe", nargs="*")
    p.add_argument("-o", "--out", default="/dev/stdout")
    p.add_argument("--chart")
    p.add_argument("--quick", action="store_true")
    o = p.parse_args()
    table = [(idea, r) for idea, recipes in IDEAS for r in recipes if not o.quick or r in QUICK]
    if o.recipe:
        named = {r: idea for idea, recipes in IDEAS for r in recipes}
        table = [(named.get(r, "other"), r) for r in o.recipe]
    rows = []
    with tempfile.TemporaryDirectory() as directory, open(o.out, "w", encoding="utf-8", newline="") as f:
        bench = Bench(o.build, directory, o.quick)
        out = csv.DictWriter(f, FIELDS, lineterminator="\n")
        out.writeheader()
        for idea, recipe in [("16 bits", EXACT), *table]:
            rows.append(bench.measure(idea, recipe))
            out.writerow(rows[-1])
            f.flush()
    if o.chart:
        chart(o.chart, rows)


if __name__ == "__main__":
    main()

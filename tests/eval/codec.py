#!/usr/bin/env python3
"""What every recipe of keys and values costs in bytes, in answers and in what a model predicts: CSV, and a chart.

    python3 codec.py BUILD_DIR [-o CSV] [--chart PNG] [--quick] [--only RECIPE...] [--work DIR]      (make eval-codec)

A recipe is CODEC,K_BITS,V_BITS (bits of codecs 4 and 5 in hundredths); ",alike" behind it stores all heads alike, ",layers" those
of a layer, and ",LAYER.KV_HEAD" nothing of a kv head but its sinks.

Documents are read once, at 16 bits and without an embedder; the others are made from that index, which is what encoding
with them would have given. 64 questions are asked at 8K (32 of each of two documents) and 64 at 32K. "lost" counts those
that 16 bits answer and the recipe does not, "won" the other way round: answers turn either way where a small model is not
sure of them. Of ideas that no name of --kv stands for only the 8K and the stored blocks are asked. Reading on after the
first 8K document, all in sight, with exact products: "more" is how much perplexity grows beside 16 bits, "divergence" that of the
predictions (nats), "logits" how far those are, over the next text of the book and over the questions about the document
with their answers, which have to be found in it. cpu: seconds of processor that encoding that document takes. warm, cold:
seconds to the first token of an answer, the best of five, with the index in memory and without. commit: the version.

--quick: 8 questions of one 8K document, 16 bits and balanced only. --only: these recipes, after 16 bits. With --work the
16-bit indexes stay for the next run.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

import grade
import questions

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"),
                     "lctool/models/SmolLM2-135M-Instruct.Q4_1.gguf")
EXACT, BALANCED, SMALL = "0,16,16", "4,180,225", "5,72,76"
NAMED = {EXACT: ("--kv-bits", "16"), "2,7,7": ("--kv", "exact"), BALANCED: ("--kv", "balanced"), SMALL: ("--kv", "small")}
# kv heads that may look no further than the window, those that lose least (lctool calibrate) first.
NEAR = ("19.2 25.1 25.2 28.2 26.2 27.2 27.1 16.1 28.1 29.1 18.0 18.1 13.1 12.1 13.2 17.2 13.0 25.0 14.2 29.0 "
        "27.0 15.0 11.2 12.0 4.1 10.2 19.0 12.2 3.2 5.1").split()
IDEAS = [("16 bits", [EXACT]),
         ("directions, a step for each kv head", [BALANCED, "4,80,125", "4,50,70", "4,360,340", "4,600,600"]),
         ("directions of keys and values together", [SMALL]),
         ("rotation, equal bits", ["2,7,7", "2,4,4", "2,3,2"]),
         ("directions, a step for each layer", [f"{r},layers" for r in (BALANCED, "4,80,125")]),
         ("directions, all alike", [f"{r},alike" for r in (BALANCED, "4,80,125")]),
         ("directions, without kv heads that are near", [",".join([BALANCED, *NEAR[:n]]) for n in (3, 10, 20, 30)]),
         ("8 bits and deflate", ["1,8,8"])]
READS = "cached", "sentences", "cached-sentences"
LENGTHS = "8K", "32K"
ASKED = tuple(NAMED)  # at both lengths, in both ways
FIELDS = ["idea", "recipe", "kv",
          *(f"{what}_{n}" for n in LENGTHS for what in ("tokens", "bytes_per_token", "ratio")),
          "k_error", "v_error", "decode_gb_s", "copy_gb_s",
          *(f"{what}_{read}_{n}" for n in LENGTHS for read in READS for what in ("right", "lost", "won")),
          *(f"{what}_{text}" for text in ("text", "answers") for what in ("more", "divergence", "logits")),
          "cpu", "warm", "cold", "commit"]


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


def make_document(directory, name, facts, size, seed):
    """A document with the facts of several tables planted in it, and the table of its questions."""
    paths = [os.path.join(directory, name + end) for end in (".txt", ".tsv", ".facts")]
    with open(paths[2], "w", encoding="utf-8") as out:
        for i, table in enumerate(facts):
            with open(questions.DATA / table, encoding="utf-8") as f:
                out.writelines(list(f)[i > 0:])
    run(sys.executable, "-B", os.path.join(HERE, "plant.py"), *paths[:2], "--facts", paths[2], "--bytes", str(size),
        "--seed", str(seed))
    return paths[:2]


def continuations(directory, document, table):
    """The text that follows the document in the book, and questions with their answers."""
    book = os.path.join(directory, "book.txt")
    run(sys.executable, "-B", os.path.join(HERE, "book.py"), "handbook", book, "--bytes", "120000")
    with open(book, encoding="utf-8") as f:
        text = f.read()
    with open(document, encoding="utf-8") as f:
        end = f.read()[-200:]
    at = text.index(end) + len(end)
    asked = "\n\n" + "".join(f"Question: {r['question']}\nAnswer: {r['prefix']} {r['keys'].split('|')[0]}.\n\n"
                             for r in lexical(table))
    paths = []
    for name, words in (("text", text[at:at + 8000]), ("answers", asked)):
        paths.append(os.path.join(directory, name + ".next"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write(words)
    return paths


def lexical(table):
    return [r for r in questions.resolved(table) if r["kind"] == "lexical"]


class Bench:
    def __init__(self, build, directory, quick):
        self.lctool = os.path.join(build, "lctool") if os.path.exists(os.path.join(build, "lctool")) else "./lctool"
        self.commit = run(self.lctool, "--version").split()[1]
        self.tests, self.directory, self.quick = os.path.join(build, "tests"), directory, quick
        first, second = ("facts.tsv", "facts-held-out.tsv"), ("facts-more.tsv",)
        self.sets = {"8K": [make_document(directory, "a8", first, 39000, 1)]}
        if not quick:
            self.sets["8K"].append(make_document(directory, "b8", second, 39000, 2))
            self.sets["32K"] = [make_document(directory, "a32", first + second, 155000, 1)]
        self.short = self.sets["8K"][0]
        self.next = continuations(directory, *self.short)
        self.exact = {document: self.encode_once(document) for pairs in self.sets.values() for document, _ in pairs}
        self.baseline, self.loss = {}, {}

    def encode(self, document, out, kv):
        """Seconds of processor that it takes."""
        before = os.times()
        run(self.lctool, "encode", "--quiet", "--force", "--device", "cpu", "--embedder", "none", *kv, "-o", out, document)
        after = os.times()
        return after.children_user - before.children_user + after.children_system - before.children_system

    def encode_once(self, document):
        out = document[:-len(".txt")] + ".exact"
        if not os.path.exists(out):
            self.encode(document, out, NAMED[EXACT])
        return out

    def recode(self, document, recipe):
        """The index stored with RECIPE, and what kvz-recode says of it."""
        out = f"{document[:-len('.txt')]}.{recipe.replace(',', '-')}.kvz"
        said = run(os.path.join(self.tests, "kvz-recode"), self.exact[document], out, *recipe.split(","))
        return out, said.strip().split(",")

    def ask(self, index, table, read):
        o = argparse.Namespace(lctool=self.lctool, index=index, max_tokens=12, prefix=True,
                               options=["--device", "cpu", "--read", read])
        rows = lexical(table)[:8 if self.quick else None]
        return [questions.right(r, a["answer"]) for r, a in zip(rows, grade.ask(o, rows))]

    def first_token(self, index, cold):
        """Seconds, the best of five."""
        row, best = lexical(self.short[1])[0], float("inf")
        for _ in range(5):
            with open(index, "rb") as f:
                os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED if cold else os.POSIX_FADV_WILLNEED)
            seconds = json.loads(run(self.lctool, "query", index, "-q", row["question"], "--json", "--quiet",
                                     "--max-tokens", "1", "--device", "cpu", "--read", "cached"))["seconds"]
            best = min(best, seconds["open"] + seconds["first_token"])
        return f"{best:.3f}"

    def read_on(self, recipes):
        """What reading on after the first 8K document loses, by recipe."""
        self.loss = {r: {} for r in recipes}
        indexes = [self.recode(self.short[0], r)[0] for r in recipes]
        for name, following in zip(("text", "answers"), self.next):
            said = run(os.path.join(self.tests, "kv-loss"), MODEL, following, self.exact[self.short[0]], *indexes)
            for recipe, line in zip(recipes, said.splitlines()):
                fields = line.split(",")
                self.loss[recipe].update({f"more_{name}": fields[6], f"divergence_{name}": fields[7],
                                          f"logits_{name}": fields[9]})
        for index in indexes:
            os.remove(index)

    def questions(self, row, recipe, length):
        """Recodes the documents of a length, asks them, and removes all but the first 8K index, which is returned."""
        kept, right = None, {read: [] for read in READS}
        for document, table in self.sets[length]:
            index, size = self.recode(document, recipe)
            if document == self.sets[length][0][0]:
                row.update({f"bytes_per_token_{length}": size[1], f"ratio_{length}": size[2],
                            f"tokens_{length}": round(int(size[0]) / float(size[1]))})
                row.update(zip(("k_error", "v_error", "decode_gb_s", "copy_gb_s"), size[3:7]))
            for read in READS if recipe in ASKED else READS[:1]:
                right[read] += self.ask(index, table, read)
            if document == self.short[0]:
                kept = index
            else:
                os.remove(index)
        for read, got in right.items():
            if got:
                pairs = list(zip(self.baseline.setdefault((read, length), got), got))
                row.update({f"right_{read}_{length}": sum(got), f"lost_{read}_{length}": sum(a > b for a, b in pairs),
                            f"won_{read}_{length}": sum(a < b for a, b in pairs)})
        return kept

    def measure(self, idea, recipe):
        row = {"idea": idea, "recipe": recipe, "kv": " ".join(NAMED.get(recipe, ())), "commit": self.commit}
        for length in self.sets if recipe in ASKED else LENGTHS[:1]:
            index = self.questions(row, recipe, length) or index
        row.update(self.loss[recipe])
        if recipe in NAMED:
            row["cpu"] = f"{self.encode(self.short[0], index, NAMED[recipe]):.1f}"
            row["warm"], row["cold"] = (self.first_token(index, cold) for cold in (False, True))
        os.remove(index)
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
              ("lost_cached_8K", "answers lost of 64 at 8K, from stored blocks")]
    for axis, (field, title) in zip(axes, panels):
        for idea in dict.fromkeys(r["idea"] for r in rows if r["recipe"] != EXACT):
            mine = sorted((float(r["bytes_per_token_8K"]), float(r[field])) for r in rows if r["idea"] == idea)
            axis.plot([x for x, _ in mine], [y for _, y in mine], marker="o", label=idea)
        axis.set_xscale("log")
        axis.set_xticks([2000, 3000, 5000, 8000, 12000], ["2,000", "3,000", "5,000", "8,000", "12,000"])
        axis.minorticks_off()
        if field.startswith("divergence"):
            axis.set_yscale("log")
        axis.set_xlabel("bytes a token, whole file")
        axis.set_title(title, fontsize=10)
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=80)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("-o", "--out", default="/dev/stdout")
    p.add_argument("--chart")
    p.add_argument("--quick", action="store_true")
    p.add_argument("--only", nargs="+", metavar="RECIPE")
    p.add_argument("--work", metavar="DIR")
    o = p.parse_args()
    only = (EXACT, BALANCED) if o.quick else (EXACT, *o.only) if o.only else None
    rows = []
    with tempfile.TemporaryDirectory() as directory, open(o.out, "w", encoding="utf-8", newline="") as f:
        if o.work:
            os.makedirs(o.work, exist_ok=True)
        bench = Bench(o.build, o.work or directory, o.quick)
        out = csv.DictWriter(f, FIELDS, lineterminator="\n")
        out.writeheader()
        table = [(idea, r) for idea, recipes in IDEAS for r in recipes if not only or r in only]
        bench.read_on([r for _, r in table])
        for idea, recipe in table:
            rows.append(bench.measure(idea, recipe))
            out.writerow(rows[-1])
            f.flush()
    if o.chart:
        chart(o.chart, rows)


if __name__ == "__main__":
    main()

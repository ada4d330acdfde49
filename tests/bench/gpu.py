"""How fast lctool is on a GPU, as CSV: operations, passes and whole documents.

    python3 gpu.py BUILD_DIR -o OUT.csv [--device cuda] [--tokens 100000] [--small MODEL.gguf] [--quick]

The model has the shape of Llama-3-8B and random weights, made here (4.6 GB in the temporary directory); beside it the
small model. --tokens 1000000 is the document that the bounds are about: it needs 80 GB of disk. --quick uses small
ones of everything, to see that it still runs. Columns: device, what, figure, unit, bound, share of it, command. A
bound is what the device copies from memory to memory in the same run, or what the design says of an H200.
"""
import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from bench import text

HERE = pathlib.Path(__file__).resolve().parent
# Of an H200 with the large model: 26 s for a million tokens, keys and values of 8 bits.
BOUNDS = {"encode": 1e6 / 26, "decode": 270}


class Bench:
    def __init__(self, args):
        self.args, self.rows, self.device, self.memory = args, [], args.device, None
        self.build = pathlib.Path(args.build).resolve()

    def add(self, what, figure, unit, command, bound=None):
        share = f"{figure / bound:.3f}" if bound else ""
        self.rows.append([what, f"{figure:.4g}", unit, f"{bound:.4g}" if bound else "", share, command])
        print(f"{what:58s} {figure:10.4g} {unit}{'  ' + share + ' of ' + format(bound, '.4g') if bound else ''}",
              flush=True)

    def run(self, *command):
        r = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        if r.returncode:
            sys.exit(f"{' '.join(map(str, command))}: {r.stderr}")
        return r.stdout

    def operations(self):
        command = ["gpu", self.args.device, self.args.seconds, 64 if self.args.quick else 1]
        for r in csv.DictReader(self.run(self.build / "bench" / "gpu", *command[1:]).splitlines()):
            what, figure = r["what"], float(r["figure"])
            if what == "memory copied":
                self.memory = figure
            bound = self.memory if r["unit"] == "GB/s" and "load" not in what and what != "memory copied" else None
            self.add(what, figure, r["unit"], " ".join(map(str, command)), bound)

    def passes(self, name, model):
        command = ["passes", model, 1, self.args.seconds, self.args.device]
        for r in csv.DictReader(self.run(self.build / "bench" / "passes", *command[1:]).splitlines()):
            if r["what"].endswith("processor"):
                continue  # of the processor's time: the GPU's is another's
            self.device = r["isa"]
            what = r["what"].removesuffix(" wall")
            bound = self.memory * 1e9 / os.path.getsize(model) if what.startswith("decode") else None
            shown = " ".join([*map(str, command)]).replace(str(model), os.path.basename(model))
            self.add(f"{name}: {what}", float(r["figure"]), r["unit"], shown, bound)

    def lctool(self, *args):
        program = HERE.parent.parent / "lctool"
        if self.build.name != "release":
            program = self.build / "lctool"
        return self.run(program, *args, "--device", self.args.device)

    def document(self, name, model, directory, tokens, bounds):
        source, index = directory / f"{tokens}.txt", directory / f"{tokens}.kvz"
        source.write_text(text(tokens * 4))
        common = ["-m", model, "--quiet"]
        r = json.loads(self.lctool("encode", *common, "--json", "-f", source, "-o", index))
        self.add(f"{name}: encode of {r['tokens']} tokens", r["tokens"] / r["seconds"], "tokens/s",
                 f"lctool encode --json {source.name}", bounds.get("encode"))
        self.add(f"{name}: bytes of the index a token", index.stat().st_size / r["tokens"], "bytes", "stat")
        questions = directory / "questions.txt"
        questions.write_text("Who carried the boat under the bridges?\n" * 5)
        command = f"lctool query --json -n 64 {index.name} --questions 5 times the same"
        lines = self.lctool("query", *common, "--json", "-n", 64, index, "--questions", questions).splitlines()
        answers = [json.loads(line) for line in lines]
        first = [a["seconds"]["first_token"] for a in answers]
        self.add(f"{name}: first token at {r['tokens']} tokens, first question", first[0] * 1e3, "ms", command)
        self.add(f"{name}: first token at {r['tokens']} tokens, later ones", statistics.median(first[1:]) * 1e3, "ms",
                 command)
        spent = [(a["seconds"]["total"] - a["seconds"]["first_token"]) / (a["tokens"]["answer"] - 1)
                 for a in answers if a["tokens"]["answer"] > 1]
        if spent:
            self.add(f"{name}: decode on {r['tokens']} tokens", 1 / statistics.median(spent), "tokens/s", command,
                     bounds.get("decode"))
        index.unlink()


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("build")
    p.add_argument("-o", "--out", required=True)
    p.add_argument("--device", default="cuda")
    p.add_argument("--tokens", default="100000", help="lengths of the documents")
    p.add_argument("--small", help="the small model")
    p.add_argument("--quick", action="store_true")
    a = p.parse_args()
    a.seconds = 0.01 if a.quick else 1
    lengths = [2000] if a.quick else [int(n) for n in a.tokens.split(",")]
    data = os.environ.get("XDG_DATA_HOME", os.path.expanduser("~/.local/share"))
    small = a.small or f"{data}/lctool/models/SmolLM2-135M-Instruct.Q4_1.gguf"
    with tempfile.TemporaryDirectory() as tmp:
        tmp, b = pathlib.Path(tmp), Bench(a)
        large = tmp / "large.gguf"
        b.operations()
        if a.quick:
            b.run(b.build / "tests" / "tiny-model", large)
        else:
            b.run(b.build / "tests" / "sparse-model", large, 32)
        models = [("8B", large, BOUNDS)] + ([] if a.quick else [("SmolLM2-135M", small, {})])
        for name, model, bounds in models:
            b.passes(name, model)
            for n in lengths:
                b.document(name, model, tmp, n, bounds)
        with open(a.out, "w", newline="") as f:
            w = csv.writer(f)
            w.writerow(["device", "what", "figure", "unit", "bound", "share", "command"])
            w.writerows([b.device, *r] for r in b.rows)


if __name__ == "__main__":
    main()

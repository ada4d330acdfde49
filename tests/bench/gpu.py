"""How fast lctool is on a GPU, as CSV: operations, passes and whole documents.

    python3 gpu.py BUILD_DIR -o OUT.csv [--device cuda] [--tokens 100000,1000000] [--small MODEL.gguf] [--quick]

The model has the shape of Llama-3-8B and random weights, and a profile of eight heads that vote, made here (4.6 GB in
the temporary directory); beside it the small model. A document of 1,000,000 tokens is what the bounds are about: with
keys and values of 8 bits it needs 70 GB of the temporary directory; where there is no room for that it is encoded with
--kv small, which the command says, and where there is none for that either it is left out. --quick uses small ones of
everything, to see that it still runs. Columns: device, what, figure, unit, bound, share of it, command. A bound is
what the device copies from memory to memory in the same run, or what the design says of an H200; the share of a time is
that of its bound in it.
"""
import argparse
import csv
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from bench import leave_home_alone, small_model, text

HERE = pathlib.Path(__file__).resolve().parent
# Of an H200 with the large model: 26 s for a million tokens, keys and values of 8 bits, and 60 ms till the first token.
BOUNDS = {"encode": 1e6 / 26, "decode": 270, "first": 60}
VOTERS = 8
# Bytes a token as keys and values of 8 bits, or of --kv small at most, and what else an index holds.
EIGHT_BITS, SMALL, REST = 1.1, 0.4, 0.1


class Bench:
    def __init__(self, args):
        self.args, self.rows, self.device, self.memory = args, [], args.device, None
        self.build = pathlib.Path(args.build).resolve()

    def add(self, what, figure, unit, command, bound=None):
        share = f"{bound / figure if unit == 'ms' else figure / bound:.3f}" if bound else ""
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

    def program(self):
        return HERE.parent.parent / "lctool" if self.build.name == "release" else self.build / "lctool"

    def lctool(self, *args):
        return self.run(self.program(), *args, "--device", self.args.device)

    def shape(self, model):
        return json.loads(self.run(self.program(), "inspect", "--json", model))

    def profile(self, model, path):
        """Heads that vote, one of each of some layers in the upper half, as calibration finds them in other models."""
        m = self.shape(model)
        layers = sorted({m["layers"] - 1 - i * max(1, m["layers"] // 2 // VOTERS) for i in range(VOTERS)})
        heads = [f"{layer}.{i % m['heads']} = 1" for i, layer in enumerate(la for la in layers if la >= 0)]
        path.write_text("\n".join(["[profile]", "name = random weights", f"arch = {m['arch']}", f"layers = {m['layers']}",
                                   f"heads = {m['heads']}", f"kv_heads = {m['kv_heads']}",
                                   f"embedding = {m['embedding']}", "distance = 1024", "read = cached", "", "[heads]",
                                   *heads, ""]))
        return path

    def bits(self, model, directory, tokens):
        """How keys and values can be stored in the room that there is; None: not at all."""
        m = self.shape(model)
        numbers = 2 * m["layers"] * m["kv_heads"] * m["head_dim"] * tokens
        for share, options in (EIGHT_BITS, ["--kv-bits", 8]), (SMALL, ["--kv", "small"]):
            if numbers * (share + REST) < shutil.disk_usage(directory).free:
                return options
        return None

    def document(self, name, model, profile, directory, tokens, bounds):
        source, index = directory / f"{tokens}.txt", directory / f"{tokens}.kvz"
        kv = self.bits(model, directory, tokens)
        if kv is None:
            print(f"{name}: no room for an index of {tokens} tokens in {directory}", flush=True)
            return
        source.write_text(text(tokens * 4))
        common = ["-m", model, "--quiet", *(["--profile", profile] if profile else [])]
        r = json.loads(self.lctool("encode", *common, *kv, "--json", "-f", source, "-o", index))
        self.add(f"{name}: encode of {r['tokens']} tokens", r["tokens"] / r["seconds"], "tokens/s",
                 f"lctool encode {kv[0]} {kv[1]} --json {source.name}", bounds.get("encode"))
        self.add(f"{name}: bytes of the index a token", index.stat().st_size / r["tokens"], "bytes", "stat")
        questions = directory / "questions.txt"
        questions.write_text("Who carried the boat under the bridges?\n" * 5)
        command = f"lctool query --json -n 64 {index.name} --questions 5 times the same"
        lines = self.lctool("query", *common, "--json", "-n", 64, index, "--questions", questions).splitlines()
        answers = [json.loads(line) for line in lines]
        first = [a["seconds"]["first_token"] for a in answers]
        self.add(f"{name}: first token at {r['tokens']} tokens, first question", first[0] * 1e3, "ms", command)
        self.add(f"{name}: first token at {r['tokens']} tokens, later ones", statistics.median(first[1:]) * 1e3, "ms",
                 command, bounds.get("first"))
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
    p.add_argument("--tokens", default="100000,1000000", help="lengths of the documents")
    p.add_argument("--small", help="the small model")
    p.add_argument("--quick", action="store_true")
    a = p.parse_args()
    a.seconds = 0.01 if a.quick else 1
    lengths = [2000] if a.quick else [int(n) for n in a.tokens.split(",")]
    small = a.small or small_model()
    with tempfile.TemporaryDirectory() as tmp:
        leave_home_alone(tmp)
        tmp, b = pathlib.Path(tmp), Bench(a)
        large = tmp / "large.gguf"
        b.operations()
        if a.quick:
            b.run(b.build / "tests" / "tiny-model", large)
        else:
            b.run(b.build / "tests" / "sparse-model", large, 32)
        models = [("8B", large, b.profile(large, tmp / "large.ini"), BOUNDS)]
        models += [] if a.quick else [("SmolLM2-135M", small, None, {})]
        for name, model, profile, bounds in models:
            b.passes(name, model)
            for n in lengths:
                b.document(name, model, profile, tmp, n, bounds)
        with open(a.out, "w", newline="") as f:
            w = csv.writer(f)
            w.writerow(["device", "what", "figure", "unit", "bound", "share", "command"])
            w.writerows([b.device, *r] for r in b.rows)


if __name__ == "__main__":
    main()

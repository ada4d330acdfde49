"""How fast lctool is on this machine, beside the machine's peaks and llama.cpp, as CSV and as a chart.

    python3 bench.py BUILD_DIR -o OUT.csv [--chart OUT.png] [--model MODEL.gguf] [--tokens 2000,16000,100000]
                     [--others q8,1b,long] [--quick]

llama.cpp is measured where the Python that runs this has llama-cpp-python (build it natively: CMAKE_ARGS=-DGGML_NATIVE=ON
pip install --no-binary llama-cpp-python llama-cpp-python); the chart needs matplotlib. --quick uses a made-up model and
leaves both out. The embedder is measured where it and the Debian package debian-policy are. --others measures more models, made by models.py in the temporary directory: q8, the model's weights
in Q8_0; 1b, a llama of a billion random weights; long, the model's first six layers with documents of 100,000 and
a million tokens. Columns: what, figure, unit, bound (the peak that limits it, in the same unit), share of it, command.
What the peaks allow encode is said at Bench.allowed; "one a pass" is decoding without guesses (--draft 0), which reads the
weights once a token.
"""
import argparse
import csv
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

import peer

HERE = pathlib.Path(__file__).resolve().parent
WORDS = ("the river carried a small wooden boat under seven stone bridges while rain fell on every roof of town and "
         "nobody spoke before noon because ferry left at dawn").split()

QUESTION = "Who carried the boat under the bridges?"


def processor():
    """Its name, with family and model where it has them: "AMD EPYC" are processors of several."""
    said = dict(map(str.strip, line.split(":", 1)) for line in open("/proc/cpuinfo") if ":" in line)
    name = said.get("model name", said.get("CPU part", platform.machine()))
    return f"{name} (family {said['cpu family']}, model {said['model']})" if "cpu family" in said else name


def text(n_bytes):
    """Text without end, the same in every run, different in every sentence, which begins with a capital."""
    seed, out, size = 1, [], 0
    while size < n_bytes:
        line = []
        for _ in range(9):
            seed = (seed * 1664525 + 1013904223) % 2**32
            line.append(WORDS[seed >> 16 & 31 if (seed >> 16 & 31) < len(WORDS) else seed >> 22 & 15])
        line.append(f"{len(out)}.\n")
        out.append(" ".join(line).capitalize())
        size += len(out[-1])
    return "".join(out)[:n_bytes]


def small_model():
    """Where 'make model' puts it."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return f"{data}/lctool/models/SmolLM2-135M-Instruct.Q4_1.gguf"


def embedder():
    """Where 'make model' puts it."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return f"{data}/lctool/embedders/all-MiniLM-L6-v2.Q8_0.gguf"


def leave_home_alone(directory):
    """From here on lctool keeps the profiles of models that it has to calibrate in DIRECTORY, not where the user has
    those of his own, and no configuration of the user's counts. Models have to be given by their paths."""
    os.environ.update(XDG_DATA_HOME=f"{directory}/data", XDG_CONFIG_HOME=f"{directory}/config")


class Bench:
    def __init__(self, args):
        self.args, self.rows, self.peaks = args, [], {}
        self.build = pathlib.Path(args.build).resolve()
        self.threads = args.threads

    def add(self, what, figure, unit, command, bound=None):
        share = f"{figure / bound:.3f}" if bound else ""
        self.rows.append([what, f"{figure:.4g}", unit, f"{bound:.4g}" if bound else "", share, command])
        print(f"{what:58s} {figure:10.4g} {unit}{'  ' + share + ' of ' + format(bound, '.4g') if bound else ''}",
              flush=True)

    def figures(self, program, *args):
        """What one of the C programs beside this file prints: (what, figure, unit)."""
        command = [str(self.build / "bench" / program), *map(str, args)]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        shown = " ".join([program, *(os.path.basename(str(a)) for a in args)])
        return [(f"{r['isa']}: {r['what']}", float(r["figure"]), r["unit"], shown)
                for r in csv.DictReader(out.splitlines())]

    def machine(self, directory):
        a = self.args
        for what, figure, unit, command in self.figures("peaks", self.threads, a.seconds, a.model, directory / "peaks.new"):
            self.peaks[what.removeprefix("peak: ")] = figure
            self.add(what, figure, unit, command)

    def operations(self):
        bounds = {"amx: ": "bfloat16 tiles", "avx512vnni: ": "byte products", "avxvnni: ": "byte products of 256 bits",
                  "avx2: .*Q4": "pairs of bytes", "avx2: .*(Q8_0|attend)": "pairs of 16 bits"}
        for what, figure, unit, command in self.figures("ops", self.threads, self.args.seconds):
            names = [name for pattern, name in bounds.items() if re.match(pattern, what) and name in self.peaks]
            peak = self.peaks.get((names or ["float32 multiply-add"])[0])
            bound = self.peaks["memory read"] if unit == "GB/s" else peak
            self.add(what, figure, unit, command, None if unit == "ms" or " n 1," in what else bound)

    def one_a_pass(self, model):
        """Tokens a second that reading the weights once for each allows."""
        return self.peaks["memory read"] * 1e9 / os.path.getsize(model)

    def passes(self, model, label=""):
        for what, figure, unit, command in self.figures("passes", model, self.threads, self.args.seconds):
            bound = self.one_a_pass(model) if ": decode" in what else None
            self.add(f"lctool: {label}{what.split(': ', 1)[1]}", figure, unit, command, bound)

    # ---- whole documents

    def program(self):
        return str(HERE.parent.parent / "lctool" if self.build.name == "release" else self.build / "lctool")

    def lctool(self, *args):
        command = [self.program(), *map(str, args), "--threads", str(self.threads), "--device", "cpu"]
        r = subprocess.run(["/usr/bin/time", "-f", "%M", *command], capture_output=True, text=True)
        if r.returncode:
            sys.exit(f"{' '.join(command)}: {r.stderr}")
        return r.stdout, int(r.stderr.strip().splitlines()[-1]) * 1024

    def inspect(self, path):
        return json.loads(subprocess.run([self.program(), "inspect", "--json", path], check=True, capture_output=True).stdout)

    def allowed(self, model, index):
        """Tokens a second of encode that the machine's peaks allow: each token's products with the weights of all layers
        and its attention to sinks, window and chunk, at the peak of what they are done with, and then the index's bytes
        at the disk's. None where there are no such peaks. What makes the index small has no peak and is not in it."""
        m, k = self.inspect(model), self.inspect(index)
        best = lambda *names: max(self.peaks.get(name, 0) for name in names) * 1e9
        products = best("bfloat16 tiles", "float32 multiply-add", "byte products", "byte products of 256 bits",
                        "pairs of bytes")
        attention = best("bfloat16 tiles", "float32 multiply-add", "pairs of 16 bits")
        if not attention:
            return None
        heads, kv_heads = m["heads"] * m["head_dim"], m["kv_heads"] * m["head_dim"]
        weights = m["embedding"] * (2 * heads + 2 * kv_heads + 3 * m["feed_forward"])
        seen = sum(1 + min(t, k["sinks"] + k["window"] + t % k["chunk"]) for t in range(k["tokens"]))
        seconds = m["layers"] * (2 * weights * k["tokens"] / products + 4 * heads * seen / attention)
        return k["tokens"] / (seconds + k["bytes"] / (self.peaks["disk write"] * 1e9))

    def answers(self, model, index, tokens, label):
        """How fast the model writes, all that it writes, with nothing said in its place."""
        own = ["-n", 24 if self.args.quick else 64, "--quote", 0, "--sentences", 0]
        for what, options, bound in (("", [], None), (", one a pass", ["--draft", 0], self.one_a_pass(model))):
            ask = ["-m", model, "--quiet", "--json", *own, *options, index, QUESTION]
            tries = [json.loads(self.lctool("query", *ask)[0]) for _ in range(1 if self.args.quick else 5)]
            spent = [(a["seconds"]["total"] - a["seconds"]["first_token"]) / (a["tokens"]["answer"] - 1)
                     for a in tries if a["tokens"]["answer"] > 1]
            if spent:
                command = " ".join(map(str, ["lctool query --json", *own, *options, index.name, "QUESTION"]))
                self.add(f"{label}decode on {tokens} tokens{what}", 1 / statistics.median(spent), "tokens/s", command, bound)

    def first_token(self, ask, what, command, cold=False):
        """The median first token of five questions, and what they said."""
        tries = []
        for _ in range(1 if self.args.quick else 5):
            if cold:
                fd = os.open(ask[-2], os.O_RDONLY)
                os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(fd)
            tries.append(json.loads(self.lctool("query", *ask)[0])["seconds"])
        self.add(what, statistics.median(s["first_token"] for s in tries) * 1e3, "ms", command)
        return tries

    def embedded(self, source, index, common, embedder):
        """The same document with an embedder, as who has one reads it."""
        own = ["--embedder", embedder]
        r = json.loads(self.lctool("encode", *common, *own, "--json", "-f", source, "-o", index)[0])
        name = f"--embedder {os.path.basename(embedder)}"
        self.add(f"encode of {r['tokens']} tokens, embedder", r["tokens"] / r["seconds"], "tokens/s",
                 f"lctool encode --json {name} {source.name}")
        self.first_token([*common, *own, "--json", index, QUESTION], f"first token at {r['tokens']} tokens, warm, embedder",
                         f"lctool query --json {name} {index.name} QUESTION")
        index.unlink()

    def document(self, directory, tokens, model, label="", embedder=None):
        source, index = directory / f"{tokens}.txt", directory / f"{tokens}.kvz"
        source.write_text(text(tokens * 4))
        common = ["-m", model, "--quiet"]
        out, peak = self.lctool("encode", *common, "--json", "-f", source, "-o", index)
        r = json.loads(out)
        command = f"lctool encode --json {source.name}"
        self.add(f"{label}encode of {r['tokens']} tokens", r["tokens"] / r["seconds"], "tokens/s", command)
        self.add(f"{label}encode of {r['tokens']} tokens, beside what the peaks allow", r["tokens"] / r["seconds"], "tokens/s",
                 command, self.allowed(model, index))
        self.add(f"{label}encode of {r['tokens']} tokens, peak memory", peak / 2**20, "MiB", command)
        for state in ("cold", "warm"):
            tries = self.first_token([*common, "--json", index, QUESTION], f"{label}first token at {r['tokens']} tokens, {state}",
                                     f"lctool query --json {index.name} QUESTION", state == "cold")
        self.add(f"{label}opening at {r['tokens']} tokens", statistics.median(s["open"] for s in tries) * 1e3, "ms",
                 f"lctool query --json {index.name} QUESTION")
        self.answers(model, index, r["tokens"], label)
        index.unlink()
        if embedder and os.path.exists(embedder):
            self.embedded(source, index, common, embedder)

    def questions(self, directory, model, embedder):
        """First tokens of the questions about the policy manual, in its words and in others, without EMBEDDER and with it."""
        source, table, index = (directory / f"policy.{end}" for end in ("txt", "tsv", "kvz"))
        part = ["--bytes", "40000"] if self.args.quick else []
        made = subprocess.run([sys.executable, HERE.parent / "eval" / "real.py", "policy", source, table, *part],
                              capture_output=True, text=True)
        if made.returncode or not os.path.exists(embedder):
            print("no debian-policy, or no embedder: nothing is asked in other words", file=sys.stderr)
            return
        common = ["-m", model, "--quiet"]
        self.lctool("encode", *common, "--embedder", embedder, "-f", source, "-o", index)
        rows = list(csv.DictReader(table.open(), delimiter="\t", quoting=csv.QUOTE_NONE))
        for kind, words in (("lexical", "its words"), ("paraphrase", "other words")):
            asked = [r["question"] for r in rows if r["kind"] == kind]
            for how, path in (("no embedder", "none"), ("embedder", embedder)):
                ask = [*common, "--json", "--embedder", path, index]
                first = [json.loads(self.lctool("query", *ask, question)[0])["seconds"]["first_token"] for question in asked]
                if first:
                    self.add(f"policy manual: first token, {words}, {how}", statistics.mean(first) * 1e3, "ms",
                             f"lctool query --json --embedder {os.path.basename(path)} {index.name} QUESTION")
        index.unlink()

    def others(self, directory):
        """More models than the one, each beside llama.cpp on as much as it reads in seconds."""
        rows = {"q8": ("q8", "Q8_0: ", [16000]), "1b": ("1b", "1B: ", [2000]),
                "long": ("layers=6", "6 layers: ", [100000, 1000000])}
        for kind in filter(None, self.args.others.split(",")):
            what, label, lengths = rows[kind]
            model = str(directory / f"{kind}.gguf")
            if subprocess.run([sys.executable, HERE / "models.py", what, self.args.model, model]).returncode:
                sys.exit("models.py needs the Python package gguf")
            self.passes(model, label)
            for n in lengths:
                self.document(directory, n, model, label)
            if kind != "long":
                self.peer([512], model, label)
            os.unlink(model)

    def peer(self, lengths, model, label="", depth=0):
        try:
            llama = peer.Peer(model, self.threads, max(*lengths, depth), self.add, label)
        except ImportError:
            print("no llama-cpp-python: nothing to compare with", file=sys.stderr)
            return
        llama.read(lengths)
        if depth:
            llama.deep(depth)

    def chart(self, path):
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plot
        series = {}
        names = (("lctool encode", r"encode of (\d+) tokens"), ("lctool decode", r"decode on (\d+) tokens"),
                 ("llama.cpp read", r"llama.cpp: average over (\d+) tokens"),
                 ("llama.cpp decode", r"llama.cpp: decode depth (\d+)"))
        for what, figure, *_ in self.rows:
            for name, pattern in names:
                m = re.fullmatch(pattern, what)
                if m:
                    series.setdefault(name, []).append((int(m[1]), float(figure)))
        figure, axes = plot.subplots(1, 2, figsize=(9, 3.6), sharex=True)
        for name, points in series.items():
            points.sort()
            decode = int("decode" in name)
            axes[decode].plot(*zip(*points), marker="o", label=name.split()[0])
        for ax, title in zip(axes, ("reading the document", "writing the answer")):
            ax.set(xscale="log", yscale="log", title=title, xlabel="tokens of the document", ylabel="tokens/s")
            ax.xaxis.set_minor_formatter("")
            ax.set_xticks([1000 * n for n in (2, 5, 10, 20, 50, 100)], [f"{n}K" for n in (2, 5, 10, 20, 50, 100)])
            ax.set_yticks([10, 20, 50, 100, 200, 500, 1000, 2000, 4000], ["10", "20", "50", "100", "200", "500", "1000", "2000", "4000"])
            ax.yaxis.set_minor_formatter("")
            ax.grid(True, which="both", alpha=0.3)
            ax.legend()
        figure.suptitle(f"{processor()}, {self.threads} threads, {os.path.basename(self.args.model)}", fontsize=9)
        figure.tight_layout()
        figure.savefig(path, dpi=110)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("build")
    p.add_argument("-o", "--out", required=True)
    p.add_argument("--chart")
    p.add_argument("--model")
    p.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    p.add_argument("--tokens", default="2000,16000,64000", help="lengths of the documents")
    p.add_argument("--others", default="", help="more models: q8, 1b, long")
    p.add_argument("--quick", action="store_true")
    a = p.parse_args()
    a.seconds = 0.01 if a.quick else 1
    lengths, meanings = [int(n) for n in a.tokens.split(",")], embedder()
    with tempfile.TemporaryDirectory() as tmp:
        if a.quick:
            a.model, lengths = os.path.join(tmp, "tiny.gguf"), [2000]
            meanings = HERE.parent / "golden" / "embed" / "mean.gguf"
            subprocess.run([f"{a.build}/tests/tiny-model", a.model], check=True)
        elif not a.model:
            a.model = small_model()
        leave_home_alone(tmp)
        b = Bench(a)
        b.machine(pathlib.Path(tmp))
        b.operations()
        b.passes(a.model)
        for n in lengths:
            b.document(pathlib.Path(tmp), n, a.model, embedder=meanings)
        b.questions(pathlib.Path(tmp), a.model, meanings)
        if not a.quick:
            b.peer([n for n in lengths if n <= 16000], a.model, depth=65536)
        b.others(pathlib.Path(tmp))
        with open(a.out, "w", newline="") as f:
            w = csv.writer(f)
            w.writerow(["processor", "threads", "what", "figure", "unit", "bound", "share", "command"])
            w.writerows([processor(), a.threads, *r] for r in b.rows)
        if a.chart:
            b.chart(a.chart)


if __name__ == "__main__":
    main()

"""results.csv and results.md of a directory with answers.jsonl (see suite.py).

    python3 tables.py OUT_DIR

found_k: the mean share of a question's needles that the first k pieces of evidence cover; found_read: that what was read
covers. Seconds and bytes are means over the questions.
"""
import csv
import json
import pathlib
import sys

KEY = "method", "task", "length", "depth"
MEANS = ("score found_1 found_4 found_16 found_read tokens tokens_read blocks_read encode_s first_token_s total_s "
         "index_bytes bytes_per_token").split()
ORIGIN = "commit", "encoded_by", "seed", "processor", "command"
RULER = """niah_single_1 niah_single_2 niah_single_3 niah_multikey_1 niah_multikey_2 niah_multikey_3 niah_multivalue
niah_multiquery vt cwe fwe qa_1 qa_2""".split()


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def read(out):
    rows = [json.loads(line) for line in (out / "answers.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["bytes_per_token"] = row["index_bytes"] / row["tokens"]
    return rows


def grouped(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[k] for k in key), []).append(row)
    return groups


def text(value, digits=3):
    return "" if value is None else f"{value:.{digits}f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def write_csv(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow([*KEY, "cases", *MEANS, *ORIGIN])
        for key, some in grouped(rows, KEY).items():
            origin = [" / ".join(sorted({str(r[c]) for r in some})) for c in ORIGIN]
            w.writerow([*map(text, key), len(some), *(text(mean(r[m] for r in some)) for m in MEANS), *origin])


def percent(value):
    return "-" if value is None else f"{100 * value:.0f}"


def cell(some):
    """Score, found@1/4/16, tokens read."""
    found = "/".join(percent(mean(r[f"found_{k}"] for r in some)) for k in (1, 4, 16))
    return f"**{percent(mean(r['score'] for r in some))}** {found} {mean(r['tokens_read'] for r in some):.0f}"


def method_tables(rows):
    lengths = sorted({r["length"] for r in rows})
    by_cell = grouped(rows, ("task", "length"))
    tasks = list(dict.fromkeys(r["task"] for r in rows))
    yield "| task | cases | " + " | ".join(f"{n:,}" for n in lengths) + " |"
    yield "|---|---|" + "---|" * len(lengths)
    for task in sorted(tasks, key=lambda t: (RULER + tasks).index(t)):
        cells = [by_cell.get((task, n)) for n in lengths]
        yield f"| {task} | {max(len(c) for c in cells if c)} | " + " | ".join(cell(c) if c else "" for c in cells) + " |"
    if all(t in tasks for t in RULER):
        means = [mean(mean(r["score"] for r in by_cell[t, n]) for t in RULER) if all((t, n) in by_cell for t in RULER)
                 else None for n in lengths]
        yield "| RULER, mean of 13 | | " + " | ".join(f"**{percent(m)}**" if m is not None else "" for m in means) + " |"
    yield ""
    yield "| length | tokens | encode s | tokens/s | bytes/token | first token s | answer s |"
    yield "|---|---|---|---|---|---|---|"
    for n in lengths:
        some = [r for r in rows if r["length"] == n]
        tokens, seconds = mean(r["tokens"] for r in some), mean(r["encode_s"] for r in some)
        yield (f"| {n:,} | {tokens:.0f} | {seconds:.1f} | {tokens / seconds:.0f} | "
               f"{mean(r['bytes_per_token'] for r in some):.0f} | {mean(r['first_token_s'] for r in some):.2f} | "
               f"{mean(r['total_s'] for r in some):.2f} |")


def write_page(path, rows):
    first = rows[0]
    out = ["# Evaluation", "",
           f"Commit {first['commit']}, seed {first['seed']}, {first['processor']}.", "",
           "Made by:", ""] + [f"    {c}" for c in dict.fromkeys(r["command"] for r in rows)] + ["",
           "Each cell: **score** in percent, the share of the needles among the first 1/4/16 pieces of evidence, and how many "
           "tokens were in sight when the answer was written. A length is meant in tokens; the exact number is in results.csv.", ""]
    if perplexities(path.parent):
        out += ["## Perplexity", "", "Of 1,024 tokens of the handbook after a prefix of so many: **perplexity**, and how many tokens "
                "of the prefix were in sight: nothing; the sinks and the last 1,024; the sinks and the summary state; all of "
                "them at their own places.", "", *perplexity_table(perplexities(path.parent)), ""]
    for (method,), some in grouped(rows, ("method",)).items():
        out += [f"## {method}", "", *method_tables(some), ""]
        if (path.parent / f"niah-{method}.png").exists():
            out += [f"![needles by length and depth](niah-{method}.png)", ""]
    path.write_text("\n".join(out), encoding="utf-8")


def short_of(out, task, column, least):
    """What to complain of when the mean of a task's column is below a number."""
    got = mean(r[column] for r in read(out) if r["task"] == task)
    return [] if got is not None and got >= float(least) else [f"{task}: {column} is {got}, {least} expected"]


def perplexities(out):
    path = out / "perplexity.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def perplexity_table(rows):
    lengths = sorted({r["length"] for r in rows})
    by_cell = {(r["way"], r["length"]): r for r in rows}
    yield "| in sight | " + " | ".join(f"{n:,}" for n in lengths) + " |"
    yield "|---|" + "---|" * len(lengths)
    for way in dict.fromkeys(r["way"] for r in rows):
        cells = [by_cell.get((way, n)) for n in lengths]
        yield f"| {way} | " + " | ".join(f"**{c['perplexity']:.2f}** {c['sight']}" if c else "" for c in cells) + " |"


def write_perplexity(path, rows):
    columns = "length tokens way sight read perplexity".split() + list(ORIGIN)
    with open(path, "w", encoding="utf-8", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(columns)
        w.writerows([text(r[c], 4) for c in columns] for r in rows)


def write(out):
    rows = read(out)
    if perplexities(out):
        write_perplexity(out / "perplexity.csv", perplexities(out))
    write_csv(out / "results.csv", rows)
    write_page(out / "results.md", rows)


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))

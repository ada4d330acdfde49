"""niah-METHOD.png of a directory with answers.jsonl: needles by length and depth, answered and found.

    python3 heatmap.py OUT_DIR        (says so and does nothing without matplotlib)
"""
import pathlib
import sys

import tables

PANELS = ("score", "answered"), ("found_1", "found first"), ("found_4", "found among the first 4")


def draw(plt, rows, path, title):
    lengths, depths = sorted({r["length"] for r in rows}), sorted({r["depth"] for r in rows})
    cells = tables.grouped(rows, ("length", "depth"))
    figure, axes = plt.subplots(1, len(PANELS), figsize=(4 * len(PANELS), 4), constrained_layout=True)
    for axis, (column, name) in zip(axes, PANELS):
        grid = [[tables.mean(r[column] for r in cells[n, d]) if (n, d) in cells else float("nan") for n in lengths]
                for d in depths]
        image = axis.imshow(grid, vmin=0, vmax=1, aspect="auto", cmap="RdYlGn")
        axis.set(title=name, xlabel="length, tokens", ylabel="depth, %", xticks=range(len(lengths)),
                 xticklabels=[f"{n // 1024}K" for n in lengths], yticks=range(len(depths)), yticklabels=depths)
    figure.colorbar(image, ax=axes)
    figure.suptitle(title)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main():
    try:
        import matplotlib
    except ImportError:
        print("heat maps left out: this Python has no matplotlib", file=sys.stderr)
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    out = pathlib.Path(sys.argv[1])
    rows = [r for r in tables.read(out) if r["task"] == "niah"]
    for (method,), some in tables.grouped(rows, ("method",)).items():
        draw(plt, some, out / f"niah-{method}.png", f"{method}: facts planted in a book")


if __name__ == "__main__":
    main()

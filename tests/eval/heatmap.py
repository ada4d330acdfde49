"""niah-METHOD.png of a directory with answers.jsonl: needles by length and depth, answered and found; niah.png: of all
methods side by side, answered and found among the first 4.

    python3 heatmap.py OUT_DIR        (says so and does nothing without matplotlib)
"""
import pathlib
import sys

import tables

PANELS = ("score", "answered"), ("found_1", "found first"), ("found_4", "found among the first 4")


def panel(axis, rows, column, lengths, depths):
    cells = tables.grouped(rows, ("length", "depth"))
    grid = [[(tables.mean(r[column] for r in cells[n, d]) if (n, d) in cells else None) for n in lengths] for d in depths]
    grid = [[float("nan") if v is None else v for v in line] for line in grid]
    axis.set(xticks=range(len(lengths)), xticklabels=[f"{n // 1024}K" for n in lengths])
    return axis.imshow(grid, vmin=0, vmax=1, aspect="auto", cmap="RdYlGn")


def draw_all(plt, rows, path):
    """Two rows of small panels, a method a column."""
    lengths, depths = sorted({r["length"] for r in rows}), sorted({r["depth"] for r in rows})
    methods = list(dict.fromkeys(r["method"] for r in rows))
    figure, axes = plt.subplots(2, len(methods), figsize=(1.1 * len(methods) + 1, 4), squeeze=False, sharex=True, sharey=True,
                                constrained_layout=True)
    for i, (column, name) in enumerate((("score", "answered"), ("found_4", "found among 4"))):
        for axis, method in zip(axes[i], methods):
            image = panel(axis, [r for r in rows if r["method"] == method], column, lengths, depths)
            axis.set_title(method if i == 0 else "", fontsize=9)
            axis.tick_params(labelsize=7)
        axes[i][0].set(ylabel=f"{name}\ndepth, %", yticks=range(len(depths)), yticklabels=depths)
    figure.colorbar(image, ax=axes, fraction=0.05)
    figure.savefig(path, dpi=80)
    plt.close(figure)


def draw(plt, rows, path, title):
    lengths, depths = sorted({r["length"] for r in rows}), sorted({r["depth"] for r in rows})
    figure, axes = plt.subplots(1, len(PANELS), figsize=(4 * len(PANELS), 4), constrained_layout=True)
    for axis, (column, name) in zip(axes, PANELS):
        image = panel(axis, rows, column, lengths, depths)
        axis.set(title=name, xlabel="length, tokens", ylabel="depth, %", yticks=range(len(depths)), yticklabels=depths)
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
    if rows:
        draw_all(plt, rows, out / "niah.png")


if __name__ == "__main__":
    main()

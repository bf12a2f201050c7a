"""Draw docs/images/audit.png: how well the audit keeps its promise, and what it detects.

On the left the share of honest games at or below each p-value; on the right the share of each
adversary's games that are told from honest ones, by the number of fills that were seen.

Run: nando evaluate --job order -o evaluation.csv && python benchmarks/plot_audit.py evaluation.csv
"""

import argparse
import re
from pathlib import Path

import matplotlib
import pandas as pd

matplotlib.use("Agg")
import matplotlib.pyplot as plt

IMAGE = Path(__file__).resolve().parent.parent / "docs" / "images" / "audit.png"
LEVEL = re.compile(r"share with p <= ([\d.]+)")
DETECTED = "detected at 0.01 false positives"


def draw_honest(axis, rows):
    """Nominal levels against the share of honest games they catch."""
    axis.plot([0.001, 1], [0.001, 1], color="0.6", linewidth=1)
    for part, points in rows[rows.subject == "honest"].groupby("part", sort=False):
        levels = points.metric.str.extract(LEVEL)[0].astype(float)
        axis.plot(levels, points.value, "o-", markersize=3, label=part.removeprefix("audit, "))
    axis.set(xscale="log", yscale="log", xlabel="p-value", ylabel="share of honest games")
    axis.set(xlim=(0.0009, 1.1), ylim=(0.0004, 1.1))
    axis.legend(frameon=False, fontsize=8)


def draw_detected(axis, rows):
    """Detection at 1 % false positives: a line of dots per adversary, a colour per length."""
    found = rows[rows.metric == DETECTED]
    names = found.subject.drop_duplicates().tolist()
    for part, points in found.groupby("part", sort=False):
        heights = [names.index(name) for name in points.subject]
        axis.plot(points.value, heights, "o", label=part.removeprefix("audit, "), alpha=0.8)
    axis.set_yticks(range(len(names)), names, fontsize=8)
    axis.invert_yaxis()
    axis.grid(axis="y", color="0.9")
    axis.set(xlabel="share detected at 1 % false positives", xlim=(-0.03, 1.03))


def main():
    """Read the evaluation and draw it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("evaluation", help="CSV of nando evaluate --job order")
    rows = pd.read_csv(parser.parse_args().evaluation)
    rows = rows[rows.part.str.startswith("audit")]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), width_ratios=(1, 1.2))
    draw_honest(left, rows)
    draw_detected(right, rows)
    for axis in (left, right):
        axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(IMAGE, dpi=110, metadata={"Software": None})
    print(f"written to {IMAGE.name}")


if __name__ == "__main__":
    main()

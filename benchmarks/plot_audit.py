"""Draw docs/images/audit.png: power curves of the audit, a panel for each kind of adversary.

The share of an adversary's games with a p-value of at most 0.01, by what was seen of them: unlike a
person, and at last not solved on the screen, where the rules demand it.

Run: nando evaluate --job order -o evaluation.csv && python benchmarks/plot_audit.py evaluation.csv
"""

import argparse
from pathlib import Path

import matplotlib
import pandas as pd

matplotlib.use("Agg")
import matplotlib.pyplot as plt

IMAGE = Path(__file__).resolve().parent.parent / "docs" / "images" / "audit.png"
SEEN = {
    "10 fills": "10 fills",
    "20 fills": "20 fills",
    "30 fills": "30 fills",
    "unlike a person, whole game": "whole game",
    "unlike a person, 6 games": "6 games",
    "not on the screen, whole game": "whole, on screen",
    "not on the screen, 6 games": "6 games, on screen",
}
PANELS = {
    "typed": ("row by row", "random", "half typed"),
    "a fixed rule, or a person's help": (
        "fewest candidates",
        "first single",
        "nearest single",
        "copied bursts",
        "second device when stuck",
    ),
    "a solver's order": (
        "brute force",
        "annealing",
        "SiSuS, human-like delays",
        "logic ladder, human-like delays",
        "logic ladder with jitter",
    ),
}


def main():
    """Read the evaluation and draw it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("evaluation", help="CSV of nando evaluate --job order")
    rows = pd.read_csv(parser.parse_args().evaluation)
    rows = rows[rows.part == "detected"].set_index(["subject", "metric"])["value"]
    figure, axes = plt.subplots(1, len(PANELS), figsize=(10, 3.6), sharey=True)
    for axis, (title, names) in zip(axes, PANELS.items(), strict=True):
        for name in names:
            values = [rows[name, f"p <= 0.01, {seen}"] for seen in SEEN]
            axis.plot(list(SEEN.values()), values, "o-", markersize=4, label=name, alpha=0.85)
        axis.set_title(title, fontsize=10)
        axis.set_ylim(-0.03, 1.03)
        axis.tick_params(axis="x", rotation=30, labelsize=8)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False, fontsize=7, loc="best")
    axes[0].set_ylabel("share found at p <= 0.01")
    figure.tight_layout()
    figure.savefig(IMAGE, dpi=110, metadata={"Software": None})
    print(f"written to {IMAGE.name}")


if __name__ == "__main__":
    main()

"""Draw docs/images/accuracy.png: predicted and actual minutes of held-out puzzles.

Every prediction is made by a model that saw neither the puzzle nor an equivalent one. The number of
givens, what most people think of first, is drawn beside the model by the same code.

Run: python benchmarks/plot_accuracy.py (needs the Cloud Sudoku times and matplotlib)
"""

from pathlib import Path

import matplotlib
import numpy as np
from scipy.stats import spearmanr
from sklearn.base import clone

from nando.datasets import fetch_cloud_sudoku
from nando.features import SolverFeatures
from nando.rating import BASELINES, DifficultyRater, LinearRater
from nando.rating.estimator import grouped_folds

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

IMAGE = Path(__file__).resolve().parent.parent / "docs" / "images" / "accuracy.png"
MODELS = {
    "number of givens": LinearRater(BASELINES["givens"]),
    "nando": DifficultyRater(),
}


def held_out(model, table, seconds, weight, keys):
    """Predicted seconds and the interval of each puzzle, shape (n_puzzles, 3)."""
    predicted = np.empty((len(seconds), 3))
    for train, test in grouped_folds(keys, len(seconds), 10, seed=0):
        fitted = clone(model).fit(
            table.iloc[train],
            seconds[train],
            sample_weight=weight[train],
            groups=[keys[i] for i in train],
        )
        predicted[test, 0] = fitted.predict(table.iloc[test])
        predicted[test, 1:] = fitted.predict_interval(table.iloc[test])
    return predicted


def main():
    """Cross-validate and draw."""
    data = fetch_cloud_sudoku()
    puzzles, seconds, weight = data.puzzles, data.target, data.weight
    keys = [puzzle.equivalence_key() for puzzle in puzzles]
    table = SolverFeatures().set_output(transform="pandas").fit_transform(puzzles)

    figure, axes = plt.subplots(1, 2, figsize=(8, 4.2), sharex=True, sharey=True)
    low, high = np.quantile(seconds / 60, [0.001, 0.999]) * [0.8, 1.25]
    for axis, (name, model) in zip(axes, MODELS.items(), strict=True):
        predicted = held_out(model, table, seconds, weight, keys)
        order = np.argsort(predicted[:, 0])
        minutes, actual = predicted[order] / 60, seconds[order] / 60
        inside = np.mean((actual >= minutes[:, 1]) & (actual <= minutes[:, 2]))
        rho = spearmanr(minutes[:, 0], actual).statistic
        axis.plot([low, high], [low, high], color="0.4", linewidth=0.8)
        axis.scatter(minutes[:, 0], actual, s=5, alpha=0.35, color="#2166ac", edgecolors="none")
        axis.set_title(f"{name}: Spearman {rho:.2f}", fontsize=11)
        axis.set_xlabel("predicted minutes, puzzle held out")
        print(f"{name}: Spearman {rho:.3f}, in the 80 % interval {inside:.1%} of {len(actual):,}")
    axes[0].set_ylabel("mean minutes of 10 to 43 players")
    axes[0].set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high))
    for axis in axes:
        axis.set_aspect("equal")
        for line in (axis.xaxis, axis.yaxis):
            line.set_major_locator(FixedLocator([2, 5, 10, 20, 50, 100]))
            line.set_minor_locator(NullLocator())
            line.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    IMAGE.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGE, dpi=120, metadata={"Software": None})
    print(f"wrote {IMAGE.name}, {IMAGE.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()

"""What each feature group is worth: held-out prediction with and without it, and its cost.

Two columns for each group on each target: alone, and added to the shipped model's columns. Costs
are milliseconds of one thread per puzzle with the group's own number of runs.

Run: python benchmarks/feature_value.py [--all]   (needs the Cloud Sudoku times)
"""

import argparse
import time

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from nando.datasets import fetch_cloud_sudoku
from nando.rating import GROUPS, DifficultyRater, SolverFeatures, feature_names
from nando.rating.folds import grouped_folds
from nando.rating.rater import DEFAULT_COLUMNS


def held_out(table, columns, seconds, weight, keys, repeats=3):
    """Pearson on log and Spearman of ten-fold predictions, means over repeats."""
    actual = np.log(seconds)
    scores = []
    model = DifficultyRater(tuple(columns))
    values = table[list(columns)].to_numpy()
    for seed in range(repeats):
        predicted = np.empty_like(actual)
        for train, test in grouped_folds(keys, len(actual), 10, seed):
            model._fit_line(values[train], actual[train], weight[train])
            predicted[test] = model.log_seconds(values[test])
        scores.append(
            (np.corrcoef(predicted, actual)[0, 1], spearmanr(predicted, actual).statistic)
        )
    return np.mean(scores, axis=0)


def main():
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="all 1,533 puzzles, which takes hours")
    options = parser.parse_args()
    data = fetch_cloud_sudoku()
    by_time = fetch_cloud_sudoku(target="D_TO")
    d_to = dict(zip(by_time.puzzles, by_time.target, strict=True))
    chosen = [i for i, puzzle in enumerate(data.puzzles) if options.all or puzzle in d_to]
    n = len(chosen)
    puzzles = [data.puzzles[i] for i in chosen]
    seconds, weight = data.target[chosen], data.weight[chosen]
    keys = [puzzle.equivalence_key() for puzzle in puzzles]

    tables, cost = [], {}
    for group in GROUPS:
        features = SolverFeatures(groups=[group])
        features.transform(puzzles[:1])
        start = time.process_time()
        values = features.transform(puzzles)
        cost[group] = (time.process_time() - start) / len(puzzles) * 1000
        tables.append(pd.DataFrame(values, columns=feature_names([group])))
    table = pd.concat(tables, axis=1)
    known = np.array([puzzle in d_to for puzzle in puzzles])
    targets = {
        "mean seconds": (table, seconds, weight, keys),
        "D_TO": (
            table[known].reset_index(drop=True),
            np.array([d_to[puzzle] for puzzle in puzzles if puzzle in d_to]),
            np.ones(int(known.sum())),
            [key for key, k in zip(keys, known, strict=True) if k],
        ),
    }
    print(f"{n:,} puzzles, {int(known.sum())} with D_TO; Pearson on log / Spearman\n")
    print(
        "| group | ms a puzzle | mean seconds: alone | with the model "
        "| D_TO: alone | with the model |"
    )
    print("| --- | ---: | --- | --- | --- | --- |")

    def line(name, milliseconds, choices):
        cells = []
        for frame, times, weights, groups in targets.values():
            for columns in choices:
                pearson, spearman = held_out(frame, columns, times, weights, groups)
                cells.append(f"{pearson:.3f} / {spearman:.3f}")
        print(f"| {name} | {milliseconds:.2f} | {' | '.join(cells)} |", flush=True)

    base = cost["refutation"] + cost["search_time"]
    line("the shipped model", base, [DEFAULT_COLUMNS] * 2)
    for group in GROUPS:
        own = [name for name in feature_names([group]) if table[name].std() > 0]
        line(group, cost[group], [own, list(dict.fromkeys([*DEFAULT_COLUMNS, *own]))])
    without = [name for name in DEFAULT_COLUMNS if name.startswith("search_time")]
    line("the model without refutation", cost["search_time"], [without] * 2)


if __name__ == "__main__":
    main()

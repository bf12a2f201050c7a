"""Measure how much each feature group improves the rating of a Sudoku, and its cost.

First table: every group by itself, and added to the shipped model, on each set of human times.
Second: the shipped model's groups in all combinations, by cost: the accuracy-per-millisecond
curve. Costs are milliseconds of one thread per Cloud Sudoku puzzle, with the group's own number of
runs, in processor time.

Run: python benchmarks/feature_value.py [--games N] (needs the Cloud Sudoku times and move logs)
"""

import argparse
import time
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from nando.features import GROUPS, SolverFeatures, feature_names, groups_of, kinds_of
from nando.rating import LinearRater
from nando.rating.estimator import grouped_folds
from nando.rating.kinds import default_columns
from nando.rating.training import known_training

SUDOKU_GROUPS = [name for name in GROUPS if "sudoku" in kinds_of([name])]


class Times:
    """One set of human times, with the features of its puzzles as they are asked for."""

    def __init__(self, puzzles, seconds, weight, like=None):
        self.puzzles = puzzles
        self.logs = np.log(seconds)
        self.weight = np.ones(len(puzzles)) if weight is None else np.asarray(weight)
        self.keys = [puzzle.equivalence_key() for puzzle in puzzles]
        self.like = like  # times of the same puzzles
        self._table = pd.DataFrame(index=range(len(puzzles)))

    @property
    def table(self):
        """Features computed so far."""
        return self._table if self.like is None else self.like.table

    def compute(self, group):
        """Add the columns of a group; milliseconds a puzzle."""
        if self.like is not None:
            return 0.0
        features = SolverFeatures(groups=[group])
        features.transform(self.puzzles[: len(self.puzzles) // 20 + 1])  # compile every branch
        start = time.process_time()
        values = features.transform(self.puzzles)
        seconds = time.process_time() - start
        columns = pd.DataFrame(values, columns=feature_names([group]))
        self._table = pd.concat([self._table, columns], axis=1)
        return seconds / len(self.puzzles) * 1000

    def score(self, columns, repeats=3):
        """Pearson on log and Spearman of ten-fold predictions, means over repeats."""
        columns = [name for name in columns if self.table[name].std() > 0]
        if not columns:
            return "constant"
        model = LinearRater(tuple(columns), alpha=30.0 if len(columns) > 20 else 0.01)
        values = self.table[columns].to_numpy()
        scores = []
        for seed in range(repeats):
            predicted = np.empty_like(self.logs)
            for train, test in grouped_folds(self.keys, len(self.logs), 10, seed):
                model._fit_line(values[train], self.logs[train], self.weight[train])
                predicted[test] = model.log_seconds(values[test])
            pearson = np.corrcoef(predicted, self.logs)[0, 1]
            scores.append((pearson, spearmanr(predicted, self.logs).statistic))
        return "{:.3f} / {:.3f}".format(*np.mean(scores, axis=0))


def chosen_times(games):
    """Mean seconds and D_TO of the puzzles that have both, and evenly spaced games."""
    typical = known_training("sudoku", "D_TO")
    means = known_training("sudoku", "mean_seconds")
    place = {puzzle: i for i, puzzle in enumerate(means.puzzles)}
    both = [place[puzzle] for puzzle in typical.puzzles]
    played = known_training("sudoku", "game_seconds")
    kept = slice(None, None, max(len(played.puzzles) // games, 1))
    seconds, players = ([column[i] for i in both] for column in means[1:3])
    by_seconds = Times(typical.puzzles, seconds, players)
    return {
        "mean seconds": by_seconds,
        "D_TO": Times(typical.puzzles, typical[1], None, like=by_seconds),
        "games": Times(played.puzzles[kept], played[1][kept], None),
    }


def main():
    """Print both tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=120, help="games of the move logs")
    options = parser.parse_args()
    times = chosen_times(options.games)
    cost = {}
    base = list(default_columns("sudoku"))
    own_groups = groups_of(base)
    for group in own_groups:
        costs = [crowd.compute(group) for crowd in times.values()]
        cost[group] = costs[0]
    sizes = ", ".join(f"{name} {len(t.puzzles):,}" for name, t in times.items())
    print(f"Puzzles: {sizes}; Pearson on log / Spearman, held out\n")
    heads = " | ".join(f"{name}: alone | with the model" for name in times)
    print(f"| group | ms a puzzle | {heads} |")
    print("| --- | ---: |" + " --- | --- |" * len(times))

    def line(name, milliseconds, choices):
        cells = [crowd.score(columns) for crowd in times.values() for columns in choices]
        print(f"| {name} | {milliseconds:.2f} | {' | '.join(cells)} |", flush=True)

    line("the shipped model", sum(cost[group] for group in own_groups), [base, base])
    for group in SUDOKU_GROUPS:
        if group not in cost:
            costs = [crowd.compute(group) for crowd in times.values()]
            cost[group] = costs[0]
        own = feature_names([group])
        line(group, cost[group], [own, list(dict.fromkeys([*base, *own]))])

    print("\n| groups of the model | ms a puzzle | " + " | ".join(times) + " |")
    print("| --- | ---: |" + " --- |" * len(times))
    subsets = [
        subset
        for size in range(1, len(own_groups) + 1)
        for subset in combinations(own_groups, size)
    ]
    for subset in sorted(subsets, key=lambda subset: sum(cost[group] for group in subset)):
        given = set(feature_names(subset))
        columns = [name for name in base if name in given]
        line(", ".join(subset), sum(cost[group] for group in subset), [columns])


if __name__ == "__main__":
    main()

"""Look for causes that people share in what the common scale misses, each crowd left out in turn.

Each candidate changes the difficulty of all puzzles by one number. The number is chosen on the data
sets of the other crowds, by the mean of their rank correlations, each data set counting the same;
the scale is fitted to these crowds, too. The candidate is then judged on the crowd left out: the
change of Spearman's correlation with its 95 % interval, from samples of paired classes. The list
was written down before anything was computed. Two things were changed after a first run: 1 by 1 +
the fewest ways open, as the narrowest moment, was the same for all puzzles, since the last cell is
always the only one; and "kept" did not yet allow for the number of candidates.

Candidates that are one more part, added to the looks with a weight of at least 0. They are counted
in 16 games of the technique race, unless a column is named:

- slowest look: the longest look for a single.
- dry spell: the longest run of fills with at most two ways open.
- time in dry spells: the time of looks with at most two ways open, and one look for an impasse.
- impasses in a row: the longest run of impasses.
- pairs and more: fills at impasses that locked candidates do not open.
- any impasse: 1 for a game that has one, a fixed price for leaving the search for singles.
- any pair: 1 for a game in which locked candidates are not enough.
- narrowest moment: the empty cells for each way open, where they are most; impasses apart.
- early narrow moment: the share of cells still empty at the first moment with one way open.
- eye's way: the sum of the distances, in cells, from fill to fill.
- eye's way in dry spells: the same, of fills with at most two ways open.
- spread of games: the standard deviation of the looks of the 16 games.
- refutation sum: the column ``log_refutation_sum``, and its antilogarithm.
- worst refutation: the column ``refutation_max``.
- hardest step: the column ``se_rating``.
- few openings: 1 by the column ``dependency_25``.

Changed forms of the sum:

- power of the sum: parts are summed by a power mean; 1 is the sum, towards 0 the sum of logarithms.
- power of a look: each look counts by a power of its length.
- power of thought: the parts beyond singles, together, count by a power.
- emptiness: a look grows with a power of the empty cells, which is 0.5 in the race.
- more sweep: the part of the digit sweep is multiplied.
- more for pairs: the parts of pairs and of larger patterns are multiplied.

A candidate passes if no crowd left out has an interval below 0, at least one has an interval above
0, and the mean change over the data sets is above 0. It is kept if the one interval is still above
0 when it is widened for the number of candidates (Bonferroni). The last column says which are.

    python benchmarks/residuals.py
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nando.evaluation.crowds import Target, crowd_targets
from nando.evaluation.scores import bootstrap, score_of, spearman
from nando.features.classes import stream_of
from nando.puzzles import Sudoku
from nando.rating.scale.crowds import Scale
from nando.rating.scale.parts import PART_COLUMNS, PARTS, THOUGHT, parts_of
from nando.rating.scale.published import columns_by_class, published_crowds, scale_without
from nando.solvers import TechniqueRace
from nando.solvers.protocol import Rule
from nando.stages import counted

Floats = NDArray[np.float64]
Form = Callable[[Floats, pd.DataFrame, float], Floats]
"""Log difficulty from the weighted parts, the columns and the number of a candidate."""

GAMES = 16
FEW_WAYS = 2
COLUMNS = ("givens", "log_refutation_sum", "refutation_max", "se_rating", "dependency_25")
SHARES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
"""Sizes of one more part to choose from: its mean by that of the sum of the others."""
POWERS = (1.0, 0.95, 1.05, 0.9, 1.1, 0.8, 1.25, 0.7, 1.5)
EMPTINESS = (0.5, 0.4, 0.6, 0.3, 0.7, 0.0, 1.0)
TIMES = (1.0, 0.9, 1.1, 0.75, 1.25, 0.5, 1.5, 2.0)
SEARCHING = [part.name in ("boxes", "lines", "cells") for part in PARTS]
THINKING = [part.name in THOUGHT for part in PARTS]


def causes_of(key: str) -> dict[str, float]:
    """Return what games of the race say about a class of puzzles; means over the games."""
    puzzle, race = Sudoku(key), TechniqueRace()
    rows: dict[str, list[float]] = {}
    for seed in np.random.SeedSequence(stream_of(key)).spawn(GAMES):
        trace = race.run(puzzle, rng=np.random.default_rng(seed)).trace
        once = race.profile(puzzle, runs=1, rng=np.random.default_rng(seed))
        impasse = (trace["rule"] == Rule.ELIMINATION) | (trace["rule"] == Rule.GUESS)
        ways = np.where(impasse, 0, trace["options"])
        few = ways <= FEW_WAYS
        looks = trace["cost"]
        blanks = len(trace) - np.arange(len(trace))
        row, column = np.divmod(trace["cell"].astype(int), puzzle.size)
        moved = np.append(0.0, np.hypot(np.diff(row), np.diff(column)))
        alone = ways == 1
        beyond_locked = once.pairs + once.triplets + once.beyond
        thought = 3.5 * once.locked + 7.0 * once.pairs + 12.0 * (once.triplets + once.beyond)
        game = {
            "slowest look": looks.max(initial=0.0),
            "dry spell": longest(few),
            "time in dry spells": looks[few].sum() + impasse.sum(),
            "impasses in a row": longest(impasse),
            "pairs and more": beyond_locked,
            "any impasse": float(impasse.any()),
            "any pair": float(beyond_locked > 0),
            "narrowest moment": (blanks / np.maximum(ways, 1))[~impasse].max(initial=1.0),
            "early narrow moment": blanks[alone].max(initial=1) / len(trace),
            "eye's way": moved.sum(),
            "eye's way in dry spells": moved[few].sum(),
            "looks": looks.sum() + thought,
            **{f"looks to {power:g}": (looks[looks > 0] ** power).sum() for power in POWERS},
            **{
                f"emptiness to {power:g}": (looks * (blanks / 27.0) ** (power - 0.5)).sum()
                for power in EMPTINESS
            },
        }
        for name, value in game.items():
            rows.setdefault(name, []).append(float(value))
    means = {name: float(np.mean(values)) for name, values in rows.items()}
    return means | {"spread of games": float(np.std(rows["looks"]))}


def longest(flags: NDArray[np.bool_]) -> int:
    """Return the length of the longest run of true flags."""
    most = run = 0
    for flag in flags.tolist():
        run = run + 1 if flag else 0
        most = max(most, run)
    return most


def one_more(column: str, weighted: Floats, table: pd.DataFrame, share: float) -> Floats:
    """Add a column to the looks; its mean is a share of theirs."""
    more = table[column].to_numpy()
    looks = weighted.sum(axis=1)
    return np.asarray(np.log(looks + share * looks.mean() / more.mean() * more))


def power_of_sum(weighted: Floats, _table: pd.DataFrame, power: float) -> Floats:
    """Sum the parts by a power mean."""
    return np.asarray(np.log((weighted**power).sum(axis=1)) / power)


def exchanged(stem: str, weighted: Floats, table: pd.DataFrame, power: float) -> Floats:
    """Let the time of all looks change as a column does."""
    changed, before = (table[f"{stem} {each:g}"].to_numpy() for each in (power, NEUTRAL[stem]))
    factor = changed / before * (before.mean() / changed.mean())
    searching = weighted[:, SEARCHING].sum(axis=1)
    return np.asarray(np.log(weighted.sum(axis=1) + searching * (factor - 1.0)))


NEUTRAL = {"looks to": POWERS[0], "emptiness to": EMPTINESS[0]}


def power_of_thought(weighted: Floats, _table: pd.DataFrame, power: float) -> Floats:
    """Let the parts beyond singles count by a power, with the same mean."""
    thought = weighted[:, THINKING].sum(axis=1)
    changed = thought**power
    changed *= thought.mean() / changed.mean()
    return np.asarray(np.log(weighted.sum(axis=1) - thought + changed))


def multiplied(names: Sequence[str], weighted: Floats, _table: pd.DataFrame, by: float) -> Floats:
    """Multiply some parts."""
    chosen = [part.name in names for part in PARTS]
    return np.asarray(np.log((weighted * np.where(chosen, by, 1.0)).sum(axis=1)))


PARTS_TRIED = (
    "slowest look",
    "dry spell",
    "time in dry spells",
    "impasses in a row",
    "pairs and more",
    "any impasse",
    "any pair",
    "narrowest moment",
    "early narrow moment",
    "eye's way",
    "eye's way in dry spells",
    "spread of games",
    "refutation sum",
    "refutation sum, logarithm",
    "worst refutation",
    "hardest step",
    "few openings",
)

CANDIDATES: dict[str, tuple[Form, Sequence[float]]] = {
    **{name: (partial(one_more, name), SHARES) for name in PARTS_TRIED},
    "power of the sum": (power_of_sum, POWERS),
    "power of a look": (partial(exchanged, "looks to"), POWERS),
    "power of thought": (power_of_thought, POWERS),
    "emptiness": (partial(exchanged, "emptiness to"), EMPTINESS),
    "more sweep": (partial(multiplied, ("digits",)), TIMES),
    "more for pairs": (partial(multiplied, ("pairs", "larger")), TIMES),
}
"""The form of each candidate and its numbers to choose from, of which the first changes nothing."""


WIDER = NormalDist().inv_cdf(1 - 0.025 / len(CANDIDATES)) / NormalDist().inv_cdf(0.975)
"""How much wider an interval is when it stands for all candidates."""


def all_columns(targets: Sequence[Target], file: Path | None) -> pd.DataFrame:
    """Return the columns of all classes, from a file if there is one."""
    if file is not None and file.exists():
        return pd.read_csv(file, index_col=0)
    keys = list(dict.fromkeys(key for target in targets for key in target.crowd.classes))
    table = columns_by_class(keys, (*PART_COLUMNS, *COLUMNS))
    causes = [causes_of(key) for key in counted(keys, "classes", len(keys))]
    table = table.join(pd.DataFrame(causes, index=keys)).assign(
        **{
            "refutation sum": np.expm1(table["log_refutation_sum"]),
            "refutation sum, logarithm": table["log_refutation_sum"],
            "worst refutation": table["refutation_max"],
            "hardest step": table["se_rating"],
            "few openings": 1.0 / table["dependency_25"],
        }
    )
    if file is not None:
        table.to_csv(file)
    return table


class Study:
    """Targets, the columns of their puzzles, and the scales that never saw their data sets."""

    def __init__(self, targets: Sequence[Target], table: pd.DataFrame, n_bootstrap: int) -> None:
        crowds = published_crowds()
        parts = dict(zip(table.index, parts_of(table[list(PART_COLUMNS)].to_numpy()), strict=True))
        known = {name: crowd.on(parts) for name, crowd in crowds.items()}
        self.data_sets = list(dict.fromkeys(target.crowd.data_set for target in targets))
        self.scales: Mapping[str, Scale] = {
            name: scale_without(name, crowds, known) for name in self.data_sets
        }
        self.targets, self.table = targets, table
        self.parts = np.array(list(parts.values()))
        place = {key: i for i, key in enumerate(table.index)}
        self.rows = {
            target.name: np.array([place[key] for key in target.crowd.classes])
            for target in targets
        }
        self.samples = {
            target.name: bootstrap(target.crowd.classes, n_bootstrap, 0) for target in targets
        }

    def difficulties(self, form: Form, number: float, without: str) -> Floats:
        """Return the log difficulty of all classes on the scale without a data set."""
        return form(self.scales[without].weighted(self.parts), self.table, number)

    def rank(self, target: Target, difficulty: Floats) -> float:
        """Return the rank correlation with a target."""
        return spearman(difficulty[self.rows[target.name]], target.crowd.responses)

    def chosen(self, form: Form, numbers: Sequence[float], without: str) -> float:
        """Return the number that suits the other data sets best, of equal ones the first."""

        def suits(number: float) -> float:
            difficulty = self.difficulties(form, number, without)
            by_set: dict[str, list[float]] = {}
            for target in self.targets:
                if target.crowd.data_set != without and target.levels is None:
                    rank = self.rank(target, difficulty)
                    by_set.setdefault(target.crowd.data_set, []).append(rank)
            return float(np.mean([np.mean(ranks) for ranks in by_set.values()]))

        return max(numbers, key=suits)

    def missed(self, target: Target, column: str) -> float:
        """Return the rank correlation of a column with what the scale misses."""
        rows, actual = self.rows[target.name], target.crowd.responses
        difficulty = self.scales[target.crowd.data_set].difficulty(self.parts[rows])
        logs = actual if target.crowd.levels else np.log(actual)
        slope, offset = np.polyfit(difficulty, logs, 1)
        return spearman(self.table[column].to_numpy()[rows], logs - offset - slope * difficulty)

    def row(self, name: str) -> list[str]:
        """Judge a candidate on each crowd left out."""
        form, numbers = CANDIDATES[name]
        chosen = {data_set: self.chosen(form, numbers, data_set) for data_set in self.data_sets}
        cells, changes, hurts, helps, clearly = [], {}, False, False, False
        for target in self.targets:
            left_out, rows = target.crowd.data_set, self.rows[target.name]
            both = np.stack(
                [
                    self.difficulties(form, number, left_out)[rows]
                    for number in (chosen[left_out], numbers[0])
                ],
                axis=1,
            )
            change = score_of(gained, both[None], target.crowd.responses, self.samples[target.name])
            cells.append(f"{change.value:+.3f} [{change.low:+.3f}, {change.high:+.3f}]")
            changes.setdefault(left_out, []).append(change.value)
            hurts |= change.high < 0
            helps |= change.low > 0
            clearly |= change.value - WIDER * (change.value - change.low) > 0
        mean = float(np.mean([np.mean(values) for values in changes.values()]))
        used = " ".join(f"{chosen[data_set]:g}" for data_set in self.data_sets)
        passes = helps and not hurts and mean > 0
        verdict = "dropped" if not passes else "kept" if clearly else "passes, perhaps by chance"
        return [name, used, *cells, f"{mean:+.4f}", verdict]


def gained(both: Floats, actual: Floats) -> float:
    """Return what the first column's rank correlation has more than the second's."""
    return spearman(both[:, 0], actual) - spearman(both[:, 1], actual)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--columns", type=Path, help="keep the columns in this CSV file")
    parser.add_argument("--bootstrap", type=int, default=1000)
    options = parser.parse_args()
    targets = crowd_targets(published_crowds())
    study = Study(targets, all_columns(targets, options.columns), options.bootstrap)
    names = [target.name for target in targets]
    print("Rank correlation, crowds left out\ncrowd | puzzles | nando | givens")
    for target in targets:
        rows, actual = study.rows[target.name], target.crowd.responses
        difficulty = study.scales[target.crowd.data_set].difficulty(study.parts[rows])
        score = score_of(spearman, difficulty[None], actual, study.samples[target.name])
        givens = spearman(-study.table["givens"].to_numpy()[rows], actual)
        print(f"{target.name} | {len(rows)} | {score} | {givens:.3f}")
    print("\nRank correlation with what the scale misses\n" + " | ".join(["cause", *names]))
    for name in PARTS_TRIED:
        print(" | ".join([name, *(f"{study.missed(target, name):+.3f}" for target in targets)]))
    print("\nChange of the rank correlation, crowds left out; the number that each was judged with")
    heads = f"candidate | without {', '.join(study.data_sets)}"
    print(" | ".join([heads, *names, "mean of data sets", "kept"]))
    for name in CANDIDATES:
        print(" | ".join(study.row(name)), flush=True)


if __name__ == "__main__":
    main()

"""Krivanek 2011, and what Pelanek 2014 has of it: metrics beside human times, orders of fills."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.datasets import (
    DATASETS,
    DataNotFoundError,
    fetch_sudoku_insight,
    fill_times,
)
from nando.evaluation.published import PUBLISHED
from nando.puzzles import Sudoku
from nando.reproduction.core import Cell, Curve, Experiment, Findings, Published, Settings
from nando.reproduction.human_times import NOT_PUBLIC, SETS, human_times, pearson
from nando.solvers import (
    Annealing,
    BruteForce,
    HarmonySearch,
    Limit,
    LogicSolver,
    Refutation,
    Relaxation,
    count_many,
)

_OWN_NAMES = {"backtracking": "brute force", "simulated annealing": "annealing, median steps"}
_PUBLISHED = {
    _OWN_NAMES.get(name, name): both for name, both in PUBLISHED.items() if name != "SFRD"
}
_EASIER = ("number of givens", "relaxation, fixedness", "dependency")
"""Large on easy puzzles; the papers print magnitudes."""
_UNKNOWN = {
    "Fowler's": (0.68, 0.87, "the formula is unknown and its site gone"),
    "SFRD": (*PUBLISHED["SFRD"], "needs Fowler's metric"),
    "Serate LM": (0.78, 0.86, "the thirteen techniques and their counting are not given"),
}


class _Effort(NamedTuple):
    runs: int
    costly_runs: int
    samples: int


def _metrics(task: tuple[Sudoku, _Effort], rng: np.random.Generator) -> dict[str, float]:
    puzzle, effort = task
    refutation = Refutation().profile(puzzle, runs=effort.runs, rng=rng)
    relaxation = Relaxation().profile(puzzle, runs=effort.samples, rng=rng)
    annealing = Annealing.thesis().profile(
        puzzle, runs=effort.costly_runs, rng=rng, limit=Limit(steps=6_000_000)
    )
    return {
        "brute force": BruteForce().profile(puzzle, runs=effort.runs, rng=rng).steps,
        "harmony search": HarmonySearch()
        .profile(puzzle, runs=effort.costly_runs, rng=rng)
        .best_cost,
        "number of givens": float(puzzle.n_givens),
        "annealing, median steps": annealing.steps,
        "relaxation, solutions": relaxation.extra_solutions,
        "relaxation, fixedness": relaxation.fixed_blanks,
        "dependency": refutation.dependency(25),
        "refutation sum": refutation.refutation_sum,
        "Serate": LogicSolver().profile(puzzle).rating,
    }


def _half_splits(
    columns: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
) -> tuple[float, float]:
    """Fit a line to one half and return its mean correlation on the other, over 200 splits."""
    found = []
    terms = np.column_stack([columns, np.ones(len(columns))])
    for _ in range(200):
        order = rng.permutation(len(y))
        train, test = order[: len(y) // 2], order[len(y) // 2 :]
        weights = np.linalg.lstsq(terms[train], y[train], rcond=None)[0]
        found.append(np.corrcoef(terms[test] @ weights, y[test])[0, 1])
    return float(np.mean(found)), float(np.std(found))


def _correlations(settings: Settings) -> Findings:
    most = settings.pick(120, 2000)
    effort = settings.pick(_Effort(10, 3, 30), _Effort(30, 11, 100))
    cells: list[Cell] = []
    curves: list[Curve] = []
    used = []
    for place, (source, name) in enumerate(SETS.items()):
        lost = [
            Cell(metric, source, Published.lost(why, values[place]))
            for metric, (*values, why) in _UNKNOWN.items()
        ]
        try:
            times = human_times(name, most)
        except DataNotFoundError as error:
            cells += lost + [
                Cell(metric, source, Published.lost(str(error), values[place]))
                for metric, values in _PUBLISHED.items()
            ]
            continue
        used.append(f"{len(times.puzzles):,} of {name}")
        rows = settings.map(f"metrics, {name}", _metrics, [(p, effort) for p in times.puzzles])
        found = {
            metric: pearson(
                (-1 if metric in _EASIER else 1) * np.array([row[metric] for row in rows]),
                times.seconds,
            )
            for metric in rows[0]
        }
        terms = np.array([[row["refutation sum"], row["dependency"]] for row in rows])
        rng = np.random.default_rng([settings.seed, place])
        found["RD"] = _half_splits(terms, times.seconds, rng)
        cells += [
            Cell(
                metric,
                source,
                Published.near(values[place], 0.1, "other", NOT_PUBLIC),
                *found[metric],
            )
            for metric, values in _PUBLISHED.items()
        ]
        cells += lost + _orders(source, found, place)
        xs = [float(i) for i in range(1, len(_PUBLISHED) + 1)]
        curves += [
            Curve(source, "published", xs, [v[place] for v in _PUBLISHED.values()], True),
            Curve(source, f"measured, {name}", xs, [found[m][0] for m in _PUBLISHED]),
        ]
    about = f"{'; '.join(used) or 'none'}; {effort.runs} runs, {effort.costly_runs} of annealing"
    return Findings(f"{about} and harmony search; seconds as they are", cells, curves)


def _orders(source: str, found: dict[str, tuple[float, float]], place: int) -> list[Cell]:
    """Return the order of pairs of metrics and the similarity of the two rankings."""
    from scipy.stats import spearmanr

    published = [values[place] for values in _PUBLISHED.values()]
    alike = float(spearmanr(published, [found[metric][0] for metric in _PUBLISHED]).statistic)
    cells = [
        Cell(
            "all metrics",
            f"rank correlation with {source}",
            Published(1.0, 0.5, 1.0, "order", "metrics that are good there are good here"),
            alike,
        )
    ]
    for better, worse in (
        ("refutation sum", "brute force"),
        ("refutation sum", "harmony search"),
        ("dependency", "number of givens"),
        ("relaxation, fixedness", "relaxation, solutions"),
        ("RD", "refutation sum"),
        ("RD", "dependency"),
    ):
        claim = _PUBLISHED[better][place] - _PUBLISHED[worse][place]
        cells.append(
            Cell(
                f"{better} above {worse}",
                source,
                Published(round(claim, 2), 0.0, instances="order"),
                found[better][0] - found[worse][0],
                math.hypot(found[better][1], found[worse][1]),
            )
        )
    return cells


# Orders of fills.

_ORDERS = {
    "annealing": (0.58, 0.43, 0.27, 0.42, 0.58, 0.32, 0.72, 0.50, 0.69, 0.71),
    "brute force": (0.33, 0.18, 0.14, -0.11, 0.22, 0.01, 0.39, -0.23, 0.50, 0.38),
}


def _order_of(
    task: tuple[Sudoku, NDArray[np.float64], _Effort], rng: np.random.Generator
) -> tuple[float, float, float, float]:
    puzzle, seconds, effort = task
    filled = np.isfinite(seconds)
    rank = seconds[filled].argsort().argsort()
    places = (
        Refutation().profile(puzzle, runs=effort.runs, rng=rng).order,
        -Relaxation().profile(puzzle, runs=effort.samples, rng=rng).fixedness,
        Annealing.thesis()
        .profile(puzzle, runs=effort.costly_runs, rng=rng, limit=Limit(steps=6_000_000))
        .order,
        BruteForce().profile(puzzle, runs=effort.runs, rng=rng).order,
    )
    a, b, c, d = (pearson(place[filled], rank)[0] for place in places)
    return a, b, c, d


def _order(settings: Settings) -> Findings:
    lost = [
        Cell(f"{solver}, puzzle {i}", "order", Published.lost("the ten puzzles are not public", r))
        for solver, values in _ORDERS.items()
        for i, r in enumerate(values, 1)
    ]
    count = settings.pick(60, 500)
    effort = settings.pick(_Effort(20, 5, 50), _Effort(100, 30, 200))
    names = ("SiSuS", "fixedness", "annealing", "brute force")
    wanted = {
        "SiSuS": Published(0.9, 0.8, 0.98, "other", 'most "0.85 to 0.95", of 15 puzzles'),
        "fixedness": Published.lost("no number printed: slightly below SiSuS"),
        **{
            solver: Published.near(round(float(np.mean(values)), 3), 0.15, "other", NOT_PUBLIC)
            for solver, values in _ORDERS.items()
        },
    }
    row = "mean over games"
    tasks = _games(count, effort)
    if tasks is None:
        why = "the data set sudoku_insight is not at hand: `nando datasets sudoku_insight --fetch`"
        missing = [Cell(row, name, Published.lost(why, wanted[name].value)) for name in names]
        return Findings("none", missing + lost)
    found = np.array(settings.map("orders", _order_of, tasks))
    mean = np.nanmean(found, axis=0)
    error = np.nanstd(found, axis=0) / math.sqrt(len(found))
    cells = [
        Cell(
            row,
            name,
            wanted[name],
            None if name == "fixedness" else float(mean[i]),
            float(error[i]),
        )
        for i, name in enumerate(names)
    ]
    for better, worse, claim in (
        ("SiSuS", "fixedness", None),
        ("SiSuS", "annealing", None),
        ("annealing", "brute force", 0.341),
    ):
        i, j = names.index(better), names.index(worse)
        difference = found[:, i] - found[:, j]
        cells.append(
            Cell(
                row,
                f"{better} less {worse}",
                Published(claim, 0.0, instances="order"),
                float(np.nanmean(difference)),
                float(np.nanstd(difference) / math.sqrt(len(found))),
            )
        )
    ordered = np.sort(found, axis=0)
    x = [float(i) for i in np.linspace(0, 1, len(found))]
    curves = [
        Curve("correlation, games from low to high", name, x, ordered[:, i].tolist())
        for i, name in enumerate(names)
    ]
    about = f"{len(tasks)} games of sudoku_insight, {effort.runs} runs, {effort.costly_runs} of"
    return Findings(f"{about} annealing", cells + lost, curves)


def _games(count: int, effort: _Effort) -> list[Any] | None:
    """Return completed games with one solution: puzzle, seconds of each cell, effort."""
    if not DATASETS["sudoku_insight"][0].is_available():
        return None
    data = fetch_sudoku_insight(as_frame=True)
    kept = np.flatnonzero(data.frame["completed"].to_numpy() & (count_many(data.puzzles) == 1))
    kept = kept[np.unique(np.linspace(0, len(kept) - 1, count).round().astype(int))]
    events = dict(list(data.events.groupby("game")))
    return [
        (
            data.puzzles[place],
            fill_times(events[data.frame["game"].iloc[place]], data.puzzles[place]),
            effort,
        )
        for place in kept
    ]


EXPERIMENTS = (
    Experiment(
        "thesis-correlations",
        "Krivanek 2011; Pelanek 2014, correlations with time",
        "Pearson correlation of each metric with human seconds.",
        _correlations,
        ("metric, as in the table", ""),
    ),
    Experiment(
        "thesis-order",
        "Krivanek 2011; Pelanek 2014, orders of fills",
        "Correlation of a solver's order of cells with that of people.",
        _order,
        ("share of games", ""),
    ),
)

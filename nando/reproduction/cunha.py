"""Cunha, Silva and Maciel 2013: multistart colouring, breadth first and depth first."""

from typing import get_args

import numpy as np

from nando.puzzles import Sudoku
from nando.reproduction.core import (
    Cell,
    Curve,
    Experiment,
    Findings,
    Published,
    Settings,
    share_error,
)
from nando.reproduction.instances import benchmark
from nando.solvers import Multistart
from nando.solvers.search.multistart import Origin, Traversal

_LISTS = (9, 7, 5, 3)
_ORIGINS: tuple[Origin, ...] = get_args(Origin)
_TRAVERSALS: tuple[Traversal, ...] = get_args(Traversal)
_PUZZLES = {
    "easy": ("s10a", "s10b"),
    "medium": ("s11a", "s11b"),
    "hard": ("s12a", "s12b"),
    "expert": ("s09b", "s16"),
}
_OTHERS = "the eight puzzles are lost; two with this label of Mantere and Koljonen's stand for them"

# Percent of 20 tests; a row a list length, and in it the four origins of each traversal.
_TABLES = {
    "easy": (
        ((30, 70, 80, 80), (100, 100, 100, 85)),
        ((60, 60, 70, 80), (95, 95, 90, 90)),
        ((30, 50, 75, 80), (100, 95, 90, 100)),
        ((10, 25, 60, 60), (100, 90, 95, 90)),
    ),
    "medium": (
        ((40, 10, 30, 25), (15, 15, 15, 5)),
        ((30, 45, 55, 35), (5, 15, 5, 20)),
        ((30, 30, 45, 20), (10, 5, 15, 10)),
        ((25, 20, 45, 30), (25, 10, 10, 15)),
    ),
    "hard": (
        ((35, 35, 40, 30), (15, 5, 0, 10)),
        ((30, 50, 40, 35), (15, 15, 20, 10)),
        ((30, 35, 45, 60), (30, 10, 10, 20)),
        ((25, 25, 35, 40), (10, 20, 10, 0)),
    ),
    "expert": (
        ((5, 0, 0, 5), (0, 5, 0, 5)),
        ((0, 0, 0, 0), (0, 0, 0, 0)),
        ((0, 5, 10, 0), (0, 0, 0, 0)),
        ((0, 0, 5, 0), (0, 0, 0, 0)),
    ),
}

Task = tuple[Multistart, Sudoku, int]


def _share(task: Task, rng: np.random.Generator) -> float:
    solver, puzzle, runs = task
    return solver.profile(puzzle, runs=runs, rng=rng).solved_share


def _measure(settings: Settings) -> Findings:
    runs = 10
    puzzles = benchmark()
    keys, tasks = [], []
    for level, names in _PUZZLES.items():
        for list_size in _LISTS:
            for traversal in _TRAVERSALS:
                for origin in _ORIGINS:
                    solver = Multistart(traversal, list_size, origin)
                    keys.append((level, list_size, traversal, origin))
                    tasks += [(solver, puzzles[name], runs) for name in names]
    shares = np.array(settings.map("multistart", _share, tasks))
    percent = 100 * shares.reshape(len(_PUZZLES), len(_LISTS), 2, len(_ORIGINS), 2).mean(axis=-1)
    published = np.array([_TABLES[level] for level in _PUZZLES], float)
    n = 2 * runs
    cells = [
        Cell(
            f"{level}, list of {list_size}",
            f"{traversal}, {origin}",
            Published.near(value, 11, "other", _OTHERS),
            found,
            100 * share_error(found / 100, n),
        )
        for (level, list_size, traversal, origin), value, found in zip(
            keys, published.ravel().tolist(), percent.ravel().tolist(), strict=True
        )
    ]
    means, was = percent.mean(axis=(1, 3)), published.mean(axis=(1, 3))
    # The standard error of a difference of two means over 16 tables of n tests each.
    error = 100 * np.sqrt(2 * 0.25 / (len(_LISTS) * len(_ORIGINS) * n))

    def order(row: str, column: str, value: float, found: float, low: float, high: float) -> Cell:
        claim = Published(round(value, 1), low, high, "order", _OTHERS)
        return Cell(row, column, claim, found, float(error))

    cells += [
        order("easy", "depth less breadth, mean", *_two(was[0], means[0], sign=1), 0.0, np.inf),
        *(
            order(level, "breadth less depth, mean", *_two(was[i], means[i], sign=-1), 0.0, np.inf)
            for i, level in ((1, "medium"), (2, "hard"))
        ),
        *(
            order("expert", f"mean, {name}", float(was[3][i]), float(means[3][i]), 0.0, 10.0)
            for i, name in enumerate(_TRAVERSALS)
        ),
        order(
            "medium and hard",
            "difference of means",
            float(was[1].mean() - was[2].mean()),
            float(means[1].mean() - means[2].mean()),
            -10.0,
            10.0,
        ),
    ]
    levels = list(range(1, len(_PUZZLES) + 1))
    curves = [
        Curve(
            "mean over lists and origins, %", f"{name}, {what}", [float(x) for x in levels], y, of
        )
        for i, name in enumerate(_TRAVERSALS)
        for what, y, of in (
            ("published", was[:, i].tolist(), True),
            ("measured", means[:, i].tolist(), False),
        )
    ]
    return Findings(f"2 puzzles a level, {runs} runs of 10,000 constructions", cells, curves)


def _two(was: np.ndarray, now: np.ndarray, *, sign: int) -> tuple[float, float]:
    return sign * float(was[1] - was[0]), sign * float(now[1] - now[0])


EXPERIMENTS = (
    Experiment(
        "cunha",
        "Cunha, Silva and Maciel 2013, tables 1 to 4",
        "Percent of tests that multistart colouring solves, by traversal, origin and list.",
        _measure,
        ("level, easy to expert", ""),
    ),
)

"""Cunha, Silva and Maciel 2013: multistart colouring, breadth first and depth first."""

from itertools import product
from typing import get_args

import numpy as np

from nando.puzzles import Sudoku
from nando.reproduction import core
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
_PLACES = list(product(_PUZZLES, _LISTS, _TRAVERSALS, _ORIGINS))

Task = tuple[Multistart, Sudoku, int]


def _share(task: Task, rng: np.random.Generator) -> float:
    solver, puzzle, runs = task
    return solver.profile(puzzle, runs=runs, rng=rng).solved_share


def _key(level: str, list_size: int, traversal: str, origin: str) -> tuple[str, str]:
    return f"{level}, list of {list_size}", f"{traversal}, {origin}"


def tables(settings: core.Settings) -> core.Findings:
    """Measure tables 1 to 4: the share of tests solved, and the order of the means."""
    runs = 10
    puzzles = core.benchmark()
    tasks = [
        (Multistart(traversal, list_size, origin), puzzles[name], runs)
        for level, list_size, traversal, origin in _PLACES
        for name in _PUZZLES[level]
    ]
    shares = np.array(settings.map("multistart", _share, tasks))
    percent = 100 * shares.reshape(len(_PUZZLES), len(_LISTS), 2, len(_ORIGINS), 2).mean(axis=-1)
    n = 2 * runs
    measured = {
        _key(*place): (percentage, 100 * core.share_error(percentage / 100, n))
        for place, percentage in zip(_PLACES, percent.ravel().tolist(), strict=True)
    }
    published = np.array(core.values_of("cunha", (_key(*place) for place in _PLACES)), float)
    was = published.reshape(percent.shape).mean(axis=(1, 3))
    means = percent.mean(axis=(1, 3))
    # The standard error of the difference of two means over 16 tables of n tests each.
    error = float(100 * np.sqrt(2 * 0.25 / (len(_LISTS) * len(_ORIGINS) * n)))
    breadth, depth = means.T.tolist()
    measured |= {
        ("easy", "depth less breadth, mean"): (depth[0] - breadth[0], error),
        ("medium", "breadth less depth, mean"): (breadth[1] - depth[1], error),
        ("hard", "breadth less depth, mean"): (breadth[2] - depth[2], error),
        ("expert", f"mean, {_TRAVERSALS[0]}"): (breadth[3], error),
        ("expert", f"mean, {_TRAVERSALS[1]}"): (depth[3], error),
        ("medium and hard", "difference of means"): (
            float(means[1].mean() - means[2].mean()),
            error,
        ),
    }
    levels = [float(level) for level in range(1, len(_PUZZLES) + 1)]
    panel = "mean over lists and origins, %"
    curves = [
        core.Curve(panel, f"{name}, {source}", levels, of[:, i].tolist(), source == "published")
        for i, name in enumerate(_TRAVERSALS)
        for source, of in (("published", was), ("measured", means))
    ]
    about = f"2 puzzles a level, {runs} runs of 10,000 constructions"
    return core.Findings(about, core.compare("cunha", measured), curves)

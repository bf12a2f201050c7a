"""The features of Nurikabe.

The four static metrics are Babincak's (2010) as Krivanek (2011) quotes them; where the quotation
leaves a definition open, the metric states the choice.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from nando import solvers
from nando.features.feature import each, from_profile, listed
from nando.puzzles import Nurikabe, Puzzle
from nando.puzzles.nurikabe import WHITE
from nando.solvers import logic

if TYPE_CHECKING:
    from nando.solvers.logic.nurikabe.board_walk import NurikabeWalker

_COOLINGS = (0.99, 0.999, 0.9999)
_FAR = 6.0
"""Rating from which what-ifs use all the rules."""

_KINDS_FROM = (1.9, 2.5, 4.5, _FAR, 7.0, 8.0)
"""Lowest rating of each kind of step that takes more than a glance at a cell or an island: local
steps, those that need reach or a count of the board, local what-ifs, what-ifs by all the rules,
dilemmas and deep what-ifs."""

_POINTS = (0.997774, 0.024518, 0.234145, 0.351846)
_POINTS_ALL = -1.993122
"""Coefficients and intercept of the logarithm of points, the unit of ratings before minutes. They
belong to the number of cells, the hardest step, the what-ifs and the work."""

_ANNEALING_STEPS = 1_000_000
_BRUTE_FORCE_STEPS = 1_000_000
_RELAXATION_STEPS = 1_000


@each
def _static(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    assert isinstance(puzzle, Nurikabe)
    n_white = puzzle.n_white
    if n_white is None:
        n_white = int(np.count_nonzero(solvers.unique_solution(puzzle) == WHITE))
    numbered = np.flatnonzero(puzzle.numbers)
    cells = np.stack(np.divmod(np.arange(puzzle.n_cells), puzzle.shape[1]))
    away = np.abs(cells[:, :, None] - cells[:, None, numbered]).sum(axis=0)
    between = away[numbered].astype(float)
    np.fill_diagonal(between, np.inf)
    several = len(numbered) > 1
    numbers = puzzle.numbers[numbered].astype(np.int64)
    farthest = np.where(numbers < 0, puzzle.n_cells, numbers)
    blank = puzzle.numbers == 0
    reaching = (away < farthest).sum(axis=1)
    reaching_widely = (away <= farthest).sum(axis=1)
    return (
        float(puzzle.n_cells),
        float(puzzle.n_islands),
        n_white / puzzle.n_cells,
        float(between.min(axis=1).mean()) if several else 0.0,
        float(between[np.isfinite(between)].mean()) if several else 0.0,
        float(np.count_nonzero(blank & (reaching > 1))),
        float(np.count_nonzero(blank & (reaching_widely > 1))),
    )


@cache
def _walker() -> "NurikabeWalker":
    from nando.solvers.logic.nurikabe.board_walk import NurikabeWalker

    return NurikabeWalker(logic.NURIKABE_LADDER)


@each
def _ladder(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    assert isinstance(puzzle, Nurikabe)
    walker = _walker()
    ratings = walker.rate([puzzle])
    uses, rated = ratings.uses[0], np.array([technique.rating for technique in walker.ladder])
    n_blanks = int(np.count_nonzero(puzzle.givens == 0))
    logarithmic = (
        float(np.log(max(n_blanks, 1))),
        float(ratings.rating[0]),
        float(np.log1p(uses.sum())),
        float(np.log1p(uses[rated >= _FAR].sum())),
        float(np.log1p((uses * np.exp(rated / 2)).sum())),
    )
    kinds = np.searchsorted(_KINDS_FROM, rated, side="right")
    by_kind = np.bincount(kinds, uses, len(_KINDS_FROM) + 1)[1:]
    by_kind[-1] += not ratings.solved[0]
    of_points = np.array(logarithmic)[[0, 1, 3, 4]]
    points = float(np.exp(_POINTS_ALL + of_points @ _POINTS))
    return (*logarithmic, points, float(n_blanks), *map(float, by_kind))


@each
def _refutation(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    profile = solvers.Refutation().profile(puzzle, runs=runs, rng=rng)
    return (
        float(np.log1p(profile.refutation_sum)),
        profile.refutation_max,
        profile.stuck_steps,
        profile.unrefuted_steps,
        profile.dependency(),
    )


@each
def _relaxation(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    limit = solvers.Limit(steps=_RELAXATION_STEPS)
    profile = solvers.Relaxation(relaxed_share=0.1, cap=100).profile(
        puzzle, runs=runs, rng=rng, limit=limit
    )
    n_blanks = max(int(np.count_nonzero(puzzle.givens == 0)), 1)
    return (
        float(np.log1p(profile.extra_solutions)),
        profile.fixed_blanks / n_blanks,
        profile.unique_share,
    )


@each
def _annealing(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    limit = solvers.Limit(steps=_ANNEALING_STEPS)
    profiles = [
        solvers.Annealing.thesis_nurikabe(cooling).profile(puzzle, runs=runs, rng=rng, limit=limit)
        for cooling in _COOLINGS
    ]
    return tuple(float(np.log1p(profile.steps)) for profile in profiles)


_brute_force = from_profile(lambda: solvers.BruteForce(), "log1p steps", steps=_BRUTE_FORCE_STEPS)
_harmony = from_profile(lambda: solvers.HarmonySearch(), "best_cost")

NURIKABE_GROUPS = (
    listed("nurikabe_static", 20, _static),
    listed("nurikabe_refutation", 21, _refutation, 5),
    listed("nurikabe_relaxation", 22, _relaxation, 10),
    listed("nurikabe_brute_force", 23, _brute_force, 11),
    listed("nurikabe_annealing", 24, _annealing, 5),
    listed("nurikabe_harmony", 25, _harmony, 11),
    listed("nurikabe_ladder", 26, _ladder),
)
"""Every feature group that only Nurikabe has."""

"""The features of Nurikabe.

The four static metrics are Babincak's (2010) as Krivanek (2011) quotes them; where the quotation
leaves a definition open, the metric states the choice.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from nando.features.feature import SURVEY, THESIS, Feature, FeatureGroup
from nando.puzzles import Nurikabe, Puzzle
from nando.puzzles.nurikabe.puzzle import WHITE

if TYPE_CHECKING:
    from nando.solvers.logic.nurikabe.walk import NurikabeWalker

_COOLINGS = (0.99, 0.999, 0.9999)
_FAR = 6.0
"""Rating from which what-ifs use all the rules."""

_ANNEALING_STEPS = 1_000_000
_BRUTE_FORCE_STEPS = 1_000_000
_RELAXATION_STEPS = 1_000


def _static(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import unique_solution

    del runs, rng
    assert isinstance(puzzle, Nurikabe)
    n_white = puzzle.n_white
    if n_white is None:
        n_white = int(np.count_nonzero(unique_solution(puzzle) == WHITE))
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
    from nando.solvers.logic.nurikabe.techniques import NURIKABE_LADDER
    from nando.solvers.logic.nurikabe.walk import NurikabeWalker

    return NurikabeWalker(NURIKABE_LADDER)


def _ladder(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    assert isinstance(puzzle, Nurikabe)
    walker = _walker()
    ratings = walker.rate([puzzle])
    uses, rated = ratings.uses[0], np.array([technique.rating for technique in walker.ladder])
    return (
        float(np.log(max(int(np.count_nonzero(puzzle.givens == 0)), 1))),
        float(ratings.rating[0]),
        float(np.log1p(uses.sum())),
        float(np.log1p(uses[rated >= _FAR].sum())),
        float(np.log1p((uses * np.exp(rated / 2)).sum())),
    )


def _refutation(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import Refutation

    profile = Refutation().profile(puzzle, runs=runs, rng=rng)
    return (
        float(np.log1p(profile.refutation_sum)),
        profile.refutation_max,
        profile.stuck_steps,
        profile.unrefuted_steps,
        profile.dependency(),
    )


def _relaxation(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import Limit, Relaxation

    limit = Limit(steps=_RELAXATION_STEPS)
    profile = Relaxation(relaxed_share=0.1, cap=100).profile(
        puzzle, runs=runs, rng=rng, limit=limit
    )
    n_blanks = max(int(np.count_nonzero(puzzle.givens == 0)), 1)
    return (
        float(np.log1p(profile.extra_solutions)),
        profile.fixed_blanks / n_blanks,
        profile.unique_share,
    )


def _brute_force(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import BruteForce, Limit

    limit = Limit(steps=_BRUTE_FORCE_STEPS)
    return (float(np.log1p(BruteForce().profile(puzzle, runs=runs, rng=rng, limit=limit).steps)),)


def _annealing(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import Annealing, Limit

    limit = Limit(steps=_ANNEALING_STEPS)
    profiles = [
        Annealing.thesis_nurikabe(cooling).profile(puzzle, runs=runs, rng=rng, limit=limit)
        for cooling in _COOLINGS
    ]
    return tuple(float(np.log1p(profile.steps)) for profile in profiles)


def _harmony(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import HarmonySearch

    return (HarmonySearch().profile(puzzle, runs=runs, rng=rng).best_cost,)


_THESIS = f"{THESIS}, chapter 4"
_STATIC = "Babincak 2010, in Krivanek 2011"

NURIKABE_GROUPS = (
    FeatureGroup(
        "nurikabe_static",
        20,
        (
            Feature("nurikabe_cells", "cells of the board", "cells", "harder", "nando"),
            Feature("nurikabe_islands", "number of islands", "islands", "easier", _STATIC),
            Feature(
                "nurikabe_area",
                "share of the board that the islands cover",
                "share",
                "harder",
                _STATIC,
            ),
            Feature(
                "nurikabe_island_distance",
                "mean Manhattan distance from a number to the nearest other one",
                "cells",
                "harder",
                _STATIC,
            ),
            Feature(
                "nurikabe_pair_distance",
                "mean Manhattan distance over all pairs of numbers",
                "cells",
                "harder",
                _STATIC,
            ),
            Feature(
                "nurikabe_shared_cells",
                "cells without number that are near enough to two numbers or more to belong to "
                "either island, by Manhattan distance below the number",
                "cells",
                "harder",
                _STATIC,
            ),
            Feature(
                "nurikabe_shared_cells_wide",
                "the same with the number itself as the largest distance, as it is written",
                "cells",
                "harder",
                _STATIC,
            ),
        ),
        _static,
    ),
    FeatureGroup(
        "nurikabe_refutation",
        21,
        (
            Feature(
                "nurikabe_log_refutation_sum",
                "natural logarithm of 1 + mean over runs of the summed refutation scores",
                "log steps",
                "harder",
                f"{SURVEY}; the local rules are nando's",
            ),
            Feature(
                "nurikabe_refutation_max",
                "mean over runs of the largest refutation score",
                "steps",
                "harder",
                "nando",
            ),
            Feature(
                "nurikabe_stuck_steps",
                "mean number of impasses: steps at which no local rule applies",
                "steps",
                "harder",
                "nando",
            ),
            Feature(
                "nurikabe_unrefuted_steps",
                "mean number of impasses that local rules cannot resolve either",
                "steps",
                "harder",
                "nando",
            ),
            Feature(
                "nurikabe_dependency_25",
                "mean number of cells a local rule can colour, over the first 25 steps",
                "cells",
                "easier",
                "nando",
            ),
        ),
        _refutation,
        5,
    ),
    FeatureGroup(
        "nurikabe_relaxation",
        22,
        (
            Feature(
                "nurikabe_relaxation_extra_solutions",
                "logarithm of 1 + mean extra solutions with a tenth of the numbers unknown",
                "log solutions",
                "harder",
                f"{SURVEY}; what is relaxed is nando's",
            ),
            Feature(
                "nurikabe_relaxation_fixed_share",
                "mean share of cells without number that have one colour in all those solutions",
                "share",
                "easier",
                f"{SURVEY} (fixedness); what is relaxed is nando's",
            ),
            Feature(
                "nurikabe_relaxation_unique_share",
                "share of samples that keep a unique solution",
                "share",
                "easier",
                f"{SURVEY}; what is relaxed is nando's",
            ),
        ),
        _relaxation,
        10,
    ),
    FeatureGroup(
        "nurikabe_brute_force",
        23,
        (
            Feature(
                "nurikabe_brute_force_steps",
                "logarithm of 1 + the median number of shapes that brute force tries, "
                "at most 1,000,000",
                "log steps",
                "harder",
                _THESIS,
            ),
        ),
        _brute_force,
        11,
    ),
    FeatureGroup(
        "nurikabe_annealing",
        24,
        tuple(
            Feature(
                f"nurikabe_annealing_steps_{str(cooling)[2:]}",
                f"logarithm of 1 + the median number of moves of annealing cooled by {cooling}, "
                "at most 1,000,000",
                "log steps",
                "harder",
                _THESIS,
            )
            for cooling in _COOLINGS
        ),
        _annealing,
        5,
    ),
    FeatureGroup(
        "nurikabe_harmony",
        25,
        (
            Feature(
                "nurikabe_harmony_cost",
                "median over runs of the best cost after 10,000 improvisations",
                "cost",
                "harder",
                _THESIS,
            ),
        ),
        _harmony,
        11,
    ),
    FeatureGroup(
        "nurikabe_ladder",
        26,
        (
            Feature(
                "nurikabe_log_blanks",
                "natural logarithm of the number of cells to be decided",
                "log cells",
                "harder",
                "nando",
                "few cells to decide",
                "many cells to decide",
            ),
            Feature(
                "nurikabe_ladder_rating",
                "rating of the hardest step on nando's ladder",
                "rating",
                "harder",
                "nando",
                "no hard step",
                "a hard step",
            ),
            Feature(
                "nurikabe_log_ladder_steps",
                "natural logarithm of 1 + number of steps on the ladder",
                "log steps",
                "harder",
                "nando",
            ),
            Feature(
                "nurikabe_log_what_ifs",
                "natural logarithm of 1 + number of what-ifs by all the rules (6.0 and above)",
                "log steps",
                "harder",
                "nando",
                "few what-ifs",
                "many what-ifs",
            ),
            Feature(
                "nurikabe_log_ladder_work",
                "natural logarithm of 1 + the sum over all steps of exp(rating / 2), the rating "
                "being that of the technique's easiest step",
                "log work",
                "harder",
                "nando",
                "easy steps on the way",
                "hard steps on the way",
            ),
        ),
        _ladder,
    ),
)
"""Every feature group that only Nurikabe has."""

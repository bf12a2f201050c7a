"""Feature groups of the papers' other methods for Sudoku.

They are slow and predict human times poorly; see the table in docs/performance.md.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nando.features.feature import Feature, FeatureGroup
from nando.puzzles import Puzzle

if TYPE_CHECKING:
    from nando.solvers import CuckooSearch, TabuSearch

ITERATIONS = 300
"""Budget of one run of tabu and cuckoo search; a run that exhausts it counts as the budget."""

CONSTRUCTIONS = 1_000
"""Budget of one run of the multistart colouring, which rarely reaches the solution."""

HYBRID_STEPS = 1_000_000
"""Budget of one run of annealing after constraint programming."""


def _multistart(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import Limit, Multistart

    limit = Limit(steps=CONSTRUCTIONS)
    return (Multistart().profile(puzzle, runs=runs, rng=rng, limit=limit).least_left,)


def _estimation(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import DistributionEstimation

    profile = DistributionEstimation().profile(puzzle, runs=runs, rng=rng)
    return profile.iterations, profile.solved_share


def _tabu(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import TabuSearch

    return _iterations(TabuSearch(domain_filter="ac3"), puzzle, runs, rng)


def _cuckoo(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import CuckooSearch

    return _iterations(CuckooSearch(), puzzle, runs, rng)


def _iterations(
    search: "TabuSearch | CuckooSearch", puzzle: Puzzle, runs: int, rng: np.random.Generator
) -> Sequence[float]:
    from nando.solvers import Limit

    limit = Limit(steps=ITERATIONS)
    steps = [search.run(puzzle, limit=limit, rng=rng).steps for _ in range(runs)]
    return (float(np.log1p(np.mean(steps))),)


def _programming(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import ConstraintProgramming

    del runs, rng
    return (ConstraintProgramming().profile(puzzle).fixed_share,)


def _hybrid(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import HybridAnnealing, Limit

    limit = Limit(steps=HYBRID_STEPS)
    return (
        float(np.log1p(HybridAnnealing().profile(puzzle, runs=runs, rng=rng, limit=limit).steps)),
    )


METHOD_GROUPS = (
    FeatureGroup(
        "constraint_programming",
        13,
        (
            Feature(
                "programming_fixed",
                "share of the blanks that constraint programming fills",
                "share",
                "easier",
                "Lewis 2007",
            ),
        ),
        _programming,
    ),
    FeatureGroup(
        "hybrid_annealing",
        14,
        (
            Feature(
                "hybrid_steps",
                "logarithm of 1 + the median number of annealing steps after constraint "
                "programming",
                "log steps",
                "harder",
                "Lewis 2007",
            ),
        ),
        _hybrid,
        5,
    ),
    FeatureGroup(
        "multistart",
        15,
        (
            Feature(
                "multistart_left",
                f"mean number of cells that the best of {CONSTRUCTIONS:,} constructions leaves "
                "without a digit",
                "cells",
                "harder",
                "Cunha, Silva and Maciel 2013",
            ),
        ),
        _multistart,
        5,
    ),
    FeatureGroup(
        "distribution_estimation",
        16,
        (
            Feature(
                "estimation_iterations",
                "mean number of iterations of the estimation of distributions",
                "iterations",
                "harder",
                "Maire and Prissette 2012",
            ),
            Feature(
                "estimation_solved",
                "share of its runs that end solved",
                "share",
                "easier",
                "Maire and Prissette 2012",
            ),
        ),
        _estimation,
        10,
    ),
    FeatureGroup(
        "tabu",
        17,
        (
            Feature(
                "tabu_iterations",
                f"logarithm of 1 + the mean number of iterations of tabu search with AC-3, at most "
                f"{ITERATIONS}",
                "log iterations",
                "harder",
                "Soto et al. 2013",
            ),
        ),
        _tabu,
        3,
    ),
    FeatureGroup(
        "cuckoo",
        18,
        (
            Feature(
                "cuckoo_iterations",
                f"logarithm of 1 + the mean number of cuckoo search's iterations, at most "
                f"{ITERATIONS}",
                "log iterations",
                "harder",
                "Soto et al. 2014",
            ),
        ),
        _cuckoo,
        3,
    ),
)
"""Groups of Sudoku; see :data:`nando.rating.GROUPS`."""

"""Feature groups of the papers' other methods for Sudoku.

They are slow and predict human times poorly; see the table in docs/performance.md.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nando.features.feature import listed
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
    listed("constraint_programming", 13, _programming),
    listed("hybrid_annealing", 14, _hybrid, 5),
    listed("multistart", 15, _multistart, 5),
    listed("distribution_estimation", 16, _estimation, 10),
    listed("tabu", 17, _tabu, 3),
    listed("cuckoo", 18, _cuckoo, 3),
)
"""Groups of Sudoku; see :data:`nando.rating.GROUPS`."""

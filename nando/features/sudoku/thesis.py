"""The features of Sudoku by the solvers of Krivanek 2011 that do not imitate people."""

from collections.abc import Sequence

import numpy as np

from nando.features.feature import listed
from nando.puzzles import Puzzle

BRUTE_FORCE_STEPS = 1_000_000
"""Budget of one brute-force run; the feature is the median, so few capped runs do no harm."""

ANNEALING_STEPS = 6_000_000
"""Budget of one annealing run, as in the pilot that measured its correlation."""


def _relaxation(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import Relaxation

    profile = Relaxation().profile(puzzle, runs=runs, rng=rng)
    return float(np.log1p(profile.extra_solutions)), profile.fixed_blanks, profile.unique_share


def _brute_force(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import BruteForce, Limit

    limit = Limit(steps=BRUTE_FORCE_STEPS)
    return (float(np.log(BruteForce().profile(puzzle, runs=runs, rng=rng, limit=limit).steps)),)


def _annealing(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import Annealing, Limit

    limit = Limit(steps=ANNEALING_STEPS)
    profile = Annealing.thesis().profile(puzzle, runs=runs, rng=rng, limit=limit)
    return float(np.log1p(profile.steps)), profile.solved_share


def _harmony(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import HarmonySearch

    return (HarmonySearch().profile(puzzle, runs=runs, rng=rng).best_cost,)


THESIS_GROUPS = (
    listed("relaxation", 4, _relaxation, 50),
    listed("brute_force", 5, _brute_force, 100),
    listed("annealing", 6, _annealing, 11),
    listed("harmony", 7, _harmony, 11),
)

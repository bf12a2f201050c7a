"""The features of Sudoku by the solvers of Krivanek 2011 that do not imitate people."""

from collections.abc import Sequence

import numpy as np

from nando.features.feature import SURVEY, THESIS, Feature, FeatureGroup
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
    FeatureGroup(
        "relaxation",
        4,
        (
            Feature(
                "relaxation_extra_solutions",
                "logarithm of 1 + mean extra solutions with 45 edges removed",
                "log solutions",
                "harder",
                f"{THESIS}; {SURVEY}",
            ),
            Feature(
                "relaxation_fixed_blanks",
                "mean number of blanks with one value in all solutions, 45 edges removed",
                "cells",
                "easier",
                f"{SURVEY} (fixedness)",
            ),
            Feature(
                "relaxation_unique_share",
                "share of samples that keep a unique solution, 45 edges removed",
                "share",
                "easier",
                THESIS,
            ),
        ),
        _relaxation,
        50,
    ),
    FeatureGroup(
        "brute_force",
        5,
        (
            Feature(
                "brute_force_steps",
                "logarithm of the median number of suggestions of the thesis's brute force",
                "log steps",
                "harder",
                THESIS,
            ),
        ),
        _brute_force,
        100,
    ),
    FeatureGroup(
        "annealing",
        6,
        (
            Feature(
                "annealing_steps",
                "logarithm of 1 + the median number of steps of the thesis's annealing",
                "log steps",
                "harder",
                THESIS,
            ),
            Feature(
                "annealing_solved",
                "share of annealing runs that end solved within the budget",
                "share",
                "easier",
                "nando",
            ),
        ),
        _annealing,
        11,
    ),
    FeatureGroup(
        "harmony",
        7,
        (
            Feature(
                "harmony_cost",
                "median over runs of the best cost after 10,000 improvisations",
                "missing symbols",
                "harder",
                THESIS,
            ),
        ),
        _harmony,
        11,
    ),
)

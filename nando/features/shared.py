"""The features that every kind of puzzle can have."""

from collections.abc import Sequence

import numpy as np

from nando.features.feature import Feature, FeatureGroup
from nando.puzzles import Puzzle


def _exact(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import ExactSearch

    del runs, rng
    return (float(np.log1p(ExactSearch().run(puzzle).steps)),)


EXACT = FeatureGroup(
    "exact",
    3,
    (
        Feature(
            "exact_guesses",
            "logarithm of 1 + guesses of the exact search that proves uniqueness",
            "log guesses",
            "harder",
            "nando, solvers.ExactSearch",
        ),
    ),
    _exact,
)
"""Features of the exact search."""

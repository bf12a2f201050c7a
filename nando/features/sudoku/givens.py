"""Features of the givens of a Sudoku, the baseline of every comparison."""

from collections.abc import Sequence

import numpy as np

from nando.features.feature import SURVEY, Feature, FeatureGroup
from nando.puzzles import Puzzle


def _givens(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    givens = puzzle.givens[puzzle.givens > 0]
    per_value = np.bincount(givens, minlength=puzzle.shape[0] + 1)[1:]
    return float(givens.size), float(per_value.min()), float(per_value.std())


GIVENS = FeatureGroup(
    "givens",
    0,
    (
        Feature("givens", "given cells", "cells", "easier", SURVEY),
        Feature(
            "rarest_value_givens",
            "givens of the value that is given least often",
            "cells",
            "easier",
            "nando",
        ),
        Feature(
            "givens_spread",
            "standard deviation of the number of givens per value",
            "cells",
            "either",
            "nando",
        ),
    ),
    _givens,
)

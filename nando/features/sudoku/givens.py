"""Features of the givens of a Sudoku, the baseline of every comparison."""

from collections.abc import Sequence

import numpy as np

from nando.features.feature import each, listed
from nando.puzzles import Puzzle


@each
def _givens(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    givens = puzzle.givens[puzzle.givens > 0]
    per_value = np.bincount(givens, minlength=puzzle.shape[0] + 1)[1:]
    return float(givens.size), float(per_value.min()), float(per_value.std())


GIVENS = listed("givens", 0, _givens)

"""The features that every kind of puzzle can have."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from nando import solvers
from nando.features.feature import listed
from nando.puzzles import Puzzle, Sudoku


def _exact(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    from nando.solvers.exact.search import unique_solutions

    del runs, rngs
    if len({puzzle.shape for puzzle in puzzles}) == 1 and isinstance(puzzles[0], Sudoku):
        return np.log1p(unique_solutions(tuple(puzzles)).guesses)[:, None]
    return np.log1p([[solvers.ExactSearch().run(puzzle).steps] for puzzle in puzzles])


EXACT = listed("exact", 3, _exact)
"""Features of the exact search."""

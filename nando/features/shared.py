"""The features that every kind of puzzle can have."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from nando.features.feature import listed
from nando.puzzles import Puzzle, Sudoku


def _exact(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import ExactSearch

    del runs, rng
    return (float(np.log1p(ExactSearch().run(puzzle).steps)),)


def _exact_many(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    from nando.solvers.exact.search import unique_solutions

    if len({puzzle.shape for puzzle in puzzles}) == 1 and isinstance(puzzles[0], Sudoku):
        return np.log1p(unique_solutions(tuple(puzzles)).guesses)[:, None]
    return np.array([_exact(puzzle, runs, rng) for puzzle, rng in zip(puzzles, rngs, strict=True)])


EXACT = listed("exact", 3, _exact, compute_many=_exact_many)
"""Features of the exact search."""

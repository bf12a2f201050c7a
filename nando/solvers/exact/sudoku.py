"""Exact search for Sudoku: on bands at order 3, on houses at any other order."""

import numpy as np

from nando.puzzles import Sudoku
from nando.solvers.exact.bands import DEPTH, advance_bands, new_stack, start_bands
from nando.solvers.exact.houses import (
    ALIVE,
    CUTOFF,
    FIRST_CUTOFF,
    advance_houses,
    even_weights,
    new_house_stack,
)

_ALWAYS_DECIDED = 1 << 62
_PATIENCE = 2_000_000
"""Guesses after which a search for larger Sudokus gives up: twenty seconds at 25x25."""


class BandSearch:
    """Search on the bands of a 9x9 Sudoku; see :class:`nando.solvers.kinds.Search`."""

    patience = _ALWAYS_DECIDED

    def __init__(self, puzzle: Sudoku) -> None:
        self.progress = np.zeros(3, np.int64)
        self.solutions = np.zeros((2, 81), np.int8)
        self._stack = new_stack()
        start_bands(self._stack, self.progress, puzzle.givens)

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        advance_bands(self._stack, self.progress, limit, most_guesses, self.solutions)


class HouseSearch:
    """Search on the houses of a Sudoku of any order; see the same."""

    patience = _PATIENCE

    def __init__(self, puzzle: Sudoku) -> None:
        self.progress = np.zeros(6, np.int64)
        self.progress[ALIVE] = 1
        self.progress[CUTOFF] = FIRST_CUTOFF
        self._weights = even_weights(puzzle.layout)
        self._layout = puzzle.layout
        self.solutions = np.tile(puzzle.givens, (3, 1))
        if puzzle.status().valid:
            self._stack, self._branches = new_house_stack(puzzle)
        else:
            self.progress[DEPTH] = -1

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        if self.progress[DEPTH] >= 0:
            advance_houses(
                self._stack,
                self._branches,
                self._layout,
                self.progress,
                self._weights,
                limit,
                most_guesses,
                self.solutions,
            )


def sudoku_search(puzzle: Sudoku) -> BandSearch | HouseSearch:
    """Return a search at its start."""
    return BandSearch(puzzle) if puzzle.order == 3 else HouseSearch(puzzle)

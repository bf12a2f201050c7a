"""A player's board on the server: the entered values, and whether they solve the puzzle."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from nando.games.kinds import find_kind
from nando.puzzles import Puzzle, Values

VALUE, CORNER, CENTRE = 0, 1, 2
"""Layers of a board, as the page numbers them."""

MOST_DIGITS = 25

Change = Sequence[int]
"""Layer, cell, and the values before and after."""


class BadMoveError(ValueError):
    """A move that no page of this server would send."""


class Board:
    """The values and marks on a board.

    Parameters
    ----------
    puzzle : Puzzle
    solution : ndarray of int8, shape (n_cells,)

    Attributes
    ----------
    values : ndarray of int8, shape (n_cells,)
        Entered values; 0 for none.
    """

    def __init__(self, puzzle: Puzzle, solution: Values) -> None:
        self.puzzle = puzzle
        self.solution = solution
        self.values: NDArray[np.int8] = np.zeros(len(solution), np.int8)
        entered = find_kind(puzzle.kind).entered
        self._entered = entered
        self._wanted = entered(solution)

    def copy(self) -> "Board":
        """Return a copy of the board."""
        board = Board(self.puzzle, self.solution)
        board.values = self.values.copy()
        return board

    def check(self, changes: Iterable[Change]) -> None:
        """Check that changes are on the board, do not touch givens, and have known values.

        Raises
        ------
        BadMoveError
        """
        largest = int(self.solution.max())
        for change in changes:
            if len(change) != 4:
                raise BadMoveError(f"a change is layer, cell, before, after; got {list(change)}")
            layer, cell, _, after = change
            most = largest if layer == VALUE else 1 << (MOST_DIGITS + 1)
            if not (VALUE <= layer <= CENTRE and 0 <= cell < len(self.values)):
                raise BadMoveError(f"no cell {cell} in layer {layer}")
            if self.puzzle.givens[cell] or not 0 <= after <= most:
                raise BadMoveError(f"cell {cell} cannot become {after}")

    def apply(self, changes: Iterable[Change]) -> None:
        """Enter the values of checked changes."""
        for layer, cell, _, after in changes:
            if layer == VALUE:
                self.values[cell] = after

    @property
    def solved(self) -> bool:
        """True if all values that people must enter are entered and right."""
        written = np.where(self.puzzle.givens > 0, self.puzzle.givens, self.values)
        right = written[self._wanted] == self.solution[self._wanted]
        return bool(right.all() and not self._entered(written)[~self._wanted].any())

"""A Sudoku during solving: filled cells and pencil marks."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Sudoku
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.logic.marks import CandidateMarks


@dataclass(frozen=True, eq=False)
class PencilMarks(CandidateMarks[Sudoku]):
    """A partly filled Sudoku with its candidates. It is immutable.

    Attributes
    ----------
    puzzle : Sudoku
        The puzzle, with its givens.
    values : ndarray of int8, shape (n_cells,)
        Digit of each filled cell, 0 for a blank.
    candidates : ndarray of bool, shape (n_cells, size)
        Candidates of each cell; column d is for digit d + 1. All False for a filled cell.

    Examples
    --------
    >>> from nando.solvers import LogicSolver
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> marks = PencilMarks.of(puzzle)
    >>> marks.digits(2)
    (1, 2, 4)
    >>> step = next(LogicSolver().steps(puzzle))
    >>> step.placement
    (5, 8)
    >>> int(marks.after(step).values[5])
    8
    """

    _kind = Sudoku

    @classmethod
    def _every(cls, puzzle: Sudoku) -> NDArray[np.bool_]:
        return np.ones((puzzle.givens.size, puzzle.size), np.bool_)

    def _peers(self, cell: int) -> Any:
        return self.puzzle.layout.peers[cell]

    @property
    def n_blanks(self) -> int:
        """Number of cells not filled yet."""
        return int((self.values == 0).sum())

    def house(self, house: int) -> tuple[int, ...]:
        """Return the cells of a house, numbered rows, columns, boxes."""
        return _cells_of_houses(self.puzzle.order)[house]

    def houses_of(self, cells: tuple[int, ...]) -> set[int]:
        """Return the houses that hold all of the cells."""
        houses = _houses_of_cells(self.puzzle.order)
        return set(houses[cells[0]]).intersection(*(houses[cell] for cell in cells[1:]))

    def sees(self, cell: int, other: int) -> bool:
        """Return True if two different cells share a house."""
        return cell != other and bool(self.houses_of((cell, other)))


@cache
def _cells_of_houses(order: int) -> list[tuple[int, ...]]:
    return [tuple(cells) for cells in sudoku_layout(order).houses.tolist()]


@cache
def _houses_of_cells(order: int) -> list[tuple[int, ...]]:
    return [tuple(houses) for houses in sudoku_layout(order).house_of.tolist()]

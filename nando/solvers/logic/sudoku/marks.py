"""A Sudoku during solving: filled cells and pencil marks."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Sudoku
from nando.puzzles.frozen import EqualFields
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.logic.sudoku.step import LogicStep


@dataclass(frozen=True, eq=False)
class PencilMarks(EqualFields):
    """A partly filled Sudoku with its candidates. It is immutable.

    Attributes
    ----------
    puzzle : Sudoku
        Its givens.
    values : ndarray of int8, shape (n_cells,)
        Digit of each filled cell, 0 for a blank.
    candidates : ndarray of bool, shape (n_cells, size)
        Whether a blank may be a digit, counted from 0; False where filled.

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

    puzzle: Sudoku
    values: NDArray[np.int8]
    candidates: NDArray[np.bool_]

    @classmethod
    def of(cls, puzzle: Sudoku) -> Self:
        """Return the marks before the first step: all candidates that no given rules out."""
        values = np.zeros(puzzle.givens.size, np.int8)
        candidates = np.ones((values.size, puzzle.size), np.bool_)
        for cell in np.flatnonzero(puzzle.givens):
            _fill(puzzle, values, candidates, int(cell), int(puzzle.givens[cell]))
        return cls(puzzle, values, candidates)

    @classmethod
    def standing(
        cls, puzzle: Sudoku, values: NDArray[np.int8], candidates: NDArray[np.bool_] | None = None
    ) -> Self:
        """Return the marks of a half-solved grid as they stand, right or wrong.

        Parameters
        ----------
        puzzle : Sudoku
        values : ndarray of int8, shape (n_cells,)
            Digit of each filled cell, 0 for a blank; givens are filled in anyway.
        candidates : ndarray of bool, shape (n_cells, size), or None
            The pencil marks. None, and a blank without any, take all digits. Marks that a filled
            cell rules out are dropped.

        Raises
        ------
        ValueError
            For arrays of other shapes, digits that the grid does not have, and a filled cell that
            contradicts a given.
        """
        size, given = puzzle.size, puzzle.givens
        n_cells = given.size
        if values.shape != (n_cells,):
            raise ValueError(f"values must have shape ({n_cells},), got {values.shape}")
        if candidates is not None and candidates.shape != (n_cells, size):
            raise ValueError(
                f"candidates must have shape ({n_cells}, {size}), got {candidates.shape}"
            )
        if values.min() < 0 or values.max() > size:
            raise ValueError(f"values must be 0 to {size}, got {values.min()} to {values.max()}")
        other = np.flatnonzero((given > 0) & (values > 0) & (given != values))
        if other.size:
            raise ValueError(f"{puzzle.cell_name(int(other[0]))} is given: it cannot be changed")
        filled = np.where(given > 0, given, values).astype(np.int8)
        marks = np.ones((n_cells, size), np.bool_) if candidates is None else candidates.copy()
        marks[~marks.any(axis=1)] = True
        for cell in np.flatnonzero(filled).tolist():
            _fill(puzzle, filled, marks, cell, int(filled[cell]))
        return cls(puzzle, filled, marks)

    @classmethod
    def read(cls, text: str, puzzle: Sudoku | None = None) -> Self | None:
        """Return the marks in a text, as :func:`nando.puzzles.read_standing` reads them.

        None for a text that tells nothing but a puzzle.

        Raises
        ------
        PuzzleError
            For a text that is not a Sudoku, or is one of another puzzle.
        """
        from nando.puzzles import read_standing  # only where a text is read: readers are many

        found = read_standing(text, puzzle, Sudoku)
        if found is None:
            return None
        assert isinstance(found.puzzle, Sudoku)
        return cls.standing(found.puzzle, found.entries, found.candidates)

    def after(self, step: LogicStep) -> Self:
        """Return the marks after the step."""
        values, candidates = self.values.copy(), self.candidates.copy()
        for cell, digit in step.eliminations:
            candidates[cell, digit - 1] = False
        if step.placement is not None:
            _fill(self.puzzle, values, candidates, *step.placement)
        return type(self)(self.puzzle, values, candidates)

    @property
    def n_blanks(self) -> int:
        """Number of cells not filled yet."""
        return int((self.values == 0).sum())

    def digits(self, cell: int) -> tuple[int, ...]:
        """Return the candidates of a cell."""
        return self._digits[cell]

    @cached_property
    def _digits(self) -> list[tuple[int, ...]]:
        """Candidates of every cell: words and drawings ask for them again and again."""
        return [
            tuple(digit for digit, may_be in enumerate(row, 1) if may_be)
            for row in self.candidates.tolist()
        ]

    def house(self, house: int) -> tuple[int, ...]:
        """Return the cells of a house, numbered rows, columns, boxes."""
        return _cells_of_houses(self.puzzle.order)[house]

    def houses_of(self, cells: tuple[int, ...]) -> set[int]:
        """Return the houses that hold all of the cells."""
        houses = _houses_of_cells(self.puzzle.order)
        return set(houses[cells[0]]).intersection(*(houses[cell] for cell in cells[1:]))

    def places(self, house: int, digit: int) -> tuple[int, ...]:
        """Return the cells of a house that may be a digit."""
        return tuple(cell for cell in self.house(house) if self.candidates[cell, digit - 1])

    def sees(self, cell: int, other: int) -> bool:
        """Return True if two different cells share a house."""
        return cell != other and bool(self.houses_of((cell, other)))


@cache
def _cells_of_houses(order: int) -> list[tuple[int, ...]]:
    return [tuple(cells) for cells in sudoku_layout(order).houses.tolist()]


@cache
def _houses_of_cells(order: int) -> list[tuple[int, ...]]:
    return [tuple(houses) for houses in sudoku_layout(order).house_of.tolist()]


def _fill(
    puzzle: Sudoku, values: NDArray[np.int8], candidates: NDArray[np.bool_], cell: int, digit: int
) -> None:
    values[cell] = digit
    candidates[cell] = False
    candidates[puzzle.layout.peers[cell], digit - 1] = False

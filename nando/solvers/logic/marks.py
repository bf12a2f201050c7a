"""Filled cells and pencil marks during solving: the base class for Sudoku and variants."""

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Sudoku, Values, Variant
from nando.puzzles.frozen import EqualFields
from nando.puzzles.protocol import Fault, FaultKind
from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import first_listed

P = TypeVar("P", Sudoku, Variant)


@dataclass(frozen=True, eq=False)
class CandidateMarks(EqualFields, Generic[P]):
    """A partly filled puzzle with its candidates. It is immutable.

    Subclasses define the first candidates, the houses, and which cells see each other.
    """

    _kind: ClassVar[type[Sudoku] | type[Variant]]
    puzzle: P
    values: Values
    candidates: NDArray[np.bool_]

    @classmethod
    def of(cls, puzzle: P) -> Self:
        """Return the marks before the first step.

        A cell has all candidates that no given in a house or a group of different cells rules
        out, and that marks on the cell itself allow.
        """
        return cls.standing(puzzle, puzzle.givens)

    @classmethod
    def standing(
        cls, puzzle: P, values: Values, candidates: NDArray[np.bool_] | None = None
    ) -> Self:
        """Return the marks of a half-solved grid as they stand, right or wrong.

        Parameters
        ----------
        puzzle : Sudoku or Variant
        values : ndarray of int8, shape (n_cells,)
            Digit of each filled cell, 0 for a blank; givens are filled in anyway.
        candidates : ndarray of bool, shape (n_cells, size), or None
            The pencil marks; None for all digits. A blank without any marks gets all digits. Marks
            that a filled cell or a rule on a single cell rules out are dropped.

        Raises
        ------
        ValueError
            For arrays of other shapes, digits that the grid does not have, and a filled cell that
            contradicts a given.
        """
        size, given = puzzle.size, puzzle.givens
        if values.shape != given.shape:
            raise ValueError(f"values must have shape {given.shape}, got {values.shape}")
        if candidates is not None and candidates.shape != (given.size, size):
            raise ValueError(
                f"candidates must have shape ({given.size}, {size}), got {candidates.shape}"
            )
        if values.min() < 0 or values.max() > size:
            raise ValueError(f"values must be 0 to {size}, got {values.min()} to {values.max()}")
        other = np.flatnonzero((given > 0) & (values > 0) & (given != values))
        if other.size:
            raise ValueError(f"{puzzle.cell_name(int(other[0]))} is given: it cannot be changed")
        filled = np.where(given > 0, given, values).astype(np.int8)
        marks = cls._every(puzzle)
        if candidates is not None:
            marks &= candidates | ~candidates.any(axis=1, keepdims=True)
        standing = cls(puzzle, filled, marks)
        standing._fill_all(marks)
        return standing

    @classmethod
    def read(cls, text: str, puzzle: P | None = None) -> Self | None:
        """Return the marks in a text, as :func:`nando.puzzles.read_standing` reads them.

        Return None for a text that has nothing but a puzzle.

        Raises
        ------
        PuzzleError
            For a text of another kind, or of another puzzle.
        """
        from nando.puzzles import read_standing  # loads the readers of all formats

        standing: Any = read_standing(text, puzzle, cls._kind)
        return (
            None
            if standing is None
            else cls.standing(standing.puzzle, standing.entries, standing.candidates)
        )

    def after(self, step: Any) -> Self:
        """Return the marks after the step."""
        values, candidates = self.values.copy(), self.candidates.copy()
        for cell, digit in step.eliminations:
            candidates[cell, digit - 1] = False
        if step.placement is not None:
            cell, digit = step.placement
            values[cell] = digit
            self._fill(candidates, cell, digit)
        return type(self)(self.puzzle, values, candidates)

    def supposing(self, literals: Iterable[tuple[int, int, bool]]) -> Self:
        """Return the marks if some candidates are true and others false; no cell is filled."""
        candidates = self.candidates.copy()
        for cell, digit, is_on in literals:
            if is_on:
                self._fill(candidates, cell, digit)
            candidates[cell, digit - 1] = is_on
        return type(self)(self.puzzle, self.values, candidates)

    def digits(self, cell: int) -> tuple[int, ...]:
        """Return the candidates of a cell."""
        return self._digits[cell]

    @cached_property
    def _digits(self) -> list[tuple[int, ...]]:
        """Candidates of every cell, cached because words and drawings need them often."""
        return [
            tuple(digit for digit, may_be in enumerate(row, 1) if may_be)
            for row in self.candidates.tolist()
        ]

    def places(self, house: int, digit: int) -> tuple[int, ...]:
        """Return the cells of a house that have a digit as a candidate."""
        return tuple(cell for cell in self.house(house) if self.candidates[cell, digit - 1])

    def _fill_all(self, candidates: NDArray[np.bool_]) -> None:
        for cell in np.flatnonzero(self.values).tolist():
            self._fill(candidates, cell, int(self.values[cell]))

    def _fill(self, candidates: NDArray[np.bool_], cell: int, digit: int) -> None:
        candidates[cell] = False
        candidates[self._peers(cell), digit - 1] = False

    @classmethod
    @abstractmethod
    def _every(cls, puzzle: P) -> NDArray[np.bool_]:
        """Return a new array with the candidates before any digit is filled in."""

    @abstractmethod
    def house(self, house: int) -> tuple[int, ...]:
        """Return the cells of a house."""

    @abstractmethod
    def houses_of(self, cells: tuple[int, ...]) -> set[int]:
        """Return the houses that hold all of the cells."""

    @abstractmethod
    def sees(self, cell: int, other: int) -> bool:
        """Return True if two different cells cannot hold the same digit."""

    def bars(self, cell: int, digit: int, other: int, second: int) -> bool:
        """Return True if a relation forbids `digit` in a cell together with `second` in another."""
        return False

    @abstractmethod
    def _peers(self, cell: int) -> Any:
        """Return the cells that cannot hold the digit of a cell."""


AnyMarks = CandidateMarks[Any]


# Compare a half-solved Sudoku or variant with its solution


def mistakes(marks: AnyMarks, solution: Values) -> list[Fault]:
    """Return a fault with all wrong entries or, if there are none, all wrong eliminations.

    The list is empty if the solution agrees with the marks.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> from nando.solvers.logic.sudoku.marks import PencilMarks
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> values = puzzle.givens.copy()
    >>> values[2] = 1
    >>> solution = np.array([*map(int, "534678912672195348198342567859761423426853791713924856"
    ...     "961537284287419635345286179")], np.int8)
    >>> [fault.message for fault in mistakes(PencilMarks.standing(puzzle, values), solution)]
    ['wrong entry: r1c3 is not 1']
    """
    name = marks.puzzle.cell_name
    wrong = np.flatnonzero((marks.values > 0) & (marks.values != solution)).tolist()
    if wrong:
        parts = [f"{name(cell)} is not {SYMBOLS[marks.values[cell]]}" for cell in wrong]
        return [Fault(FaultKind.WRONG_ENTRY, f"wrong entry: {first_listed(parts)}", tuple(wrong))]
    # A place without a cell has no digit in the solution.
    blanks = np.flatnonzero((marks.values == 0) & (solution > 0))
    has_it = marks.candidates[blanks, solution[blanks] - 1]
    missing = blanks[~has_it].tolist()
    if missing:
        parts = [f"{SYMBOLS[solution[cell]]} from {name(cell)}" for cell in missing]
        message = f"wrong elimination: {first_listed(parts)}"
        return [Fault(FaultKind.WRONG_ELIMINATION, message, tuple(missing))]
    return []

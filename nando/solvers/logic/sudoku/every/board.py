"""Pencil marks as sets of cells, one for each digit, in which patterns are looked up.

A set is a Python integer with a bit for each cell, so that a house, what a cell sees and where a
digit fits meet in one operation.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from nando.puzzles import Sudoku
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique

Candidate = tuple[int, int]
"""A cell and a digit, from 1."""


@dataclass(frozen=True)
class Board:
    """Pencil marks as sets.

    Attributes
    ----------
    marks : PencilMarks
    houses : list of int
        Set of the cells of each house, numbered rows, columns, boxes.
    peers : list of int
        Set of the cells that each cell sees.
    at : list of int
        Set of the cells with each candidate, by digit from 1; the first is empty.
    digits : list of frozenset of int
        Candidates of each cell.
    """

    marks: PencilMarks
    houses: list[int]
    peers: list[int]
    at: list[int]
    digits: list[frozenset[int]]

    @classmethod
    def of(cls, marks: PencilMarks) -> "Board":
        """The board of pencil marks."""
        houses, peers = _geometry(marks.puzzle.order)
        columns = marks.candidates.T.tolist()
        at = [0, *(set_of(cell for cell, has in enumerate(one) if has) for one in columns)]
        digits = [frozenset(marks.digits(cell)) for cell in range(marks.values.size)]
        return cls(marks, houses, peers, at, digits)

    @property
    def puzzle(self) -> Sudoku:
        """The puzzle."""
        return self.marks.puzzle

    @property
    def size(self) -> int:
        """Digits, and cells of a house."""
        return self.marks.puzzle.size

    @property
    def blanks(self) -> list[int]:
        """Cells with candidates."""
        return [cell for cell, digits in enumerate(self.digits) if digits]

    @property
    def bivalue(self) -> list[int]:
        """Cells with two candidates."""
        return [cell for cell, digits in enumerate(self.digits) if len(digits) == 2]

    def blanks_of(self, house: int) -> list[int]:
        """Cells of a house with candidates."""
        return [cell for cell in self.marks.house(house) if self.digits[cell]]

    def seen_by_all(self, cells: Iterable[int]) -> int:
        """Set of the cells that see all of some."""
        seen = -1
        for cell in cells:
            seen &= self.peers[cell]
        return seen

    def removed(self, digits: Iterable[int], cells: int) -> Iterator[Candidate]:
        """The candidates among some digits and a set of cells."""
        for digit in digits:
            for cell in members(cells & self.at[digit]):
                yield cell, digit


def step(
    technique: Technique,
    eliminations: Iterable[Candidate] = (),
    *,
    harder: int = 0,
    variant: int = 0,
    houses: Iterable[int] = (),
    cells: Iterable[int],
    digits: Iterable[int],
    placement: Candidate | None = None,
) -> LogicStep:
    """A step; `harder` is what its pattern adds to the rating, in tenths."""
    return LogicStep(
        technique,
        (round(technique.rating * 10) + harder) / 10,
        variant,
        tuple(houses),
        tuple(cells),
        tuple(sorted(digits)),
        placement,
        tuple(sorted(set(eliminations))),
    )


def members(cells: int) -> Iterator[int]:
    """The cells of a set, in order."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def set_of(cells: Iterable[int]) -> int:
    """The set of some cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


@cache
def _geometry(order: int) -> tuple[list[int], list[int]]:
    layout = sudoku_layout(order)
    return [set_of(house) for house in layout.houses.tolist()], [
        set_of(peers) for peers in layout.peers.tolist()
    ]

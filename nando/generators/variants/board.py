"""The canvas of clues: a board with its digits, and the space that clues already use."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import numpy as np

from nando.generators.symmetry import Symmetry
from nando.puzzles.boards.board import Board, Cell, Cells, Line
from nando.puzzles.rules.cells import ADJACENT

T = TypeVar("T")

AROUND = (*ADJACENT, (1, 1), (1, -1), (-1, 1), (-1, -1))


@dataclass
class Canvas:
    """A board on which clues are drawn, one rule after another.

    Attributes
    ----------
    board : Board
    digits : dict of Cell to int
        The solution; empty while a layout is drawn before the digits.
    rng : Generator
    wanted : int or None
        Number of clues of each rule; None lets the rule decide.
    symmetry : str
        Symmetry of areas, for rules that support it.
    singles : int
        Most areas of a single cell.
    used : set of Cell
        Cells of lines and areas, through which no other one leads.
    outside : set of Line
        Ends of rows and columns that have a number.
    crossings : set of (int, int)
        Middles of diagonal steps of lines, each times two.
    """

    board: Board
    digits: dict[Cell, int]
    rng: np.random.Generator
    wanted: int | None = None
    symmetry: Symmetry = "none"
    singles: int = 0
    used: set[Cell] = field(default_factory=set)
    outside: set[Line] = field(default_factory=set)
    crossings: set[tuple[int, int]] = field(default_factory=set)

    def sides(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the cells that share an edge with a cell."""
        return _sides_of(self.board)[cell]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return items in random order."""
        listed = list(items)
        return [listed[i] for i in self.rng.permutation(len(listed)).tolist()]

    def below(self, count: int) -> int:
        """Return a random number from 0 to `count` - 1."""
        return int(self.rng.integers(count))

    def image(self, cell: Cell) -> Cell:
        """Return the image of a cell under the symmetry."""
        rows, columns = self.board.n_rows - 1, self.board.n_columns - 1
        if self.symmetry == "mirror":
            return Cell(cell.row, columns - cell.column)
        if self.symmetry == "diagonal":
            return Cell(cell.column, cell.row)
        if self.symmetry == "none":
            return cell
        return Cell(rows - cell.row, columns - cell.column)

    def steps(self, cell: Cell) -> Iterator[Cell]:
        """Yield the cells to which a line can go on without crossing another, in random order."""
        for down, right in self.shuffled(AROUND):
            other = Cell(cell.row + down, cell.column + right)
            if other not in self.board.number_of or other in self.used:
                continue
            if down and right and _crossing(cell, other) in self.crossings:
                continue
            yield other

    def use(self, cells: Cells) -> None:
        """Record that a line leads through cells."""
        self.used.update(cells)
        for cell, other in pairwise(cells):
            if cell.row != other.row and cell.column != other.column:
                self.crossings.add(_crossing(cell, other))


@lru_cache(maxsize=16)
def _sides_of(board: Board) -> dict[Cell, tuple[Cell, ...]]:
    return {cell: tuple(board.around(cell, ADJACENT)) for cell in board.cells}


def _crossing(cell: Cell, other: Cell) -> tuple[int, int]:
    """Return twice the middle of two cells; two diagonals that cross share it."""
    return cell.row + other.row, cell.column + other.column

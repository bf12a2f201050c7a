"""Clones: two shapes that hold the same digits in the same places."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.constraints import Constraint, Relation
from nando.puzzles.boards.relations import equal
from nando.puzzles.boards.rule import Grid, Rule


@dataclass(frozen=True)
class Clone(Rule):
    """Each cell of a shape holds the digit of the cell in the same place of another shape."""

    cells: Cells
    copies: Cells

    name: ClassVar[str] = "clone"

    def __post_init__(self) -> None:
        couples = sorted(zip(self.cells, self.copies, strict=False))
        if couples and len(self.cells) == len(self.copies):
            swapped = sorted((copy, cell) for cell, copy in couples)
            first, second = zip(*min(couples, swapped), strict=True)
            object.__setattr__(self, "cells", first)
            object.__setattr__(self, "copies", second)

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pairs of equal cells."""
        for cell, copy in zip(self.cells, self.copies, strict=True):
            yield Relation(cell, copy, equal(board.digits))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the shapes hold the same digits."""
        return [grid[cell] for cell in self.cells] == [grid[cell] for cell in self.copies]

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for shapes that differ."""
        yield from super().faults(board)
        if len(self.cells) != len(self.copies):
            yield f"{self.label} has {len(self.cells)} cells and {len(self.copies)} copies"
            return
        shifts = {
            (copy.row - cell.row, copy.column - cell.column)
            for cell, copy in zip(self.cells, self.copies, strict=True)
        }
        if len(shifts) != 1:
            yield f"{self.label} and its copy have different shapes"

"""Thermometers: lines along which digits rise."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Self

from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.constraints import Constraint
from nando.puzzles.boards.lines import line_faults
from nando.puzzles.boards.relations import rising
from nando.puzzles.boards.rule import Grid, Relabelling, Rule


@dataclass(frozen=True)
class Thermometer(Rule):
    """Digits rise from the bulb, the first cell, to the last one."""

    cells: Cells
    slow: bool = False
    """Whether digits may also stay the same."""

    name: ClassVar[str] = "thermometer"
    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the relations of the cells."""
        yield from rising(board.digits, self.cells, 0 if self.slow else 1)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the digits rise."""
        digits = [grid[cell] for cell in self.cells]
        return all(a < b or (self.slow and a == b) for a, b in pairwise(digits))

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a line that is broken or longer than the digits."""
        yield from super().faults(board)
        yield from line_faults(self, self.cells)
        if not self.slow and len(self.cells) > board.digits:
            yield (f"{self.label} has {len(self.cells)} cells, more than the {board.digits} digits")

    def reversed_digits(self, digits: int) -> Self:
        """Return the thermometer with its bulb at the other end."""
        return type(self)(self.cells[::-1], self.slow)

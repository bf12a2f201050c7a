"""Arrows: the digits on the shaft sum to the number in the circle."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nando.puzzles.boards.board import Board, Cell, Cells
from nando.puzzles.boards.constraints import Constraint, Sum
from nando.puzzles.boards.lines import line_faults
from nando.puzzles.boards.rule import Grid, Relabelling, Rule


@dataclass(frozen=True)
class Arrow(Rule):
    """The digits on the shaft sum to the circle; a pill of several cells is read as a number."""

    circle: Cells
    """One cell, or the cells of a pill in reading order."""
    shaft: Cells
    """From the cell next to the circle to the tip."""

    name: ClassVar[str] = "arrow"
    relabelling: ClassVar[Relabelling] = Relabelling.NONE

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the sum of the shaft less the number in the circle."""
        places = tuple(-(10**i) for i in range(len(self.circle)))[::-1]
        weights: dict[Cell, int] = {}
        for cell, weight in zip(
            (*self.shaft, *self.circle), (*(1 for _ in self.shaft), *places), strict=True
        ):
            weights[cell] = weights.get(cell, 0) + weight
        kept = {cell: weight for cell, weight in weights.items() if weight}
        yield Sum(tuple(kept), 0, tuple(kept.values()))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the sum is the number."""
        number = 0
        for cell in self.circle:
            number = 10 * number + grid[cell]
        return sum(grid[cell] for cell in self.shaft) == number

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a broken arrow or a pill of more than three cells."""
        yield from super().faults(board)
        if not 1 <= len(self.circle) <= 3:
            yield f"{self.label} has a circle of {len(self.circle)} cells, wanted 1 to 3"
        yield from line_faults(self, self.shaft, 1)
        if set(self.shaft) & set(self.circle):
            yield f"{self.label} returns to its circle"

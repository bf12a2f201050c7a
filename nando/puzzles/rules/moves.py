"""Cells a chess move apart that see each other, and neighbours that may not be consecutive."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nando.puzzles.boards.board import Board, Cell
from nando.puzzles.boards.constraints import AllDifferent, Constraint, Relation, pairs
from nando.puzzles.boards.rule import Grid, Relabelling, Rule

HALF = {"knight": ((1, 2), (2, 1), (1, -2), (2, -1)), "king": ((0, 1), (1, -1), (1, 0), (1, 1))}
"""Moves to later cells; the others are their reverse."""


@dataclass(frozen=True)
class _Moves(Rule):
    """Cells a move apart hold different digits; a subclass names the move."""

    piece: ClassVar[str]

    def pairs(self, board: Board) -> Iterator[tuple[Cell, Cell]]:
        """Yield each pair of cells a move apart, once."""
        for cell in board.cells:
            for other in board.around(cell, HALF[self.piece]):
                yield cell, other

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pairs."""
        yield from map(AllDifferent, self.pairs(board))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if no pair holds a digit twice."""
        return all(grid[cell] != grid[other] for cell, other in self.pairs(board))


@dataclass(frozen=True)
class AntiKnight(_Moves):
    """Cells a knight's move apart hold different digits."""

    name: ClassVar[str] = "anti-knight"
    piece: ClassVar[str] = "knight"


@dataclass(frozen=True)
class AntiKing(_Moves):
    """Cells that touch, diagonally too, hold different digits."""

    name: ClassVar[str] = "anti-king"
    piece: ClassVar[str] = "king"


@dataclass(frozen=True)
class NonConsecutive(Rule):
    """Cells that share an edge hold no consecutive digits."""

    name: ClassVar[str] = "non-consecutive"
    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    cyclic: bool = False
    """True if 1 and n are consecutive, too."""

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield a relation for each pair of neighbours."""
        allowed = pairs(board.digits, lambda a, b: not self._consecutive(board, a, b))
        for cell, other in board.adjacent_pairs():
            yield Relation(cell, other, allowed)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if no neighbours are consecutive."""
        return not any(
            self._consecutive(board, grid[cell], grid[other])
            for cell, other in board.adjacent_pairs()
        )

    def _consecutive(self, board: Board, a: int, b: int) -> bool:
        return abs(a - b) == 1 or (self.cyclic and {a, b} == {1, board.digits})

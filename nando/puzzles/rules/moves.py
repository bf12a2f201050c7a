"""Cells some moves apart whose digits are related, and squares of cells, all over the board."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from nando.puzzles.boards import constraints
from nando.puzzles.boards.board import Board, Cell, Cells
from nando.puzzles.boards.rule import Grid, Relabelling, Rule
from nando.puzzles.rules.lines import Entropic, Modular, _Classes

HALF = {"knight": ((1, 2), (2, 1), (1, -2), (2, -1)), "king": ((0, 1), (1, -1), (1, 0), (1, 1))}
"""Moves to later cells; the others are their reverse."""


@dataclass(frozen=True)
class _Moves(Rule):
    """Cells a move apart hold different digits; a subclass names the move."""

    piece: ClassVar[str]
    relabelling: ClassVar[Relabelling] = Relabelling.ANY

    def pairs(self, board: Board) -> Iterator[tuple[Cell, Cell]]:
        """Yield each pair of cells a move apart, once."""
        for cell in board.cells:
            for other in board.around(cell, HALF[self.piece]):
                yield cell, other

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pairs."""
        yield from map(constraints.AllDifferent, self.pairs(board))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if no pair holds a digit twice."""
        return all(grid[cell] != grid[other] for cell, other in self.pairs(board))


@dataclass(frozen=True)
class AntiKnight(_Moves):
    """Cells a knight's move apart hold different digits."""

    piece: ClassVar[str] = "knight"


@dataclass(frozen=True)
class AntiKing(_Moves):
    """Cells that touch, diagonally too, hold different digits."""

    piece: ClassVar[str] = "king"


@dataclass(frozen=True)
class NonConsecutive(Rule):
    """Cells that share an edge hold no consecutive digits."""

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    cyclic: bool = False
    """True if 1 and n are consecutive, too."""

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield a relation for each pair of neighbours."""
        allowed = constraints.pairs(board.values, lambda a, b: not self._consecutive(board, a, b))
        for cell, other in board.adjacent_pairs():
            yield constraints.Relation(cell, other, allowed)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if no neighbours are consecutive."""
        return not any(
            self._consecutive(board, grid[cell], grid[other])
            for cell, other in board.adjacent_pairs()
        )

    def _consecutive(self, board: Board, a: int, b: int) -> bool:
        return abs(a - b) == 1 or (self.cyclic and {a, b} == {board.values[0], board.values[-1]})


@dataclass(frozen=True)
class AntiTaxicab(Rule):
    """Cells with the same digit d are not d steps apart: up, down, left or right."""

    def pairs(self, board: Board) -> Iterator[tuple[Cell, Cell, int]]:
        """Yield pairs of cells as many steps apart as a digit; those of one line see each other."""
        for i, cell in enumerate(board.cells):
            for other in board.cells[i + 1 :]:
                down, right = other.row - cell.row, abs(other.column - cell.column)
                if down + right <= board.values[-1] and ((down and right) or not board.is_single):
                    yield cell, other, down + right

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield a relation for each pair: its cells do not both hold the number of steps."""
        for cell, other, steps in self.pairs(board):
            yield constraints.Relation(cell, other, _not_both(board.values, steps))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if no two cells with a digit are as many steps apart."""
        return not any(
            grid[cell] == grid[other] == steps for cell, other, steps in self.pairs(board)
        )


@cache
def _not_both(values: range, digit: int) -> tuple[int, ...]:
    return constraints.pairs(values, lambda a, b: not a == b == digit)


@dataclass(frozen=True)
class _Squares(Rule):
    """Every square of 2x2 cells holds digits of all three classes; a subclass says which."""

    line: ClassVar[type[_Classes]]
    """The rule of lines with the same classes."""

    def squares(self, board: Board) -> Iterator[Cells]:
        """Yield the cells of each square."""
        for cell in board.cells:
            square = (cell, *board.around(cell, ((0, 1), (1, 0), (1, 1))))
            if len(square) == 4:
                yield square

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pattern of each square."""
        classes = tuple(self.line.class_of(board, digit) for digit in board.values)
        for square in self.squares(board):
            yield constraints.Pattern(square, _all_classes(classes))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if no square lacks a class."""
        return all(
            len({self.line.class_of(board, grid[cell]) for cell in square}) == 3
            for square in self.squares(board)
        )


@cache
def _all_classes(classes: tuple[int, ...]) -> constraints.Automaton:
    # A state is the set of the classes so far.
    return constraints.automaton_of(
        range(len(classes)),
        frozenset[int](),
        lambda state, place: state | {classes[place]},
        lambda state: len(state) == 3,
    )


@dataclass(frozen=True)
class GlobalEntropy(_Squares):
    """Every square of 2x2 cells holds a low, a middle and a high digit (1-3, 4-6, 7-9)."""

    line: ClassVar[type[_Classes]] = Entropic


@dataclass(frozen=True)
class GlobalModular(_Squares):
    """Every square of 2x2 cells holds a digit of each remainder when divided by 3."""

    line: ClassVar[type[_Classes]] = Modular

"""Quadruples: digits in a circle that four cells hold."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

from nando.puzzles.boards.automata import automaton_of
from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.constraints import Automaton, Constraint, Pattern
from nando.puzzles.boards.rule import Grid, Relabelling, Rule


@dataclass(frozen=True)
class Quadruple(Rule):
    """The digits in the circle are among the cells around it, as often as they are written."""

    cells: Cells
    digits: tuple[int, ...]

    name: ClassVar[str] = "quadruple"
    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(sorted(self.cells)))
        object.__setattr__(self, "digits", tuple(sorted(self.digits)))

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pattern of the cells."""
        yield Pattern(self.cells, _holding(board.digits, self.digits))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the cells hold the digits."""
        return not Counter(self.digits) - Counter(grid[cell] for cell in self.cells)

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for cells that are no square, or digits that do not fit in."""
        yield from super().faults(board)
        row, column = min(self.cells, default=(0, 0))
        square = {(row + i, column + j) for i in (0, 1) for j in (0, 1)}
        if set(self.cells) != square or len(self.cells) != 4:
            yield f"{self.label} does not lie on four cells around a corner"
        if not 1 <= len(self.digits) <= 4 or max(self.digits) > board.digits:
            yield f"{self.label} has 1 to 4 digits up to {board.digits}, got {self.digits}"

    def reversed_digits(self, digits: int) -> Self:
        """Return the circle with reversed digits."""
        return type(self)(self.cells, tuple(digits + 1 - digit for digit in self.digits))


@cache
def _holding(n: int, digits: tuple[int, ...]) -> Automaton:
    # A state is the digits that have not been seen.
    def step(state: Any, digit: int) -> Any:
        if digit not in state:
            return state
        i = state.index(digit)
        return state[:i] + state[i + 1 :]

    return automaton_of(n, digits, step, lambda state: state == ())

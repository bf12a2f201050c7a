"""Cages: cells that are outlined, with a sum that their digits have (killer) or never have."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import ClassVar, Self

from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.constraints import (
    AllDifferent,
    Automaton,
    Constraint,
    Pattern,
    Sum,
    automaton_of,
    of_length,
)
from nando.puzzles.boards.rule import CellsRule, Grid, Relabelling, Rule


@dataclass(frozen=True)
class Cage(Rule):
    """The digits of a cage sum to `total`, and none of them repeats."""

    cells: Cells
    total: int | None = None
    """None for a cage without a number."""
    repeats: bool = False
    """True if digits may repeat."""

    name: ClassVar[str] = "killer"
    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(sorted(self.cells)))

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the cells as all different, and their sum."""
        if not self.repeats and len(self.cells) > 1:
            yield AllDifferent(self.cells)
        if self.total is not None:
            yield Sum(self.cells, self.total)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the sum is right and no digit repeats, unless digits may repeat."""
        digits = [grid[cell] for cell in self.cells]
        if not self.repeats and len(set(digits)) != len(digits):
            return False
        return self.total is None or sum(digits) == self.total

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a cage with too many cells or an impossible sum."""
        yield from super().faults(board)
        n, k = board.digits, len(self.cells)
        if len(set(self.cells)) != k:
            yield f"{self.label} names a cell twice"
        if not self.repeats and k > n:
            yield f"{self.label} has {k} cells, more than the {n} digits"
            return
        low, high = board.values[0], board.values[-1]
        least, most = sum(board.values[:k]), sum(board.values[-k:])
        if self.repeats:
            least, most = k * low, k * high
        if self.total is not None and not least <= self.total <= most:
            yield (
                f"the sum {self.total} of {self.label} is impossible: {k} cells sum to "
                f"{least} to {most}"
            )

    def reversed_digits(self, ends: int) -> Self:
        """Return the cage on reversed digits."""
        total = None if self.total is None else len(self.cells) * ends - self.total
        return type(self)(self.cells, total, self.repeats)


@dataclass(frozen=True)
class Rellik(CellsRule):
    """No choice of one or more cells of the cage sums to `total`, and no digit repeats."""

    total: int
    repeats: bool = False
    """True if digits may repeat."""

    name: ClassVar[str] = "rellik"
    relabelling: ClassVar[Relabelling] = Relabelling.NONE

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the cells as all different, and their pattern."""
        if not self.repeats and len(self.cells) > 1:
            yield AllDifferent(self.cells)
        yield Pattern(self.cells, _never(board.values, self.total, len(self.cells)))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if no cells of the cage have the sum and no digit repeats, unless it may."""
        digits = [grid[cell] for cell in self.cells]
        if not self.repeats and len(set(digits)) != len(digits):
            return False
        return not any(
            sum(chosen) == self.total
            for size in range(1, len(digits) + 1)
            for chosen in combinations(digits, size)
        )

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for too many cells, and for a sum that is impossible or too large."""
        yield from super().faults(board)
        if not self.repeats and len(self.cells) > board.digits:
            yield f"{self.label} has {len(self.cells)} cells, more than the {board.digits} digits"
        if not 1 <= self.total <= len(self.cells) * board.values[-1]:
            yield f"{self.label} needs no rule to avoid the sum {self.total}"
            return
        try:
            _never(board.values, self.total, len(self.cells))
        except ValueError as error:
            yield f"the sum {self.total} of {self.label} is too large: {error}"


@cache
def _never(values: range, total: int, length: int) -> Automaton:
    # A state is the set of the sums of some cells up to the total, as bits.
    def step(state: int, digit: int) -> int | None:
        state |= state << digit & (1 << total + 1) - 1
        return None if state >> total else state

    return of_length(automaton_of(values, 1, step, lambda _: True), length)


@dataclass(frozen=True)
class LittleKiller(Rule):
    """The digits of a diagonal, marked by an arrow outside the grid, sum to `total`."""

    cells: Cells
    """The cells from the arrow to the opposite edge."""
    total: int

    name: ClassVar[str] = "little-killer"
    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the sum."""
        yield Sum(self.cells, self.total)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the sum is right."""
        return sum(grid[cell] for cell in self.cells) == self.total

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for cells that are no diagonal, or an impossible sum."""
        yield from super().faults(board)
        k = len(self.cells)
        steps = {
            (b.row - a.row, b.column - a.column)
            for a, b in zip(self.cells, self.cells[1:], strict=False)
        }
        if k > 1 and (len(steps) != 1 or any(0 in step for step in steps)):
            yield f"{self.label} does not follow a diagonal"
        least, most = k * board.values[0], k * board.values[-1]
        if not least <= self.total <= most:
            yield (
                f"the sum {self.total} of {self.label} is impossible: {k} cells sum to "
                f"{least} to {most}"
            )

    def reversed_digits(self, ends: int) -> Self:
        """Return the sum on reversed digits."""
        return type(self)(self.cells, len(self.cells) * ends - self.total)

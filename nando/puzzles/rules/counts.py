"""How often digits occur in some cells: counting circles and look-and-say cages."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Self

from nando.puzzles.boards import constraints
from nando.puzzles.boards.board import Board
from nando.puzzles.boards.rule import CellsRule, Grid, Relabelling


@dataclass(frozen=True)
class CountingCircles(CellsRule):
    """A digit in a circle is the number of these circles that hold it."""

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the patterns of each digit and of the set of digits, which sum to the circles."""
        digits = [digit for digit in board.values if 1 <= digit <= len(self.cells)]
        for cell in self.cells:
            yield constraints.Candidates(cell, constraints.mask_of(board.values, digits))
        for digit in digits:
            yield constraints.Pattern(self.cells, _times(board.values, digit, (0, digit)))
        if board.digits <= _MOST_DIGITS:
            yield constraints.Pattern(self.cells, _set_with_sum(board.values, len(self.cells)))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if each digit in a circle is there as often as it says."""
        counts = Counter(grid[cell] for cell in self.cells)
        return all(digit == count for digit, count in counts.items())

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for more circles than all digits together ask for."""
        yield from super().faults(board)
        if len(self.cells) > (most := sum(board.values)):
            yield f"{self.label} has {len(self.cells)} circles, more than {most}"


_MOST_DIGITS = 9
"""Most digits for which the sets that fill the circles are read off the cells."""


@cache
def _times(values: range, digit: int, allowed: tuple[int, ...]) -> constraints.Automaton:
    # A state is how often the digit has occurred.
    def step(state: int, read: int) -> int | None:
        state += read == digit
        return state if state <= max(allowed) else None

    return constraints.automaton_of(values, 0, step, lambda state: state in allowed)


@cache
def _set_with_sum(values: range, total: int) -> constraints.Automaton:
    # A state is the set of the digits so far; their sum is the total in the end.
    def step(state: frozenset[int], digit: int) -> frozenset[int] | None:
        state |= {digit}
        return state if sum(state) <= total else None

    return constraints.automaton_of(values, frozenset(), step, lambda state: sum(state) == total)


@dataclass(frozen=True)
class LookAndSay(CellsRule):
    """Some digits occur in the cage exactly as often as said; others are free.

    The numbers are pairs of a count and a digit: 1-2-2-3 says one 2 and two 3s.
    """

    says: tuple[int, ...]

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.says) % 2 == 0:
            in_order = sorted(self.counts(), key=lambda pair: pair[::-1])
            object.__setattr__(self, "says", tuple(number for pair in in_order for number in pair))

    def counts(self) -> list[tuple[int, int]]:
        """Return the pairs of a count and a digit."""
        return list(zip(self.says[::2], self.says[1::2], strict=True))

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pattern of each digit that is named."""
        for count, digit in self.counts():
            yield constraints.Pattern(self.cells, _times(board.values, digit, (count,)))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if each digit that is named occurs as often as said."""
        found = Counter(grid[cell] for cell in self.cells)
        return all(found[digit] == count for count, digit in self.counts())

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for numbers that are no pairs, or counts and digits that cannot be."""
        yield from super().faults(board)
        if not self.says or len(self.says) % 2:
            yield f"{self.label} wants pairs of a count and a digit, got {self.says}"
            return
        digits = [digit for _, digit in self.counts()]
        if len(set(digits)) < len(digits) or not {*digits} <= {*board.values}:
            least, most = board.values[0], board.values[-1]
            yield f"{self.label} wants different digits from {least} to {most}, got {digits}"
        if (said := sum(self.says[::2])) > len(self.cells):
            yield f"{self.label} has {len(self.cells)} cells, fewer than the {said} digits it says"

    def reversed_digits(self, ends: int) -> Self:
        """Return the cage on reversed digits."""
        pairs = [(count, ends - digit) for count, digit in self.counts()]
        return type(self)(self.cells, tuple(number for pair in pairs for number in pair))

"""Numbers outside the grid: sandwiches, X-sums, skyscrapers, frame sums, numbered rooms."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from nando.puzzles.boards.board import Board, Line
from nando.puzzles.boards.constraints import Automaton, Constraint, Pattern, Sum, automaton_of
from nando.puzzles.boards.rule import Grid, Relabelling, Rule


@dataclass(frozen=True)
class _Outside(Rule):
    """A number at the end of a row or column; a subclass says what it counts."""

    line: Line
    """The row or column, from the side of the number."""
    number: int

    relabelling: ClassVar[Relabelling] = Relabelling.NONE

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the number for a line of digits, read from the side of the number."""
        raise NotImplementedError

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the line has the number."""
        digits = [grid[cell] for cell in board.line(self.line)]
        return self.counted(board, digits) == self.number

    def span(self, board: Board) -> tuple[int, int]:
        """Return the least and the greatest number that a line can have."""
        raise NotImplementedError

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a line that the board lacks or an impossible number."""
        yield from super().faults(board)
        least, most = self.span(board)
        if not least <= self.number <= most:
            yield f"{self.label} is impossible: the number is {least} to {most}"

    @property
    def label(self) -> str:
        """Name and line of the rule."""
        return f"{self.name} {self.number} at {self.line}"


@dataclass(frozen=True)
class Sandwich(_Outside):
    """The digits between 1 and n sum to the number."""

    name: ClassVar[str] = "sandwich"

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pattern of the line."""
        yield Pattern(board.line(self.line), _sandwich(board.digits, self.number))

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the sum between 1 and n."""
        start, end = sorted((digits.index(1), digits.index(board.digits)))
        return sum(digits[start + 1 : end])

    def span(self, board: Board) -> tuple[int, int]:
        """Return 0 and the sum of all digits but 1 and n."""
        return 0, sum(range(2, board.digits))


@cache
def _sandwich(n: int, total: int) -> Automaton:
    # Between the ends, a state is the sum that is left and the end that is missing.
    def step(state: Any, digit: int) -> Any:
        if state == "before":
            return (total, n + 1 - digit) if digit in (1, n) else state
        if state == "after":
            return None if digit in (1, n) else state
        left, end = state
        if digit == end:
            return "after" if left == 0 else None
        if digit in (1, n) or digit > left:
            return None
        return (left - digit, end)

    return automaton_of(n, "before", step, lambda state: state == "after")


@dataclass(frozen=True)
class XSums(_Outside):
    """The first X digits sum to the number, where X is the first digit."""

    name: ClassVar[str] = "x-sums"

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pattern of the line."""
        yield Pattern(board.line(self.line), _x_sums(board.digits, self.number))

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the sum of the first digits."""
        return sum(digits[: digits[0]])

    def span(self, board: Board) -> tuple[int, int]:
        """Return 1 and the sum of all digits."""
        return 1, sum(range(1, board.digits + 1))


@cache
def _x_sums(n: int, total: int) -> Automaton:
    # A state is the number of cells that still count and the sum left for them.
    def step(state: Any, digit: int) -> Any:
        if state == "start":
            cells, left = digit, total
        else:
            cells, left = state
        if cells == 0:
            return (0, 0)
        cells, left = cells - 1, left - digit
        return (cells, left) if left >= 0 and (cells > 0 or left == 0) else None

    return automaton_of(n, "start", step, lambda state: state == (0, 0))


@dataclass(frozen=True)
class Skyscraper(_Outside):
    """The number of digits that are higher than all digits before them, read from its side."""

    name: ClassVar[str] = "skyscraper"

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pattern of the line."""
        yield Pattern(board.line(self.line), _skyscraper(board.digits, self.number))

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the number of digits seen."""
        return sum(digit > max(digits[:i], default=0) for i, digit in enumerate(digits))

    def span(self, board: Board) -> tuple[int, int]:
        """Return 1 and the number of digits."""
        return 1, board.digits


@cache
def _skyscraper(n: int, number: int) -> Automaton:
    # A state is the highest digit so far and how many more may be seen.
    def step(state: Any, digit: int) -> Any:
        highest, left = state
        if digit <= highest:
            return state
        return (digit, left - 1) if left > 0 else None

    return automaton_of(n, (0, number), step, lambda state: state == (n, 0))


@dataclass(frozen=True)
class FrameSum(_Outside):
    """The first digits, as many as a box is deep, sum to the number."""

    name: ClassVar[str] = "frame-sum"

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the sum."""
        yield Sum(board.line(self.line)[: self._depth(board)], self.number)

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the sum of the first digits."""
        return sum(digits[: self._depth(board)])

    def span(self, board: Board) -> tuple[int, int]:
        """Return the sums of the lowest and of the highest digits."""
        n, k = board.digits, self._depth(board)
        return sum(range(1, k + 1)), sum(range(n - k + 1, n + 1))

    def _depth(self, board: Board) -> int:
        height, width = board.box or (3, 3)
        return width if self.line.edge in ("left", "right") else height


@dataclass(frozen=True)
class NumberedRoom(_Outside):
    """The digit in place X is the number, where X is the first digit of the line."""

    name: ClassVar[str] = "numbered-room"

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pattern of the line."""
        yield Pattern(board.line(self.line), _numbered_room(board.digits, self.number))

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the digit in the place that the first digit names."""
        return digits[digits[0] - 1]

    def span(self, board: Board) -> tuple[int, int]:
        """Return the lowest and the highest digit."""
        return 1, board.digits


@cache
def _numbered_room(n: int, number: int) -> Automaton:
    # A state is the number of cells up to the one that counts.
    def step(state: Any, digit: int) -> Any:
        left = digit if state == "start" else state
        if left == 0:
            return 0
        return None if left == 1 and digit != number else left - 1

    return automaton_of(n, "start", step, lambda state: state == 0)

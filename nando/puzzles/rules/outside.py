"""Numbers outside the grid: sandwiches, X-sums, skyscrapers, frame sums, rooms, ranks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, ClassVar

from nando.puzzles.boards.board import EDGES, Board, Cell, Line
from nando.puzzles.boards.constraints import Automaton, Constraint, Pattern, Sum, automaton_of
from nando.puzzles.boards.rule import Grid, Rule


@dataclass(frozen=True)
class Outside(Rule):
    """A number at the end of a row or column; a subclass says what it counts."""

    line: Line
    """The row or column, from the side of the number."""
    number: int

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the number for a line of digits, read from the side of the number."""
        raise NotImplementedError

    def number_in(self, board: Board, grid: Grid) -> int | None:
        """Return the number for a full board; None if the line has none."""
        return self.counted(board, [grid[cell] for cell in board.line(self.line)])

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the line has the number."""
        return self.number_in(board, grid) == self.number

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
class Sandwich(Outside):
    """The digits between the lowest and the highest, usually 1 and 9, sum to the number."""

    needs_every_digit: ClassVar[bool] = True

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pattern of the line."""
        yield Pattern(board.line(self.line), _sandwich(board.values, self.number))

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the sum between the lowest and the highest digit."""
        start, end = sorted((digits.index(board.values[0]), digits.index(board.values[-1])))
        return sum(digits[start + 1 : end])

    def span(self, board: Board) -> tuple[int, int]:
        """Return 0 and the sum of all other digits."""
        return 0, sum(board.values[1:-1])


@cache
def _sandwich(values: range, total: int) -> Automaton:
    # Between the ends, a state is the sum that is left and the end that is missing.
    ends = values[0], values[-1]

    def step(state: Any, digit: int) -> Any:
        if state == "before":
            return (total, sum(ends) - digit) if digit in ends else state
        if state == "after":
            return None if digit in ends else state
        left, end = state
        if digit == end:
            return "after" if left == 0 else None
        if digit in ends or digit > left:
            return None
        return (left - digit, end)

    return automaton_of(values, "before", step, lambda state: state == "after")


@dataclass(frozen=True)
class XSums(Outside):
    """The first X digits sum to the number, where X is the first digit."""

    name: ClassVar[str] = "x-sums"

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pattern of the line."""
        yield Pattern(board.line(self.line), _x_sums(board.values, self.number))

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the sum of the first digits; None if the line is too short."""
        return sum(digits[: digits[0]]) if digits[0] <= len(digits) else None

    def span(self, board: Board) -> tuple[int, int]:
        """Return the lowest digit and the sum of all digits."""
        return board.lowest, sum(board.values)


@cache
def _x_sums(values: range, total: int) -> Automaton:
    # A state is the number of cells that still count and the sum left for them.
    def step(state: Any, digit: int) -> Any:
        if state == "start":
            cells, left = digit, total
        else:
            cells, left = state
        if cells == 0:
            return (0, 0) if left == 0 else None
        cells, left = cells - 1, left - digit
        return (cells, left) if left >= 0 and (cells > 0 or left == 0) else None

    return automaton_of(values, "start", step, lambda state: state == (0, 0))


@dataclass(frozen=True)
class Skyscraper(Outside):
    """The number of digits that are higher than all digits before them, read from its side."""

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pattern of the line."""
        yield Pattern(board.line(self.line), _skyscraper(board.values, self.number, board.absent))

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the number of digits seen."""
        return sum(digit > max(digits[:i], default=-1) for i, digit in enumerate(digits))

    def span(self, board: Board) -> tuple[int, int]:
        """Return 1 and the number of digits."""
        return 1, board.digits


@cache
def _skyscraper(values: range, number: int, absent: int) -> Automaton:
    # A state is the highest digit so far and how many more may be seen. The highest digits may be
    # among those that are absent.
    def step(state: Any, digit: int) -> Any:
        highest, left = state
        if digit <= highest:
            return state
        return (digit, left - 1) if left > 0 else None

    return automaton_of(
        values, (-1, number), step, lambda state: state[0] >= values[-1] - absent and state[1] == 0
    )


@dataclass(frozen=True)
class FrameSum(Outside):
    """The first digits, as many as a box is deep, sum to the number."""

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the sum."""
        yield Sum(board.line(self.line)[: self._depth(board)], self.number)

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the sum of the first digits."""
        return sum(digits[: self._depth(board)])

    def span(self, board: Board) -> tuple[int, int]:
        """Return the sums of the lowest and of the highest digits."""
        k = self._depth(board)
        return sum(board.values[:k]), sum(board.values[-k:])

    def _depth(self, board: Board) -> int:
        height, width = board.box or (3, 3)
        return width if self.line.edge in ("left", "right") else height


@dataclass(frozen=True)
class NumberedRoom(Outside):
    """The digit in place X is the number, where X is the first digit of the line."""

    names_places: ClassVar[bool] = True

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the pattern of the line."""
        yield Pattern(board.line(self.line), _numbered_room(board.values, self.number))

    def counted(self, board: Board, digits: Sequence[int]) -> int | None:
        """Return the digit in the place that the first digit names."""
        return digits[digits[0] - 1]

    def span(self, board: Board) -> tuple[int, int]:
        """Return the lowest and the highest digit."""
        return board.values[0], board.values[-1]


@cache
def _numbered_room(values: range, number: int) -> Automaton:
    # A state is the number of cells up to the one that counts.
    def step(state: Any, digit: int) -> Any:
        left = digit if state == "start" else state
        if left == 0:
            return 0
        return None if left == 1 and digit != number else left - 1

    return automaton_of(values, "start", step, lambda state: state == 0)


@dataclass(frozen=True)
class FullRank(Outside):
    """The rank of the line among all rows and columns, read as numbers from all sides.

    The smallest has the rank 1. The line ties with no other unless `ties` is set; its rank is then
    one more than the number of smaller ones.
    """

    ties: bool = False

    needs_every_digit: ClassVar[bool] = True

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the patterns of the first digit, and of the three other lines that begin with it.

        Each digit begins four lines, one from each side.
        """
        first, smaller = divmod(self.number - 1, len(EDGES))
        own = board.line(self.line)
        yield Pattern(own[:1], _only(board.values, board.values[first]))
        others = [board.line(line) for line in board.views() if line != self.line]
        others = [cells for cells in others if _may_begin_alike(cells[0], own[0])]
        read = [(cells[0], *chain(*zip(own[1:], cells[1:], strict=True))) for cells in others]
        machine = _ranked(board.values, board.values[first], smaller, ties=self.ties)
        yield Pattern(tuple(chain(*read)), machine)

    def number_in(self, board: Board, grid: Grid) -> int | None:
        """Return the rank; None if the line ties with another."""
        numbers = [[grid[cell] for cell in board.line(line)] for line in board.views()]
        own = [grid[cell] for cell in board.line(self.line)]
        ties = numbers.count(own) > 1 and not self.ties
        return None if ties else 1 + sum(number < own for number in numbers)

    def span(self, board: Board) -> tuple[int, int]:
        """Return 1 and the number of rows and columns, each read from both sides."""
        return 1, len(EDGES) * board.digits


def _may_begin_alike(start: Cell, own: Cell) -> bool:
    return start == own or (start.row != own.row and start.column != own.column)


@cache
def _only(values: range, digit: int) -> Automaton:
    return automaton_of(values, 0, lambda _, read: 1 if read == digit else None, bool)


@cache
def _ranked(values: range, first: int, smaller: int, *, ties: bool) -> Automaton:
    # It reads the first digit of each other line, then a digit of the clue's line and one of the
    # other in turns. A state is the number of smaller lines, the place in the line, and what is
    # known of it: None once it is decided, or begins with another digit than `first`; -1 while the
    # lines are equal; or the last digit of the clue's line.
    def step(state: Any, digit: int) -> Any:
        count, place, known = state
        if place == 0:
            known = -1 if digit == first else None
        elif known == -1:
            known = digit
        elif known is not None:
            count += digit < known
            known = -1 if digit == known else None
        place = (place + 1) % (2 * len(values) - 1)
        if place == 0:
            if known == -1 and not ties:
                return None
            known = None
        return (count, place, known) if count <= smaller else None

    return automaton_of(values, (0, 0, None), step, lambda state: state[0] == smaller)

"""Lines whose cells are related: neighbours, all pairs, or all cells with the ends."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import Any, ClassVar, Self

from nando.puzzles.boards import constraints
from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.rule import Grid, Relabelling, Rule, Split


def line_faults(rule: Rule, cells: Cells, least: int = 2, *, returns: bool = True) -> Iterator[str]:
    """Yield a sentence for a line that is too short, broken, or passes a cell twice but may not."""
    if len(cells) < least:
        yield f"{rule.label} needs at least {least} cells, got {len(cells)}"
    for a, b in pairwise(cells):
        if max(abs(a.row - b.row), abs(a.column - b.column)) != 1:
            yield f"{rule.label} jumps from {a} to {b}; a line joins cells that touch"
    if not returns and len(set(cells)) != len(cells):
        yield f"{rule.label} passes a cell twice"


def _of_each(cells: Cells, *classes: Iterable[int]) -> Iterator[Split]:
    """Yield the classes of digits, those that have any, for each cell by itself."""
    kept = tuple([frozenset(digits) for digits in map(tuple, classes) if digits])
    for cell in dict.fromkeys(cells):
        yield (cell,), kept


def digits_of(cells: Cells, board: Board) -> Iterator[Split]:
    """Yield every digit as a class of its own, for each cell by itself."""
    return _of_each(cells, *((digit,) for digit in range(1, board.digits + 1)))


@dataclass(frozen=True)
class _Line(Rule):
    """A line that means the same from both ends; a subclass says what.

    It may pass a cell several times. Where it ends in its first cell, it is closed.
    """

    cells: Cells

    is_round: ClassVar[bool] = False
    """True if a closed line means the same wherever it begins."""

    def __post_init__(self) -> None:
        ways = [self.cells]
        if self.is_round and self.is_closed:
            ring = self.cells[1:]
            ways = [(*ring[i:], *ring[: i + 1]) for i in range(len(ring))]
        object.__setattr__(self, "cells", min(way[::turn] for way in ways for turn in (1, -1)))

    @property
    def is_closed(self) -> bool:
        """True for a line that ends in its first cell."""
        return len(self.cells) > 1 and self.cells[0] == self.cells[-1]

    def cells_named(self) -> Cells:
        """Return the cells of the line, of a closed one without its end."""
        return self.cells[:-1] if self.is_round and self.is_closed else self.cells

    @property
    def read(self) -> Cells:
        """The cells whose digits `holds` takes."""
        return self.cells

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if the digits of the line are right."""
        raise NotImplementedError

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the digits of the line are right."""
        return self.holds(board, [grid[cell] for cell in self.read])

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a broken line."""
        yield from super().faults(board)
        yield from line_faults(self, self.cells)


@dataclass(frozen=True)
class Palindrome(_Line):
    """The digits are the same forwards and backwards."""

    relabelling: ClassVar[Relabelling] = Relabelling.ANY

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pairs of cells that are equal."""
        for first, last in zip(self.cells[: len(self.cells) // 2], self.cells[::-1], strict=False):
            if first != last:
                yield constraints.Relation(first, last, constraints.equal(board.values))

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if the digits are a palindrome."""
        return list(digits) == list(digits)[::-1]


class _Circled(_Line):
    """A line with a mark at each end."""

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def splits(self, board: Board) -> Iterator[Split]:
        """Yield the digits of both ends."""
        yield from digits_of((self.cells[0], self.cells[-1]), board)


class _CellsOnce(_Line):
    """A line of which only the cells matter, whatever their order."""

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED
    is_round: ClassVar[bool] = True

    @property
    def read(self) -> Cells:
        """The cells of the line, each once."""
        return tuple(dict.fromkeys(self.cells))


@dataclass(frozen=True)
class Renban(_CellsOnce):
    """The digits are a set of consecutive digits in any order, none twice."""

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the cells as all different, and no two further apart than the line is long."""
        yield constraints.AllDifferent(self.read)
        length = len(self.read)
        near = constraints.pairs(board.values, lambda a, b: 0 < abs(a - b) < length)
        for first, second in combinations(self.read, 2):
            yield constraints.Relation(first, second, near)

    def splits(self, board: Board) -> Iterator[Split]:
        """Yield the spans of digits that the line may hold."""
        n, length = board.digits, len(self.read)
        spans = [frozenset(range(least, least + length)) for least in range(1, n - length + 2)]
        yield self.read, tuple(spans)

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if the digits are consecutive."""
        return sorted(digits) == list(range(min(digits), min(digits) + len(digits)))

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a line that is longer than the digits."""
        yield from super().faults(board)
        if len(self.read) > board.digits:
            yield f"{self.label} has {len(self.read)} cells, more than the {board.digits} digits"


@dataclass(frozen=True)
class Nabner(_CellsOnce):
    """No two digits of the line are equal or consecutive, wherever they are on it."""

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield all pairs of cells."""
        for first, second in combinations(self.read, 2):
            yield constraints.Relation(first, second, constraints.apart(board.values, 2))

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if no two digits are equal or consecutive."""
        return all(abs(a - b) > 1 for a, b in combinations(digits, 2))

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a line that is longer than every second digit."""
        yield from super().faults(board)
        if len(self.read) > (most := (board.digits + 1) // 2):
            yield f"{self.label} has {len(self.read)} cells, more than {most}"


@dataclass(frozen=True)
class Whispers(_Line):
    """Neighbours on the line differ by at least `difference`: 5 German, 4 Dutch whispers."""

    difference: int = 5

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED
    is_round: ClassVar[bool] = True

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pairs of neighbours."""
        for first, second in pairwise(self.cells):
            yield constraints.Relation(
                first, second, constraints.apart(board.values, self.difference)
            )

    def splits(self, board: Board) -> Iterator[Split]:
        """Yield low and high digits: those whose neighbours are all greater, or all less."""
        low = {*range(1, board.digits - self.difference + 1)}
        high = {*range(self.difference + 1, board.digits + 1)}
        yield from _of_each(self.cells, low - high, low & high, high - low)

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if all neighbours differ enough."""
        return all(abs(a - b) >= self.difference for a, b in pairwise(digits))

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a difference that no two digits have."""
        yield from super().faults(board)
        if not 1 <= self.difference < board.digits:
            yield f"{self.label} asks for a difference of {self.difference}, which is impossible"


@dataclass(frozen=True)
class Parity(_Line):
    """Neighbours on the line alternate between odd and even."""

    is_round: ClassVar[bool] = True

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pairs of neighbours."""
        alternate = constraints.pairs(board.values, lambda a, b: (a + b) % 2 == 1)
        for first, second in pairwise(self.cells):
            yield constraints.Relation(first, second, alternate)

    def splits(self, board: Board) -> Iterator[Split]:
        """Yield odd and even digits."""
        digits = range(1, board.digits + 1)
        yield from _of_each(self.cells, digits[::2], digits[1::2])

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if the digits alternate."""
        return all((a + b) % 2 for a, b in pairwise(digits))


@dataclass(frozen=True)
class _Classes(_Line):
    """Any three neighbours are of different classes; a subclass says which class a digit has."""

    is_round: ClassVar[bool] = True

    @property
    def read(self) -> Cells:
        """The cells of the line; the second follows on the end of a closed line."""
        return (*self.cells, self.cells[1]) if self.is_closed else self.cells

    @staticmethod
    def class_of(board: Board, digit: int) -> int:
        """Return the class of a digit."""
        raise NotImplementedError

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pairs that are one or two cells apart."""
        differ = constraints.pairs(
            board.values, lambda a, b: self.class_of(board, a) != self.class_of(board, b)
        )
        same = constraints.pairs(
            board.values, lambda a, b: self.class_of(board, a) == self.class_of(board, b)
        )
        for (i, first), (j, second) in combinations(enumerate(self.read), 2):
            if j - i < 3:
                yield constraints.Relation(first, second, differ)
            elif (j - i) % 3 == 0 and first != second:
                yield constraints.Relation(first, second, same)

    def splits(self, board: Board) -> Iterator[Split]:
        """Yield the three classes of digits."""
        classes: list[list[int]] = [[], [], []]
        for digit, value in enumerate(board.values, 1):
            classes[self.class_of(board, value)].append(digit)
        yield from _of_each(self.cells, *classes)

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if no three neighbours share a class."""
        classes = [self.class_of(board, digit) for digit in digits]
        return all(
            len(set(classes[i : i + 3])) == len(classes[i : i + 3])
            for i in range(max(1, len(classes) - 2))
        )

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a line that turns back, so that two of three neighbours are one."""
        yield from super().faults(board)
        if any(a == b for a, b in zip(self.read, self.read[2:], strict=False)):
            yield f"{self.label} turns back to a cell"


@dataclass(frozen=True)
class Entropic(_Classes):
    """Any three neighbours are a low, a middle and a high digit (1-3, 4-6, 7-9)."""

    @staticmethod
    def class_of(board: Board, digit: int) -> int:
        """Return the number of the third of the digits to which a digit belongs."""
        return (digit - board.lowest) * 3 // board.digits


@dataclass(frozen=True)
class Modular(_Classes):
    """Any three neighbours have different remainders when divided by 3."""

    @staticmethod
    def class_of(_: Board, digit: int) -> int:
        """Return the remainder of a digit."""
        return digit % 3


@dataclass(frozen=True)
class Between(_Circled):
    """The digits on the line lie strictly between those in the circles at its ends."""

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pattern of both ends, then the cells between them."""
        ends = self.cells[0], self.cells[-1]
        yield constraints.Pattern((*ends, *self.cells[1:-1]), _between(board.values))

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if the digits lie between the ends."""
        low, high = sorted((digits[0], digits[-1]))
        return all(low < digit < high for digit in digits[1:-1])

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a line without cells between its ends."""
        yield from super().faults(board)
        if len(self.cells) < 3:
            yield f"{self.label} needs a cell between its ends"
        if self.is_closed:
            yield f"{self.label} needs two different ends"


@cache
def _between(values: range) -> constraints.Automaton:
    # A state is the ends that have been read.
    def step(state: Any, digit: int) -> Any:
        if len(state) < 2:
            return tuple(sorted((*state, digit)))
        return state if state[0] < digit < state[1] else None

    return constraints.automaton_of(values, (), step, lambda state: len(state) == 2)


@dataclass(frozen=True)
class Lockout(_Circled):
    """The ends differ by at least `difference`; all other digits are below or above both."""

    difference: int = 4

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pattern of both ends, then the cells between them."""
        ends = self.cells[0], self.cells[-1]
        locked = _lockout(board.values, self.difference)
        yield constraints.Pattern((*ends, *self.cells[1:-1]), locked)

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if the ends are far enough apart and lock out all other digits."""
        low, high = sorted((digits[0], digits[-1]))
        return high - low >= self.difference and not any(low <= d <= high for d in digits[1:-1])

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a difference that no two digits have."""
        yield from super().faults(board)
        if not 1 <= self.difference < board.digits:
            yield f"{self.label} asks for a difference of {self.difference}, which is impossible"
        if self.is_closed:
            yield f"{self.label} needs two different ends"


@cache
def _lockout(values: range, difference: int) -> constraints.Automaton:
    def step(state: Any, digit: int) -> Any:
        if not state:
            return (digit,)
        if len(state) == 1:
            low, high = sorted((*state, digit))
            return (low, high) if high - low >= difference else None
        return None if state[0] <= digit <= state[1] else state

    return constraints.automaton_of(values, (), step, lambda state: len(state) == 2)


@dataclass(frozen=True)
class Thermometer(Rule):
    """Digits rise from the bulb, the first cell, to the last one."""

    cells: Cells
    slow: bool = False
    """True if digits may also stay the same."""

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the relations of the cells."""
        yield from constraints.rising(board.values, self.cells, 0 if self.slow else 1)

    def splits(self, board: Board) -> Iterator[Split]:
        """Yield the digits of both ends."""
        yield from digits_of((self.cells[0], self.cells[-1]), board)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the digits rise."""
        digits = [grid[cell] for cell in self.cells]
        return all(a < b or (self.slow and a == b) for a, b in pairwise(digits))

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a line that is broken or longer than the digits."""
        yield from super().faults(board)
        yield from line_faults(self, self.cells, returns=False)
        if not self.slow and len(self.cells) > board.digits:
            yield (f"{self.label} has {len(self.cells)} cells, more than the {board.digits} digits")

    def reversed_digits(self, ends: int) -> Self:
        """Return the thermometer with its bulb at the other end."""
        return type(self)(self.cells[::-1], self.slow)

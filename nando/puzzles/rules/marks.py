"""Marks between two neighbours, from Kropki dots to ratios, and circles of quadruples."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar, Self

from nando.puzzles.boards import constraints
from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.rule import Grid, Relabelling, Rule

Holds = Callable[[int, int], bool]
"""Takes two digits; returns True if a mark between them is right."""


@dataclass(frozen=True)
class _Marks(Rule):
    """Marks on pairs of neighbours; a subclass names the kinds of mark and what each means."""

    directed: ClassVar[bool] = False
    """True if the two cells of a mark cannot be exchanged."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple):
                ordered = (pair if self.directed else tuple(sorted(pair)) for pair in value)
                object.__setattr__(self, field.name, tuple(sorted(ordered)))

    def kinds(self) -> Sequence[tuple[tuple[Cells, ...], Holds]]:
        """Return the marked pairs of each kind, with the meaning of the kind."""
        raise NotImplementedError

    def absent(self) -> list[Holds]:
        """Return the meanings of the kinds whose marks are all given."""
        return [holds for _, holds in self.kinds()] if getattr(self, "all_given", False) else []

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield a relation for each mark and, if all are given, for each place without a mark."""
        for marked, holds in self.kinds():
            allowed = constraints.pairs(board.values, holds)
            for first, second in marked:
                yield constraints.Relation(first, second, allowed)
        if absent := self.absent():
            none = constraints.pairs(
                board.values, lambda a, b: not any(holds(a, b) for holds in absent)
            )
            for first, second in self._pairs_without_marks(board):
                yield constraints.Relation(first, second, none)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if every mark is right and, if all marks are given, none is missing."""
        for marked, holds in self.kinds():
            if not all(holds(grid[first], grid[second]) for first, second in marked):
                return False
        absent = self.absent()
        return not any(
            holds(grid[first], grid[second])
            for first, second in self._pairs_without_marks(board)
            for holds in absent
        )

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a mark that is not between two neighbours."""
        yield from super().faults(board)
        n = board.values
        for marked, holds in self.kinds():
            if marked and not any(holds(a, b) for a in n for b in n):
                where = "".join(map(str, marked[0]))
                yield f"no two digits from {n[0]} to {n[-1]} fit the mark of {self.name} at {where}"
            for pair in marked:
                if len(pair) != 2 or sum(abs(a - b) for a, b in zip(*pair, strict=True)) != 1:
                    yield (
                        f"a mark of {self.name} lies between two cells that share an edge, "
                        f"got {''.join(map(str, pair))}"
                    )

    def _pairs_without_marks(self, board: Board) -> Iterator[Cells]:
        marked = {tuple(sorted(pair)) for kind, _ in self.kinds() for pair in kind}
        return (pair for pair in board.adjacent_pairs() if pair not in marked)


@dataclass(frozen=True)
class Kropki(_Marks):
    """White dots between consecutive digits, black ones where one is twice the other.

    Between 1 and 2 there may be either dot.
    """

    white: tuple[Cells, ...] = ()
    black: tuple[Cells, ...] = ()
    all_given: bool = False
    """True if places without a dot have neither property."""
    all_white: bool = False
    """True if places without a dot are not consecutive."""
    all_black: bool = False
    """True if places without a dot have no digit that is twice the other."""

    def kinds(self) -> Sequence[tuple[tuple[Cells, ...], Holds]]:
        """Return the white and the black dots."""
        return (self.white, _consecutive), (self.black, lambda a, b: a == 2 * b or b == 2 * a)

    def absent(self) -> list[Holds]:
        """Return the meanings of the colours whose dots are all given."""
        stated = (self.all_white, self.all_black)
        pairs = zip(self.kinds(), stated, strict=True)
        return [holds for (_, holds), every in pairs if every or self.all_given]


@dataclass(frozen=True)
class XV(_Marks):
    """An X between digits that sum to 10, a V between digits that sum to 5."""

    x: tuple[Cells, ...] = ()
    v: tuple[Cells, ...] = ()
    all_given: bool = False
    """True if places without a mark have neither sum."""

    def kinds(self) -> Sequence[tuple[tuple[Cells, ...], Holds]]:
        """Return the marks of both sums."""
        return (self.x, lambda a, b: a + b == 10), (self.v, lambda a, b: a + b == 5)


@dataclass(frozen=True)
class Greater(_Marks):
    """Signs between neighbours: the first cell of each pair holds the greater digit."""

    marks: tuple[Cells, ...]

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED
    directed: ClassVar[bool] = True

    def kinds(self) -> Sequence[tuple[tuple[Cells, ...], Holds]]:
        """Return the signs."""
        return ((self.marks, lambda a, b: a > b),)

    def reversed_digits(self, ends: int) -> Self:
        """Return the signs turned round."""
        return type(self)(tuple((b, a) for a, b in self.marks))


@dataclass(frozen=True)
class Consecutive(_Marks):
    """Bars between consecutive digits."""

    marks: tuple[Cells, ...] = ()
    all_given: bool = False
    """True if neighbours without a bar are not consecutive."""

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def kinds(self) -> Sequence[tuple[tuple[Cells, ...], Holds]]:
        """Return the bars."""
        return ((self.marks, _consecutive),)


@dataclass(frozen=True)
class Difference(_Marks):
    """Neighbours whose digits differ by `value`."""

    marks: tuple[Cells, ...] = ()
    value: int = 1
    all_given: bool = False
    """True if neighbours without a mark do not differ by `value`."""

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def kinds(self) -> Sequence[tuple[tuple[Cells, ...], Holds]]:
        """Return the marks."""
        return ((self.marks, lambda a, b: abs(a - b) == self.value),)


@dataclass(frozen=True)
class Ratio(_Marks):
    """Neighbours one of whose digits is `value` times the other."""

    marks: tuple[Cells, ...] = ()
    value: int = 2
    all_given: bool = False
    """True if neighbours without a mark do not have this ratio."""

    def kinds(self) -> Sequence[tuple[tuple[Cells, ...], Holds]]:
        """Return the marks."""
        return ((self.marks, lambda a, b: a == self.value * b or b == self.value * a),)


def _consecutive(a: int, b: int) -> bool:
    return abs(a - b) == 1


@dataclass(frozen=True)
class Quadruple(Rule):
    """The digits in the circle are among the cells around it, as often as they are written."""

    cells: Cells
    digits: tuple[int, ...]

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(sorted(self.cells)))
        object.__setattr__(self, "digits", tuple(sorted(self.digits)))

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pattern of the cells."""
        yield constraints.Pattern(self.cells, _automaton_with(board.values, self.digits))

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
        if not 1 <= len(self.digits) <= 4 or not {*self.digits} <= {*board.values}:
            yield f"{self.label} has 1 to 4 digits up to {board.values[-1]}, got {self.digits}"

    def reversed_digits(self, ends: int) -> Self:
        """Return the circle with reversed digits."""
        return type(self)(self.cells, tuple(ends - digit for digit in self.digits))


@cache
def _automaton_with(values: range, digits: tuple[int, ...]) -> constraints.Automaton:
    # A state is the digits that have not been seen.
    def step(state: Any, digit: int) -> Any:
        if digit not in state:
            return state
        i = state.index(digit)
        return state[:i] + state[i + 1 :]

    return constraints.automaton_of(values, digits, step, lambda state: state == ())

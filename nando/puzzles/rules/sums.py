"""Sums: of parts of lines and groups of cells, of cages (killer), and along diagonals."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations
from typing import ClassVar, Self

from nando.puzzles.boards import constraints
from nando.puzzles.boards.board import Board, Cell, Cells
from nando.puzzles.boards.rule import CellsRule, Grid, Relabelling, Rule, Split
from nando.puzzles.rules.lines import _Circled, _Line, digits_of, line_faults


def balance(left: Cells, right: Cells, weights: Sequence[int] = ()) -> Iterator[constraints.Sum]:
    """Yield the sum of some cells minus that of others, which is 0; a cell may be named twice.

    Parameters
    ----------
    left, right : tuple of Cell
    weights : sequence of int
        What each cell on the right counts; empty if it counts once.
    """
    counts = Counter(left)
    for cell, weight in zip(right, weights or (1,) * len(right), strict=True):
        counts[cell] -= weight
    kept = {cell: weight for cell, weight in counts.items() if weight}
    if kept:
        yield constraints.Sum(tuple(kept), 0, tuple(kept.values()))


@dataclass(frozen=True)
class Zipper(_Line):
    """Cells at equal distance from the middle have one sum, the digit of a middle cell if any."""

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the sums minus the middle digit, or minus the first sum."""
        cells, half = self.cells, len(self.cells) // 2
        couples: list[Cells] = [(cells[i], cells[-1 - i]) for i in range(half)]
        if len(cells) % 2:
            couples.insert(0, (cells[half],))
        for couple in couples[1:]:
            yield from balance(couple, couples[0])

    def splits(self, board: Board) -> Iterator[Split]:
        """Yield the digits of a middle cell, which is the sum."""
        if len(self.cells) % 2:
            yield from digits_of((self.cells[len(self.cells) // 2],), board)

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if the sums are equal."""
        half = len(digits) // 2
        sums = {digits[i] + digits[-1 - i] for i in range(half)}
        if len(digits) % 2:
            sums.add(digits[half])
        return len(sums) == 1


@dataclass(frozen=True)
class RegionSum(_Line):
    """The parts of the line in different boxes have equal sums.

    They may have different numbers of cells, so reversed digits may have different sums.
    """

    is_round: ClassVar[bool] = True

    def parts(self, board: Board) -> list[Cells]:
        """Return the parts of the line, cut where it enters another box or region.

        The line is one part if the board has neither. The end of a closed line goes on in its
        first part, unless it is cut there.
        """
        parts: list[list[Cell]] = []
        last: frozenset[int] = frozenset()
        for cell in self.cells[: -1 if self.is_closed else None]:
            regions = board.regions_of(cell)
            if not parts or (board.regions and not regions & last):
                parts.append([])
            parts[-1].append(cell)
            last = regions
        if self.is_closed and len(parts) > 1 and last & board.regions_of(self.cells[0]):
            parts[0] = parts.pop() + parts[0]
        return [tuple(part) for part in parts]

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the sum of each part minus that of the first."""
        first, *others = self.parts(board)
        for part in others:
            yield from balance(part, first)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the sums are equal."""
        return len({sum(grid[cell] for cell in part) for part in self.parts(board)}) == 1

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a broken line, and for a board without boxes and regions."""
        yield from super().faults(board)
        if not board.regions:
            yield f"{self.label} needs boxes or regions"


@dataclass(frozen=True)
class Arrow(Rule):
    """The digits on the shaft sum to the circle; a pill of several cells is read as a number."""

    circle: Cells
    """One cell, or the cells of a pill in reading order."""
    shaft: Cells
    """The cells from the neighbour of the circle to the tip."""

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the sum of the shaft minus the number in the circle."""
        places = [10**i for i in range(len(self.circle))][::-1]
        yield from balance(self.shaft, self.circle, places)

    def splits(self, board: Board) -> Iterator[Split]:
        """Yield the digits of the circle."""
        yield from digits_of(self.circle, board)

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


@dataclass(frozen=True)
class DoubleArrow(_Circled):
    """The digits on the line sum to the digits in the two circles at its ends together."""

    relabelling: ClassVar[Relabelling] = Relabelling.NONE

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the sum of the line minus that of the circles."""
        yield from balance(self.cells[1:-1], (self.cells[0], self.cells[-1]))

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if the two sums are equal."""
        return sum(digits[1:-1]) == digits[0] + digits[-1]

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a line without two circles and cells between them."""
        yield from super().faults(board)
        if len(self.cells) < 3 or self.is_closed:
            yield f"{self.label} needs two circles and a cell between them"


@dataclass(frozen=True)
class SumLine(_Line):
    """The line can be cut into parts, each of which sums to `total`."""

    total: int = 10

    is_round: ClassVar[bool] = True

    @property
    def read(self) -> Cells:
        """The cells of the line; the first cell of a closed line is not its last, too."""
        return self.cells[:-1] if self.is_closed else self.cells

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pattern of the line."""
        yield constraints.Pattern(
            self.read, _parts(board.values, self.total, closed=self.is_closed)
        )

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if a cut before some digit and cuts at each further total are possible."""
        sums = [0, *accumulate(digits)]
        firsts = {s % self.total for s in sums} if self.is_closed else {0}
        return sums[-1] % self.total == 0 and any(
            {*sums} >= {*range(first, sums[-1], self.total)} for first in firsts
        )

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a total that the line cannot have, or in too many ways."""
        yield from super().faults(board)
        most = len(self.cells) * board.values[-1]
        if not 1 <= self.total <= most:
            yield f"the sum {self.total} of {self.label} is impossible: it is 1 to {most}"
            return
        try:
            _parts(board.values, self.total, closed=self.is_closed)
        except ValueError as error:
            yield f"the sum {self.total} of {self.label} is too large for a closed line: {error}"


@cache
def _parts(values: range, total: int, *, closed: bool) -> constraints.Automaton:
    # A state is the sum of all digits so far, less whole parts, and the sums of the part that the
    # end of the line goes on with, for which each part so far is whole; it is 0 on an open line.
    def step(state: tuple[int, frozenset[int]], digit: int) -> tuple[int, frozenset[int]] | None:
        passed, starts = state
        left = frozenset(s for s in starts if (s + passed) % total + digit <= total)
        return ((passed + digit) % total, left) if left else None

    starts = frozenset(range(total) if closed else (0,))
    return constraints.automaton_of(values, (0, starts), step, lambda state: state[0] == 0)


@dataclass(frozen=True)
class Lunchbox(_Line):
    """The digits between the least and the greatest of different digits sum to `total`."""

    total: int

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the cells as all different, and their pattern."""
        yield constraints.AllDifferent(self.cells)
        yield constraints.Pattern(self.cells, _lunchbox(board.values, self.total, len(self.cells)))

    def holds(self, board: Board, digits: Sequence[int]) -> bool:
        """Return True if the digits differ and those between the two have the sum."""
        return len(set(digits)) == len(digits) and self.counted(digits) == self.total

    @staticmethod
    def counted(digits: Sequence[int]) -> int:
        """Return the sum of the digits between the least and the greatest."""
        start, end = sorted((digits.index(min(digits)), digits.index(max(digits))))
        return sum(digits[start + 1 : end])

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for too few or many cells, or a sum that they cannot have.

        The cells need not touch, as those of a cage.
        """
        yield from Rule.faults(self, board)
        n, k = board.digits, len(self.cells)
        if len(set(self.cells)) < k or not 2 <= k <= n:
            yield f"{self.label} needs 2 to {n} different cells, got {k}"
            return
        try:
            if not _lunchbox(board.values, self.total, k).accepting:
                yield f"the sum {self.total} of {self.label} is impossible between {k} digits"
        except ValueError as error:
            yield f"the sum {self.total} of {self.label} is too large: {error}"


@cache
def _lunchbox(values: range, total: int, length: int) -> constraints.Automaton:
    # A state is the least and the greatest digit so far, the one of the two that came last, and
    # the sums between them and after them, where more than the total counts as one more.
    def step(state: tuple[int, ...], digit: int) -> tuple[int, ...] | None:
        if digit in state[:2]:
            return None
        if len(state) < 2:
            return tuple(sorted((*state, digit)) + [digit, 0, 0][: 3 * len(state)])
        least, most, last, between, after = state
        if least < digit < most:
            after += digit
        else:
            # The end that is replaced lies between the others, unless it came last.
            replaced = least if digit < least else most
            between = after if last != replaced else between + replaced + after
            least, most, last, after = min(least, digit), max(most, digit), digit, 0
        inside = sum(range(least + 1, most))
        between, after = min(between, total + 1), min(after, total + 1)
        return (least, most, last, between, after) if between + after <= inside else None

    whole = constraints.automaton_of(
        values, (), step, lambda state: len(state) == 5 and state[3] == total
    )
    return constraints.of_length(whole, length)


@dataclass(frozen=True)
class EqualSums(Rule):
    """Several groups of cells have the same sum."""

    groups: tuple[Cells, ...]

    def __post_init__(self) -> None:
        ordered = tuple(sorted(tuple(sorted(group)) for group in self.groups))
        object.__setattr__(self, "groups", ordered)

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the sum of each group minus that of the first."""
        first, *others = self.groups
        for group in others:
            yield from balance(group, first)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the sums are equal."""
        return len({sum(grid[cell] for cell in group) for group in self.groups}) == 1

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a single group, or one that is empty or names a cell twice."""
        yield from super().faults(board)
        if len(self.groups) < 2 or not all(self.groups):
            yield f"{self.label} needs two groups of cells or more"
        if any(len(set(group)) < len(group) for group in self.groups):
            yield f"{self.label} names a cell twice in a group"


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

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the cells as all different, and their sum."""
        if not self.repeats and len(self.cells) > 1:
            yield constraints.AllDifferent(self.cells)
        if self.total is not None:
            yield constraints.Sum(self.cells, self.total)

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

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the cells as all different, and their pattern."""
        if not self.repeats and len(self.cells) > 1:
            yield constraints.AllDifferent(self.cells)
        yield constraints.Pattern(self.cells, _never(board.values, self.total, len(self.cells)))

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
def _never(values: range, total: int, length: int) -> constraints.Automaton:
    # A state is the set of the sums of some cells up to the total, as bits.
    def step(state: int, digit: int) -> int | None:
        state |= state << digit & (1 << total + 1) - 1
        return None if state >> total else state

    return constraints.of_length(constraints.automaton_of(values, 1, step, lambda _: True), length)


@dataclass(frozen=True)
class LittleKiller(Rule):
    """The digits of a diagonal, marked by an arrow outside the grid, sum to `total`."""

    cells: Cells
    """The cells from the arrow to the opposite edge."""
    total: int

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the sum."""
        yield constraints.Sum(self.cells, self.total)

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

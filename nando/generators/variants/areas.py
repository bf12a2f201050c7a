"""Clues on areas and sets of cells: digits that are counted, and sums that are equal or avoided."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import accumulate, combinations

from nando.generators.variants.board import Canvas, grow_region
from nando.puzzles.boards.board import Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.cages import Rellik
from nando.puzzles.rules.counts import CountingCircles, LookAndSay
from nando.puzzles.rules.sums import EqualSums

_AREAS = 2
"""Areas drawn from each cell."""

_CIRCLES = 20
"""Sets of circles on offer."""


def draw_look_and_say(canvas: Canvas) -> list[Rule]:
    """Return cages that say how often they hold two of their digits."""

    def clue(cells: Cells) -> Rule:
        counts = Counter(canvas.shuffle(canvas.digits[cell] for cell in cells))
        says = [number for digit, count in counts.most_common(2) for number in (count, digit)]
        return LookAndSay(cells, tuple(says))

    return list(map(clue, _areas(canvas, "look-and-say")))


def draw_rellik(canvas: Canvas) -> list[Rule]:
    """Return cages with the number that says most of those that they avoid."""
    clues: list[Rule] = []
    for cells in _areas(canvas, "rellik"):
        digits = [canvas.digits[cell] for cell in cells]
        if len(set(digits)) < len(digits):
            continue
        *_, sums = accumulate(digits, _with_digit, initial={0})
        values = canvas.board.values
        free = set(range(values[0] + 1, 2 * values[-1])) - sums
        if free:
            ways = partial(_ways, len(cells), values)
            clues.append(Rellik(cells, min(canvas.shuffle(sorted(free)), key=ways)))
    return clues


@lru_cache(maxsize=1024)
def _ways(size: int, values: range, number: int) -> int:
    """Return how many sets of so many digits avoid a number."""
    return sum(
        number not in list(accumulate(digits, _with_digit, initial={0}))[-1]
        for digits in combinations(values, size)
    )


def _with_digit(sums: set[int], digit: int) -> set[int]:
    return sums | {each + digit for each in sums}


def draw_equal_sums(canvas: Canvas) -> list[Rule]:
    """Return pairs of cages with equal sums."""
    alone: dict[int, Cells] = {}
    clues: list[Rule] = []
    for cells in _areas(canvas, "equal-sums"):
        total = sum(canvas.digits[cell] for cell in cells)
        if set(alone.get(total, cells)) & set(cells):
            alone[total] = cells
        else:
            clues.append(EqualSums((alone.pop(total), cells)))
    return clues


def _areas(canvas: Canvas, name: str) -> Iterator[Cells]:
    """Yield connected areas of as many cells as a rule may have; many share cells."""
    least, most = canvas.scopes[name].cells
    for start in canvas.shuffle(list(canvas.board.cells) * _AREAS):
        cells = tuple(grow_region(canvas, start, least + canvas.below(most - least + 1)))
        if len(cells) >= least:
            yield cells


def draw_circles(canvas: Canvas) -> list[Rule]:
    """Return sets of circles, each in about one in six cells."""
    return [CountingCircles(_circles(canvas)) for _ in range(_CIRCLES)]


def _circles(canvas: Canvas) -> Cells:
    board = canvas.board
    left = len(board.cells) // 6
    circles: list[Cell] = []
    for digit in canvas.shuffle(board.values):
        places = [cell for cell in board.cells if canvas.digits[cell] == digit]
        if digit <= min(left, len(places)):
            circles += canvas.shuffle(places)[:digit]
            left -= digit
    return tuple(circles)

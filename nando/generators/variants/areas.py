"""Clues on areas and sets of cells: digits that are counted, and sums that are equal or avoided."""

from collections import Counter
from collections.abc import Callable
from itertools import accumulate

from nando.generators.variants.board import Canvas, grow_region
from nando.puzzles.boards.board import Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.cages import Rellik
from nando.puzzles.rules.counts import CountingCircles, LookAndSay
from nando.puzzles.rules.sums import EqualSums


def draw_look_and_say(canvas: Canvas) -> list[Rule]:
    """Return cages of four to six cells that say how often they hold two of their digits."""

    def clue(cells: Cells) -> Rule:
        counts = Counter(canvas.shuffle(canvas.digits[cell] for cell in cells))
        says = [number for digit, count in counts.most_common(2) for number in (count, digit)]
        return LookAndSay(cells, tuple(says))

    return _draw_areas(canvas, 4, 6, clue)


def draw_rellik(canvas: Canvas) -> list[Rule]:
    """Return cages of three to five cells with a number that they avoid."""

    def clue(cells: Cells) -> Rule | None:
        *_, sums = accumulate((canvas.digits[cell] for cell in cells), _with_digit, initial={0})
        free = set(range(2, 2 * canvas.board.digits)) - sums
        return Rellik(cells, canvas.shuffle(sorted(free))[0]) if free else None

    return _draw_areas(canvas, 3, 5, clue)


def _with_digit(sums: set[int], digit: int) -> set[int]:
    return sums | {each + digit for each in sums}


def draw_equal_sums(canvas: Canvas) -> list[Rule]:
    """Return pairs of cages of two to four cells with equal sums."""
    alone: dict[int, Cells] = {}

    def clue(cells: Cells) -> Rule | None:
        total = sum(canvas.digits[cell] for cell in cells)
        if partner := alone.pop(total, None):
            return EqualSums((partner, cells))
        alone[total] = cells
        canvas.used.update(cells)
        return None

    clues = _draw_areas(canvas, 2, 4, clue)
    canvas.used.difference_update(cell for cells in alone.values() for cell in cells)
    return clues


def _draw_areas(
    canvas: Canvas, least: int, most: int, clue_of: Callable[[Cells], Rule | None]
) -> list[Rule]:
    """Return clues on areas that share no cell, by default about two for every three rows.

    `clue_of` returns None for cells that cannot have a clue.
    """
    board = canvas.board
    wanted = canvas.wanted or max(2, 2 * len(board.cells) // (3 * board.digits))
    clues: list[Rule] = []
    for start in canvas.shuffle(board.cells):
        cells = tuple(grow_region(canvas, start, least + canvas.below(most - least + 1)))
        if len(cells) >= least and (clue := clue_of(cells)):
            canvas.used.update(cells)
            clues.append(clue)
        if len(clues) == wanted:
            break
    return clues


def draw_circles(canvas: Canvas) -> list[Rule]:
    """Return one set of circles, by default about one in six cells."""
    board = canvas.board
    left = len(board.cells) // 6
    circles: list[Cell] = []
    for digit in canvas.shuffle(range(1, board.digits + 1)):
        if digit <= left:
            places = [cell for cell in board.cells if canvas.digits[cell] == digit]
            circles += canvas.shuffle(places)[:digit]
            left -= digit
    return [CountingCircles(tuple(circles))]

"""Marks between cells: dots, X and V, signs, bars, numbers, and digits in a circle."""

from collections.abc import Iterable

from nando.drawing.colour import BRIGHT, DARK
from nando.drawing.rules.scene import Drawn, Layer, Scene, between, centre
from nando.drawing.shapes import INK, Disc, Path, Rect, Text
from nando.puzzles import rules
from nando.puzzles.boards.board import Cells
from nando.puzzles.sudoku.puzzle import SYMBOLS

_DOT, _NUMBERED, _LINE = 0.13, 0.2, 0.03


def kropki(rule: rules.Kropki, scene: Scene) -> Drawn:
    """Draw white and black dots."""
    yield from _dots(rule.white, BRIGHT)
    yield from _dots(rule.black, DARK)


def difference(rule: rules.Difference, scene: Scene) -> Drawn:
    """Draw white dots, with the difference unless it is 1."""
    yield from _dots(rule.marks, BRIGHT, "" if rule.value == 1 else str(rule.value))


def ratio(rule: rules.Ratio, scene: Scene) -> Drawn:
    """Draw black dots, with the ratio unless it is 2."""
    yield from _dots(rule.marks, DARK, "" if rule.value == 2 else str(rule.value))


def _dots(marked: Iterable[Cells], colour: str, text: str = "") -> Drawn:
    for first, second in marked:
        x, y = between(first, second)
        yield Layer.MARK, Disc(x, y, _NUMBERED if text else _DOT, colour, INK, _LINE)
        if text:
            ink = DARK if colour == BRIGHT else BRIGHT
            yield Layer.MARK, Text(x, y, text, 0.26, ink, bold=True)


def xv(rule: rules.XV, scene: Scene) -> Drawn:
    """Draw the letters, on white so that the line between the cells does not cross them."""
    for letter, marked in (("X", rule.x), ("V", rule.v)):
        for first, second in marked:
            x, y = between(first, second)
            yield Layer.MARK, Disc(x, y, 0.17, "#ffffff")
            yield Layer.MARK, Text(x, y, letter, 0.34, INK, bold=True)


def greater(rule: rules.Greater, scene: Scene) -> Drawn:
    """Draw a sign that opens to the greater digit."""
    for first, second in rule.marks:
        x, y = between(first, second)
        (ax, ay), (bx, by) = centre(first), centre(second)
        right, down = 0.09 * (bx - ax), 0.09 * (by - ay)
        tip = x + right, y + down
        ends = [(x - right - turn * down * 1.5, y - down + turn * right * 1.5) for turn in (1, -1)]
        wide, tall = (0.12, 0.3) if down == 0 else (0.3, 0.12)
        yield Layer.MARK, Rect(x - wide / 2, y - tall / 2, wide, tall, "#ffffff")
        yield Layer.MARK, Path((ends[0], tip, ends[1]), INK, 0.045)


def consecutive(rule: rules.Consecutive, scene: Scene) -> Drawn:
    """Draw a bar along the edge between the cells."""
    for first, second in rule.marks:
        x, y = between(first, second)
        wide, tall = (0.13, 0.52) if first.row == second.row else (0.52, 0.13)
        yield Layer.MARK, Rect(x - wide / 2, y - tall / 2, wide, tall, "#ffffff", INK, _LINE)


def quadruple(rule: rules.Quadruple, scene: Scene) -> Drawn:
    """Draw the digits in a circle on the corner that the cells share."""
    row, column = min(rule.cells)
    x, y = column + 1.0, row + 1.0
    yield Layer.MARK, Disc(x, y, 0.27, "#ffffff", INK, 0.025)
    texts = [SYMBOLS[digit] for digit in rule.digits]
    rows = [texts] if len(texts) < 3 else [texts[:2], texts[2:]]
    size = 0.34 if len(texts) == 1 else 0.25 if len(texts) == 2 else 0.21
    for i, shown in enumerate(rows):
        for j, text in enumerate(shown):
            across = (j - (len(shown) - 1) / 2) * size * 0.84
            down = (i - (len(rows) - 1) / 2) * size * 0.95
            yield Layer.MARK, Text(x + across, y + down, text, size, INK, bold=True)

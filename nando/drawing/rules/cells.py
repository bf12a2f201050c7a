"""Marks in cells: circles for odd, squares for even, triangles, indexing, clones, candidates."""

from nando.drawing.colour import BAND
from nando.drawing.rules.houses import tint
from nando.drawing.rules.scene import Drawn, Layer, Scene, centre
from nando.drawing.shapes import GREY, Disc, Path, Polygon, Rect, Text
from nando.puzzles import rules
from nando.puzzles.sudoku.puzzle import SYMBOLS

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def odd(rule: rules.Odd, scene: Scene) -> Drawn:
    """Draw a grey circle."""
    for cell in rule.cells:
        yield Layer.LINE, Disc(*centre(cell), 0.4, BAND)


def even(rule: rules.Even, scene: Scene) -> Drawn:
    """Draw a grey square."""
    for row, column in rule.cells:
        yield Layer.LINE, Rect(column + 0.12, row + 0.12, 0.76, 0.76, BAND)


def triangle(rule: rules.Low | rules.High, scene: Scene) -> Drawn:
    """Draw a grey triangle that points down for low digits, up for high ones."""
    down = 1 if isinstance(rule, rules.Low) else -1
    for x, y in map(centre, rule.cells):
        side = y - 0.34 * down
        yield Layer.LINE, Polygon(((x - 0.43, side), (x + 0.43, side), (x, y + 0.42 * down)), BAND)


def extreme(rule: rules.Minimum | rules.Maximum, scene: Scene) -> Drawn:
    """Tint the cells, with a sign at each edge that opens to the greater digit."""
    opens = 1 if isinstance(rule, rules.Minimum) else -1
    yield from tint(rule.cells, 0)
    for cell, other in rule.neighbours(scene.board):
        x, y = centre(cell)
        down, right = other.row - cell.row, other.column - cell.column
        x, y = x + 0.41 * right, y + 0.41 * down
        tip = x - 0.045 * opens * right, y - 0.045 * opens * down
        back = x + 0.045 * opens * right, y + 0.045 * opens * down
        ends = [(back[0] + turn * down, back[1] + turn * right) for turn in (0.11, -0.11)]
        yield Layer.MARK, Path((ends[0], tip, ends[1]), GREY, 0.04)


def indexing(rule: rules.Indexing, scene: Scene) -> Drawn:
    """Tint the cells, with a triangle at the edge from which places are counted."""
    yield from tint(rule.cells, 1)
    down = {"top": 1, "bottom": -1}.get(rule.edge, 0)
    right = {"left": 1, "right": -1}.get(rule.edge, 0)
    for x, y in map(centre, rule.cells):
        x, y = x - 0.44 * right, y - 0.44 * down
        side = 0.12 * (down != 0), 0.12 * (right != 0)
        tip = x + 0.12 * right, y + 0.12 * down
        ends = (x - side[0], y - side[1]), (x + side[0], y + side[1])
        yield Layer.MARK, Polygon((*ends, tip), GREY)


def clone(rule: rules.Clone, scene: Scene) -> Drawn:
    """Tint both shapes alike, with a letter where there are several clones."""
    number = scene.nth(rule)
    for cells in (rule.cells, rule.copies):
        yield from tint(cells, number)
        row, column = min(cells)
        letter = _LETTERS[number % len(_LETTERS)]
        yield Layer.MARK, Text(column + 0.86, row + 0.16, letter, 0.2, GREY)


def candidates(rule: rules.GivenCandidates, scene: Scene) -> Drawn:
    """Write the digits small along the lower edge of the cell."""
    row, column = rule.cell
    step = min(0.17, 0.94 / len(rule.digits))
    for i, digit in enumerate(rule.digits):
        x = column + 0.5 + (i - (len(rule.digits) - 1) / 2) * step
        yield Layer.MARK, Text(x, row + 0.85, SYMBOLS[digit], min(0.26, 1.55 * step), GREY)

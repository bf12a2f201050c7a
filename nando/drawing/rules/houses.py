"""Boxes, regions and further houses: borders, tinted cells, diagonals."""

from collections.abc import Iterable

from nando.drawing.colour import SHADES
from nando.drawing.rules.scene import Drawn, Layer, Scene, borders, centre, cleared
from nando.drawing.shapes import FAINT, Path, Rect
from nando.puzzles import rules
from nando.puzzles.boards.board import Cell, Cells


def boxes(rule: rules.Boxes, scene: Scene) -> Drawn:
    """Draw the borders of the boxes."""
    yield from thick(rule.houses(scene.board), scene)


def regions(rule: rules.Regions, scene: Scene) -> Drawn:
    """Draw the borders of the regions."""
    yield from thick(rule.regions, scene)


def thick(groups: Iterable[Iterable[Cell]], scene: Scene) -> Drawn:
    """Draw thick lines around groups of cells, a little longer so that they meet."""
    pen = scene.style.thick
    for (ax, ay), (bx, by) in borders(groups):
        over = pen.line / 2
        x, y = (over, 0.0) if ay == by else (0.0, over)
        yield Layer.BORDER, Path(((ax - x, ay - y), (bx + x, by + y)), pen.colour, pen.line)


def diagonals(rule: rules.Diagonals | rules.Argyle, scene: Scene) -> Drawn:
    """Draw a grey line along each diagonal, from corner to corner of its cells."""
    for group in rule.groups(scene.board):
        (ax, ay), (bx, by) = centre(group[0]), centre(group[-1])
        right, down = (0.5 if a < b else -0.5 for a, b in ((ax, bx), (ay, by)))
        yield Layer.LINE, Path(((ax - right, ay - down), (bx + right, by + down)), FAINT, 0.04)
        yield from cleared(group, scene)


def tinted(
    rule: rules.Windoku | rules.CentreDot | rules.Asterisk | rules.Girandola, scene: Scene
) -> Drawn:
    """Tint the cells of all groups."""
    for group in rule.groups(scene.board):
        yield from tint(group, 0)


def extra_region(rule: rules.ExtraRegion, scene: Scene) -> Drawn:
    """Tint the cells, each region in another shade."""
    yield from tint(rule.cells, scene.nth(rule))


def tint(cells: Cells, number: int) -> Drawn:
    """Tint cells in one of the shades."""
    for row, column in cells:
        yield Layer.TINT, Rect(column, row, 1, 1, SHADES[number % len(SHADES)])

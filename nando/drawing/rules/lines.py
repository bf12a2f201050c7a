"""Lines through cells. Each kind has its own colour and form, so that it is recognised in grey."""

from collections.abc import Callable
from itertools import pairwise

from nando.drawing.colour import BAND, LILAC, LIME, MINT, ORCHID, ROSE, SAND, SKY
from nando.drawing.rules.scene import (
    CLEAR,
    Drawn,
    Layer,
    Point,
    Scene,
    arrow_head,
    band,
    centre,
    clear,
    corner_text,
    draws,
    towards,
)
from nando.drawing.shapes import FAINT, Disc, Path, Polygon, Rect, Shape
from nando.puzzles import rules
from nando.puzzles.boards.rule import Rule

_WHITE = "#ffffff"
_WIDE, _NARROW = 0.22, 0.1
_CIRCLE = 0.4


@draws(rules.Thermometer)
def thermometer(rule: rules.Thermometer, scene: Scene) -> Drawn:
    """Draw a grey tube with its bulb at the first cell; a hollow one for a slow thermometer."""
    points = list(map(centre, rule.cells))
    tube = [*points[:-1], towards(points[-1], points[-2], -0.08)]
    parts = [(_WIDE + 0.02, 0.36, BAND)]
    if rule.slow:
        parts.append((_WIDE - 0.1, 0.29, _WHITE))
    for line, radius, colour in parts:
        yield from band(tube, line, colour)
        yield Layer.LINE, Disc(*points[0], radius, colour)


@draws(rules.Arrow)
def arrow(rule: rules.Arrow, scene: Scene) -> Drawn:
    """Draw a circle or pill, and an arrow from its rim to the last cell.

    A white casing interrupts the shafts of earlier arrows that it crosses, as bridges do on maps.
    """
    circle, shaft = list(map(centre, rule.circle)), list(map(centre, rule.shaft))
    near = min(circle, key=lambda p: (p[0] - shaft[0][0]) ** 2 + (p[1] - shaft[0][1]) ** 2)
    end = CLEAR + 0.02 if rule.shaft[-1] in scene.givens else -0.2
    tip = towards(shaft[-1], (near if len(shaft) == 1 else shaft[-2]), end)
    points = (towards(near, shaft[0], _CIRCLE), *shaft[:-1], tip)
    yield Layer.LINE, Path(points, _WHITE, 0.2)
    yield Layer.LINE, Path(points, FAINT, 0.05)
    yield from clear(rule.shaft[:-1], scene)
    yield Layer.LINE, arrow_head(tip, near if len(shaft) == 1 else shaft[-2], 0.2, FAINT, 0.05)
    if len(circle) == 1:
        yield Layer.LINE, Disc(*circle[0], _CIRCLE, _WHITE, FAINT, 0.05)
        return
    for line, colour in ((2 * _CIRCLE + 0.05, FAINT), (2 * _CIRCLE - 0.05, _WHITE)):
        yield from band(circle, line, colour)


@draws(rules.Palindrome)
def palindrome(rule: rules.Palindrome, scene: Scene) -> Drawn:
    """Draw a grey line with a square at each end."""
    points = list(map(centre, rule.cells))
    yield from band(points, _WIDE, BAND)
    for x, y in (points[0], points[-1]):
        yield Layer.LINE, _square(x, y, 0.2, BAND)


@draws(rules.Renban)
def renban(rule: rules.Renban, scene: Scene) -> Drawn:
    """Draw a wide purple line with a white core."""
    points = list(map(centre, rule.cells))
    yield from band(points, 0.3, ORCHID)
    yield from band(points, 0.08, _WHITE)


_BEADS: dict[type[Rule], tuple[str, Callable[[int, float, float], Shape]]] = {
    rules.Nabner: (SKY, lambda _, x, y: Disc(x, y, 0.24, None, SKY, 0.08)),
    rules.Parity: (ROSE, lambda i, x, y: Disc(x, y, 0.2, _WHITE if i % 2 else ROSE, ROSE, 0.06)),
    rules.Entropic: (SAND, lambda i, x, y: Disc(x, y, (0.14, 0.22, 0.3)[i % 3], SAND)),
    rules.Modular: (MINT, lambda i, x, y: _square(x, y, (0.13, 0.2, 0.27)[i % 3], MINT)),
}
"""Colours of lines with a mark on each cell, and the mark on a cell, counted from the first."""


@draws(*_BEADS)
def beads(
    rule: rules.Nabner | rules.Parity | rules.Entropic | rules.Modular, scene: Scene
) -> Drawn:
    """Draw a line with a mark on each cell."""
    points = list(map(centre, rule.cells))
    colour, bead = _BEADS[type(rule)]
    yield from band(points, _NARROW, colour)
    for i, (x, y) in enumerate(points):
        yield Layer.LINE, bead(i, x, y)


@draws(rules.Whispers)
def whispers(rule: rules.Whispers, scene: Scene) -> Drawn:
    """Draw a green line with diamonds, or for differences below 5 orange with hollow diamonds."""
    points = list(map(centre, rule.cells))
    colour = LIME if rule.difference >= 5 else SAND
    yield from band(points, 0.12, colour)
    for x, y in points:
        for half, fill in ((0.25, colour), (0.15, _WHITE))[: 1 if colour == LIME else 2]:
            corners = ((x, y - half), (x + half, y), (x, y + half), (x - half, y))
            yield Layer.LINE, Polygon(corners, fill)


@draws(rules.Between)
def between(rule: rules.Between, scene: Scene) -> Drawn:
    """Draw a grey line between two circles."""
    points = list(map(centre, rule.cells))
    yield from band(points, _NARROW, BAND)
    yield from clear(rule.cells, scene)
    for x, y in (points[0], points[-1]):
        yield Layer.LINE, Disc(x, y, _CIRCLE - 0.02, _WHITE, BAND, 0.07)


@draws(rules.Lockout)
def lockout(rule: rules.Lockout, scene: Scene) -> Drawn:
    """Draw a blue line between two hollow diamonds."""
    points = list(map(centre, rule.cells))
    yield from band(points, _NARROW, SKY)
    yield from clear(rule.cells, scene)
    for x, y in (points[0], points[-1]):
        for half, fill in ((0.47, SKY), (0.39, _WHITE)):
            corners = ((x, y - half), (x + half, y), (x, y + half), (x - half, y))
            yield Layer.LINE, Polygon(corners, fill)


@draws(rules.DoubleArrow)
def double_arrow(rule: rules.DoubleArrow, scene: Scene) -> Drawn:
    """Draw a purple line with a circle at each end, to which an arrow head points."""
    points = list(map(centre, rule.cells))
    yield from band(points, _NARROW, ORCHID)
    yield from clear(rule.cells, scene)
    for (x, y), before in ((points[0], points[1]), (points[-1], points[-2])):
        yield Layer.LINE, Disc(x, y, _CIRCLE - 0.02, _WHITE, ORCHID, 0.07)
        tip = towards((x, y), before, _CIRCLE)
        yield Layer.LINE, arrow_head(tip, before, 0.16, ORCHID, 0.08)


@draws(rules.SumLine)
def sum_line(rule: rules.SumLine, scene: Scene) -> Drawn:
    """Draw a wide green line with a dashed core, and its sum in a corner of its first cell."""
    points = list(map(centre, rule.cells))
    yield from band(points, 0.24, LIME)
    yield Layer.LINE, Path(tuple(points), _WHITE, 0.06, dashed=True)
    yield from corner_text(rule.cells[0], str(rule.total), scene)


@draws(rules.Lunchbox)
def lunchbox(rule: rules.Lunchbox, scene: Scene) -> Drawn:
    """Draw a wide pink line, with its sum in a corner of its first cell."""
    yield from band(list(map(centre, rule.cells)), 0.4, ROSE)
    yield from corner_text(rule.cells[0], str(rule.total), scene)


@draws(rules.Zipper)
def zipper(rule: rules.Zipper, scene: Scene) -> Drawn:
    """Draw a violet line with arrow heads that point to its middle, and a ring in the middle."""
    points = list(map(centre, rule.cells))
    yield from band(points, _NARROW, LILAC)
    yield from clear(rule.cells, scene)
    half = len(points) // 2
    for way in (points[: half + 1], points[::-1][: half + 1]):
        for before, after in pairwise(way):
            yield (
                Layer.LINE,
                arrow_head(towards(_middle(before, after), after, 0.1), before, 0.18, LILAC, 0.08),
            )
    if len(points) % 2:
        yield Layer.LINE, Disc(*points[half], 0.3, _WHITE, LILAC, 0.08)
    else:
        middle = _middle(points[half - 1], points[half])
        yield Layer.LINE, Disc(*middle, 0.12, LILAC)


@draws(rules.RegionSum)
def region_sum(rule: rules.RegionSum, scene: Scene) -> Drawn:
    """Draw a blue line, cut where it enters another box."""
    for part in rule.parts(scene.board):
        yield from band(list(map(centre, part)), 0.2, SKY)
    if len(rule.cells) > 1:
        yield Layer.LINE, Path(tuple(map(centre, rule.cells)), SKY, 0.07, dashed=True)


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _square(x: float, y: float, half: float, colour: str) -> Rect:
    return Rect(x - half, y - half, 2 * half, 2 * half, colour)

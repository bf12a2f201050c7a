"""Shared by the drawings of steps on Sudoku grids of all kinds: candidates, links, the legend.

Candidates of the pattern are on a disc, those of a second kind in a ring. Eliminated ones are
struck out, and a placed digit has a frame. Strong links are solid lines, weak links dashed ones.
"""

from collections.abc import Iterator
from enum import Enum

from nando.drawing.colour import BLUE, CELL, GREEN, PLACED, RED
from nando.drawing.shapes import GREY, INK, Disc, Path, Polygon, Rect, Shape, Text

Point = tuple[float, float]


class Role(Enum):
    """The role of a candidate in a step."""

    PLAIN = "plain"
    PATTERN = "pattern"
    EXTRA = "extra"
    """Part of the pattern, of a second kind."""
    GONE = "gone"
    """Eliminated by the step."""


LEGEND: list[tuple[str, list[Shape]]] = [
    ("pattern", [Disc(0.5, 0.5, 0.4, BLUE), Text(0.5, 0.5, "4", 0.6, "#fff", True)]),
    (
        "extra",
        [Disc(0.5, 0.5, 0.4, "#fff", GREEN, 0.1), Text(0.5, 0.5, "4", 0.6, GREEN, True)],
    ),
    (
        "gone",
        [Text(0.5, 0.5, "4", 0.8, RED, True), Path(((0.15, 0.85), (0.85, 0.15)), RED, 0.09)],
    ),
    (
        "filled",
        [
            Rect(0.05, 0.05, 0.9, 0.9, PLACED, BLUE, 0.08),
            Text(0.5, 0.5, "4", 0.7, BLUE, True),
        ],
    ),
    ("cell", [Rect(0.05, 0.05, 0.9, 0.9, CELL)]),
    ("because", [Disc(0.5, 0.5, 0.44, None, BLUE, 0.06), Text(0.5, 0.5, "4", 0.7)]),
    ("strong", [Path(((0, 0.5), (1, 0.5)), INK, 0.07)]),
    ("weak", [Path(((0, 0.5), (1, 0.5)), INK, 0.07, dashed=True)]),
]
"""Samples of the marks, with the keys of the texts that explain them."""


def candidate(place: Point, text: str, size: float, role: Role) -> Iterator[Shape]:
    """Draw a candidate at a place, in type of a size, with the marks of its role."""
    x, y = place
    radius = 0.53 * size
    if role is Role.GONE:
        yield Text(x, y, text, size, RED, True)
        reach = 0.95 * radius
        yield Path(((x - reach, y + reach), (x + reach, y - reach)), RED, 0.11 * size)
    elif role is Role.PATTERN:
        yield Disc(x, y, radius, BLUE)
        yield Text(x, y, text, size, "#ffffff", True)
    elif role is Role.EXTRA:
        yield Disc(x, y, radius, "#ffffff", GREEN, 0.13 * size)
        yield Text(x, y, text, size, GREEN, True)
    else:
        yield Text(x, y, text, size, GREY)


def curve(
    start: Point, end: Point, rim: float, centre: Point, *, strong: bool, directed: bool
) -> Iterator[Shape]:
    """Draw a link as a curved line from the rim of a candidate to the rim of another.

    Parameters
    ----------
    start, end : tuple of float
        Middles of the candidates.
    rim : float
        Distance of the middles from the ends of the line.
    centre : tuple of float
        The middle of the grid, towards which the line bends, so that it does not leave the grid.
    strong, directed : bool
        Whether the line is solid, and whether it has an arrow head.
    """
    along = end[0] - start[0], end[1] - start[1]
    length = (along[0] ** 2 + along[1] ** 2) ** 0.5
    if length < 2 * rim:
        return
    unit = along[0] / length, along[1] / length
    bow = min(0.16 * length, 0.55)
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if (centre[0] - middle[0]) * -unit[1] + (centre[1] - middle[1]) * unit[0] < 0:
        bow = -bow
    bend = middle[0] - bow * unit[1], middle[1] + bow * unit[0]
    start, end = _towards(start, bend, rim), _towards(end, bend, rim)
    if directed:
        tip, end = end, _towards(end, bend, 0.2)
        across = tip[0] - end[0], tip[1] - end[1]
        sides = [
            (end[0] - turn * across[1] * 0.42, end[1] + turn * across[0] * 0.42) for turn in (1, -1)
        ]
        yield Polygon((tip, *sides), INK)
    yield Path((start, bend, end), INK, 0.045, dashed=not strong, curved=True)


def _towards(point: Point, goal: Point, by: float) -> Point:
    length = ((goal[0] - point[0]) ** 2 + (goal[1] - point[1]) ** 2) ** 0.5
    share = by / length
    return point[0] + share * (goal[0] - point[0]), point[1] + share * (goal[1] - point[1])

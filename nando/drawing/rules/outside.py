"""Numbers outside the grid."""

from nando.drawing.rules.scene import Drawn, Layer, Point, Scene, centre
from nando.drawing.shapes import GREY, INK, Path, Text
from nando.puzzles import rules
from nando.puzzles.boards.board import Cell

Outside = rules.Sandwich | rules.XSums | rules.Skyscraper | rules.FrameSum | rules.NumberedRoom

_SIGNS: dict[type, tuple[tuple[Point, ...], ...]] = {
    rules.Sandwich: (((0, 0), (1, 0)), ((0.2, 0.5), (0.8, 0.5)), ((0, 1), (1, 1))),
    rules.XSums: (((0, 0), (1, 1)), ((0, 1), (1, 0))),
    rules.Skyscraper: (((0, 1), (0, 0.7)), ((0.5, 1), (0.5, 0.35)), ((1, 1), (1, 0))),
    rules.FrameSum: (((1, 0), (0, 0), (0, 1), (1, 1)),),
    rules.NumberedRoom: (((0, 1), (0, 0), (1, 0), (1, 1), (0, 1)),),
}
"""A small sign of each rule, drawn where a puzzle has numbers of several rules."""


def number(rule: Outside, scene: Scene) -> Drawn:
    """Draw the number at the end of its line."""
    down, right = _outward(rule.line.edge)
    start = scene.board.line(rule.line)[0]
    place = scene.outside(Cell(start.row + down, start.column + right), down, right)
    x, y = centre(place)
    x, y = x - 0.06 * right, y - 0.06 * down
    if len(scene.rules & _SIGNS.keys()) > 1:
        y -= 0.1
        for sign in _SIGNS[type(rule)]:
            points = tuple((x - 0.09 + 0.18 * a, y + 0.24 + 0.18 * b) for a, b in sign)
            yield Layer.MARK, Path(points, GREY, 0.035)
    yield Layer.MARK, Text(x, y, str(rule.number), 0.44, INK)


def _outward(edge: str) -> tuple[int, int]:
    """Return the rows and columns from the board to a place beyond an edge."""
    return {"left": (0, -1), "right": (0, 1), "top": (-1, 0), "bottom": (1, 0)}[edge]

"""Shapes as short lists, which the scripts of pages draw in the colours of the page."""

from enum import IntEnum
from typing import Any

from nando.drawing.colour import RED, colour_name
from nando.drawing.shapes import Disc, Path, Picture, Placed, Polygon, Rect, Shape, Text

_LETTERS = {Rect: "r", Disc: "c", Path: "p", Polygon: "g", Text: "t", Placed: "b"}


def plain(shape: Shape) -> list[Any]:
    """Return a letter for the kind of a shape, and its fields without defaults at the end.

    Numbers are rounded to a thousandth, points are one list, and colours have the names of the
    style sheet.

    Raises
    ------
    TypeError
        For a link.
    """
    if type(shape) not in _LETTERS:
        raise TypeError(f"no step is drawn with a {type(shape).__name__}")
    values = list(zip(shape._fields, shape, strict=True))
    while values and values[-1] in shape._field_defaults.items():
        values.pop()
    return [_LETTERS[type(shape)], *(_plain(value) for _, value in values)]


def _plain(value: Any) -> Any:
    if isinstance(value, Picture):
        return [plain(shape) for shape in value.shapes]
    if isinstance(value, tuple):
        return [_plain(number) for point in value for number in point]
    if value is None or isinstance(value, str):
        return colour_name(value)
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded


class StepLayer(IntEnum):
    """The layers of the shapes of steps, from the lowest to the highest."""

    TINT = 0
    LINE = 1
    FRAME = 2
    DISC = 3
    TEXT = 4
    STRIKE = 5
    LINK = 6


def layer_of(shape: Shape) -> StepLayer:
    """Return the layer of a shape of a step, so that a picture is a set of shapes."""
    match shape:
        case Rect():
            return StepLayer.FRAME if shape.stroke else StepLayer.TINT
        case Disc():
            return StepLayer.DISC
        case Text():
            return StepLayer.TEXT
        case Path(curved=True) | Polygon(points=(_, _, _)):
            return StepLayer.LINK
        case Path(stroke=stroke) if stroke == RED:
            return StepLayer.STRIKE
    return StepLayer.LINE

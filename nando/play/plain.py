"""Shapes as short lists, which the page draws in its own colours."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from nando.drawing.colour import COLOURS
from nando.drawing.shapes import Disc, Path, Polygon, Rect, Shape, Text


def plain_all(shapes: Sequence[Shape], n_columns: int) -> list[Any]:
    """Return the shapes as short lists.

    Consecutive tints of whole cells in the same colour are joined.
    """
    plain: list[Any] = []
    for colour, group in groupby(shapes, _tint):
        if colour is None:
            plain += map(_plain, group)
            continue
        corners = [(shape.x, shape.y) for shape in group if isinstance(shape, Rect)]
        plain.append(["s", _colour(colour), [round(y) * n_columns + round(x) for x, y in corners]])
    return plain


def _tint(shape: Shape) -> str | None:
    """Return the colour of a shape that is the tint of a whole cell; None for other shapes."""
    is_tint = isinstance(shape, Rect) and (shape.width, shape.height) == (1, 1) and not shape.stroke
    return shape.fill if isinstance(shape, Rect) and is_tint else None


def _plain(shape: Shape) -> list[Any]:
    """Return a shape as a short list that begins with a letter for the kind of shape."""
    if isinstance(shape, Rect):
        plain = [*map(_short, shape[:4]), _colour(shape.fill), _colour(shape.stroke), shape.line]
        return ["r", *plain]
    if isinstance(shape, Disc):
        plain = [*map(_short, shape[:3]), _colour(shape.fill), _colour(shape.stroke), shape.line]
        return ["c", *plain]
    if isinstance(shape, Path):
        line = _short(shape.line)
        points = _points(shape.points)
        return ["p", points, _colour(shape.stroke), line, int(shape.dashed), int(shape.curved)]
    if isinstance(shape, Polygon):
        return ["g", _points(shape.points), _colour(shape.fill)]
    if isinstance(shape, Text):
        numbers = _short(shape.x), _short(shape.y), shape.text, _short(shape.size)
        return ["t", *numbers, _colour(shape.fill), int(shape.bold)]
    raise TypeError(f"no step is drawn with a {type(shape).__name__}")


def _points(points: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [[_short(x), _short(y)] for x, y in points]


def _short(number: float) -> float:
    """Return a coordinate, to a thousandth of a cell; whole numbers without their point."""
    rounded = round(number, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def _colour(colour: str | None) -> str | None:
    return None if colour is None else COLOURS[colour]

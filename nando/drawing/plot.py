"""Plots as pictures in pixels: points and a line, with ticks on both axes."""

from collections.abc import Sequence

from nando.drawing.shapes import GREY, Disc, Path, Picture, Shape, Text

_WIDTH, _HEIGHT = 360, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 10, 26, 34
_TYPE, _TICK = 11, 4
_AXIS, _RULE, _POINT, _LINE = "#666666", "#e4e4e4", "#224466", "#cc6600"
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200)
_MOST_TICKS = 7


def scatter(
    x: Sequence[float],
    y: Sequence[float],
    *,
    names: tuple[str, str],
    ticks: Sequence[tuple[float, str]],
    line: Sequence[float] = (),
    line_name: str = "",
) -> Picture:
    """Plot points, and optionally a line over the same x.

    Parameters
    ----------
    x, y : sequence of float
        Coordinates of the points. The x axis begins at 0 and has whole numbers as ticks.
    names : (str, str)
        Names of the axes.
    ticks : sequence of (float, str)
        Values on the y axis and their labels. The axis includes them and all points.
    line : sequence of float
        Values of y on the line.
    line_name : str
        Name of the line.
    """
    values = [*y, *line, *(value for value, _ in ticks)]
    low, high, right = min(values), max(values), max(x)
    foot, end = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT

    def across(a: float) -> float:
        return _LEFT + a / max(right, 1e-9) * (end - _LEFT)

    def down(b: float) -> float:
        return foot - (b - low) / max(high - low, 1e-9) * (foot - _TOP)

    shapes: list[Shape] = []
    for value, label in ticks:
        height = down(value)
        shapes += [
            Path(((_LEFT, height), (end, height)), _RULE, 1),
            Text(_LEFT - _TICK, height, label, _TYPE, GREY, align="end"),
        ]
    shapes.append(Path(((_LEFT, _TOP), (_LEFT, foot), (end, foot)), _AXIS, 1))
    for number in _whole_ticks(right):
        place = across(number)
        shapes += [
            Path(((place, foot), (place, foot + _TICK)), _AXIS, 1),
            Text(place, foot + _TICK + 8, f"{number}", _TYPE, GREY),
        ]
    if line:
        points = tuple((across(a), down(b)) for a, b in zip(x, line, strict=True))
        shapes.append(Path(points, _LINE, 1.5))
    shapes += [Disc(across(a), down(b), 2.5, _POINT) for a, b in zip(x, y, strict=True)]
    shapes += [
        Text(_LEFT, 10, names[1], _TYPE, _POINT, align="start"),
        Text(end, _HEIGHT - 6, names[0], _TYPE, GREY, align="end"),
    ]
    if line_name:
        shapes.append(Text(end, 10, line_name, _TYPE, _LINE, align="end"))
    return Picture(_WIDTH, _HEIGHT, tuple(shapes))


def _whole_ticks(right: float) -> range:
    """Return the ticks of an x axis that ends at `right`."""
    step = next((step for step in _STEPS if right / step < _MOST_TICKS), _STEPS[-1])
    return range(step, int(right) + 1, step)

"""Plots as pictures, in pixels: points, a line, and two axes with labelled ends."""

from collections.abc import Sequence

from nando.drawing.shapes import Disc, Path, Picture, Shape, Text

_WIDTH, _HEIGHT, _MARGIN, _EDGE = 360, 220, 36, 8
_TYPE = 11
_AXIS, _POINT, _LINE = "#666666", "#224466", "#cc6600"


def scatter(
    x: Sequence[float],
    y: Sequence[float],
    *,
    names: tuple[str, str],
    ends: tuple[str, str],
    line: Sequence[float] = (),
) -> Picture:
    """Points, and optionally a line over the same x.

    Parameters
    ----------
    x, y : sequence of float
        The x axis begins at 0, the y axis at the least value.
    names : (str, str)
        What x and y are.
    ends : (str, str)
        Labels of the lower and the upper end of the y axis.
    line : sequence of float
        Values of y.
    """
    values = [*y, *line]
    low, high, right = min(values), max(values), max(x)

    def place(a: float, b: float) -> tuple[float, float]:
        across, down = a / max(right, 1e-9), (b - low) / max(high - low, 1e-9)
        return (
            _MARGIN + across * (_WIDTH - _MARGIN - _EDGE),
            _HEIGHT - _MARGIN - down * (_HEIGHT - _MARGIN - _EDGE),
        )

    foot = _HEIGHT - _MARGIN
    shapes: list[Shape] = [
        Path(((_MARGIN, _EDGE), (_MARGIN, foot), (_WIDTH - _EDGE, foot)), _AXIS, 1)
    ]
    if line:
        points = tuple(place(a, b) for a, b in zip(x, line, strict=True))
        shapes.append(Path(points, _LINE, 1.5))
    shapes += [Disc(*place(a, b), 2.5, _POINT) for a, b in zip(x, y, strict=True)]
    labels = (
        (_WIDTH / 2, _HEIGHT - 12, names[0]),
        (_MARGIN + 4, 10, names[1]),
        (2, foot - 4, ends[0]),
        (2, 14, ends[1]),
    )
    shapes += [Text(left, high, text, _TYPE, align="start") for left, high, text in labels]
    return Picture(_WIDTH, _HEIGHT, tuple(shapes))

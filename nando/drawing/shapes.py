"""The vocabulary of drawings: shapes in a frame, for SVG, PNG and PDF to draw.

Boards, steps, heat maps and plots are all pictures. Lengths are in units of the picture, mostly
the side of a cell; y runs down from the top.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

INK, GREY, FAINT = "#1a1a1a", "#595959", "#9a9a9a"

Points = tuple[tuple[float, float], ...]


class Rect(NamedTuple):
    """A rectangle, filled, framed or both."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None
    stroke: str | None = None
    line: float = 0.0


class Disc(NamedTuple):
    """A circle, filled, framed or both."""

    x: float
    y: float
    radius: float
    fill: str | None
    stroke: str | None = None
    line: float = 0.0


class Path(NamedTuple):
    """Straight lines from point to point, or a curve of three points where `curved`."""

    points: Points
    stroke: str
    line: float
    dashed: bool = False
    curved: bool = False


class Polygon(NamedTuple):
    """A filled polygon."""

    points: Points
    fill: str


class Text(NamedTuple):
    """A line of text around a point, or to the right of it; `size` of the type."""

    x: float
    y: float
    text: str
    size: float
    fill: str = INK
    bold: bool = False
    centred: bool = True


Shape = Rect | Disc | Path | Polygon | Text


class Picture(NamedTuple):
    """Shapes in the order they are drawn, in a frame."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def moved(shapes: Iterable[Shape], x: float, y: float) -> Iterator[Shape]:
    """The same shapes, further to the right and down."""
    for shape in shapes:
        if isinstance(shape, Path | Polygon):
            yield shape._replace(points=tuple((a + x, b + y) for a, b in shape.points))
        else:
            yield shape._replace(x=shape.x + x, y=shape.y + y)

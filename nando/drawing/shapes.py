"""The shapes of all drawings, which SVG, PNG and PDF output can draw.

Boards, steps, heat maps, plots and the pages of a book are all pictures. Lengths are in units of
the picture, for example the side of a cell, a pixel or a point; y runs down from the top. The
margin, lines and row and column numbers of all grids are at the end of this file.
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
    """Straight lines from point to point, or if `curved` a quadratic curve of three points."""

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
    """A line of text in type of a `size`.

    It begins (``"start"``), has its middle (``"middle"``) or ends (``"end"``) at `x`, and the
    middle of its capitals is at `y`.
    """

    x: float
    y: float
    text: str
    size: float
    fill: str = INK
    bold: bool = False
    align: str = "middle"


class Placed(NamedTuple):
    """A picture within a picture, with its upper left corner at (`x`, `y`).

    Its unit is `scale` units of the outer picture. It is turned clockwise by `turn` degrees,
    a multiple of 90. If it has a name, links can lead to it.
    """

    x: float
    y: float
    scale: float
    picture: "Picture"
    name: str = ""
    turn: int = 0

    @property
    def origin(self) -> tuple[float, float]:
        """The position of its own upper left corner after turning."""
        width, height = self.picture.width * self.scale, self.picture.height * self.scale
        across, down = {0: (0.0, 0.0), 90: (height, 0.0), 180: (width, height), 270: (0.0, width)}[
            self.turn
        ]
        return self.x + across, self.y + down


class Link(NamedTuple):
    """An area that links to a named picture, if there is one."""

    x: float
    y: float
    width: float
    height: float
    target: str


Shape = Rect | Disc | Path | Polygon | Text | Placed | Link


class Picture(NamedTuple):
    """Shapes in the order they are drawn, in a frame."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def move(shapes: Iterable[Shape], x: float, y: float) -> Iterator[Shape]:
    """Yield the same shapes, moved right and down."""
    for shape in shapes:
        if isinstance(shape, Path | Polygon):
            yield shape._replace(points=tuple((a + x, b + y) for a, b in shape.points))
        else:
            yield shape._replace(x=shape.x + x, y=shape.y + y)


MARGIN = 0.62
"""Space for row and column numbers on the left and on top, in cells."""

ROOM = MARGIN + 0.1
"""Extra width and height of a picture with these numbers, in cells."""


class Pen(NamedTuple):
    """Width of a line, in cells, and its colour."""

    line: float
    colour: str


class GridStyle(NamedTuple):
    """The style of a grid.

    Attributes
    ----------
    thin, thick : Pen
        Pens for the lines between cells, and for borders.
    size : float
        Size of a digit, in cells.
    number : float
        Size of the numbers in the corners of cages, in cells.
    symbols : str
        What stands for digits, one of :data:`nando.drawing.symbols.KINDS`.
    """

    thin: Pen
    thick: Pen
    size: float = 0.62
    number: float = 0.22
    symbols: str = ""


class Marks(NamedTuple):
    """A tint of cells, and a colour of lines."""

    tint: str
    stroke: str


SCREEN = GridStyle(Pen(0.012, FAINT), Pen(0.048, INK))
"""The style for screens, with lines fainter than the contents of cells."""


def column_number(i: int) -> Text:
    """Return the number of a column, above it."""
    return Text(MARGIN + i + 0.5, MARGIN * 0.52, str(i + 1), 0.3, GREY)


def row_number(i: int) -> Text:
    """Return the number of a row, to the left of it."""
    return Text(MARGIN * 0.52, MARGIN + i + 0.5, str(i + 1), 0.3, GREY)

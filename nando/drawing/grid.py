"""What the pictures of all kinds share: the lines of grids, and the numbers of rows and columns."""

from typing import NamedTuple

from nando.drawing.shapes import FAINT, GREY, INK, Text

MARGIN = 0.62
"""Room in cells for the numbers of rows and columns, on the left and on top."""

ROOM = MARGIN + 0.1
"""What a picture with these numbers is wider and higher than its grid."""


class Pen(NamedTuple):
    """Width of a line, in cells, and its colour."""

    line: float
    colour: str


class GridStyle(NamedTuple):
    """How a grid is drawn.

    Attributes
    ----------
    thin, thick : Pen
        For the lines between cells, and for borders.
    size : float
        Of the type of a digit, in cells.
    """

    thin: Pen
    thick: Pen
    size: float = 0.62


class Marks(NamedTuple):
    """Colours of what is to be seen on a grid: a tint of cells, and a colour of lines."""

    tint: str
    stroke: str


SCREEN = GridStyle(Pen(0.012, FAINT), Pen(0.048, INK))
"""Of grids to look at: the lines are fainter than what stands in the cells."""


def column_number(i: int) -> Text:
    """The number of a column, above it."""
    return Text(MARGIN + i + 0.5, MARGIN * 0.52, str(i + 1), 0.3, GREY)


def row_number(i: int) -> Text:
    """The number of a row, to the left of it."""
    return Text(MARGIN * 0.52, MARGIN + i + 0.5, str(i + 1), 0.3, GREY)

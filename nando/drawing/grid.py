"""What drawings of all kinds share: the lines of grids, and row and column numbers."""

from typing import NamedTuple

from nando.drawing.shapes import FAINT, GREY, INK, Text

MARGIN = 0.62
"""Space for row and column numbers on the left and on top, in cells."""

ROOM = MARGIN + 0.1
"""Extra width and height of a picture with these numbers, in cells."""


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
    number : float
        Of the type of the numbers in corners of cages, in cells.
    """

    thin: Pen
    thick: Pen
    size: float = 0.62
    number: float = 0.22


class Marks(NamedTuple):
    """A tint of cells, and a colour of lines."""

    tint: str
    stroke: str


SCREEN = GridStyle(Pen(0.012, FAINT), Pen(0.048, INK))
"""For screens: the lines are fainter than the contents of cells."""


def column_number(i: int) -> Text:
    """Return the number of a column, above it."""
    return Text(MARGIN + i + 0.5, MARGIN * 0.52, str(i + 1), 0.3, GREY)


def row_number(i: int) -> Text:
    """Return the number of a row, to the left of it."""
    return Text(MARGIN * 0.52, MARGIN + i + 0.5, str(i + 1), 0.3, GREY)

"""Labels of rows and columns, and candidate dots, in printed grids."""

from collections.abc import Iterator
from math import ceil

from nando.books.layout.binder import Binder
from nando.books.layout.sheet import Sheet
from nando.drawing.boards import Margins
from nando.drawing.shapes import Disc, Picture, Shape
from nando.puzzles import Puzzle, Sudoku, Variant
from nando.puzzles.protocol import blanks_of

LABEL = 0.62
"""Room for labels, in cells."""
_TYPE, _LEAST_TYPE = 0.34, 5.5
"""Size of the labels in cells, and least size in points."""
_DOT, _INSET = 0.032, 0.2
"""Radius of a dot, and distance of the outer dots from the edge, in cells."""


def with_labels(binder: Binder, room: Margins) -> Margins:
    """Return the room for the marks around a grid, and for labels if there are any."""
    if not binder.spec.include.labels:
        return room
    return room._replace(left=room.left + LABEL, top=room.top + LABEL)


def set_labels(
    binder: Binder,
    sheet: Sheet,
    shape: tuple[int, int],
    room: Margins,
    x: float,
    y: float,
    cell: float,
) -> None:
    """Set the labels of a board; (x, y) is the upper left corner of the room for its marks."""
    rows, columns = shape
    style, is_lettered = binder.style, binder.has_letters(rows)
    size = max(_TYPE * cell, _LEAST_TYPE, style.least_type)
    down = style.typeface.cap_height * size / 2
    with sheet.tagged(""):
        for i in range(columns):
            text, middle = str(i + 1), y - LABEL / 2 * cell + down
            place = x + (room.left + i + 0.5) * cell
            sheet.text(place, middle, text, size, colour=style.grey, align="middle")
        for i in range(rows):
            text = chr(ord("A") + i) if is_lettered else str(i + 1)
            middle = y + (room.top + i + 0.5) * cell + down
            place = x - LABEL / 2 * cell
            sheet.text(place, middle, text, size, colour=style.grey, align="middle")


def dotted_board(picture: Picture, puzzle: Puzzle, left: float, top: float, fill: str) -> Picture:
    """Return the picture of a board with a dot for each candidate of its empty cells.

    `left` and `top` are the margins of the board in the picture.
    """
    if not isinstance(puzzle, Sudoku | Variant):
        return picture
    return picture._replace(shapes=(*picture.shapes, *_dots(puzzle, left, top, fill)))


def _dots(puzzle: Sudoku | Variant, left: float, top: float, fill: str) -> Iterator[Shape]:
    columns = ceil(puzzle.size**0.5)
    rows = -(-puzzle.size // columns)
    width = puzzle.shape[1]
    for cell in blanks_of(puzzle).tolist():
        y, x = divmod(cell, width)
        for i in range(puzzle.size):
            down, across = divmod(i, columns)
            yield Disc(
                left + x + _spread(across, columns), top + y + _spread(down, rows), _DOT, fill
            )


def _spread(i: int, n: int) -> float:
    return _INSET + (1 - 2 * _INSET) * (i / (n - 1) if n > 1 else 0.5)

"""Marks at printed puzzles: labels of rows and columns, candidate dots, and QR codes."""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil
from urllib.parse import quote

from nando.books.binder import Binder, Numbered
from nando.books.sheet import Sheet
from nando.drawing.boards import Margins
from nando.drawing.shapes import Disc, Picture, Rect, Shape
from nando.puzzles import Nurikabe, Puzzle, Sudoku, Variant, format_puzzle
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
    with sheet.tag(""):
        for i in range(columns):
            text, middle = str(i + 1), y - LABEL / 2 * cell + down
            place = x + (room.left + i + 0.5) * cell
            sheet.text(place, middle, text, size, colour=style.grey, align="middle")
        for i in range(rows):
            text = chr(ord("A") + i) if is_lettered else str(i + 1)
            middle = y + (room.top + i + 0.5) * cell + down
            place = x - LABEL / 2 * cell
            sheet.text(place, middle, text, size, colour=style.grey, align="middle")


def draw_dots(picture: Picture, puzzle: Puzzle, left: float, top: float, fill: str) -> Picture:
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


# ---------------------------------------------------------------- QR codes


CODE_SIZE = 44.0
"""Least side of a code in points, a little over 15 mm."""

LARGEST_CODE = 100.0
"""Side of the largest code in points; puzzles with longer addresses have none."""

_MOST = 2_900
"""Most characters that a code can hold."""

MODULE = 0.77
"""Least side of a module in points, 0.27 mm."""

QUIET = 2
"""Width of the quiet zone around a code, in modules."""

PLAY = "https://sudokuexchange.com/play/?s={puzzle}"
"""The address that opens a 9x9; Nurikabe are opened on puzz.link."""

SUDOKUPAD = "https://sudokupad.app/fpuzzles"
"""Beginning of the address that opens any other puzzle, in the format of f-puzzles."""


def code_beside(binder: Binder, item: Numbered) -> Picture | None:
    """Draw the code of a puzzle; None if the book has none, or no site opens the puzzle."""
    content = binder.spec.include.qr
    if not content:
        return None
    if content == "hint":
        cell = binder.named(binder.words.first_cell(item.record), item.record.puzzle.shape[0])
        return code_of(f"{item.number}: {cell}") if cell else None
    address = address_of(item.record.puzzle, content)
    code = None if address is None or len(address) > _MOST else code_of(address)
    return code if code is not None and code_side(code) <= LARGEST_CODE else None


def code_side(code: Picture) -> float:
    """Return the side of a code in points."""
    return max(CODE_SIZE, MODULE * code.width)


@lru_cache(maxsize=1024)
def address_of(puzzle: Puzzle, pattern: str) -> str | None:
    """Return the address that opens a puzzle; None if no site opens it for play."""
    if pattern != "play":
        return pattern.format(
            puzzle=quote(puzzle.text) if puzzle.kind == "variant" else puzzle.text
        )
    if isinstance(puzzle, Nurikabe):
        return format_puzzle(puzzle, "puzz.link")
    if isinstance(puzzle, Sudoku) and puzzle.order == 3:
        return PLAY.format(puzzle=puzzle.text.replace(".", "0"))
    try:
        link = format_puzzle(puzzle, "f-puzzles")
    except ValueError:
        return None
    return SUDOKUPAD + link.partition("load=")[2]


@lru_cache(maxsize=1024)  # a book is laid out until its page numbers stay the same
def code_of(text: str) -> Picture:
    """Draw a QR code, with the quiet zone that readers need."""
    import segno

    code = segno.make(text, error="m", micro=False)
    if MODULE * (code.symbol_size()[0] + 2 * QUIET) > CODE_SIZE:  # make the code smaller
        code = segno.make(text, error="l", micro=False)
    rows = list(code.matrix_iter(border=QUIET))
    shapes: list[Shape] = []
    for y, row in enumerate(rows):
        start = None
        for x, dark in enumerate([*row, 0]):
            if dark and start is None:
                start = x
            elif not dark and start is not None:
                # Slightly too high, so that no gap shows between the rows.
                shapes.append(Rect(start, y, x - start, 1.02, "#000000"))
                start = None
    return Picture(len(rows), len(rows), tuple(shapes))

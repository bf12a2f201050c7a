"""A contact sheet: all pages of a book in one picture, in spreads."""

from collections.abc import Sequence
from typing import IO

from nando.books.layout.binder import Binder
from nando.books.layout.sheet import Page
from nando.drawing.png import check_png, write_png
from nando.drawing.shapes import Path, Picture, Placed, Rect, Shape

DESK, PAPER = "#d9d9d6", "#ffffff"
WIDTH = 2400
"""Width of the picture in pixels."""
_GAP = 0.12
"""Gap between spreads, in widths of a page."""


def write_preview(layout: Binder, file: IO[bytes]) -> None:
    """Write the contact sheet of a book as a PNG."""
    check_png()
    sheet = contact_sheet(layout.pages)
    write_png(sheet, file, WIDTH / sheet.width, typeface=layout.style.typeface)


def contact_sheet(pages: Sequence[Page]) -> Picture:
    """Lay out the pages in pairs, the first on the right, in units of the page width."""
    width, height = pages[0].picture.width, pages[0].picture.height
    tall = height / width
    n_openings = len(pages) // 2 + 1
    # The sheet is about as wide as it is high.
    n_columns = max(1, min(n_openings, round((n_openings * (tall + _GAP) / (2 + _GAP)) ** 0.5)))
    n_rows = -(-n_openings // n_columns)
    full = n_columns * (2 + _GAP) + _GAP, n_rows * (tall + _GAP) + _GAP
    shapes: list[Shape] = [Rect(0, 0, *full, DESK)]
    for page in pages:
        row, column = divmod(page.number // 2, n_columns)
        x = _GAP + column * (2 + _GAP) + page.number % 2
        y = _GAP + row * (tall + _GAP)
        shapes.append(Rect(x, y, 1, tall, PAPER))
        shapes.append(Placed(x, y, 1 / width, page.picture))
        if page.number % 2:
            shapes.append(Path(((x, y), (x, y + tall)), DESK, 0.004))
    return Picture(*full, tuple(shapes))

"""The cover of a paperback in one piece: back, spine and front, with bleed."""

from nando.books.language import dotted
from nando.books.layout.binder import Binder
from nando.books.layout.sheet import Page, Sheet
from nando.books.pages.divider import pattern_of
from nando.books.pages.front import summary, title_of
from nando.books.trim import BLEED, INCH, SPINE_WITH_TEXT, Margins, PageSize, spine_width
from nando.drawing.boards import board
from nando.drawing.colour import mixed
from nando.drawing.shapes import Picture, Placed, Rect, Text

PAPER = "#ffffff"
BARCODE = 1.4 * INCH
"""Free height for a barcode at the foot of the back."""
EDGE = 0.5 * INCH
"""Least distance of text from cuts and folds."""


def cover_page(binder: Binder) -> Page:
    """Draw the whole cover, as wide as pages and spine require."""
    trim, spec = binder.size, binder.spec
    spine = spine_width(len(binder.sheets), spec.cover.paper)
    size = PageSize(2 * trim.width + spine, trim.height, Margins(EDGE, EDGE, EDGE, EDGE))
    sheet = Sheet(1, "cover", size, binder.style)
    sheet.title = title_of(binder)
    sheet.band(spec.cover.colour, -BLEED, trim.height + 2 * BLEED, BLEED)
    _front(binder, sheet, trim.width + spine)
    if spine >= SPINE_WITH_TEXT:
        _spine(binder, sheet, trim.width, spine)
    _back(binder, sheet)
    return sheet.done()


def _front(binder: Binder, sheet: Sheet, left: float) -> None:
    """Title, subtitle, a grid on paper, and the author."""
    spec, style, trim = binder.spec, binder.style, binder.size
    x, width = left + EDGE, trim.width - 2 * EDGE
    title = title_of(binder)
    size = sheet.title_size(title, 0.15 * trim.width, width, least=18)
    y = 0.08 * trim.height + size
    y = sheet.paragraph(x, y, title, width, size, bold=True, colour=PAPER, leading=1.06)
    y -= 0.5 * size
    sheet.line(x, x + 0.16 * width, y, 3.0, PAPER)
    subtitle = spec.subtitle or summary(binder)
    small = 0.034 * trim.width
    y = sheet.paragraph(x, y + 2.2 * small, subtitle, width, small, colour=PAPER)
    foot = trim.height - EDGE
    if spec.author:
        sheet.text(x, foot, spec.author, 1.25 * small, colour=PAPER, bold=True, within=width)
        foot -= 2.2 * small
    record = max(binder.records, key=lambda record: record.predicted or 0)
    picture = board(record.puzzle, style.grid(20.0))
    rows, columns = picture.height, picture.width
    # The paper goes beyond the grid by half a cell.
    cell = min(width / (columns + 1), (foot - y - 2 * small) / (rows + 1))
    top = y + (foot - y - (rows + 1) * cell) / 2
    sheet.add(Rect(x, top, (columns + 1) * cell, (rows + 1) * cell, PAPER))
    sheet.place(board(record.puzzle, style.grid(cell)), x + cell / 2, top + cell / 2, cell)


def _spine(binder: Binder, sheet: Sheet, left: float, spine: float) -> None:
    """Title and author along the spine, from top to bottom."""
    height = binder.size.height
    size = min(0.5 * spine, 14.0)
    length = height - 2 * EDGE
    title = Text(0, spine / 2, title_of(binder), size, PAPER, True, "start")
    author = Text(length, spine / 2, binder.spec.author, 0.85 * size, PAPER, align="end")
    lying = Picture(length, spine, (title, author))
    sheet.add(Placed(left, EDGE, 1.0, lying, turn=90))


def _back(binder: Binder, sheet: Sheet) -> None:
    """Draw the blurb, above the space for the barcode, on a pattern of givens."""
    spec, words, trim = binder.spec, binder.words, binder.size
    width = trim.width - 2 * EDGE
    size = 0.032 * trim.width
    y = 0.08 * trim.height + 2 * size
    if spec.cover.blurb:
        y = sheet.paragraph(EDGE, y, spec.cover.blurb, width, 1.15 * size, colour=PAPER)
        y += 1.2 * size
    for section in binder.sections:
        n_puzzles = words.count("puzzles", len(section.records))
        line = dotted(section.title, n_puzzles, binder.lengths(section))
        sheet.text(EDGE, y, line, size, colour=PAPER, within=width)
        y += 1.6 * size
    pattern = pattern_of(binder.records[0].puzzle, mixed(spec.cover.colour, PAPER, 0.12))
    foot = trim.height - EDGE - BARCODE
    scale = min(width / pattern.width, (foot - y) / pattern.height)
    sheet.place(pattern, EDGE, foot - pattern.height * scale, scale)
    if spec.publisher:
        sheet.text(EDGE, trim.height - EDGE, spec.publisher, 0.85 * size, colour=PAPER)

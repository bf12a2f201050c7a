"""Pictures of a book: a contact sheet of its pages, and single puzzles for a layout program."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path as Folder
from typing import IO

from nando.books.binder import Binder
from nando.books.kinds import kind_of
from nando.books.language import Words, words_of
from nando.books.section import Section
from nando.books.sheet import Page, Style
from nando.books.spec import BookSpec
from nando.checks import one_of
from nando.drawing.boards import NO_MARGINS, Margins, board, margins, solution_board
from nando.drawing.png import check_png, write_png
from nando.drawing.shapes import Path, Picture, Placed, Rect, Shape, move
from nando.drawing.svg import svg
from nando.generators.records import Record
from nando.writing import replace_file, replace_text

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


# ---------------------------------------------------------------- single puzzles


FORMATS = ("svg", "png")
_POINTS, _PIXELS, _DPI = 20.0, 100.0, 300.0
"""Side of a cell in points (SVG) and in pixels (PNG), and resolution of a PNG."""
_EDGE = 0.06
"""Room for half of the outer lines, in cells."""


def check_singles(form: str) -> None:
    """Raise ValueError for an unknown format, or for PNG if matplotlib is not installed."""
    one_of("format", form, FORMATS)
    if form == "png":
        check_png()


def write_singles(sections: Sequence[Section], spec: BookSpec, folder: Folder, form: str) -> None:
    """Write the pictures and ``index.csv`` into a folder, which is created if it does not exist."""
    folder.mkdir(parents=True, exist_ok=True)
    style = Style(spec.design, spec.language)
    rows = list(_rows(sections, words_of(spec.language), form))
    for row, record in rows:
        for name, picture in zip(
            (row["file"], row["solution"]), _draw_pair(record, style), strict=True
        ):
            with replace_file(folder / name) as file:
                if form == "png":
                    write_png(picture, file, _PIXELS, typeface=style.typeface, dpi=_DPI)
                else:
                    file.write(svg(picture, points=_POINTS, typeface=style.typeface).encode())
    with replace_text(folder / "index.csv") as table:
        writer = csv.DictWriter(table, rows[0][0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for row, _ in rows)


def _rows(
    sections: Sequence[Section], words: Words, form: str
) -> Iterator[tuple[dict[str, str], Record]]:
    """Yield the row of each puzzle in the list, and its record."""
    width = max(3, len(str(sum(len(section.records) for section in sections))))
    number = 0
    for section in sections:
        for record in section.records:
            number += 1
            name = f"{number:0{width}}"
            yield (
                {
                    "number": str(number),
                    "file": f"{name}.{form}",
                    "solution": f"{name}-solution.{form}",
                    "kind": words.kind(kind_of(record.puzzle)),
                    "part": section.title,
                    "grade": words.grade(record.grade) if record.grade else "",
                    "minutes": "" if record.predicted is None else str(record.amount),
                    "puzzle": record.puzzle.text,
                    "answer": record.solution,
                },
                record,
            )


def _draw_pair(record: Record, style: Style) -> tuple[Picture, Picture]:
    """Return a puzzle and its solution with the marks around them."""
    puzzle, look = record.puzzle, style.grid(_POINTS)
    return (
        _add_frame(board(puzzle, look), margins(puzzle)),
        _add_frame(solution_board(puzzle, look, record.solution), NO_MARGINS),
    )


def _add_frame(picture: Picture, room: Margins) -> Picture:
    """Return a picture enlarged by its margins and by room for the outer lines."""
    left, top, right, bottom = (side + _EDGE for side in room)
    return Picture(
        left + picture.width + right,
        top + picture.height + bottom,
        tuple(move(picture.shapes, left, top)),
    )

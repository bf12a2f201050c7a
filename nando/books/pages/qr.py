"""QR codes next to puzzles, to play them on a phone or to get a hint."""

from functools import lru_cache
from urllib.parse import quote

from nando.books.layout.binder import Binder, Numbered
from nando.drawing.shapes import Picture, Rect, Shape
from nando.puzzles import Nurikabe, Puzzle, Sudoku, format_puzzle

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

"""QR codes beside puzzles, to play them on a phone or to get a hint."""

from functools import lru_cache

from nando.books.layout.binder import Binder, Numbered
from nando.drawing.shapes import Picture, Rect, Shape
from nando.puzzles import Nurikabe, Puzzle, Sudoku, format_puzzle

CODE_SIZE = 44.0
"""Side of a code in points, a little over 15 mm."""

QUIET = 2
"""Width of the quiet zone around a code, in modules."""

PLAY = "https://sudokuexchange.com/play/?s={puzzle}"
"""The address that opens a 9x9; Nurikabe are opened on puzz.link."""


def code_beside(binder: Binder, item: Numbered) -> Picture | None:
    """Draw the code of a puzzle; None if the book has none."""
    wanted = binder.spec.include.qr
    if not wanted:
        return None
    if wanted == "hint":
        cell = item.record.first_cell
        if cell is None:
            return None
        return code_of(f"{item.number}: {item.record.puzzle.cell_name(cell)}")
    return code_of(address_of(item.record.puzzle, wanted))


def address_of(puzzle: Puzzle, pattern: str) -> str:
    """Return the address that opens a puzzle.

    Raises
    ------
    ValueError
        If the code should open the puzzle for play and no site is known for it.
    """
    if pattern != "play":
        return pattern.format(puzzle=puzzle.text)
    if isinstance(puzzle, Nurikabe):
        return format_puzzle(puzzle, "puzz.link")
    if isinstance(puzzle, Sudoku) and puzzle.order == 3:
        return PLAY.format(puzzle=puzzle.text.replace(".", "0"))
    raise ValueError(
        f"qr = 'play': no page is known that opens {puzzle.kind} of {puzzle.shape[0]} rows; "
        "give an address with {puzzle} in it, or leave qr out"
    )


@lru_cache(maxsize=1024)  # a book is laid out until its page numbers stay the same
def code_of(text: str) -> Picture:
    """Draw a QR code, with the quiet zone that readers need."""
    import segno

    rows = list(segno.make(text, error="m", micro=False).matrix_iter(border=QUIET))
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

"""Nurikabe boards as shapes: the lines, and puzzles and solutions to be printed."""

from collections.abc import Iterator

import numpy as np

from nando.drawing.grid import MARGIN, SCREEN, GridStyle, column_number, row_number
from nando.drawing.shapes import Path, Picture, Rect, Shape, Text
from nando.puzzles.nurikabe.puzzle import BLACK, Nurikabe

PRINTED_RIVER = "#4d4d4d"
"""Dark, but the lines between its cells still show."""


def lines(puzzle: Nurikabe, style: GridStyle, margin: float = 0.0) -> Iterator[Shape]:
    """The lines of an empty board, its border last."""
    n_rows, n_columns = puzzle.shape
    right, bottom = margin + n_columns, margin + n_rows
    thin, thick = style.thin, style.thick
    for i in range(1, n_rows):
        yield Path(((margin, margin + i), (right, margin + i)), thin.colour, thin.line)
    for i in range(1, n_columns):
        yield Path(((margin + i, margin), (margin + i, bottom)), thin.colour, thin.line)
    yield Rect(margin, margin, n_columns, n_rows, None, thick.colour, thick.line)


def frame(puzzle: Nurikabe) -> Iterator[Shape]:
    """The lines of a board to look at, and the numbers of its rows and columns."""
    n_rows, n_columns = puzzle.shape
    yield from lines(puzzle, SCREEN, MARGIN)
    for i in range(n_columns):
        yield column_number(i)
    for i in range(n_rows):
        yield row_number(i)


def given_text(puzzle: Nurikabe, cell: int) -> str:
    """The number of an island."""
    number = int(puzzle.numbers[cell])
    return "?" if number < 0 else str(number)


def board(puzzle: Nurikabe, solution: str, style: GridStyle) -> Picture:
    """A puzzle, or its solution with the river."""
    n_rows, n_columns = puzzle.shape
    values = puzzle.solution_values(solution) if solution else puzzle.givens
    river = [
        Rect(cell % n_columns, cell // n_columns, 1, 1, PRINTED_RIVER)
        for cell in np.flatnonzero(values == BLACK).tolist()
    ]
    numbers, thick = [], style.thick.colour
    for cell in np.flatnonzero(puzzle.numbers).tolist():
        text = given_text(puzzle, cell)
        size = style.size * (1, 0.84, 0.65)[min(len(text), 3) - 1]
        x, y = cell % n_columns + 0.5, cell // n_columns + 0.5
        numbers.append(Text(x, y, text, size, thick))
    return Picture(n_columns, n_rows, (*river, *lines(puzzle, style), *numbers))

"""Nurikabe boards and single steps on them as shapes.

Black cells are dark, and cells known to be white have a dot. Cells of the pattern are tinted, or
have a ring if they are black. Decided cells have a frame. The consequences of an assumed colour
are small and numbered in order.
"""

from collections.abc import Iterator

import numpy as np

from nando.drawing.colour import BLUE, CELL, PLACED, RED, RIVER
from nando.drawing.shapes import (
    GREY,
    INK,
    MARGIN,
    ROOM,
    SCREEN,
    Disc,
    GridStyle,
    Path,
    Picture,
    Rect,
    Shape,
    Text,
    column_number,
    row_number,
)
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.logic.nurikabe.shading import NurikabeStep, Shading, place_of

PRINTED_RIVER = "#4d4d4d"
"""A grey on which the lines between cells are still visible."""


def lines(puzzle: Nurikabe, style: GridStyle, margin: float = 0.0) -> Iterator[Shape]:
    """Yield the lines of an empty board, its border last."""
    n_rows, n_columns = puzzle.shape
    right, bottom = margin + n_columns, margin + n_rows
    thin, thick = style.thin, style.thick
    for i in range(1, n_rows):
        yield Path(((margin, margin + i), (right, margin + i)), thin.colour, thin.line)
    for i in range(1, n_columns):
        yield Path(((margin + i, margin), (margin + i, bottom)), thin.colour, thin.line)
    yield Rect(margin, margin, n_columns, n_rows, None, thick.colour, thick.line)


def frame(puzzle: Nurikabe) -> Iterator[Shape]:
    """Yield the lines of a board on a screen, and the numbers of its rows and columns."""
    n_rows, n_columns = puzzle.shape
    yield from lines(puzzle, SCREEN, MARGIN)
    for i in range(n_columns):
        yield column_number(i)
    for i in range(n_rows):
        yield row_number(i)


def given_text(puzzle: Nurikabe, cell: int) -> str:
    """Return the number of an island."""
    number = int(puzzle.numbers[cell])
    return "?" if number < 0 else str(number)


def board(puzzle: Nurikabe, solution: str, style: GridStyle) -> Picture:
    """Draw a puzzle, or its solution with the river."""
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


# ---------------------------------------------------------------- steps

LEGEND: list[tuple[str, list[Shape]]] = [
    ("black", [Rect(0.02, 0.02, 0.96, 0.96, RIVER)]),
    ("white", [Disc(0.5, 0.5, 0.12, INK)]),
    ("looked_at", [Rect(0.05, 0.05, 0.9, 0.9, CELL)]),
    (
        "looked_at_black",
        [Rect(0.02, 0.02, 0.96, 0.96, RIVER), Disc(0.5, 0.5, 0.28, None, CELL, 0.12)],
    ),
    (
        "becomes_black",
        [Rect(0.08, 0.08, 0.84, 0.84, RIVER, BLUE, 0.14)],
    ),
    (
        "becomes_white",
        [Rect(0.08, 0.08, 0.84, 0.84, PLACED, BLUE, 0.14), Disc(0.5, 0.5, 0.14, INK)],
    ),
    ("supposed", [Rect(0.2, 0.2, 0.6, 0.6, None, RED, 0.14)]),
    (
        "follows",
        [Rect(0.06, 0.3, 0.4, 0.4, GREY), Disc(0.74, 0.5, 0.2, "#ffffff", GREY, 0.09)],
    ),
]
"""Samples of the marks, with the keys of the texts that explain them."""


def picture(shading: Shading, step: NurikabeStep | None = None, degree: int = 3) -> Picture:
    """Draw the board before a step, with as much of the step as a hint of this degree shows."""
    n_rows, n_columns = shading.puzzle.shape
    shapes = list(_cells(shading))
    if step is not None and degree == 1:
        shapes += _draw_looks(shading, place_of(step, shading))
    elif step is not None:
        shapes += _draw_looks(
            shading, step.reason or (() if degree == 3 else place_of(step, shading))
        )
        if degree == 3:
            shapes += _draw_decided(shading, step)
    shapes += frame(shading.puzzle)
    shapes += _numbers(shading)
    if step is not None and step.supposed:
        shapes += _draw_assumption(shading, step, degree)
    return Picture(n_columns + ROOM, n_rows + ROOM, tuple(shapes))


def _corner(shading: Shading, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, shading.puzzle.shape[1])
    return MARGIN + column, MARGIN + row


def _cells(shading: Shading) -> Iterator[Shape]:
    for cell, value in enumerate(shading.values.tolist()):
        x, y = _corner(shading, cell)
        if value == BLACK:
            yield Rect(x, y, 1, 1, RIVER)
        elif value == WHITE and not shading.puzzle.numbers[cell]:
            yield Disc(x + 0.5, y + 0.5, 0.09, INK)


def _draw_looks(shading: Shading, cells: tuple[int, ...]) -> Iterator[Shape]:
    for cell in sorted(set(cells)):
        x, y = _corner(shading, cell)
        if shading.values[cell] == BLACK:
            yield Disc(x + 0.5, y + 0.5, 0.26, None, CELL, 0.1)
        else:
            yield Rect(x, y, 1, 1, CELL)
            if shading.values[cell] == WHITE and not shading.puzzle.numbers[cell]:
                yield Disc(x + 0.5, y + 0.5, 0.09, INK)


def _draw_decided(shading: Shading, step: NurikabeStep) -> Iterator[Shape]:
    for cell in step.cells:
        x, y = _corner(shading, cell)
        fill = RIVER if step.colour == BLACK else PLACED
        yield Rect(x + 0.05, y + 0.05, 0.9, 0.9, fill, BLUE, 0.09)
        if step.colour == WHITE and not step.supposed:
            yield Disc(x + 0.5, y + 0.5, 0.11, INK)


def _draw_assumption(shading: Shading, step: NurikabeStep, degree: int) -> Iterator[Shape]:
    (start, colour), *way = step.supposed
    yield from _small(shading, start, colour, RED, "?")
    if degree == 3:
        for number, (cell, entailed) in enumerate(way, 1):
            yield from _small(shading, cell, entailed, GREY, str(number))


def _small(shading: Shading, cell: int, colour: int, stroke: str, text: str) -> Iterator[Shape]:
    x, y = (corner + 0.5 for corner in _corner(shading, cell))
    fill, ink = (stroke, "#ffffff") if colour == BLACK else ("#ffffff", stroke)
    if colour == BLACK:
        yield Rect(x - 0.29, y - 0.29, 0.58, 0.58, fill, stroke, 0.05)
    else:
        yield Disc(x, y, 0.32, fill, stroke, 0.06)
    yield Text(x, y, text, 0.34, ink, True)


def _numbers(shading: Shading) -> Iterator[Shape]:
    for cell, number in enumerate(shading.puzzle.numbers.tolist()):
        if number:
            x, y = _corner(shading, cell)
            text = given_text(shading.puzzle, cell)
            yield Text(x + 0.5, y + 0.5, text, 0.6 if len(text) < 3 else 0.44, INK, True)

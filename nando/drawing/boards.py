"""Puzzles as lines, boxes and symbols, in units of a cell, for any backend to draw.

A new kind of puzzle registers one function with :func:`drawing`; pages, PDF and HTML need not know
of it.
"""

from functools import singledispatch
from typing import NamedTuple

import numpy as np

from nando.puzzles import Puzzle, Sudoku
from nando.puzzles.nurikabe.puzzle import BLACK, Nurikabe

THIN, THICK = 0.45, 1.8
"""Widths in points of the lines between cells, and of borders, in a puzzle to be filled in."""

RIVER_GREY = 0.3
"""Of the river of a Nurikabe: dark, but the lines between its cells still show."""

CAP_HEIGHT = 0.729
"""Height of digits and capitals in Bitstream Vera, as a share of the size of the type."""


class Line(NamedTuple):
    """A straight line; `width` in points, ends in cells from the upper left corner."""

    x0: float
    y0: float
    x1: float
    y1: float
    width: float


class Box(NamedTuple):
    """A filled rectangle; `grey` from 0 (black) to 1 (white)."""

    x: float
    y: float
    width: float
    height: float
    grey: float


class Symbol(NamedTuple):
    """Text centred on a point; `size` of the type in cells."""

    x: float
    y: float
    text: str
    size: float
    bold: bool

    @property
    def baseline(self) -> float:
        """Where the text stands so that its capitals are centred."""
        return self.y + CAP_HEIGHT / 2 * self.size


class Drawing(NamedTuple):
    """What is drawn, in this order: boxes, lines, symbols."""

    boxes: tuple[Box, ...] = ()
    lines: tuple[Line, ...] = ()
    symbols: tuple[Symbol, ...] = ()


@singledispatch
def drawing(puzzle: Puzzle, solution: str = "") -> Drawing:
    """A puzzle as primitives in a frame of ``puzzle.shape`` cells.

    Parameters
    ----------
    puzzle : Puzzle
    solution : str
        Its solution as a line: the givens then stand out. Without it the puzzle is to be solved.

    Raises
    ------
    TypeError
        For a kind that has no drawing.
    """
    what = "solutions" if solution else "puzzles"
    raise TypeError(f"cannot draw {puzzle.kind!r} {what}: no drawing is registered for them")


@drawing.register
def _(puzzle: Sudoku, solution: str = "") -> Drawing:
    n, size = puzzle.order, puzzle.size
    # Thick lines come last, so that no thin one shows on top.
    edges = sorted(range(size + 1), key=lambda i: i % n == 0)
    lines = []
    for i in edges:
        width = THIN if i % n else THICK
        lines.append(Line(0, i, size, i, width))
        lines.append(Line(i, 0, i, size, width))
    symbols = []
    for cell, symbol in enumerate(solution or puzzle.text):
        if symbol != ".":
            row, column = divmod(cell, size)
            bold = bool(solution) and puzzle.text[cell] != "."
            symbols.append(Symbol(column + 0.5, row + 0.5, symbol, 0.62, bold))
    return Drawing((), tuple(lines), tuple(symbols))


@drawing.register
def _(puzzle: Nurikabe, solution: str = "") -> Drawing:
    n_rows, n_columns = puzzle.shape
    values = puzzle.solution_values(solution) if solution else puzzle.givens
    river = [divmod(int(cell), n_columns) for cell in np.flatnonzero(values == BLACK)]
    inner = [Line(0, i, n_columns, i, THIN) for i in range(1, n_rows)]
    inner += [Line(i, 0, i, n_rows, THIN) for i in range(1, n_columns)]
    border = [Line(0, i, n_columns, i, THICK) for i in (0, n_rows)]
    border += [Line(i, 0, i, n_rows, THICK) for i in (0, n_columns)]
    symbols = []
    for cell, number in enumerate(puzzle.numbers.tolist()):
        if number:
            row, column = divmod(cell, n_columns)
            text = "?" if number < 0 else str(number)
            size = (0.62, 0.52, 0.4)[min(len(text), 3) - 1]
            symbols.append(Symbol(column + 0.5, row + 0.5, text, size, False))
    return Drawing(
        tuple(Box(column, row, 1, 1, RIVER_GREY) for row, column in river),
        (*inner, *border),
        tuple(symbols),
    )

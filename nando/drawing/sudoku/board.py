"""Sudoku grids as shapes: the lines, and puzzles and solutions to be printed."""

from collections.abc import Iterator

from nando.drawing.grid import MARGIN, SCREEN, GridStyle, column_number, row_number
from nando.drawing.shapes import Path, Picture, Shape, Text
from nando.puzzles.sudoku.puzzle import SYMBOLS, Sudoku


def lines(puzzle: Sudoku, style: GridStyle, margin: float = 0.0) -> Iterator[Shape]:
    """The lines of an empty grid, thick ones last so that no thin one shows on top of them."""
    order, size = puzzle.order, puzzle.size
    far = margin + size
    for i in sorted(range(size + 1), key=lambda i: i % order == 0):
        pen = style.thin if i % order else style.thick
        at, over = margin + i, 0 if i % order else pen.line / 2
        yield Path(((margin - over, at), (far + over, at)), pen.colour, pen.line)
        yield Path(((at, margin - over), (at, far + over)), pen.colour, pen.line)


def frame(puzzle: Sudoku) -> Iterator[Shape]:
    """The lines of a grid to look at, and the numbers of its rows and columns."""
    yield from lines(puzzle, SCREEN, MARGIN)
    for i in range(puzzle.size):
        yield column_number(i)
        yield row_number(i)


def given_text(puzzle: Sudoku, cell: int) -> str:
    """The symbol of a given."""
    return SYMBOLS[puzzle.givens[cell]]


def board(puzzle: Sudoku, solution: str, style: GridStyle) -> Picture:
    """A puzzle, or its solution with the givens highlighted."""
    size = puzzle.size
    digits = [
        Text(cell % size + 0.5, cell // size + 0.5, symbol, style.size, style.thick.colour, bold)
        for cell, symbol in enumerate(solution or puzzle.text)
        if symbol != "."
        for bold in [bool(solution) and puzzle.text[cell] != "."]
    ]
    return Picture(size, size, (*lines(puzzle, style), *digits))

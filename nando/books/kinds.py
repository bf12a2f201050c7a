"""The kinds of puzzle in books, and what the pages say about each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from nando.drawing import nurikabe, sudoku
from nando.drawing.shapes import Disc, GridStyle, Marks, Path, Picture, Rect, Shape, Text
from nando.drawing.symbols import symbol
from nando.puzzles import Nurikabe, Puzzle, Sudoku, Variant
from nando.puzzles.variants.genre import Genre

SUDOKU = Sudoku(".....573....6..92..7629......8...279.2.....1.517...3......8246..61..3....324.....")
LARGE_SUDOKU = Sudoku(
    ".....1.5.A.68.C.2......8...4A.3..G.C.2....1.4..53....F4..72...G."
    "8...C.A.9..D.B7.59..B86.C.E..A.GA....3.1.4...9....6D..9FG..B...."
    "....9..D75..GC....C...7.A.6....3D.5..6.E.FBC..4A.F4.8..3.D.G...6"
    ".A...7C..2F....BB..F.4....7.C.D..2.4F...E......7.7.65.8.1.D....."
)
PLAIN = {
    4: "....13....23....",
    6: "......613.4..4.1....1.3..2.413......",
    8: "85.4.7......8......5...23...48....32...15...6......1......6.7.13",
    10: ".5...3..6A..6.A.2.7...5......7A.....32.6....297A....3745....7.48.....9"
    "6......1...6.9.4.7..47..1...8.",
    12: "..3..8A.6.C.B........9.A.8A....C.52..3..C...72.42.4..385.....A.9.....1....B.....1.3."
    "....6CB..4.54.57...3..A..51.A....76.7.2........C.9.8.B2..3..",
}
"""A puzzle without further rules and its solution, by size."""

DIGIT = "2"
_BOX, _TARGET = (3, 3), (5, 4)
"""Upper left cell of a box that lacks the digit, and the cell of the digit, as row and column."""


def first_sudoku_step(style: GridStyle, marks: Marks) -> Picture:
    """Draw how a digit rules out rows and columns of a box, until one cell is left."""
    size, (top, left) = SUDOKU.size, _BOX
    stroke, seen = marks.stroke, list[Shape]()
    for cell in range(size * size):
        row, column = divmod(cell, size)
        if SUDOKU.text[cell] != DIGIT:
            continue
        x, y = column + 0.5, row + 0.5
        if top <= row < top + 3:
            start, end = (x + 0.38, left + 2.9) if column < left else (x - 0.38, left + 0.1)
            seen.append(Path(((start, y), (end, y)), stroke, 0.06, dashed=True))
        elif left <= column < left + 3:
            start, end = (y + 0.38, top + 2.9) if row < top else (y - 0.38, top + 0.1)
            seen.append(Path(((x, start), (x, end)), stroke, 0.06, dashed=True))
        else:
            continue
        seen.append(Disc(x, y, 0.38, None, stroke, 0.07))
    row, column = _TARGET
    target = (
        Rect(column + 0.07, row + 0.07, 0.86, 0.86, "#ffffff", stroke, 0.07),
        *symbol(Text(column + 0.5, row + 0.5, DIGIT, style.size, stroke, bold=True), style),
    )
    grid = sudoku.board(SUDOKU, "", style)
    return Picture(size, size, (Rect(left, top, 3, 3, marks.tint), *grid.shapes, *seen, *target))


NURIKABE = Nurikabe("3....../...1.3./......./..1..../6....../..1..3./...2...")


def first_nurikabe_step(style: GridStyle, marks: Marks) -> Picture:
    """Draw the river: cells between two numbers, and the neighbours of a 1."""
    n_rows, n_columns = NURIKABE.shape
    numbers = NURIKABE.numbers.reshape(NURIKABE.shape)
    around = np.pad(numbers, 1)
    near = np.stack([around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]])
    river = (numbers == 0) & (((near != 0).sum(axis=0) > 1) | (near == 1).any(axis=0))
    cells = [
        Rect(column, row, 1, 1, fill)
        for fill, those in ((marks.tint, numbers != 0), (nurikabe.PRINTED_RIVER, river))
        for row, column in np.argwhere(those).tolist()
    ]
    return Picture(n_columns, n_rows, (*cells, *nurikabe.board(NURIKABE, "", style).shapes))


@dataclass(frozen=True)
class BookKind:
    """A kind of puzzle as books name it.

    Attributes
    ----------
    puzzle : str
        Name of the kind in nando, and key of the rules to print.
    example : Puzzle
        A puzzle that is drawn with its solution to explain the rules.
    first_step : callable or None
        Draws a first step on the example.
    said : mapping
        Digits for the placeholders in the texts of the rules.
    """

    puzzle: str
    example: Puzzle
    first_step: Callable[[GridStyle, Marks], Picture] | None = None
    said: Mapping[str, str] = field(default_factory=dict)


KINDS = {
    "9x9": BookKind("sudoku", SUDOKU, first_sudoku_step, {"digit": DIGIT}),
    "16x16": BookKind("sudoku", LARGE_SUDOKU),
    # Two 25x25 grids do not fit on a page: the rules are shown on a smaller one.
    "25x25": BookKind("sudoku", LARGE_SUDOKU),
    "nurikabe": BookKind("nurikabe", NURIKABE, first_nurikabe_step),
}


@cache
def solution_of(puzzle: Puzzle) -> str:
    """Return the solution of an example."""
    from nando.solvers import unique_solution

    return puzzle.solution_text(unique_solution(puzzle))


def kind_of(puzzle: Puzzle) -> str:
    """Return the name that books use for the kind of a puzzle; for a variant, its genre."""
    if isinstance(puzzle, Variant):
        return str(Genre.of(puzzle))
    return f"{puzzle.size}x{puzzle.size}" if isinstance(puzzle, Sudoku) else puzzle.kind

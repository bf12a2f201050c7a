"""A Nurikabe to explain the rules with, and a first step on it."""

import numpy as np

from nando.drawing.grid import GridStyle, Marks
from nando.drawing.nurikabe.board import PRINTED_RIVER, board
from nando.drawing.shapes import Picture, Rect
from nando.puzzles.nurikabe.puzzle import Nurikabe

PUZZLE = Nurikabe("3....../...1.3./......./..1..../6....../..1..3./...2...")
SOLUTION = "oooxxxx/xxxoxox/ooxxoox/oxoxxxx/oxxxoox/oxoxxox/oxxooxx"


def first_step(style: GridStyle, marks: Marks) -> Picture:
    """Cells between two numbers are river, and so are the neighbours of a 1."""
    n_rows, n_columns = PUZZLE.shape
    numbers = PUZZLE.numbers.reshape(PUZZLE.shape)
    around = np.pad(numbers, 1)
    near = np.stack([around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]])
    river = (numbers == 0) & (((near != 0).sum(axis=0) > 1) | (near == 1).any(axis=0))
    cells = [
        Rect(column, row, 1, 1, fill)
        for fill, those in ((marks.tint, numbers != 0), (PRINTED_RIVER, river))
        for row, column in np.argwhere(those).tolist()
    ]
    return Picture(n_columns, n_rows, (*cells, *board(PUZZLE, "", style).shapes))

"""The heat map of a fill order as shapes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nando.drawing.boards import frame, given_text
from nando.drawing.colour import mixed
from nando.drawing.grid import MARGIN, ROOM
from nando.drawing.shapes import GREY, INK, Picture, Rect, Shape, Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nando.puzzles import Puzzle

_FIRST, _LAST = "#164a7c", "#eef4fa"
"""Colours of the first and the last fill."""
_GIVEN = "#e4e4e4"


def heat_map(puzzle: "Puzzle", ranks: "NDArray[np.int64]") -> Picture:
    """Draw a heat map with ranks: the darker a cell, the earlier it is filled; givens are grey.

    Parameters
    ----------
    puzzle : Puzzle
    ranks : ndarray of int64, shape (n_cells,)
        From 1; 0 for givens.
    """
    shapes = (*_cells(puzzle, ranks.tolist()), *frame(puzzle))
    n_rows, n_columns = puzzle.shape
    return Picture(n_columns + ROOM, n_rows + ROOM, shapes)


def _cells(puzzle: "Puzzle", ranks: list[int]) -> Iterator[Shape]:
    last = max(ranks)
    for cell, rank in enumerate(ranks):
        row, column = divmod(cell, puzzle.shape[1])
        x, y = MARGIN + column, MARGIN + row
        late = (rank - 1) / max(last - 1, 1)
        yield Rect(x, y, 1, 1, mixed(_FIRST, _LAST, late) if rank else _GIVEN)
        if rank:
            ink = "#ffffff" if late < 0.5 else INK
            yield Text(x + 0.5, y + 0.5, str(rank), 0.36, ink)
        else:
            yield Text(x + 0.5, y + 0.5, given_text(puzzle, cell), 0.5, GREY)

"""Boards, positions and heat maps of each kind of puzzle; a new kind is a file and an entry."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.drawing import nurikabe, sudoku, variants
from nando.drawing.colour import mix
from nando.drawing.rules import board as variant_board
from nando.drawing.shapes import GREY, INK, MARGIN, ROOM, GridStyle, Picture, Rect, Shape, Text
from nando.puzzles import Puzzle
from nando.solvers.logic.language import Words

_FIRST, _LAST = "#164a7c", "#eef4fa"
"""Colours of the first and the last fill."""
_GIVEN = "#e4e4e4"

Sample = tuple[str, list[Shape]]
"""The key of the text that explains a mark, and the mark in a cell of size 1."""


class Margins(NamedTuple):
    """Room for marks around a board, in cells."""

    left: float
    top: float
    right: float
    bottom: float


NO_MARGINS = Margins(0, 0, 0, 0)


class Kind(NamedTuple):
    """The drawings of a kind of puzzle.

    Attributes
    ----------
    board : callable
        Draws a puzzle, or its solution if that text is not empty, in a given style.
    step : callable
        Draws the position before a step, with as much of the step as a hint of a degree shows.
    frame : callable
        Draws an empty grid with the numbers of its rows and columns.
    given_text : callable
        Returns the text in the cell of a given.
    legend : sequence of Sample
        The marks of steps; the tables of languages explain them.
    margins : callable
        Returns the room for the marks around a printed board.
    bare : callable
        Returns the puzzle without marks that its solution does not need, for example cages.
    origin : callable
        Returns the upper left corner of the grid in the picture of a position.
    """

    board: Callable[[Any, str, GridStyle], Picture]
    step: Callable[[Any, Any, int], Picture]
    frame: Callable[[Any], Iterator[Shape]]
    given_text: Callable[[Any, int], str]
    legend: Sequence[Sample]
    margins: Callable[[Any], Margins] = lambda _: NO_MARGINS
    bare: Callable[[Any], Any] = lambda puzzle: puzzle
    origin: Callable[[Any], tuple[float, float]] = lambda _: (MARGIN, MARGIN)


KINDS = {
    kind: Kind(of.board, of.picture, of.frame, of.given_text, of.LEGEND)
    for kind, of in {"sudoku": sudoku, "nurikabe": nurikabe}.items()
}
KINDS["variant"] = Kind(
    variant_board.board,
    variants.picture,
    variants.frame,
    variants.given_text,
    variants.LEGEND,
    lambda puzzle: Margins(*variants.margins(puzzle)),
    variant_board.bare,
    variants.origin,
)

SAME_LEGEND = {"variant": "sudoku"}
"""Kinds whose marks of steps have the meaning of another kind's."""


@lru_cache(maxsize=1024)  # a book is laid out until its page numbers stay the same
def board(puzzle: Puzzle, style: GridStyle, solution: str = "") -> Picture:
    """Draw a puzzle to be printed, in a frame of ``puzzle.shape`` cells and the marks around it.

    Parameters
    ----------
    puzzle : Puzzle
    style : GridStyle
    solution : str
        Its solution as a line; empty to draw the puzzle unsolved.

    Raises
    ------
    TypeError
        For a kind without drawings.
    """
    return _kind(puzzle.kind).board(puzzle, solution, style)


def margins(puzzle: Puzzle) -> Margins:
    """Return the room of the marks around a printed board."""
    return _kind(puzzle.kind).margins(puzzle)


def smallest_type(puzzle: Puzzle, style: GridStyle) -> float:
    """Return the size of the smallest text on a board in cells; without text, that of a digit."""
    return smallest_text(board(puzzle, style), style.size)


def smallest_text(picture: Picture, default: float) -> float:
    """Return the size of the smallest text in a picture, in its units."""
    return min((s.size for s in picture.shapes if isinstance(s, Text)), default=default)


def solution_board(puzzle: Puzzle, style: GridStyle, solution: str) -> Picture:
    """Draw a solution in a frame of ``puzzle.shape`` cells, without marks such as cages."""
    return board(_kind(puzzle.kind).bare(puzzle), style, solution)


def position(before: Any, step: Any = None, degree: int = 3) -> Picture:
    """Draw the position before a step, with as much of the step as a hint of this degree shows.

    Degree 1 shows where to look, 2 the pattern, 3 also the conclusion.

    Raises
    ------
    TypeError
        For a kind without drawings.
    """
    return _kind(before.puzzle.kind).step(before, step, degree)


def frame(puzzle: Puzzle) -> Iterator[Shape]:
    """Draw the lines of an empty grid, and the numbers of its rows and columns."""
    return _kind(puzzle.kind).frame(puzzle)


def origin(puzzle: Puzzle) -> tuple[float, float]:
    """Return the upper left corner of the grid in the picture of a position."""
    return _kind(puzzle.kind).origin(puzzle)


def given_text(puzzle: Puzzle, cell: int) -> str:
    """Return the text in the cell of a given."""
    return _kind(puzzle.kind).given_text(puzzle, cell)


def legend(kind: str, words: Words) -> list[tuple[str, Picture]]:
    """Return the meaning of each mark in the drawings of a kind's steps, with a sample."""
    table = SAME_LEGEND.get(kind, kind)
    return [
        (words.known(f"legend.{table}.{key}", key), Picture(1, 1, tuple(shapes)))
        for key, shapes in _kind(kind).legend
    ]


def heat_map(puzzle: Puzzle, ranks: NDArray[np.int64]) -> Picture:
    """Draw a heat map with ranks: cells that are filled earlier are darker, and givens are grey.

    Parameters
    ----------
    puzzle : Puzzle
    ranks : ndarray of int64, shape (n_cells,)
        Ranks of the cells from 1; 0 for givens.
    """
    shapes = (*_cells(puzzle, ranks.tolist()), *frame(puzzle))
    n_rows, n_columns = puzzle.shape
    return Picture(n_columns + ROOM, n_rows + ROOM, shapes)


def _cells(puzzle: Puzzle, ranks: list[int]) -> Iterator[Shape]:
    last = max(ranks)
    for cell, rank in enumerate(ranks):
        row, column = divmod(cell, puzzle.shape[1])
        x, y = MARGIN + column, MARGIN + row
        late = (rank - 1) / max(last - 1, 1)
        yield Rect(x, y, 1, 1, mix(_FIRST, _LAST, late) if rank else _GIVEN)
        if rank:
            ink = "#ffffff" if late < 0.5 else INK
            yield Text(x + 0.5, y + 0.5, str(rank), 0.36, ink)
        else:
            yield Text(x + 0.5, y + 0.5, given_text(puzzle, cell), 0.5, GREY)


def _kind(kind: str) -> Kind:
    if kind not in KINDS:
        raise TypeError(f"cannot draw {kind!r} puzzles; known: {', '.join(KINDS)}")
    return KINDS[kind]

"""The links between candidates as sets, one row for each candidate."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.solvers.logic.sudoku_chains.links import XY, X, Y
from nando.solvers.logic.sudoku_finders.state import BOX, COLUMN, ROW, WORD


class LinkSets(NamedTuple):
    """The candidates that each is linked to; words have :data:`WORD` bits.

    Attributes
    ----------
    cells : ndarray of int64, shape (n, words)
        What shares a cell with a candidate, itself included.
    weak : ndarray of int64, shape (2, n, words)
        What it turns off when it is on: in its houses, or also in its cell.
    strong : ndarray of int64, shape (3, n, words)
        What it turns on when it is off: in its houses (X), in its cell (Y), or in both (XY).
    linked : ndarray of int64, shape (3, words)
        The candidates that have such a strong link.
    """

    cells: NDArray[np.int64]
    weak: NDArray[np.int64]
    strong: NDArray[np.int64]
    linked: NDArray[np.int64]


@kernel
def link_sets(layout, graph):
    """Return the links of a grid as sets."""
    n = graph.n
    words = n // WORD + 1
    sets = LinkSets(
        np.zeros((n, words), np.int64),
        np.empty((2, n, words), np.int64),
        np.zeros((3, n, words), np.int64),
        np.zeros((3, words), np.int64),
    )
    _fill(layout, graph, sets, np.zeros((layout.houses.size, words), np.int64))
    return sets


@lean_kernel
def _fill(layout, graph, sets, in_house):
    """Fill the sets in; `in_house` has a row for each house and digit."""
    cells, weak, strong, linked = sets
    words = cells.shape[1]
    size = layout.size
    for i in range(graph.n):
        word = i // WORD
        bit = 1 << i % WORD
        for kind in range(3):
            in_house[layout.house_of[graph.cell[i], kind] * size + graph.digit[i], word] |= bit
        cells[i, word] |= bit
        for k in range(graph.weak_from[i], graph.peers_from[i]):
            cells[i, graph.weak[k] // WORD] |= 1 << graph.weak[k] % WORD
        for k in range(4):
            other = graph.strong[i, k]
            if other >= 0:
                links = X if k else Y
                strong[links, i, other // WORD] |= 1 << other % WORD
                linked[links, word] |= bit
    for k in range(words):
        linked[XY, k] = linked[X, k] | linked[Y, k]
    for i in range(graph.n):
        row = layout.house_of[graph.cell[i], ROW] * size + graph.digit[i]
        column = layout.house_of[graph.cell[i], COLUMN] * size + graph.digit[i]
        box = layout.house_of[graph.cell[i], BOX] * size + graph.digit[i]
        word = i // WORD
        bit = 1 << i % WORD
        for k in range(words):
            in_houses = in_house[row, k] | in_house[column, k] | in_house[box, k]
            here = bit if k == word else 0
            weak[0, i, k] = in_houses & ~here
            weak[1, i, k] = (in_houses | cells[i, k]) & ~here
            strong[XY, i, k] = strong[X, i, k] | strong[Y, i, k]

"""The links between candidates as sets of bits."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.solvers.logic.sudoku_chains.links import XY, X, Y
from nando.solvers.logic.sudoku_finders.state import WORD


class LinkSets(NamedTuple):
    """The candidates that each candidate is linked to; words have :data:`WORD` bits.

    Attributes
    ----------
    cells : ndarray of int64, shape (n, words)
        Those in the same cell, including the candidate itself.
    weak : ndarray of int64, shape (2, n, words)
        Those that it turns off when it is on: in its houses, or also in its cell.
    strong : ndarray of int64, shape (3, n, words)
        Those that it turns on when it is off: in its houses (X), in its cell (Y), or in both (XY).
    linked : ndarray of int64, shape (3, words)
        The candidates with such a strong link.
    """

    cells: NDArray[np.int64]
    weak: NDArray[np.int64]
    strong: NDArray[np.int64]
    linked: NDArray[np.int64]


@kernel
def link_sets(graph):
    """Return the links of a grid as sets."""
    n = graph.n
    words = n // WORD + 1
    sets = LinkSets(
        np.zeros((n, words), np.int64),
        np.zeros((2, n, words), np.int64),
        np.zeros((3, n, words), np.int64),
        np.zeros((3, words), np.int64),
    )
    _fill(graph, sets)
    return sets


@lean_kernel
def _fill(graph, sets):
    """Fill the sets in."""
    cells, weak, strong, linked = sets
    words = cells.shape[1]
    for i in range(graph.n):
        word = i // WORD
        bit = 1 << i % WORD
        cells[i, word] |= bit
        for k in range(graph.weak_from[i], graph.peers_from[i]):
            cells[i, graph.weak[k] // WORD] |= 1 << graph.weak[k] % WORD
        for k in range(graph.peers_from[i], graph.weak_from[i + 1]):
            weak[0, i, graph.weak[k] // WORD] |= 1 << graph.weak[k] % WORD
        for k in range(graph.strong.shape[1]):
            other = graph.strong[i, k]
            if other >= 0:
                links = X if k else Y
                strong[links, i, other // WORD] |= 1 << other % WORD
                linked[links, word] |= bit
        for k in range(words):
            here = bit if k == word else 0
            weak[1, i, k] = (weak[0, i, k] | cells[i, k]) & ~here
            strong[XY, i, k] = strong[X, i, k] | strong[Y, i, k]
    for k in range(words):
        linked[XY, k] = linked[X, k] | linked[Y, k]

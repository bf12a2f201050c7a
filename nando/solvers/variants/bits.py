"""Boards whose only constraint is that cells differ, as bits for kernels.

The first half of the cells are numbered from 0 and are bits of a first word; the others are
numbered from 64 and are bits of a second one. An array with an entry per cell has 128 entries, one
for each number.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.boards.board import Board
from nando.puzzles.boards.constraints import AllDifferent, Candidates
from nando.puzzles.boards.rule import Rule
from nando.puzzles.variants.puzzle import constraints_of
from nando.solvers.variants.network import differing, join
from nando.solvers.variants.tables import Ints

MOST_BITS = 63
"""Most cells in a word, and most houses."""


class BitNetwork(NamedTuple):
    """The houses of a board, and the cells that see each other; all arrays are read-only.

    Attributes
    ----------
    cells : ndarray of int64, shape (2,)
        The two words of all cells.
    peers : ndarray of int64, shape (256,)
        For each cell, the two words of the cells that must hold another digit.
    houses : ndarray of int64, shape (2 * n_houses,)
        The two words of each house.
    cell_houses : ndarray of int64, shape (128,)
        For each cell, its houses as bits.
    start : ndarray of int64, shape (3 * n_digits + 2,)
        For each digit, the two words of the cells that may hold it before givens are placed, and
        all houses as bits. Two empty words follow.
    weights : ndarray of int64, shape (128,)
        The weight of each cell at the start of a search.
    places : ndarray of int64, shape (128,)
        The index of each cell in the values of a puzzle.
    """

    cells: Ints
    peers: Ints
    houses: Ints
    cell_houses: Ints
    start: Ints
    weights: Ints
    places: Ints


@lru_cache(maxsize=64)
def bit_network(board: Board, rules: tuple[Rule, ...]) -> BitNetwork | None:
    """Return the network of a board and its rules.

    Return None if the rules require more than that cells differ, or if there are more than 126
    cells or 63 houses.
    """
    n_cells, n = len(board.cells), board.digits
    if n_cells > 2 * MOST_BITS or not all(
        isinstance(own, AllDifferent | Candidates) for _, own in constraints_of(board, rules)
    ):
        return None
    network = join(board, tuple(constraints_of(board, rules)), np.zeros(n_cells, np.int64))[0]
    if len(network.houses) > MOST_BITS:
        return None
    holds = np.zeros((len(network.houses), n_cells), np.bool_)
    holds[np.arange(len(holds))[:, None], network.houses] = True
    possible = network.start >> np.arange(n)[:, None] & 1 == 1
    start = np.full((n, 3), (1 << len(holds)) - 1, np.int64)
    start[:, :2] = _words(possible)
    places = [cell.row * board.n_columns + cell.column for cell in board.cells]
    own = BitNetwork(
        _words(np.ones((1, n_cells), np.bool_))[0],
        _by_number(_words(differing(network))).ravel(),
        _words(holds).ravel(),
        _by_number((1 << np.arange(len(holds))) @ holds),
        np.append(start, [0, 0]),
        _by_number(np.maximum(np.diff(network.peer_start) // 2, 1)),
        _by_number(np.array(places, np.int64)),
    )
    for array in own:
        array.setflags(write=False)
    return own


def _words(table: NDArray[np.bool_]) -> Ints:
    """Return each row of a table, shape (n_rows, n_cells), as two words."""
    packed = np.packbits(_by_number(table.T), axis=0, bitorder="little").T
    return np.ascontiguousarray(packed).view("<i8").astype(np.int64)


def _by_number(rows: NDArray[Any]) -> Ints:
    """Move the rows, one for each cell, to the numbers of their cells."""
    spread = np.zeros((128, *rows.shape[1:]), np.int64)
    half = (len(rows) + 1) // 2
    spread[:half] = rows[:half]
    spread[64 : 64 + len(rows) - half] = rows[half:]
    return spread

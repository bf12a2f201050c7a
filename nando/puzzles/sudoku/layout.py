"""Houses and peers of a Sudoku of any order, as arrays for kernels."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ORDERS = (3, 4, 5)


class SudokuLayout(NamedTuple):
    """Houses and peers of a Sudoku; one object per order, with read-only arrays.

    A Sudoku of order n has size s = n*n and s*s cells in row-major order. Rows are the houses
    0..s-1, columns s..2s-1, boxes 2s..3s-1.

    Attributes
    ----------
    order, size, n_cells : int
    houses : ndarray of int16, shape (3 * size, size)
        Cells of each house.
    house_of : ndarray of int16, shape (n_cells, 3)
        Row, column and box house of each cell.
    peers : ndarray of int16, shape (n_cells, 3 * size - 2 * order - 1)
        Cells that share a house with the cell, ascending.
    peer_bits : ndarray of int64, shape (n_cells, ceil(n_cells / 32))
        The peers as bits: cell c is bit c % 32 of word c // 32.
    """

    order: int
    size: int
    n_cells: int
    houses: NDArray[np.int16]
    house_of: NDArray[np.int16]
    peers: NDArray[np.int16]
    peer_bits: NDArray[np.int64]


@cache
def sudoku_layout(order: int) -> SudokuLayout:
    """Return the layout of a Sudoku.

    Parameters
    ----------
    order : int
        3, 4 or 5.

    Raises
    ------
    ValueError
        For another order.
    """
    if order not in ORDERS:
        hint = "; for a Sudoku of 4x4, leave the order out and give the size 4x4 (--size 4x4)"
        raise ValueError(f"order must be 3, 4 or 5, got {order!r}{hint if order == 2 else ''}")
    size = order * order
    n_cells = size * size
    cells = np.arange(n_cells)
    row, column = cells // size, cells % size
    box = row // order * order + column // order
    house_of = np.stack([row, size + column, 2 * size + box], axis=1).astype(np.int16)
    houses = np.stack(
        [np.flatnonzero((house_of == house).any(axis=1)) for house in range(3 * size)]
    )
    meets = (house_of[:, None, :] == house_of[None, :, :]).any(axis=2)
    np.fill_diagonal(meets, False)
    peers = np.stack([np.flatnonzero(line) for line in meets])
    words = np.pad(meets, ((0, 0), (0, -n_cells % 32))).reshape(n_cells, -1, 32)
    layout = SudokuLayout(
        order,
        size,
        n_cells,
        houses.astype(np.int16),
        house_of,
        peers.astype(np.int16),
        words @ (1 << np.arange(32)),
    )
    for array in layout[3:]:
        array.setflags(write=False)
    return layout


def shuffled_lines(order: int, rng: np.random.Generator) -> np.ndarray:
    """Return a uniformly random order of rows or columns that keeps bands together."""
    return np.concatenate(
        [band * order + rng.permutation(order) for band in rng.permutation(order)]
    )

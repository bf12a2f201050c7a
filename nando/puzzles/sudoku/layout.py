"""Houses and peers of a Sudoku of any order, as arrays for kernels; colours of its cells."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel

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


# A hash that no symmetry of a Sudoku changes, for any order, by colour refinement.
#
# The first colour of a cell is whether it is given. In each round, the colour of a cell is mixed
# with the sums of the colours of its row and column (without regard to which is which), of its box,
# and of the cells with the same digit. The hash is the sum of all colours. Equivalent puzzles share
# it; no other puzzles are known to.

ROUNDS = 4
_MASK = (1 << 62) - 1
"""Sums and products are reduced to 62 bits, so that plain Python gives the same numbers."""


@kernel
def colour_sum(values, layout):
    """Return the hash, of 62 bits, of `values`, shape (n_cells,)."""
    colours = cell_colours(values, layout)
    total = 0
    for cell in range(layout.n_cells):
        total = total + _mixed(int(colours[cell])) & _MASK
    return total


@lean_kernel
def colour_sums(puzzles, layout, sums):
    """Write the hash of each row of `puzzles`, shape (n, n_cells), to `sums`, shape (n,)."""
    for i in range(puzzles.shape[0]):
        sums[i] = colour_sum(puzzles[i], layout)


@kernel
def cell_colours(values, layout):
    """Return the final colour of each cell, shape (n_cells,).

    Corresponding cells of equivalent puzzles have the same colour.
    """
    n_cells = layout.n_cells
    colours = np.zeros(n_cells, np.int64)
    house_sums = np.zeros(3 * layout.size, np.int64)
    digit_sums = np.zeros(layout.size + 1, np.int64)
    for cell in range(n_cells):
        colours[cell] = 1 if values[cell] > 0 else 2
    for _ in range(ROUNDS):
        house_sums[:] = 0
        digit_sums[:] = 0
        for cell in range(n_cells):
            mixed = _mixed(int(colours[cell]))
            digit_sums[values[cell]] = int(digit_sums[values[cell]]) + mixed & _MASK
            for kind in range(3):
                house = layout.house_of[cell, kind]
                house_sums[house] = int(house_sums[house]) + mixed & _MASK
        for cell in range(n_cells):
            houses = layout.house_of[cell]
            lines = _mixed(int(house_sums[houses[0]])) + _mixed(int(house_sums[houses[1]]))
            colour = _mixed(int(colours[cell]) + lines & _MASK)
            colour = _mixed(colour ^ int(house_sums[houses[2]]))
            if values[cell] > 0:
                colour = _mixed(colour ^ int(digit_sums[values[cell]]))
            colours[cell] = colour
    return colours


@lean_kernel
def _mixed(word):
    """Spread the bits of a word over all 62."""
    word = (word ^ word >> 31) * 0x3F58476D1CE4E5B9 & _MASK
    word = (word ^ word >> 27) * 0x14D049BB133111EB & _MASK
    return word ^ word >> 30

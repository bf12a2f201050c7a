"""A hash that no symmetry of a Sudoku changes, for any order, by colour refinement.

The first colour of a cell is whether it is given. In each round, the colour of a cell is mixed with
the sums of the colours of its row and column (without regard to which is which), of its box, and of
the cells with the same digit. The hash is the sum of all colours. Equivalent puzzles share it; no
other puzzles are known to.
"""

import numpy as np

from nando.kernels.compile import kernel, lean_kernel

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

"""A number that no symmetry of a Sudoku changes, for any order: colour refinement.

Each cell starts with a colour that says whether it is given. In each round its colour is mixed with
the sums of the colours of its row and column (which of them is which does not count), of its box,
and of the cells with the same digit. What is left in the end is the sum of all colours. Equivalent
puzzles share it; others were never seen to.
"""

import numpy as np

from nando.kernels.compile import kernel, lean_kernel

ROUNDS = 4
_MASK = (1 << 62) - 1
"""Sums and products are cut to 62 bits, so that plain Python gives the same numbers."""


@kernel
def colour_sum(values, layout):
    """Return the invariant of `values`, shape (n_cells,); 62 bits."""
    colours = cell_colours(values, layout)
    total = 0
    for cell in range(layout.n_cells):
        total = total + _mixed(int(colours[cell])) & _MASK
    return total


@lean_kernel
def colour_sums(puzzles, layout, sums):
    """The invariants of the rows of `puzzles`, shape (n, n_cells)."""
    for i in range(puzzles.shape[0]):
        sums[i] = colour_sum(puzzles[i], layout)


@kernel
def cell_colours(values, layout):
    """Return what each cell becomes, shape (n_cells,).

    Equivalent cells of equivalent puzzles agree.
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

"""The step that a kernel has found, and how kernels write it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku.state import eliminate, place

RATING, VARIANT, CELL, DIGIT, DIGITS, N_HOUSES, N_CELLS, N_GONE, N_LINKS = range(9)
"""Places of :attr:`Finding.head`."""

HOUSES, CELLS, GONE_CELLS, GONE_DIGITS, MASKS, ITEMS, CHOSEN = range(7)
"""Rows of :attr:`Finding.lists`."""


class Finding(NamedTuple):
    """The step a kernel has found, and room to look for it; both arrays are changed in place.

    Attributes
    ----------
    head : ndarray of int64, shape (9,)
        Rating in tenths; variant of the technique; cell and digit (0-based) of a placement, -1
        for none; mask of the digits of the pattern; lengths of the lists.
    lists : ndarray of int64, shape (7, 4 * n_cells)
        Houses and cells of the pattern; cells of the eliminations and their masks of digits; and
        three rows that the search for subsets writes on.
    links : ndarray of int64, shape (2, 4 * n_cells * size)
        Links of a chain, from and to; each end is twice ``cell * size + digit`` and one more
        where the digit is true. Not kept by `keep_better`.
    """

    head: NDArray[np.int64]
    lists: NDArray[np.int64]
    links: NDArray[np.int64]


def new_finding(order: int) -> Finding:
    """Room for a step on a grid of this order."""
    return Finding(
        np.zeros(9, np.int64),
        np.zeros((7, 4 * order**4), np.int64),
        np.zeros((2, 4 * order**6), np.int64),
    )


@lean_kernel
def apply(state, layout, finding):
    """Do the step of `finding`; False where the grid is then contradictory."""
    head = finding.head
    for i in range(head[N_GONE]):
        cell = finding.lists[GONE_CELLS, i]
        gone = finding.lists[GONE_DIGITS, i] & state.candidates[cell]
        while gone:
            digit = lowest_bit(gone)
            gone &= gone - 1
            if not eliminate(state, layout, cell, digit):
                return False
    if head[CELL] >= 0:
        return place(state, layout, head[CELL], head[DIGIT])
    return True


@inlined_kernel
def begin(finding, rating, digits):
    """Start a step: its rating in tenths and the digits of its pattern; nothing removed yet."""
    head = finding.head
    head[RATING] = rating
    head[VARIANT] = 0
    head[CELL] = -1
    head[DIGIT] = -1
    head[DIGITS] = digits
    head[N_HOUSES] = 0
    head[N_CELLS] = 0
    head[N_GONE] = 0
    head[N_LINKS] = 0


@inlined_kernel
def add_house(finding, house):
    """Add a house to the pattern."""
    n = finding.head[N_HOUSES]
    finding.lists[HOUSES, n] = house
    finding.head[N_HOUSES] = n + 1


@inlined_kernel
def add_cell(finding, cell):
    """Add a cell to the pattern."""
    n = finding.head[N_CELLS]
    finding.lists[CELLS, n] = cell
    finding.head[N_CELLS] = n + 1


@inlined_kernel
def add_cells(finding, layout, house, positions):
    """Add the cells at these positions of a house to the pattern."""
    while positions:
        add_cell(finding, layout.houses[house, lowest_bit(positions)])
        positions &= positions - 1


@inlined_kernel
def remove(finding, state, cell, digits):
    """Add to the eliminations those of `digits` that the cell still has."""
    gone = state.candidates[cell] & digits
    if gone:
        n = finding.head[N_GONE]
        finding.lists[GONE_CELLS, n] = cell
        finding.lists[GONE_DIGITS, n] = gone
        finding.head[N_GONE] = n + 1


@inlined_kernel
def remove_in_house(finding, state, layout, house, positions, digits):
    """Add to the eliminations `digits` at these positions of a house."""
    while positions:
        remove(finding, state, layout.houses[house, lowest_bit(positions)], digits)
        positions &= positions - 1


@inlined_kernel
def place_at(finding, cell, digit):
    """Let the step place a digit."""
    finding.head[CELL] = cell
    finding.head[DIGIT] = digit


@lean_kernel
def keep_better(best, trial):
    """Copy `trial` over `best` where it is easier, or as easy and removes more; return whether.

    `best` holds nothing while its rating is 0.
    """
    rating = trial.head[RATING]
    if trial.head[N_GONE] == 0:
        return False
    if best.head[RATING] > 0:
        if rating > best.head[RATING]:
            return False
        if rating == best.head[RATING]:
            if trial.head[VARIANT] > best.head[VARIANT]:
                return False
            same = trial.head[VARIANT] == best.head[VARIANT]
            if same and n_gone(trial) <= n_gone(best):
                return False
    for i in range(best.head.size):
        best.head[i] = trial.head[i]
    for i in range(trial.head[N_HOUSES]):
        best.lists[HOUSES, i] = trial.lists[HOUSES, i]
    for i in range(trial.head[N_CELLS]):
        best.lists[CELLS, i] = trial.lists[CELLS, i]
    for i in range(trial.head[N_GONE]):
        best.lists[GONE_CELLS, i] = trial.lists[GONE_CELLS, i]
        best.lists[GONE_DIGITS, i] = trial.lists[GONE_DIGITS, i]
    return True


@inlined_kernel
def n_gone(finding):
    """Number of candidates the step removes."""
    total = 0
    for i in range(finding.head[N_GONE]):
        total += n_bits(finding.lists[GONE_DIGITS, i])
    return total

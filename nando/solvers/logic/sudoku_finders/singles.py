"""Naked and hidden singles."""

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku_finders.finding import (
    add_cell,
    add_house,
    begin,
    ends_search,
    place_at,
)
from nando.solvers.logic.sudoku_finders.state import BOX, COLUMN, HIDDEN_IN, LAST_IN, NAKED_IN, ROW

LAST_CELL, IN_BOX, IN_LINE = range(3)
"""Kinds of hidden single: the last blank of a house; in a box; in a column or row."""


@lean_kernel
def find_hidden_single(state, layout, finding, where, rating):
    """Find a digit with one position left in a house; see :func:`houses_with_single`."""
    for kind in (BOX, COLUMN, ROW):
        houses = houses_with_single(state, kind, where)
        while houses:
            house = kind * layout.size + lowest_bit(houses)
            houses &= houses - 1
            digits = state.hidden[house]
            while digits:
                digit = lowest_bit(digits)
                digits &= digits - 1
                positions = state.positions[house * layout.size + digit]
                cell = layout.houses[house, lowest_bit(positions)]
                begin(finding, rating, 1 << digit)
                add_house(finding, house)
                add_cell(finding, cell)
                place_at(finding, cell, digit)
                if ends_search(finding):
                    return True
    return False


@inlined_kernel
def houses_with_single(state, kind, where):
    """Return the mask of the houses of a kind with a hidden single of the kind `where`.

    `where` is `LAST_CELL`, `IN_BOX` or `IN_LINE`.
    """
    houses = state.summary[HIDDEN_IN + kind]
    if where == LAST_CELL:
        return houses & state.summary[LAST_IN + kind]
    return houses if (where == IN_BOX) == (kind == BOX) else 0


@inlined_kernel
def house_of_single(state, layout, where):
    """Return the first house with a hidden single, or -1: a box before a column before a row."""
    first = -1
    for kind in (ROW, COLUMN, BOX):
        houses = houses_with_single(state, kind, where)
        if houses:
            first = kind * layout.size + lowest_bit(houses)
    return first


@lean_kernel
def find_naked_single(state, layout, finding, rating):
    """Find a cell with one candidate left."""
    rows = state.summary[NAKED_IN]
    while rows:
        row = lowest_bit(rows)
        rows &= rows - 1
        columns = state.naked[row]
        while columns:
            cell = layout.houses[row, lowest_bit(columns)]
            columns &= columns - 1
            mask = state.candidates[cell]
            begin(finding, rating, mask)
            add_cell(finding, cell)
            place_at(finding, cell, lowest_bit(mask))
            if ends_search(finding):
                return True
    return False

"""Naked and hidden singles."""

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku.finding import add_cell, add_house, begin, place_at
from nando.solvers.logic.sudoku.state import BOX, COLUMN, HIDDEN_IN, LAST_IN, NAKED_IN, ROW


@lean_kernel
def find_hidden_single(state, layout, finding, where, rating):
    """A digit with one position left in a house; see `house_of_single`."""
    house = house_of_single(state, layout, where)
    if house < 0:
        return False
    digit = lowest_bit(state.hidden[house])
    cell = layout.houses[house, lowest_bit(state.positions[house * layout.size + digit])]
    begin(finding, rating, 1 << digit)
    add_house(finding, house)
    add_cell(finding, cell)
    place_at(finding, cell, digit)
    return True


@inlined_kernel
def house_of_single(state, layout, where):
    """The first house with a hidden single, or -1.

    `where` is 0 for the last blank of a house, 1 for a box, 2 for a column or row.
    """
    found = -1
    for kind in (ROW, COLUMN, BOX):
        houses = state.summary[HIDDEN_IN + kind]
        if where == 0:
            houses &= state.summary[LAST_IN + kind]
        if houses and (where == 0 or (where == 1) == (kind == BOX)):
            found = kind * layout.size + lowest_bit(houses)
    return found


@lean_kernel
def find_naked_single(state, layout, finding, rating):
    """A cell with one candidate left."""
    rows = state.summary[NAKED_IN]
    if rows == 0:
        return False
    row = lowest_bit(rows)
    cell = layout.houses[row, lowest_bit(state.naked[row])]
    mask = state.candidates[cell]
    begin(finding, rating, mask)
    add_cell(finding, cell)
    place_at(finding, cell, lowest_bit(mask))
    return True

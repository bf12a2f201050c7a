"""Singles: the only cell for a digit, the only digit for a cell, and what leads to them at once."""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.sudoku_finders.finding import (
    add_cell,
    add_cells,
    add_house,
    begin,
    ends_search,
    place_at,
)
from nando.solvers.logic.variants.layout import BOX, LINE

FULL, IN_BOX, ELSEWHERE = range(3)
"""Degrees of hidden singles."""


@lean_kernel
def find_hidden_single(layout, state, finding, degree, rating):
    """Find a digit with one position left in a house: in the only blank, a box, or elsewhere."""
    n = layout.n_digits
    for house in range(layout.n_houses):
        if degree != FULL and (layout.house_kind[house] == BOX) != (degree == IN_BOX):
            continue
        blanks = 0
        singles = 0
        for digit in range(n):
            places = state.positions[house, digit]
            blanks |= places
            if places and places & (places - 1) == 0:
                singles |= 1 << digit
        if degree == FULL and n_bits(blanks) != 1:
            continue
        while singles:
            digit = lowest_bit(singles)
            singles &= singles - 1
            cell = layout.houses[house, lowest_bit(state.positions[house, digit])]
            begin(finding, rating, 1 << digit)
            add_house(finding, house)
            add_cell(finding, cell)
            place_at(finding, cell, digit)
            if ends_search(finding):
                return True
    return False


@lean_kernel
def find_naked_single(layout, state, finding, rating):
    """Find a cell with one candidate left."""
    for cell in range(layout.n_cells):
        mask = state.mask[cell]
        if not state.filled[cell] and mask and mask & (mask - 1) == 0:
            begin(finding, rating, mask)
            add_cell(finding, cell)
            place_at(finding, cell, lowest_bit(mask))
            if ends_search(finding):
                return True
    return False


@lean_kernel
def find_direct_locked(layout, state, finding, kind, rating):
    """Find a digit that in a box (`kind` BOX) lies on a line, or the converse (LINE).

    It must leave another house of the kind, which crosses the second one, a single position.
    """
    n = layout.n_digits
    second = LINE if kind == BOX else BOX
    for house in range(layout.n_houses):
        if layout.house_kind[house] != kind:
            continue
        for digit in range(n):
            places = state.positions[house, digit]
            if places & (places - 1) == 0:
                continue
            first = layout.houses[house, lowest_bit(places)]
            for i in range(layout.cell_house_start[first], layout.cell_house_start[first + 1]):
                crossing = layout.cell_houses[i]
                if (
                    layout.house_kind[crossing] == second
                    and places & ~layout.shared[house, crossing] == 0
                    and _follows(layout, state, finding, house, digit, crossing, rating)
                ):
                    return True
    return False


@lean_kernel
def _follows(layout, state, finding, house, digit, crossing, rating):
    """Find a house of the first one's kind that is left a single position for the digit."""
    for other in range(layout.n_houses):
        if layout.house_kind[other] != layout.house_kind[house] or layout.shared[house, other]:
            continue
        places = state.positions[other, digit]
        left = places & ~layout.shared[other, crossing]
        if left == 0 or left & (left - 1) or left == places:
            continue
        begin(finding, rating, 1 << digit)
        add_house(finding, house)
        add_house(finding, crossing)
        add_house(finding, other)
        add_cells(finding, layout, house, state.positions[house, digit])
        place_at(finding, layout.houses[other, lowest_bit(left)], digit)
        if ends_search(finding):
            return True
    return False

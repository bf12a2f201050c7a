"""Singles, locked candidates that leave one, and naked subsets of a house or group."""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.sudoku_finders.finding import (
    CELLS,
    CHOSEN,
    ITEMS,
    MASKS,
    add_cell,
    add_cells,
    add_house,
    begin,
    ends_search,
    place_at,
)
from nando.solvers.logic.sudoku_finders.subsets import next_subset
from nando.solvers.logic.variants.layout import BOX, LINE
from nando.solvers.logic.variants.state import GROUP, add_part, remove_seen, takes

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
    """Find another house of the kind to which the crossing leaves one position for the digit."""
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


@lean_kernel
def find_naked_subset(layout, state, finding, size, rating):
    """Find `size` cells of a group with as many digits, which the cells that see them lose."""
    chosen = finding.lists[CHOSEN]
    items = finding.lists[ITEMS]
    masks = finding.lists[MASKS]
    for group in range(layout.group_start.size - 1):
        n = 0
        n_open = 0
        for i in range(layout.group_start[group], layout.group_start[group + 1]):
            cell = layout.group_cells[i]
            if state.filled[cell]:
                continue
            n_open += 1
            if 2 <= n_bits(state.mask[cell]) <= size:
                items[n] = cell
                masks[n] = state.mask[cell]
                n += 1
        if n < size or (group < layout.n_houses and n_open <= size):
            continue
        chosen[0] = -1
        while next_subset(masks, n, size, size, chosen):
            digits = 0
            for i in range(size):
                digits |= masks[chosen[i]]
            begin(finding, rating, digits)
            for i in range(size):
                add_cell(finding, items[chosen[i]])
            while digits:
                cells = finding.lists[CELLS, :size]
                remove_seen(layout, state, finding, cells, lowest_bit(digits))
                digits &= digits - 1
            if group < layout.n_houses:
                add_house(finding, group)
            else:
                add_part(finding, GROUP, group - layout.n_houses)
            if takes(finding):
                return True
    return False

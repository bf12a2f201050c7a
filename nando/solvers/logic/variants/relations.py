"""Steps from relations, and candidates that all positions of a digit rule out."""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.sudoku_finders.finding import add_cell, add_cells, add_house, begin
from nando.solvers.logic.variants.state import ARC, CLOCK, add_part, conflict, remove, takes

NEXT_TO_DIGIT, OPEN = range(2)
"""Degrees of relations: one of the two cells is filled, or neither is."""

MOST_PLACES = 6
"""Most positions of a digit that are considered together."""


@lean_kernel
def find_relation(layout, state, finding, degree, rating):
    """Find candidates that a relation to another cell rules out.

    All candidates that a filled cell rules out are one step.
    """
    for cell in range(layout.n_cells):
        if state.filled[cell] != (degree == NEXT_TO_DIGIT):
            continue
        if state.mask[cell] == 0:
            continue
        begin(finding, rating, state.mask[cell])
        for arc in range(layout.arc_start[cell], layout.arc_start[cell + 1]):
            to = layout.arc_cell[arc]
            if state.filled[to]:
                continue
            seen = state.looked[arc]
            if seen > state.touched[cell] and seen > state.touched[to]:
                continue
            allowed = supported(layout, arc, state.mask[cell])
            if state.mask[to] & ~allowed:
                if degree == OPEN:
                    begin(finding, rating, state.mask[cell])
                remove(state, finding, to, ~allowed)
                add_cell(finding, cell)
                add_cell(finding, to)
                add_part(finding, ARC, arc)
                if degree == OPEN and takes(finding):
                    return True
            else:
                state.looked[arc] = state.counts[CLOCK] + 1
        if degree == NEXT_TO_DIGIT and takes(finding):
            return True
    return False


@lean_kernel
def supported(layout, arc, mask):
    """Return the digits that a relation allows if the other cell has the candidates `mask`."""
    allowed = 0
    table = layout.arc_table[arc]
    while mask:
        allowed |= layout.tables[table, lowest_bit(mask)]
        mask &= mask - 1
    return allowed


@lean_kernel
def find_locked(layout, state, finding, rating):
    """Find a candidate that all positions of a digit in a house rule out."""
    for house in range(layout.n_houses):
        for digit in range(layout.n_digits):
            places = state.positions[house, digit]
            if places & (places - 1) == 0 or n_bits(places) > MOST_PLACES:
                continue
            first = layout.houses[house, lowest_bit(places)]
            begin(finding, rating, 1 << digit)
            for i in range(layout.peer_start[first], layout.peer_start[first + 1]):
                _try(layout, state, finding, house, digit, layout.peers[i], 1 << digit)
            for arc in range(layout.arc_start[first], layout.arc_start[first + 1]):
                out = ~layout.tables[layout.arc_table[arc], digit]
                _try(layout, state, finding, house, digit, layout.arc_cell[arc], out)
            _try(layout, state, finding, house, digit, first, ~(1 << digit))
            add_cells(finding, layout, house, places)
            add_house(finding, house)
            if takes(finding):
                return True
    return False


@lean_kernel
def _try(layout, state, finding, house, digit, cell, digits):
    """Remove candidates of a cell, of `digits`, that conflict with all positions of a digit."""
    if state.filled[cell]:
        return
    digits &= state.mask[cell]
    while digits:
        other = lowest_bit(digits)
        digits &= digits - 1
        left = state.positions[house, digit]
        seen = True
        while left and seen:
            place = layout.houses[house, lowest_bit(left)]
            left &= left - 1
            # A position of the digit itself is not removed.
            own = place == cell and other == digit
            seen = not own and conflict(layout, place, digit, cell, other)
        if seen:
            remove(state, finding, cell, 1 << other)

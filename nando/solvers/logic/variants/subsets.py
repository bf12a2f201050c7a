"""Subsets of a house or group, and fish."""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.sudoku_finders.subsets import next_subset
from nando.solvers.logic.variants.state import (
    PLACE,
    add_cell,
    add_house,
    add_part,
    begin,
    remove,
    takes,
)

GROUP = 6
"""Kind of a part that is a group of different cells; see :data:`state.PART`."""


@lean_kernel
def find_naked_subset(layout, state, finding, size, rating):
    """Find `size` cells of a group with as many candidates: remove these from what sees them."""
    chosen = finding.work[0]
    items = finding.work[1]
    masks = finding.work[2]
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
            _remove_seen(layout, state, finding, digits, size)
            for i in range(size):
                add_cell(finding, items[chosen[i]])
            if group < layout.n_houses:
                add_house(finding, group)
            else:
                add_part(finding, GROUP, group - layout.n_houses)
            if takes(finding):
                return True
    return False


@lean_kernel
def _remove_seen(layout, state, finding, digits, size):
    """Remove each digit of a subset from the cells that see all of its cells with the digit."""
    chosen = finding.work[0]
    items = finding.work[1]
    while digits:
        digit = lowest_bit(digits)
        digits &= digits - 1
        first = -1
        for i in range(size):
            if first < 0 and state.mask[items[chosen[i]]] >> digit & 1:
                first = items[chosen[i]]
        if first < 0:
            continue
        for k in range(layout.peer_start[first], layout.peer_start[first + 1]):
            cell = layout.peers[k]
            if state.filled[cell] or state.mask[cell] >> digit & 1 == 0:
                continue
            seen = True
            for i in range(size):
                mine = items[chosen[i]]
                if state.mask[mine] >> digit & 1 and not layout.sees[cell, mine]:
                    seen = False
                    break
            if seen:
                remove(state, finding, cell, 1 << digit)


@lean_kernel
def find_hidden_subset(layout, state, finding, size, direct, rating):
    """Find `size` digits with as many positions in a house: remove all others there."""
    n = layout.n_digits
    chosen = finding.work[0]
    items = finding.work[1]
    masks = finding.work[2]
    for house in range(layout.n_houses):
        n_items = 0
        blanks = 0
        for digit in range(n):
            places = state.positions[house, digit]
            blanks |= places
            if 2 <= n_bits(places) <= size:
                items[n_items] = digit
                masks[n_items] = places
                n_items += 1
        if n_items < size or n_bits(blanks) <= size:
            continue
        chosen[0] = -1
        while next_subset(masks, n_items, size, size, chosen):
            digits = 0
            places = 0
            for i in range(size):
                digits |= 1 << items[chosen[i]]
                places |= masks[chosen[i]]
            if direct:
                if _leaves_single(layout, state, finding, house, (digits, places), rating):
                    return True
                continue
            begin(finding, rating, digits)
            add_house(finding, house)
            while places:
                cell = layout.houses[house, lowest_bit(places)]
                places &= places - 1
                add_cell(finding, cell)
                remove(state, finding, cell, ~digits)
            if takes(finding):
                return True
    return False


@lean_kernel
def _leaves_single(layout, state, finding, house, subset, rating):
    """Find a digit that a hidden subset leaves a single position."""
    digits, places = subset
    for digit in range(layout.n_digits):
        theirs = state.positions[house, digit]
        rest = theirs & ~places
        if rest == 0 or rest & (rest - 1) or rest == theirs:
            continue
        begin(finding, rating, digits)
        add_house(finding, house)
        left = places
        while left:
            add_cell(finding, layout.houses[house, lowest_bit(left)])
            left &= left - 1
        cell = layout.houses[house, lowest_bit(rest)]
        finding.head[PLACE] = cell * layout.n_digits + digit
        if takes(finding):
            return True
    return False


@lean_kernel
def find_fish(layout, state, finding, size, rating):
    """Find a digit whose positions in `size` rows lie in as many columns, or the converse."""
    n = layout.n_digits
    for band in range(layout.bands.shape[0]):
        for digit in range(n):
            if _fish_in(layout, state, finding, band, digit, size, rating):
                return True
    return False


@lean_kernel
def _fish_in(layout, state, finding, band, digit, size, rating):
    """Find a fish in the houses of a band; their crossings are the positions in a house."""
    n = layout.n_digits
    chosen = finding.work[0]
    items = finding.work[1]
    masks = finding.work[2]
    lines = layout.bands[band]
    n_items = 0
    for i in range(n):
        places = state.positions[lines[i], digit]
        if 2 <= n_bits(places) <= size:
            items[n_items] = lines[i]
            masks[n_items] = places
            n_items += 1
    if n_items < size:
        return False
    crossing = layout.bands[band ^ 1]
    chosen[0] = -1
    while next_subset(masks, n_items, size, size, chosen):
        begin(finding, rating, 1 << digit)
        places = 0
        for i in range(size):
            add_house(finding, items[chosen[i]])
            places |= masks[chosen[i]]
        kept = 0
        for i in range(n):
            for k in range(size):
                if lines[i] == items[chosen[k]]:
                    kept |= 1 << i
        while places:
            across = crossing[lowest_bit(places)]
            places &= places - 1
            add_house(finding, across)
            for i in range(n):
                cell = layout.houses[across, i]
                if kept >> i & 1:
                    if state.mask[cell] >> digit & 1 and not state.filled[cell]:
                        add_cell(finding, cell)
                else:
                    remove(state, finding, cell, 1 << digit)
        if takes(finding):
            return True
    return False

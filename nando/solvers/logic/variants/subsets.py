"""Naked subsets of a house or group."""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.sudoku_finders.finding import (
    CHOSEN,
    ITEMS,
    MASKS,
    add_cell,
    add_house,
    begin,
)
from nando.solvers.logic.sudoku_finders.subsets import next_subset
from nando.solvers.logic.variants.state import GROUP, add_part, remove, takes


@lean_kernel
def find_naked_subset(layout, state, finding, size, rating):
    """Find `size` cells of a group with as many candidates: remove these from what sees them."""
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
    chosen = finding.lists[CHOSEN]
    items = finding.lists[ITEMS]
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

"""Naked subsets of a house or group."""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.sudoku_finders.finding import (
    CELLS,
    CHOSEN,
    ITEMS,
    MASKS,
    add_cell,
    add_house,
    begin,
)
from nando.solvers.logic.sudoku_finders.subsets import next_subset
from nando.solvers.logic.variants.state import GROUP, add_part, remove_seen, takes


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

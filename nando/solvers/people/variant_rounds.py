"""Rounds through the rules of a variant: what a person notes down, and how long cells stay open.

In a round, every relation, sum and pattern is looked at once, with the candidates at the start of
the round. After it, singles are entered while there are any. Where a round changes nothing, the
easiest family of techniques beyond the rules that changes anything follows; where none does, the
cell with the fewest candidates gets its digit. Nothing else is chosen, and nothing is random. Cells
stay open for long where one thing has to wait for another.
"""

import numpy as np

from nando.kernels.compile import lean_kernel, n_bits
from nando.solvers.people.variant_impasses import (
    LOCKED,
    N_LEVELS,
    PAIRS,
    hidden_digits,
    lock_by_relations,
    remove_subsets,
)
from nando.solvers.singles import fewest_candidates_first
from nando.solvers.variants.propagation import follow_relations, narrow_overlaps, narrow_pattern
from nando.solvers.variants.sums import narrow_sum
from nando.solvers.variants.work import CELLS

MARKS, WAITS = range(2)
"""Indices of what is counted."""


@lean_kernel
def go_round(board, work, state, solution, space, counts):
    """Count the marks, and the open cells of each round, from the candidates of `state`.

    The first two rows of `space`, each of a number for each cell, are workspace. The state is used
    up.
    """
    network, _, _ = board
    masks = state.masks
    _look_round(board, work, masks, space)
    for cell in range(network.n_cells):
        if state.filled[cell] == 0 and _has_rule(board, cell):
            counts[MARKS] += np.log2(n_bits(int(masks[cell])))
    while True:
        blanks = _list_blanks(network, state)
        if blanks == 0:
            return
        counts[WAITS] += blanks
        some = _enter_singles(network, state) or _look_round(board, work, masks, space)
        if not (some or _look_beyond(board, work, state, space)):
            _list_blanks(network, state)
            cell = fewest_candidates_first(state.before, state.cells)
            masks[cell] = 1 << solution[cell]


@lean_kernel
def _list_blanks(network, state):
    """Write the candidates of the blanks, 0 for other cells; return the number of blanks."""
    blanks = 0
    for cell in range(network.n_cells):
        state.before[cell] = 0
        state.cells[cell] = cell
        if state.filled[cell] == 0:
            state.before[cell] = state.masks[cell]
            blanks += 1
    return blanks


@lean_kernel
def _has_rule(board, cell):
    """Return True if a relation, sum or pattern has the cell."""
    network, _, n_sums = board
    for i in range(network.cell_sum_start[cell], network.cell_sum_start[cell + 1]):
        if network.cell_sums[i] < n_sums:
            return True
    return (
        network.arc_start[cell] < network.arc_start[cell + 1]
        or network.cell_pattern_start[cell] < network.cell_pattern_start[cell + 1]
    )


@lean_kernel
def _look_round(board, work, masks, space):
    """Look at every rule once; return True if that changes anything."""
    network, _, n_sums = board
    start, one = space[0], space[1]
    _copy(masks, start, one)
    n_changed = 0
    for cell in range(network.n_cells):
        follow_relations(one, network, work, cell, int(start[cell]))
        n_changed += _take(work, start, one, masks)
    for number in range(n_sums):
        narrow_sum(one, network, work, number)
        n_changed += _take(work, start, one, masks)
    for number in range(network.pattern_first.size):
        narrow_pattern(one, network, work, number)
        n_changed += _take(work, start, one, masks)
    return n_changed > 0


@lean_kernel
def _take(work, start, one, masks):
    """Remove what one rule excludes from `masks`; return True if it excludes anything."""
    n_cells = work.counts[CELLS]
    for i in range(n_cells):
        cell = work.cells[i]
        work.has_cell[cell] = 0
        masks[cell] &= one[cell]
        one[cell] = start[cell]
    work.counts[CELLS] = 0
    return n_cells > 0


@lean_kernel
def _enter_singles(network, state):
    """Enter all singles of the blanks that are listed at once; return True if there is any."""
    masks, before = state.masks, state.before
    for house in range(network.houses.shape[0]):
        hidden, _ = hidden_digits(network, state, before, house)
        for i in range(network.n_digits):
            cell = network.houses[house, i]
            if before[cell] & hidden:
                masks[cell] = before[cell] & hidden
    some = False
    for cell in range(network.n_cells):
        if before[cell] and n_bits(int(masks[cell])) == 1:
            state.filled[cell] = 1
            some = True
    for cell in range(network.n_cells):
        if before[cell] and state.filled[cell]:
            for i in range(network.peer_start[cell], network.peer_start[cell + 1]):
                masks[network.peers[i]] &= ~masks[cell]
    return some


@lean_kernel
def _look_beyond(board, work, state, space):
    """Apply once the easiest family beyond the rules that changes anything; False if none does."""
    network, layout, n_sums = board
    start, one = space[0], space[1]
    _copy(state.masks, start, one)
    some = False
    for number in range(n_sums, network.sum_totals.size):
        narrow_sum(one, network, work, number)
        some |= _take(work, start, one, state.masks)
    for level in range(LOCKED, N_LEVELS):
        if some:
            return True
        if level == LOCKED:
            for word in range(work.touched.size):
                work.touched[word] = -1
            narrow_overlaps(one, network, work)
            lock_by_relations(network, work, state, one)
        else:
            remove_subsets(layout, work, state, one, 2 + (level - PAIRS))
        some = _take(work, start, one, state.masks)
    return some


@lean_kernel
def _copy(masks, start, one):
    """Copy candidates twice."""
    for cell in range(masks.size):
        start[cell] = masks[cell]
        one[cell] = masks[cell]

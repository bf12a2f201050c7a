"""Rounds through the rules of a variant: what a person notes down, and how often they go round.

In a round, every relation, sum and pattern is looked at once, with the candidates at the start of
the round. After it, singles are entered while there are any. Where a round changes nothing, the
easiest families of techniques beyond the rules that change anything follow. There are many rounds
where one thing has to wait for another. Nothing is random, and the board is never guessed at.
"""

import numpy as np

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.people.variant_impasses import (
    LOCKED,
    N_LEVELS,
    PAIRS,
    hidden_digits,
    lock_by_relations,
    remove_subsets,
)
from nando.solvers.variants.propagation import follow_relations, narrow_overlaps, narrow_pattern
from nando.solvers.variants.sums import narrow_sum
from nando.solvers.variants.work import CELLS

MARKS, ROUNDS, COMBINATIONS = range(3)
"""Indices of what is counted."""

_UNCOUNTED = 6.0
"""Combinations of a sum whose cells may repeat a digit, or have weights."""


@lean_kernel
def go_round(board, work, state, space, counts):
    """Count the marks, rounds and combinations from the candidates of `state`.

    The first two rows of `space`, each of a number for each cell, are workspace. The state is used
    up.
    """
    network, _, _ = board
    _look_round(board, work, state.masks, space, counts)
    for cell in range(network.n_cells):
        if state.filled[cell] == 0 and _has_rule(board, cell):
            counts[MARKS] += np.log2(n_bits(int(state.masks[cell])))
    while True:
        while _enter_singles(network, state):
            pass
        if _look_round(board, work, state.masks, space, counts):
            continue
        if not _look_beyond(board, work, state, space):
            return


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
def _look_round(board, work, masks, space, counts):
    """Look at every rule once; return True, and count the round, if that changes anything."""
    network, _, n_sums = board
    start, one = space[0], space[1]
    _copy(masks, start, one)
    n_changed = 0
    for cell in range(network.n_cells):
        follow_relations(one, network, work, cell, int(start[cell]))
        n_changed += _take(work, start, one, masks)
    for number in range(n_sums):
        narrow_sum(one, network, work, number)
        if _take(work, start, one, masks):
            n_changed += 1
            counts[COMBINATIONS] += np.log1p(_combinations(network, start, number))
    for number in range(network.pattern_first.size):
        narrow_pattern(one, network, work, number)
        n_changed += _take(work, start, one, masks)
    counts[ROUNDS] += n_changed > 0
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
def _combinations(network, masks, number):
    """Return the number of sets of digits that the open cells of a sum may have together."""
    if not network.sum_distinct[number] or network.set_start.size == 0:
        return _UNCOUNTED
    left, n_open, union, taken = network.sum_totals[number], 0, 0, 0
    for i in range(network.sum_start[number], network.sum_start[number + 1]):
        mask = int(masks[network.sum_cells[i]])
        if mask & (mask - 1):
            n_open += 1
            union |= mask
        else:
            left -= lowest_bit(mask) + 1
            taken |= mask
    width = network.n_digits * (network.n_digits + 1) // 2 + 1
    fitting = 0.0
    if n_open and 0 < left < width:
        index = n_open * width + left
        for i in range(network.set_start[index], network.set_start[index + 1]):
            fitting += network.sets[i] & (~union | taken) == 0
    return fitting


@lean_kernel
def _enter_singles(network, state):
    """Enter every naked and hidden single; return True if there is any."""
    masks = state.masks
    for house in range(network.houses.shape[0]):
        hidden, _ = hidden_digits(network, state, masks, house)
        if hidden:
            for i in range(network.n_digits):
                cell = network.houses[house, i]
                if state.filled[cell] == 0 and masks[cell] & hidden:
                    masks[cell] &= hidden
    some = False
    for cell in range(network.n_cells):
        if state.filled[cell] == 0 and n_bits(int(masks[cell])) == 1:
            some = True
            state.filled[cell] = 1
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

"""Rounds through the rules of a variant: what a person notes down, and how long cells stay open.

In a round, every relation, sum and pattern is looked at once, with the candidates at the start of
the round. After it, singles are entered while there are any. Where a round changes nothing, the
easiest family of techniques beyond the rules that changes anything follows; where none does, the
cell with the fewest candidates gets its digit. Nothing else is chosen, and nothing is random. Cells
stay open for long where one thing has to wait for another.

At an impasse, here and in the variant race, each level repeats the eliminations of its techniques
and those of the levels below, until nothing changes; no cell is filled. The eliminations are kept
until the next impasse, since fills only add to them. Therefore only changes are examined.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit, n_bits, unsigned
from nando.solvers.people.closures import hidden_subsets, naked_subsets, remove_x_wings
from nando.solvers.singles import fewest_candidates_first
from nando.solvers.variants.network import Network
from nando.solvers.variants.propagation import follow_relations, narrow_overlaps, narrow_pattern
from nando.solvers.variants.sums import narrow_sum
from nando.solvers.variants.tables import Ints
from nando.solvers.variants.work import CELLS, PATTERNS, SUMS, enlist, latest, narrow

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


RULES, UNIONS, LOCKED, PAIRS, TRIPLETS = range(5)
"""Levels: relations, sums and patterns; also the 45 rule; also locked candidates; also naked and
hidden pairs; also naked and hidden triplets and X-wings."""
N_LEVELS = 5


class RaceState(NamedTuple):
    """The board of a run, and workspace; all arrays are changed in place.

    Attributes
    ----------
    masks : ndarray of int64, shape (n_cells,)
        Candidates that filled cells leave; the digit of a filled cell.
    filled, rest, next : ndarray of uint8, shape (n_cells,)
        1 for a filled cell; 1 for the only blank of a sum; 1 for a cell that a relation joins to a
        filled one.
    levels, starts : ndarray of int64, shape (N_LEVELS, n_cells)
        Candidates after the techniques of each level, now and before any fill.
    rates : ndarray of float64, shape (n_cells,)
        Rate at which each cell is seen now.
    cells, own, places, before : ndarray of int64
        Workspace for subsets.
    """

    masks: Ints
    filled: NDArray[np.uint8]
    rest: NDArray[np.uint8]
    next: NDArray[np.uint8]
    levels: Ints
    starts: Ints
    rates: NDArray[np.float64]
    cells: Ints
    own: Ints
    places: Ints
    before: Ints


def new_race_state(network: Network) -> RaceState:
    """Return the workspace of runs on a network."""
    n, widest = network.n_cells, max(network.n_cells, network.n_digits)
    filled, rest, following = np.zeros((3, n), np.uint8)
    return RaceState(
        network.start.copy(),
        filled,
        rest,
        following,
        np.zeros((N_LEVELS, n), np.int64),
        np.zeros((N_LEVELS, n), np.int64),
        np.zeros(n),
        np.zeros(widest, np.int64),
        np.zeros(widest, np.int64),
        np.zeros(widest, np.int64),
        np.zeros(n, np.int64),
    )


@lean_kernel
def open_easiest(board, work, state, unseen):
    """Return the easiest level that opens a cell, the first such cell, and how many it opens.

    If no level opens a cell, return `N_LEVELS`, the cell with the fewest candidates by the rules
    alone, and 0.
    """
    network = board[0]
    for level in range(N_LEVELS):
        lower = state.masks if level == 0 else state.levels[level - 1]
        _close(board, work, state, level, lower)
        cell, n_open = _first_open(network, state, state.levels[level], unseen)
        if n_open:
            return level, cell, n_open
    for cell in range(network.n_cells):
        state.before[cell] = 0 if state.filled[cell] else state.levels[RULES, cell]
    return N_LEVELS, fewest_candidates_first(state.before, unseen), 0


@lean_kernel
def _first_open(network, state, masks, unseen):
    """Return the blank with a naked or hidden single that is seen first, and their number."""
    first, n_open = -1, 0
    is_open = state.places
    for cell in range(network.n_cells):
        mask = int(masks[unsigned(cell)])
        is_open[unsigned(cell)] = mask & (mask - 1) == 0 and state.filled[unsigned(cell)] == 0
    for house in range(network.houses.shape[0]):
        hidden, _ = hidden_digits(network, state, masks, house)
        if hidden:
            for i in range(network.n_digits):
                cell = int(network.houses[unsigned(house), unsigned(i)])
                if state.filled[unsigned(cell)] == 0 and masks[unsigned(cell)] & hidden:
                    is_open[unsigned(cell)] = 1
    for cell in range(network.n_cells):
        if is_open[unsigned(cell)]:
            n_open += 1
            if first < 0 or unseen[unsigned(cell)] < unseen[unsigned(first)]:
                first = cell
    return first, n_open


@inlined_kernel
def hidden_digits(network, state, masks, house):
    """Return the digits that only one blank of a house can have, and the number of its blanks."""
    once, twice, blanks = 0, 0, 0
    for i in range(network.n_digits):
        cell = int(network.houses[unsigned(house), unsigned(i)])
        if state.filled[unsigned(cell)] == 0:
            mask = int(masks[unsigned(cell)])
            twice |= once & mask
            once |= mask
            blanks += 1
    return once & ~twice, blanks


@lean_kernel
def close_first(board, work, state):
    """Write the candidates that each level leaves before any fill."""
    network = board[0]
    for level in range(N_LEVELS):
        lower = state.masks if level == 0 else state.levels[level - 1]
        for cell in range(network.n_cells):
            narrow(state.levels[level], work, cell, int(lower[cell]))
        _close(board, work, state, level, lower)
        for cell in range(network.n_cells):
            state.starts[level, cell] = state.levels[level, cell]


@lean_kernel
def _close(board, work, state, level, lower):
    """Remove all that the techniques of a level can from the candidates that lower levels leave."""
    network, layout, n_sums = board
    masks = state.levels[level]
    for cell in range(network.n_cells):
        if masks[cell] & ~lower[cell]:
            narrow(masks, work, cell, int(masks[cell] & lower[cell]))
    if level >= UNIONS:
        n_sums = network.sum_totals.size
    while work.counts[CELLS] > 0:
        _apply_rules(masks, network, work, n_sums)
        if level >= LOCKED:
            narrow_overlaps(masks, network, work)
        if level >= LOCKED and work.counts[CELLS] == 0 and network.arc_cell.size > 0:
            lock_by_relations(network, work, state, masks)
        if level >= PAIRS and work.counts[CELLS] == 0:
            remove_subsets(layout, work, state, masks, 2)
        if level >= TRIPLETS and work.counts[CELLS] == 0:
            remove_subsets(layout, work, state, masks, 3)
    for word in range(work.touched.size):
        work.touched[word] = 0


@lean_kernel
def _apply_rules(masks, network, work, n_sums):
    """Apply relations, the first `n_sums` sums, and patterns, until nothing changes."""
    counts = work.counts
    while True:
        if counts[CELLS] > 0:
            cell = latest(work.cells, work.has_cell, counts, CELLS)
            _spread(masks, network, work, n_sums, cell)
        elif counts[SUMS] > 0:
            narrow_sum(masks, network, work, latest(work.sums, work.has_sum, counts, SUMS))
        elif counts[PATTERNS] > 0:
            number = latest(work.patterns, work.has_pattern, counts, PATTERNS)
            narrow_pattern(masks, network, work, number)
        else:
            return


@inlined_kernel
def _spread(masks, network, work, n_sums, cell):
    """Apply the relations of a cell, and list its sums and patterns, without entering a digit."""
    follow_relations(masks, network, work, cell, int(masks[unsigned(cell)]))
    for word in range(work.touched.size):
        work.touched[unsigned(word)] |= network.house_bits[unsigned(cell), unsigned(word)]
    for i in range(network.cell_sum_start[cell], network.cell_sum_start[cell + 1]):
        number = int(network.cell_sums[unsigned(i)])
        if number < n_sums:
            enlist(work.sums, work.has_sum, work.counts, SUMS, number)
    for i in range(network.cell_pattern_start[cell], network.cell_pattern_start[cell + 1]):
        pattern = int(network.cell_patterns[unsigned(i)])
        enlist(work.patterns, work.has_pattern, work.counts, PATTERNS, pattern)


@lean_kernel
def lock_by_relations(network, work, state, masks):
    """Remove what both places of a digit in a house rule out, one of them by relations."""
    n = network.n_digits
    for house in range(network.houses.shape[0]):
        once, twice, more = 0, 0, 0
        for i in range(n):
            cell = int(network.houses[unsigned(house), unsigned(i)])
            mask = int(masks[unsigned(cell)]) if state.filled[unsigned(cell)] == 0 else 0
            more |= twice & mask
            twice |= once & mask
            once |= mask
        few = twice & ~more
        while few:
            digit = lowest_bit(few)
            few &= few - 1
            first, second = -1, -1
            for i in range(n):
                cell = int(network.houses[unsigned(house), unsigned(i)])
                if state.filled[unsigned(cell)] == 0 and masks[unsigned(cell)] >> digit & 1:
                    first, second = second, cell
            _rule_out(network, work, state, masks, first, second, digit)
            _rule_out(network, work, state, masks, second, first, digit)


@inlined_kernel
def _rule_out(network, work, state, masks, first, second, digit):
    """Remove what a digit excludes by relations of `first`, and by any constraint of `second`."""
    for i in range(network.arc_start[first], network.arc_start[first + 1]):
        cell = int(network.arc_cell[unsigned(i)])
        mask = int(masks[unsigned(cell)])
        gone = mask & ~network.tables[network.arc_table[unsigned(i)], digit]
        if gone and state.filled[unsigned(cell)] == 0:
            if cell == second:
                # The cell holds either the digit or what the digit in the first cell leaves.
                gone &= ~(1 << digit)
            else:
                gone &= _exclude(network, second, cell, digit)
            if gone:
                narrow(masks, work, cell, mask & ~gone)


@inlined_kernel
def _exclude(network, cell, other, digit):
    """Return the mask of digits that a digit of a cell excludes from another."""
    gone = 0
    for i in range(network.arc_start[cell], network.arc_start[cell + 1]):
        if network.arc_cell[unsigned(i)] == other:
            gone |= ~network.tables[network.arc_table[unsigned(i)], digit]
    for i in range(network.peer_start[cell], network.peer_start[cell + 1]):
        if network.peers[unsigned(i)] == other:
            gone |= 1 << digit
    return gone


@lean_kernel
def remove_subsets(layout, work, state, masks, size):
    """Apply naked and hidden subsets of `size` cells, and X-wings with triplets; list changes."""
    for cell in range(layout.grid.n_cells):
        state.before[cell] = masks[cell]
    for group in range(layout.group_start.size - 1):
        n = 0
        for digit in range(layout.grid.size):
            state.places[digit] = 0
        for i in range(layout.group_start[group], layout.group_start[group + 1]):
            cell = int(layout.group_cells[unsigned(i)])
            if state.filled[unsigned(cell)]:
                continue
            mask = int(masks[unsigned(cell)])
            state.cells[unsigned(n)] = cell
            state.own[unsigned(n)] = mask
            while mask:
                state.places[lowest_bit(mask)] |= 1 << n
                mask &= mask - 1
            n += 1
        if n <= size and group < len(layout.grid.houses):
            continue
        if naked_subsets(masks, state.cells, state.own, n, size):
            continue
        if group < len(layout.grid.houses):
            hidden_subsets(masks, state.cells, state.places, layout.grid.size, size)
    if size > 2:
        for band in range(layout.grid.bands.shape[0]):
            remove_x_wings(masks, layout.grid.houses, layout.grid.bands[band], state.places)
    for cell in range(layout.grid.n_cells):
        if state.before[cell] != masks[cell]:
            narrow(masks, work, cell, int(masks[cell]))

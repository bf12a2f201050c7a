"""Thought about a moment on a variant, in rounds that apply all rules and houses at once.

A round applies every sum, relation, pattern and crossing of houses once to the candidates before
the round; from the second round on it also applies pairs. The round in which a cell becomes a
single is therefore the number of successive conclusions that lead to it. Singles are not filled in
between.
"""

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.people.fills.moments import (
    LOCKED,
    NAKED,
    SINGLE,
    SUBSET,
    UNSUPPORTED,
    remove_hidden_pairs,
    remove_naked_pairs,
)
from nando.solvers.variants.patterns import narrow_pattern
from nando.solvers.variants.propagation import narrow_overlaps
from nando.solvers.variants.sums import narrow_sum
from nando.solvers.variants.work import CELLS, PATTERNS, SUMS, enlist, latest, narrow

BY_SUM, BY_INNIES, BY_RELATION = (1 << i for i in range(3))
"""Single constraints that leave a cell one candidate, as bits: a sum of a rule, a sum by the 45
rule, a relation or a pattern."""
MOST_ROUNDS = 5
"""Most rounds of thought; people hardly go further."""
NEAR_ROUNDS = 2
"""Number of rounds that count as little thought."""
MOST_OPEN = 6
"""Most open cells of a sum that is applied."""


@lean_kernel
def see_lone(moment, network, masks):
    """Find the digits with one place among the open cells of each house."""
    for house in range(network.houses.shape[0]):
        some, several = 0, 0
        for i in range(network.n_digits):
            cell = network.houses[house, i]
            if moment.values[cell] == 0:
                several |= some & masks[cell]
                some |= masks[cell]
        moment.lone[house] = some & ~several


@inlined_kernel
def ways_of(moment, board, cell, mask):
    """Return the bits of the houses in which a digit fits only this cell, and of a naked single."""
    network = board.network
    ways = NAKED if mask & (mask - 1) == 0 else 0
    for i in range(network.cell_house_start[cell], network.cell_house_start[cell + 1]):
        house = network.cell_houses[i]
        if moment.lone[house] & mask:
            ways |= board.house_way[house]
    return ways


@lean_kernel
def think(moment, board, now):
    """Narrow the marks round by round, and record the round in which each cell becomes a single."""
    network, marks, work = board.network, moment.marks, moment.work
    for cell in range(network.n_cells):
        moment.rounds[cell] = 0
        moment.by_one[cell] = 0
        if moment.values[cell] == 0:
            marks[cell] = moment.candidates[cell]
            moment.support[cell] = SINGLE if moment.ways[cell] else UNSUPPORTED
        moment.before[cell] = marks[cell]
        moment.old[cell] = marks[cell]
    for cell in range(network.n_cells):
        narrow(moment.before, work, cell, marks[cell])
        _enlist_houses(moment, network, cell)
    for number in range(1, MOST_ROUNDS + 1):
        _narrow_once(moment, network, board.n_sums)
        if number > 1:
            _remove_pairs(moment, network)
        left = _note_supported(moment, board, number, now)
        changed = _next_round(moment, network)
        if left == 0 or (number > 1 and not changed):
            break
    _forget(work)


@inlined_kernel
def _enlist_houses(moment, network, cell):
    for word in range(moment.paired.size):
        moment.work.touched[word] |= network.house_bits[cell, word]
        moment.paired[word] |= network.house_bits[cell, word]


@lean_kernel
def _next_round(moment, network):
    """List the cells whose marks changed in a round; return True if there are any."""
    changed = False
    for cell in range(network.n_cells):
        if moment.marks[cell] != moment.before[cell]:
            moment.old[cell] = moment.marks[cell]
            narrow(moment.before, moment.work, cell, moment.marks[cell])
            _enlist_houses(moment, network, cell)
            changed = True
    return changed


@lean_kernel
def _narrow_once(moment, network, n_sums):
    """Apply every constraint of the listed cells once, each to the marks before the round."""
    before, work = moment.before, moment.work
    counts = work.counts
    while counts[CELLS] > 0:
        cell = latest(work.cells, work.has_cell, counts, CELLS)
        mask = before[cell]
        for i in range(network.arc_start[cell], network.arc_start[cell + 1]):
            table = network.arc_table[i]
            allowed = 0
            for part in range(network.supports.shape[1]):
                allowed |= network.supports[table, part, mask >> 9 * part & 511]
            other = network.arc_cell[i]
            if moment.values[other] == 0:
                moment.marks[other] &= allowed
                kept = before[other] & allowed
                if kept & (kept - 1) == 0:
                    moment.by_one[other] |= BY_RELATION
        for i in range(network.cell_sum_start[cell], network.cell_sum_start[cell + 1]):
            number = network.cell_sums[i]
            if 0 < moment.sum_empties[number] <= MOST_OPEN:
                enlist(work.sums, work.has_sum, counts, SUMS, number)
        for i in range(network.cell_pattern_start[cell], network.cell_pattern_start[cell + 1]):
            enlist(work.patterns, work.has_pattern, counts, PATTERNS, network.cell_patterns[i])
    while counts[SUMS] > 0:
        number = latest(work.sums, work.has_sum, counts, SUMS)
        narrow_sum(before, network, work, number)
        _take_over(moment, BY_SUM if number < n_sums else BY_INNIES)
    while counts[PATTERNS] > 0:
        number = latest(work.patterns, work.has_pattern, counts, PATTERNS)
        narrow_pattern(before, network, work, number)
        _take_over(moment, BY_RELATION)
    narrow_overlaps(before, network, work)
    _take_over(moment, 0)


@inlined_kernel
def _take_over(moment, source):
    """Remove from the marks what one constraint excludes, and restore the working copy."""
    work = moment.work
    while work.counts[CELLS] > 0:
        cell = latest(work.cells, work.has_cell, work.counts, CELLS)
        kept = moment.before[cell]
        if kept & (kept - 1) == 0:
            moment.by_one[cell] |= source
        moment.marks[cell] &= kept
        moment.before[cell] = moment.old[cell]


@lean_kernel
def _forget(work):
    while work.counts[CELLS] > 0:
        latest(work.cells, work.has_cell, work.counts, CELLS)
    for word in range(work.touched.size):
        work.touched[word] = 0


@lean_kernel
def _note_supported(moment, board, number, now):
    """Record the cells that are singles after a round; return how many open cells are not."""
    left = 0
    see_lone(moment, board.network, moment.marks)
    for cell in range(board.network.n_cells):
        if moment.values[cell] == 0 and moment.support[cell] == UNSUPPORTED:
            if ways_of(moment, board, cell, moment.marks[cell]):
                moment.rounds[cell] = number
                moment.support[cell] = LOCKED if number == 1 else SUBSET
                if moment.marked_since[cell] < 0 and number <= NEAR_ROUNDS:
                    moment.marked_since[cell] = now
            else:
                left += 1
    return left


@lean_kernel
def _remove_pairs(moment, network):
    """Remove from the marks what naked and hidden pairs of changed houses rule out."""
    before = moment.before
    for word in range(moment.paired.size):
        while moment.paired[word]:
            house = 32 * word + lowest_bit(moment.paired[word])
            moment.paired[word] &= moment.paired[word] - 1
            cells = network.houses[house]
            remove_naked_pairs(before, before, cells)
            _see_places(moment, cells)
            for digit in range(network.n_digits):
                if remove_hidden_pairs(digit, moment.places, before, cells):
                    _see_places(moment, cells)
    for cell in range(network.n_cells):
        moment.marks[cell] &= before[cell]
        before[cell] = moment.old[cell]


@lean_kernel
def _see_places(moment, cells):
    """Find the places of each digit among the open cells of a house, as bits."""
    for digit in range(moment.places.size):
        moment.places[digit] = 0
    for k in range(cells.size):
        if moment.values[cells[k]] == 0:
            left = moment.before[cells[k]]
            while left:
                moment.places[lowest_bit(left)] |= 1 << k
                left &= left - 1

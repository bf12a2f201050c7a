"""Propagation of candidates through the constraints of a variant, until nothing changes.

When a cell changes, its digit is removed from its peers, the cells related to it are restricted,
and its houses, sums and patterns are checked again. Cheap constraints come first.
"""

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit, unsigned
from nando.solvers.variants.sums import narrow_sum
from nando.solvers.variants.work import (
    CELLS,
    HOUSES,
    PATTERNS,
    SUMS,
    earliest,
    enlist,
    first_house,
    forget,
    latest,
    narrow,
)


@lean_kernel
def narrow_pattern(masks, network, work, number):
    """Keep the digits that each cell has in some accepted sequence of candidates.

    Return False if the automaton accepts no sequence.
    """
    if not read_pattern(masks, network, work.reading, work.kept, number):
        return False
    start, end = network.pattern_start[number], network.pattern_start[number + 1]
    for i in range(start, end):
        cell = int(network.pattern_cells[i])
        mask = int(masks[cell])
        if mask & ~work.kept[i - start]:
            narrow(masks, work, cell, mask & work.kept[i - start])
    return True


@lean_kernel
def read_pattern(masks, network, reading, kept, number):
    """Write the digits that each cell of a pattern has in some accepted sequence of candidates.

    Return False if the automaton accepts no sequence.

    Parameters
    ----------
    masks : ndarray of int64, shape (n_cells,)
    network : Network or Layout
    reading : Reading
    kept : ndarray of int64
        The digits of the cells in the order of the pattern, as masks.
    number : int
    """
    start, end = network.pattern_start[number], network.pattern_start[number + 1]
    base = network.pattern_first[number]
    length = end - start
    states, marks = reading.states, reading.marks
    states[0, 0] = 1
    states[0, 1] = 0
    marks[0, 0] = 1
    i = 0
    while i < length:
        passed = _leap(network, reading, i, length, base)
        if passed == 0:
            _read_cell(network, reading, i, int(masks[network.pattern_cells[start + i]]), base)
        i += max(passed, 1)
    possible = False
    for j in range(1, states[length, 0] + 1):
        state = states[length, j]
        if network.accepting[base + state]:
            marks[length, state] = 2
            possible = True
    while i > 0:
        # A leap leaves no states between its ends.
        before = i - 1
        while before > 0 and states[before, 0] == 0:
            before -= 1
        for k in range(before, i):
            kept[k] = int(masks[network.pattern_cells[start + k]]) if possible else 0
        if before == i - 1:
            kept[before] = _read_back(network, reading, before, int(kept[before]), base)
        else:
            for j in range(1, states[before, 0] + 1):
                state = states[before, j]
                marks[before, state] = marks[i, network.leaps[base + state, 1] - base]
        i = before
    for i in range(length + 1):
        for j in range(1, states[i, 0] + 1):
            marks[i, states[i, j]] = 0
    return possible


@lean_kernel
def _leap(network, reading, i, length, base):
    """Pass the cells from `i` on that matter in no state; return their number, or 0 for one."""
    states, marks = reading.states, reading.marks
    passed = network.leaps[base + states[i, 1], 0]
    if states[i, 0] == 0 or passed < 2 or i + passed > length:
        return 0
    for j in range(2, states[i, 0] + 1):
        if network.leaps[base + states[i, j], 0] != passed:
            return 0
    for k in range(i + 1, i + passed):
        states[k, 0] = 0
    count = 0
    for j in range(1, states[i, 0] + 1):
        reached = int(network.leaps[base + states[i, j], 1]) - base
        if marks[i + passed, reached] == 0:
            marks[i + passed, reached] = 1
            count += 1
            states[i + passed, count] = reached
    states[i + passed, 0] = count
    return passed


@lean_kernel
def _read_cell(network, reading, i, mask, base):
    """List the states after cell `i` of the pattern, whose automaton begins at row `base`."""
    states, marks = reading.states, reading.marks
    count = 0
    for j in range(1, states[i, 0] + 1):
        state = int(states[unsigned(i), unsigned(j)])
        left = mask
        while left:
            digit = lowest_bit(left)
            left &= ~int(network.alike[unsigned(base + state), unsigned(digit)])
            reached = int(network.moves[unsigned(base + state), unsigned(digit)])
            if reached >= 0 and marks[unsigned(i + 1), unsigned(reached - base)] == 0:
                marks[unsigned(i + 1), unsigned(reached - base)] = 1
                count += 1
                states[unsigned(i + 1), unsigned(count)] = reached - base
    states[i + 1, 0] = count


@lean_kernel
def _read_back(network, reading, i, mask, base):
    """Return the digits of cell `i` that lead to acceptance.

    The states before the cell from which one of them does are marked with 2.
    """
    states, marks = reading.states, reading.marks
    kept = 0
    for j in range(1, states[i, 0] + 1):
        state = int(states[unsigned(i), unsigned(j)])
        left = mask
        while left:
            digit = lowest_bit(left)
            same = int(network.alike[unsigned(base + state), unsigned(digit)])
            left &= ~same
            reached = int(network.moves[unsigned(base + state), unsigned(digit)])
            if reached >= 0 and marks[unsigned(i + 1), unsigned(reached - base)] == 2:
                marks[unsigned(i), unsigned(state)] = 2
                kept |= mask & same
    return kept


@lean_kernel
def propagate(masks, network, work):
    """Remove all candidates that a constraint alone excludes; return False at a contradiction.

    Parameters
    ----------
    masks : ndarray of int64, shape (n_cells,)
        Candidates of each cell, none of them empty. Modified in place.
    network : Network
    work : Work
        Lists what changed since the last call; empty afterwards.
    """
    counts = work.counts
    while True:
        if counts[CELLS] > 0:
            number = latest(work.cells, work.has_cell, counts, CELLS)
            if spread(masks, network, work, number):
                continue
            forget(work, CELLS, number)
            return False
        number = first_house(work)
        if number >= 0:
            kind = HOUSES
            sound = _narrow_house(masks, network, work, number)
        elif counts[SUMS] > 0:
            kind = SUMS
            # With groups, a sum waits for those before it and then has to be checked less often.
            if network.sum_group_end.size:
                number = earliest(work.sums, work.has_sum, counts, SUMS)
            else:
                number = latest(work.sums, work.has_sum, counts, SUMS)
            sound = narrow_sum(masks, network, work, number)
        elif counts[PATTERNS] > 0:
            kind = PATTERNS
            number = latest(work.patterns, work.has_pattern, counts, PATTERNS)
            sound = narrow_pattern(masks, network, work, number)
        else:
            narrow_overlaps(masks, network, work)
            if counts[CELLS] == 0:
                return True
            continue
        if not sound:
            forget(work, kind, number)
            return False


@inlined_kernel
def spread(masks, network, work, cell):
    """Apply the candidates of a cell to its peers and related cells, and list its constraints.

    Return False if the cell has no candidate left.
    """
    mask = int(masks[unsigned(cell)])
    if mask == 0:
        return False
    if mask & (mask - 1) == 0:
        for i in range(network.peer_start[cell], network.peer_start[cell + 1]):
            peer = int(network.peers[unsigned(i)])
            other = int(masks[unsigned(peer)])
            if other & mask:
                narrow(masks, work, peer, other ^ mask)
    follow_relations(masks, network, work, cell, mask)
    for word in range(work.houses.size):
        work.houses[unsigned(word)] |= network.house_bits[unsigned(cell), unsigned(word)]
    for i in range(network.cell_sum_start[cell], network.cell_sum_start[cell + 1]):
        enlist(work.sums, work.has_sum, work.counts, SUMS, int(network.cell_sums[unsigned(i)]))
    for i in range(network.cell_pattern_start[cell], network.cell_pattern_start[cell + 1]):
        pattern = int(network.cell_patterns[unsigned(i)])
        enlist(work.patterns, work.has_pattern, work.counts, PATTERNS, pattern)
    return True


@inlined_kernel
def follow_relations(masks, network, work, cell, mask):
    """Restrict the cells related to `cell` to the digits that its candidates, `mask`, allow."""
    for i in range(network.arc_start[cell], network.arc_start[cell + 1]):
        table = network.arc_table[unsigned(i)]
        allowed = 0
        for part in range(network.supports.shape[1]):
            digits = mask >> 9 * part & 511
            allowed |= network.supports[unsigned(table), unsigned(part), unsigned(digits)]
        joined = int(network.arc_cell[unsigned(i)])
        other = int(masks[unsigned(joined)])
        if other & ~allowed:
            narrow(masks, work, joined, other & allowed)


@inlined_kernel
def _narrow_house(masks, network, work, house):
    """Fill the only place of each digit; return False if a digit has none."""
    n = network.n_digits
    some, several, placed = 0, 0, 0
    for i in range(n):
        mask = int(masks[unsigned(network.houses[unsigned(house), unsigned(i)])])
        several |= some & mask
        some |= mask
        if mask & (mask - 1) == 0:
            placed |= mask
    if some != (1 << n) - 1:
        return False
    lone = some & ~several & ~placed
    if lone == 0:
        return True
    for i in range(n):
        cell = int(network.houses[unsigned(house), unsigned(i)])
        mask = int(masks[unsigned(cell)])
        digit = mask & lone
        if digit:
            if digit & (digit - 1):
                return False
            narrow(masks, work, cell, digit)
    return True


@lean_kernel
def narrow_overlaps(masks, network, work):
    """Remove a digit from the rest of a house if another house has it only in their common cells.

    Only pairs with a house that changed since the last call are checked.
    """
    for i in range(network.overlaps.shape[0]):
        first, second = network.overlaps[unsigned(i), 0], network.overlaps[unsigned(i), 1]
        if _touched(work, first) | _touched(work, second):
            start, middle = network.overlap_start[3 * i], network.overlap_start[3 * i + 1]
            end, last = network.overlap_start[3 * i + 2], network.overlap_start[3 * i + 3]
            common = _digits(masks, network.overlap_cells, start, middle)
            of_first = _digits(masks, network.overlap_cells, middle, end)
            of_second = _digits(masks, network.overlap_cells, end, last)
            gone = common & ~of_first & of_second
            if gone:
                _remove(masks, network.overlap_cells, work, (end, last), gone)
            gone = common & ~of_second & of_first
            if gone:
                _remove(masks, network.overlap_cells, work, (middle, end), gone)
    for word in range(work.touched.size):
        work.touched[unsigned(word)] = 0


@inlined_kernel
def _touched(work, house):
    return work.touched[unsigned(house >> 5)] >> (house & 31) & 1


@inlined_kernel
def _digits(masks, cells, first, end):
    digits = 0
    for i in range(first, end):
        digits |= masks[unsigned(cells[unsigned(i)])]
    return digits


@inlined_kernel
def _remove(masks, cells, work, part, digits):
    for i in range(part[0], part[1]):
        cell = int(cells[unsigned(i)])
        mask = int(masks[unsigned(cell)])
        if mask & digits:
            narrow(masks, work, cell, mask & ~digits)

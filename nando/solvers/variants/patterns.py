"""Remove the candidates that the patterns of a variant exclude."""

from nando.kernels.bits import lowest_bit, unsigned
from nando.kernels.compile import lean_kernel
from nando.solvers.variants.work import narrow


@lean_kernel
def narrow_pattern(masks, network, work, number):
    """Keep the digits that each cell has in some accepted sequence of candidates.

    Return False if the automaton accepts no sequence.
    """
    start, end = network.pattern_start[number], network.pattern_start[number + 1]
    base = network.pattern_first[number]
    length = end - start
    work.states[0, 0] = 1
    work.states[0, 1] = 0
    work.marks[0, 0] = 1
    for i in range(length):
        _read_cell(network, work, i, int(masks[network.pattern_cells[start + i]]), base)
    possible = False
    for j in range(1, work.states[length, 0] + 1):
        state = work.states[length, j]
        if network.accepting[base + state]:
            work.marks[length, state] = 2
            possible = True
    if possible:
        for i in range(length - 1, -1, -1):
            cell = int(network.pattern_cells[start + i])
            mask = int(masks[cell])
            kept = _read_back(network, work, i, mask, base)
            if kept != mask:
                narrow(masks, work, cell, kept)
    for i in range(length + 1):
        for j in range(1, work.states[i, 0] + 1):
            work.marks[i, work.states[i, j]] = 0
    return possible


@lean_kernel
def _read_cell(network, work, i, mask, base):
    """List the states after cell `i` of the pattern, whose automaton begins at row `base`."""
    count = 0
    for j in range(1, work.states[i, 0] + 1):
        state = int(work.states[unsigned(i), unsigned(j)])
        left = mask
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            reached = int(network.moves[unsigned(base + state), unsigned(digit)])
            if reached >= 0 and work.marks[unsigned(i + 1), unsigned(reached - base)] == 0:
                work.marks[unsigned(i + 1), unsigned(reached - base)] = 1
                count += 1
                work.states[unsigned(i + 1), unsigned(count)] = reached - base
    work.states[i + 1, 0] = count


@lean_kernel
def _read_back(network, work, i, mask, base):
    """Return the digits of cell `i` that lead to acceptance.

    The states before the cell from which one of them does are marked with 2.
    """
    kept = 0
    for j in range(1, work.states[i, 0] + 1):
        state = int(work.states[unsigned(i), unsigned(j)])
        left = mask
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            reached = int(network.moves[unsigned(base + state), unsigned(digit)])
            if reached >= 0 and work.marks[unsigned(i + 1), unsigned(reached - base)] == 2:
                work.marks[unsigned(i), unsigned(state)] = 2
                kept |= 1 << digit
    return kept

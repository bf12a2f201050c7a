"""Chains: a candidate that, link by link, implies its own opposite.

A candidate that is true rules out all that conflict with it; one that is false leaves its house or
its cell with the only other option.
"""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.variants.state import (
    N_LITERALS,
    PASSED_OVER,
    PLACE,
    begin,
    remove,
    takes,
)

ONE_DIGIT, ANY = range(2)
"""Degrees: whether all candidates are of one digit."""


@lean_kernel
def added(length):
    """Return what the length of a chain adds to its rating, in tenths."""
    more = 0
    ceiling = 4
    odd = False
    while length > ceiling:
        more += 1
        ceiling = ceiling * 4 // 3 if odd else ceiling * 3 // 2
        odd = not odd
    return more


@lean_kernel
def find_chain(layout, state, finding, degree, rating):
    """Find the shortest chain from a candidate to its opposite."""
    n = layout.n_digits
    best = 1 << 30
    start = -1
    skip = finding.head[PASSED_OVER]
    # Patterns use the room, too.
    for i in range(2 * layout.n_cells * n):
        finding.nodes[i] = 0
    for cell in range(layout.n_cells):
        if state.filled[cell]:
            continue
        left = state.mask[cell]
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            for on in range(2):
                literal = 2 * (cell * n + digit) + on
                length = _search(layout, state, finding, literal, degree, best)
                if 0 < length < best:
                    if skip:
                        skip -= 1
                        continue
                    best = length
                    start = literal
    if start < 0:
        return False
    _search(layout, state, finding, start, degree, best + 1)
    _write(layout, state, finding, start, rating)
    finding.head[PASSED_OVER] = 0
    return takes(finding)


@lean_kernel
def _search(layout, state, finding, start, degree, limit):
    """Return the literals of the shortest chain from a literal to its opposite, 0 for none.

    Nodes of the finding have the literal before each literal, plus 1; then the queue.
    """
    n = layout.n_digits
    nodes = finding.nodes
    n_literals = 2 * layout.n_cells * n
    depth = 2 * n_literals
    head = 0
    tail = 1
    nodes[n_literals] = start
    nodes[start] = start + 1
    nodes[depth + start] = 1
    found = 0
    while head < tail and found == 0:
        literal = nodes[n_literals + head]
        head += 1
        steps = nodes[depth + literal]
        if steps + 1 >= limit:
            break
        cell, digit = literal // 2 // n, literal // 2 % n
        before = tail
        if literal & 1:
            if degree == ANY:
                tail = _push_mask(
                    nodes, n_literals, tail, literal, cell, n, state.mask[cell], digit
                )
                for arc in range(layout.arc_start[cell], layout.arc_start[cell + 1]):
                    to = layout.arc_cell[arc]
                    if not state.filled[to]:
                        out = state.mask[to] & ~layout.tables[layout.arc_table[arc], digit]
                        tail = _push_mask(nodes, n_literals, tail, literal, to, n, out, -1)
            for i in range(layout.peer_start[cell], layout.peer_start[cell + 1]):
                peer = layout.peers[i]
                if not state.filled[peer] and state.mask[peer] >> digit & 1:
                    tail = _push(nodes, n_literals, tail, literal, 2 * (peer * n + digit))
        else:
            mask = state.mask[cell]
            if degree == ANY and n_bits(mask) == 2:
                other = lowest_bit(mask & ~(1 << digit))
                tail = _push(nodes, n_literals, tail, literal, 2 * (cell * n + other) + 1)
            for i in range(layout.cell_house_start[cell], layout.cell_house_start[cell + 1]):
                house = layout.cell_houses[i]
                places = state.positions[house, digit]
                if n_bits(places) == 2:
                    other = layout.houses[house, lowest_bit(places)]
                    if other == cell:
                        other = layout.houses[house, lowest_bit(places & (places - 1))]
                    tail = _push(nodes, n_literals, tail, literal, 2 * (other * n + digit) + 1)
        for i in range(before, tail):
            nodes[depth + nodes[n_literals + i]] = steps + 1
        if nodes[start ^ 1]:
            found = nodes[depth + (start ^ 1)]
    if found == 0:
        _clear(nodes, n_literals, tail)
        return 0
    _keep_way(finding, start, n_literals, tail)
    return found


@inlined_kernel
def _push(nodes, n_literals, tail, literal, to):
    """Add a literal to the queue, unless it is in it."""
    if nodes[to] == 0:
        nodes[to] = literal + 1
        nodes[n_literals + tail] = to
        tail += 1
    return tail


@inlined_kernel
def _push_mask(nodes, n_literals, tail, literal, cell, n, mask, but):
    """Add that a cell is none of the digits of a mask but one."""
    while mask:
        digit = lowest_bit(mask)
        mask &= mask - 1
        if digit != but:
            tail = _push(nodes, n_literals, tail, literal, 2 * (cell * n + digit))
    return tail


@lean_kernel
def _keep_way(finding, start, n_literals, tail):
    """Write the literals of the chain, from its end, and clear the nodes."""
    nodes = finding.nodes
    literal = start ^ 1
    length = 0
    while True:
        finding.literals[length] = literal
        length += 1
        if literal == start:
            break
        literal = nodes[literal] - 1
    finding.head[N_LITERALS] = length
    _clear(nodes, n_literals, tail)


@inlined_kernel
def _clear(nodes, n_literals, tail):
    for i in range(tail):
        nodes[nodes[n_literals + i]] = 0


@lean_kernel
def _write(layout, state, finding, start, rating):
    """Write the step of the chain that the last search left."""
    n = layout.n_digits
    length = finding.head[N_LITERALS]
    for i in range(length // 2):
        other = finding.literals[length - 1 - i]
        finding.literals[length - 1 - i] = finding.literals[i]
        finding.literals[i] = other
    begin(finding, rating + added(length - 2), 0)
    finding.head[N_LITERALS] = length
    if start & 1:
        remove(state, finding, start // 2 // n, 1 << start // 2 % n)
    else:
        finding.head[PLACE] = start // 2

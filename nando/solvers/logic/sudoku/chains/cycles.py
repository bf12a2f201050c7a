"""Cycles and forcing chains: one candidate, and what follows from it link by link.

Weak and strong links alternate. A chain from a candidate that is on to the same that is off, or
the other way round, proves where it ends. A cycle of an even number of links that comes back to
its start can be walked both ways: either the candidates at its even places are true or those at
its odd ones, so whatever sees one of each goes. On one digit all links are in houses (X); through
cells with two candidates a chain changes its digit (Y).
"""

import numpy as np

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.solvers.logic.sudoku.chains.implications import list_implications, longer
from nando.solvers.logic.sudoku.finding import (
    CELLS,
    DIGITS,
    N_CELLS,
    N_LINKS,
    VARIANT,
    add_cell,
    begin,
    remove,
)
from nando.solvers.logic.sudoku.state import WORD

X, Y, XY = range(3)
"""Links used: in houses, in cells, or both."""

CYCLE_X, CYCLE_Y, CYCLE_XY, CHAIN_X, CHAIN_XY = range(1, 6)
"""Variants of the technique."""

_ON, _VIA, _BACK, _DEPTH = range(4)
"""Rows of a tree: candidate that is on, the one that is off before it, the node before that, and
the number of links from the root."""

_FORWARD, _BACKWARD, _HELD, _OFF = range(4)
"""Sets kept for each node of a tree: what sees a candidate on its path that is on, that is off,
what shares a cell with the path, and what is off on it."""


@kernel
def find_chain(state, layout, finding, rating):
    """The easiest cycle or forcing chain.

    Cycles on one digit or through cells alone are rated `rating`, forcing chains on one digit 0.1
    more, all others 0.5 more, each the more the longer they are.
    """
    graph = list_implications(layout, state.candidates, state.positions)
    n = graph.n
    words = n // WORD + 1
    sets = new_sets(n)
    fill_sets(graph, sets)
    room = (
        np.empty((4, n), np.int64),
        np.empty((4, n, words), np.int64),
        np.empty((2, n), np.bool_),
        np.empty((5, words), np.int64),
    )
    best = np.full(4, 1 << 30, np.int64)
    if not _find_best(state, finding, graph, sets, room, best, rating):
        return False
    if finding.head[VARIANT] >= CHAIN_X:
        _write_chain(state, finding, graph, best)
    return True


@kernel
def new_sets(n):
    """Room for the sets of a grid with n candidates."""
    words = n // WORD + 1
    return (
        np.zeros((n, words), np.int64),
        np.zeros((2, n, words), np.int64),
        np.zeros((2, n, words), np.int64),
        np.zeros((2, words), np.int64),
    )


@lean_kernel
def fill_sets(graph, sets):
    """What each candidate shares a cell with, its links, and which candidates have strong ones.

    Links are in houses alone, and all.
    """
    cells, weak, strong, linked = sets
    for i in range(graph.n):
        cells[i, i // WORD] |= 1 << i % WORD
        for k in range(graph.weak_from[i], graph.weak_from[i + 1]):
            other = graph.weak[k]
            if k < graph.peers_from[i]:
                cells[i, other // WORD] |= 1 << other % WORD
            else:
                weak[0, i, other // WORD] |= 1 << other % WORD
            weak[1, i, other // WORD] |= 1 << other % WORD
        for k in range(4):
            other = graph.strong[i, k]
            if other >= 0:
                strong[1, i, other // WORD] |= 1 << other % WORD
                linked[1, i // WORD] |= 1 << i % WORD
                if k:
                    strong[0, i, other // WORD] |= 1 << other % WORD
                    linked[0, i // WORD] |= 1 << i % WORD


@lean_kernel
def _find_best(state, finding, graph, sets, room, best, rating):
    """Find the best and write it, if a cycle; whether there is one.

    `best` tells its rating and number of literals and, of a chain, the candidate it starts from
    and whether that is on.
    """
    tree, _, _, layers = room
    linked = sets[3]
    n = graph.n
    for links in range(3):
        extra = 5 if links == XY else 0
        which = 0 if links == X else 1
        if best[0] < rating + extra:
            break
        for start in range(n):
            has_strong = linked[which, start // WORD] >> start % WORD & 1
            if links == Y and graph.strong[start, 0] < 0:
                continue
            limit = _limit(best, rating + extra, 2 * n)
            if has_strong and _find_cycle(graph, sets, links, start, limit, room):
                n_literals = tree[_DEPTH, 0]
                best[0] = rating + extra + longer(n_literals)
                best[1] = n_literals
                _write_cycle(state, finding, graph, links, start, best[0], tree, layers)
            if links == Y:
                continue
            harder = extra if links == XY else 1
            for on in range(1, -1 if has_strong else 0, -1):
                limit = _limit(best, rating + harder, 2 * n)
                n_literals = find_shortest(sets, links, start, on, limit, layers)
                if n_literals:
                    best[0] = rating + harder + longer(n_literals)
                    best[1] = n_literals
                    best[2] = start
                    best[3] = on
                    finding.head[VARIANT] = CHAIN_X if links == X else CHAIN_XY
    return best[0] < 1 << 30


@inlined_kernel
def _limit(best, rating, most):
    """The largest number of literals with which a chain of this rating would be the best."""
    if best[0] == 1 << 30:
        return most
    if rating > best[0]:
        return 0
    # Longer than it may be as hard as the best only where it starts out easier.
    limit = best[1] - 1
    while limit < most and rating + longer(limit + 1) < best[0]:
        limit += 1
    while limit and rating + longer(limit) > best[0]:
        limit -= 1
    return limit


@lean_kernel
def find_shortest(sets, links, start, on, limit, layers):
    """Literals of the shortest chain from a candidate to its opposite; 0 where it is too long."""
    _, weak, strong, linked = sets
    words = layers.shape[1]
    which = 0 if links == X else 1
    for k in range(words):
        layers[0, k] = 0
        layers[1, k] = 0
        layers[on, k] = 0
        layers[2, k] = 0
    # Rows: seen off, seen on, frontier, next frontier.
    layers[on, start // WORD] |= 1 << start % WORD
    layers[2, start // WORD] |= 1 << start % WORD
    n_literals = 1
    is_on = on
    while n_literals < limit:
        for k in range(words):
            layers[3, k] = 0
        for k in range(words):
            left = layers[2, k]
            while left:
                i = k * WORD + lowest_bit(left)
                left &= left - 1
                if is_on:
                    for j in range(words):
                        layers[3, j] |= weak[which, i, j]
                else:
                    for j in range(words):
                        layers[3, j] |= strong[which, i, j]
        is_on = 1 - is_on
        n_literals += 1
        if is_on != on and layers[3, start // WORD] >> start % WORD & 1:
            return n_literals
        some = 0
        for k in range(words):
            layers[2, k] = layers[3, k] & ~layers[is_on, k]
            if not is_on:
                layers[2, k] &= linked[which, k]
            layers[is_on, k] |= layers[2, k]
            some |= layers[2, k]
        if some == 0:
            return 0
    return 0


@lean_kernel
def _find_cycle(graph, sets, links, start, limit, room):
    """Walk from a candidate that is on; whether it comes back in a cycle that removes something.

    The cycle is left in `tree`: node 0 has its number of literals as depth, the last candidate
    that is off as `_VIA` and the node before it as `_BACK`; `layers[0]` is what it removes.
    """
    cells, weak, _, linked = sets
    tree, kept, seen, layers = room
    words = layers.shape[1]
    which = 0 if links == X else 1
    first = 1 if links == X else 0
    last = 1 if links == Y else 4
    seen[:] = False
    seen[1, start] = True
    tree[_ON, 0] = start
    tree[_DEPTH, 0] = 0
    for k in range(words):
        kept[_FORWARD, 0, k] = weak[0, start, k]
        kept[_BACKWARD, 0, k] = 0
        kept[_HELD, 0, k] = cells[start, k]
        kept[_OFF, 0, k] = 0
    n_nodes = 1
    node = 0
    while node < n_nodes:
        n_literals = tree[_DEPTH, node] + 2
        if n_literals > limit:
            return False
        on = tree[_ON, node]
        k_off = graph.peers_from[on] if links == X else graph.weak_from[on]
        while k_off < graph.weak_from[on + 1]:
            off = graph.weak[k_off]
            k_off += 1
            if linked[which, off // WORD] >> off % WORD & 1 == 0:
                continue
            if kept[_OFF, node, off // WORD] >> off % WORD & 1:
                continue
            if n_literals >= 4 and _closes(graph, off, start, first, last):
                some = 0
                for k in range(words):
                    gone = kept[_FORWARD, node, k] & (kept[_BACKWARD, node, k] | weak[0, off, k])
                    gone &= ~(kept[_HELD, node, k] | cells[off, k])
                    layers[0, k] = gone
                    some |= gone
                if some:
                    tree[_DEPTH, 0] = n_literals
                    tree[_VIA, 0] = off
                    tree[_BACK, 0] = node
                    return True
            if seen[0, off]:
                continue
            seen[0, off] = True
            for k in range(first, last):
                on_again = graph.strong[off, k]
                if on_again < 0 or seen[1, on_again]:
                    continue
                seen[1, on_again] = True
                tree[_ON, n_nodes] = on_again
                tree[_VIA, n_nodes] = off
                tree[_BACK, n_nodes] = node
                tree[_DEPTH, n_nodes] = n_literals
                for j in range(words):
                    kept[_FORWARD, n_nodes, j] = kept[_FORWARD, node, j] | weak[0, on_again, j]
                    kept[_BACKWARD, n_nodes, j] = kept[_BACKWARD, node, j] | weak[0, off, j]
                    kept[_HELD, n_nodes, j] = (
                        kept[_HELD, node, j] | cells[off, j] | cells[on_again, j]
                    )
                    kept[_OFF, n_nodes, j] = kept[_OFF, node, j]
                kept[_OFF, n_nodes, off // WORD] |= 1 << off % WORD
                n_nodes += 1
        node += 1
    return False


@inlined_kernel
def _closes(graph, off, start, first, last):
    """Whether a candidate that is off turns on the start."""
    closes = False
    for k in range(first, last):
        closes |= graph.strong[off, k] == start
    return closes


@inlined_kernel
def add_link(finding, graph, size, one, other):
    """Add a link between two literals."""
    n = finding.head[N_LINKS]
    if n < finding.links.shape[1]:
        for end in range(2):
            literal = other if end else one
            i = literal >> 1
            place = graph.cell[i] * size + graph.digit[i]
            finding.links[end, n] = 2 * place + (literal & 1)
        finding.head[N_LINKS] = n + 1


@lean_kernel
def _write_cycle(state, finding, graph, links, start, rating, tree, layers):
    """Write the cycle that `_find_cycle` left in the tree."""
    size = state.naked.size
    begin(finding, rating, 0)
    finding.head[VARIANT] = CYCLE_X if links == X else CYCLE_Y if links == Y else CYCLE_XY
    for k in range(layers.shape[1]):
        left = layers[0, k]
        while left:
            i = k * WORD + lowest_bit(left)
            left &= left - 1
            remove(finding, state, graph.cell[i], 1 << graph.digit[i])
    # From the last literal back to the root.
    literal = 2 * start + 1
    node = 0
    while True:
        off = 2 * tree[_VIA, node]
        node = tree[_BACK, node]
        on = 2 * tree[_ON, node] + 1
        add_link(finding, graph, size, off, literal)
        add_link(finding, graph, size, on, off)
        literal = on
        if node == 0:
            break
    finish_links(finding, size)


@lean_kernel
def finish_links(finding, size):
    """Turn the links, written from last to first, round; cells and digits of the pattern."""
    n = finding.head[N_LINKS]
    for k in range(n // 2):
        for end in range(2):
            literal = finding.links[end, k]
            finding.links[end, k] = finding.links[end, n - 1 - k]
            finding.links[end, n - 1 - k] = literal
    note_links(finding, size)


@lean_kernel
def note_links(finding, size):
    """Add the cells and digits that the links join to the pattern."""
    for k in range(finding.head[N_LINKS]):
        for end in range(2):
            place = finding.links[end, k] >> 1
            cell = place // size
            finding.head[DIGITS] |= 1 << place % size
            known = False
            for i in range(finding.head[N_CELLS]):
                known |= finding.lists[CELLS, i] == cell
            if not known:
                add_cell(finding, cell)


@kernel
def _write_chain(state, finding, graph, best):
    """Write the shortest forcing chain, walked anew with its links."""
    size = state.naked.size
    variant = finding.head[VARIANT]
    start = best[2]
    on = best[3]
    begin(finding, best[0], 0)
    finding.head[VARIANT] = variant
    walk = np.empty((2, 2 * graph.n), np.int64)
    walk_chain(graph, variant, start, on, walk)
    literal = 2 * start + 1 - on
    while literal != 2 * start + on:
        add_link(finding, graph, size, walk[0, literal], literal)
        literal = walk[0, literal]
    finish_links(finding, size)
    bit = 1 << graph.digit[start]
    remove(finding, state, graph.cell[start], bit if on else ~bit)


@lean_kernel
def walk_chain(graph, variant, start, on, walk):
    """Walk the shortest chain from a candidate to its opposite, which there must be.

    Rows of `walk`: the literal before each, and those that wait.
    """
    before = walk[0]
    queue = walk[1]
    for literal in range(2 * graph.n):
        before[literal] = -1
    first = 1 if variant == CHAIN_X else 0
    goal = 2 * start + 1 - on
    queue[0] = 2 * start + on
    head = 0
    n = 1
    while before[goal] < 0:
        literal = queue[head]
        head += 1
        i = literal >> 1
        if literal & 1:
            k = graph.peers_from[i] if first else graph.weak_from[i]
            while k < graph.weak_from[i + 1]:
                after = 2 * graph.weak[k]
                if before[after] < 0:
                    before[after] = literal
                    queue[n] = after
                    n += 1
                k += 1
        else:
            for k in range(first, 4):
                after = 2 * graph.strong[i, k] + 1
                if after > 0 and before[after] < 0:
                    before[after] = literal
                    queue[n] = after
                    n += 1

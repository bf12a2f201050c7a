"""Cycles: walks along links from a true candidate back to itself."""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit
from nando.solvers.logic.chains.link_sets import (
    CYCLE_X,
    CYCLE_XY,
    CYCLE_Y,
    X,
    Y,
    add_link,
    finish_links,
    longer,
)
from nando.solvers.logic.finders.finding import begin, remove
from nando.solvers.logic.finders.grid import WORD

_ON, _VIA, _BACK, _DEPTH = range(4)
"""Rows of a tree: candidate that is on, the one that is off before it, the node before that, and
the number of links from the root."""

_FORWARD, _BACKWARD, _HELD, _OFF = range(4)
"""Sets of candidates of each node of a tree: those that see a true candidate on its path, those
that see a false one, those in a cell of the path, and the false candidates of the path."""


@kernel
def new_cycles(n, words):
    """Return workspace for cycles on a grid of `n` candidates, whose sets have `words` words.

    It consists of the tree, the sets of its nodes, flags for the candidates that were reached off
    and on, and the candidates that a cycle removes, as a set.
    """
    return (
        np.empty((4, n), np.int64),
        np.empty((4, n, words), np.int64),
        np.empty((2, n), np.bool_),
        np.empty(words, np.int64),
    )


@lean_kernel
def ends_meet(sets, lengths, least, fresh):
    """Return True if a chain of length `least` closes to a cycle that is two literals shorter.

    Such a chain starts from a true candidate, and its second and its last candidate see each other.
    By symmetry both are among the candidates that chains from the first one reach last.
    """
    weak = sets.weak
    words = weak.shape[2]
    for start in range(lengths.shape[1]):
        if lengths[1, start] != least:
            continue
        for k in range(words):
            left = fresh[start, k] & weak[0, start, k]
            while left:
                end = k * WORD + lowest_bit(left)
                left &= left - 1
                for m in range(words):
                    if fresh[start, m] & weak[0, start, m] & weak[0, end, m]:
                        return True
    return False


@inlined_kernel
def may_return(graph, sets, start, reached, fresh, longest):
    """Return True if a cycle from the true candidate `start` may lead back to it.

    For that, a candidate in `reached` must see one whose absence turns `start` on. Candidates in
    `fresh` were reached last, and count only for the `longest` cycles.
    """
    returns = False
    for k in range(graph.strong.shape[1]):
        off = graph.strong[start, k]
        if off >= 0:
            for m in range(reached.shape[1]):
                on = reached[start, m] & sets.weak[1, off, m]
                if not longest:
                    on &= ~fresh[start, m]
                if m == start // WORD:
                    on &= ~(1 << start % WORD)
                returns |= on != 0
    return returns


@lean_kernel
def find_cycle(graph, sets, links, start, limit, workspace):
    """Find the shortest cycle from a true candidate that removes something.

    Return the node of the workspace's tree before the last false candidate, and this candidate;
    both are -1 if there is no cycle of at most `limit` literals.
    """
    linked = sets.linked
    tree, kept, seen, _ = workspace
    first = 1 if links == X else 0
    last = 1 if links == Y else graph.strong.shape[1]
    _begin_tree(sets, start, workspace)
    n_nodes = 1
    node = 0
    while node < n_nodes:
        n_literals = tree[_DEPTH, node] + 2
        if n_literals > limit:
            break
        on = tree[_ON, node]
        k_off = graph.peers_from[on] if links == X else graph.weak_from[on]
        while k_off < graph.weak_from[on + 1]:
            off = graph.weak[k_off]
            k_off += 1
            if linked[links, off // WORD] >> off % WORD & 1 == 0:
                continue
            if kept[_OFF, node, off // WORD] >> off % WORD & 1:
                continue
            closes = n_literals >= 4 and _closes(graph, off, start, first, last)
            if closes and _removes(sets, node, off, workspace):
                return node, off
            if seen[0, off]:
                continue
            seen[0, off] = True
            for k in range(first, last):
                on_again = graph.strong[off, k]
                if on_again < 0 or seen[1, on_again]:
                    continue
                seen[1, on_again] = True
                _add_node(sets, n_nodes, node, off, on_again, workspace)
                n_nodes += 1
        node += 1
    return -1, -1


@inlined_kernel
def _begin_tree(sets, start, workspace):
    """Begin a tree with the true candidate `start` as its root, node 0."""
    tree, kept, seen, _ = workspace
    seen[:] = False
    seen[1, start] = True
    tree[_ON, 0] = start
    tree[_DEPTH, 0] = 0
    for k in range(kept.shape[2]):
        kept[_FORWARD, 0, k] = sets.weak[0, start, k]
        kept[_BACKWARD, 0, k] = 0
        kept[_HELD, 0, k] = sets.cells[start, k]
        kept[_OFF, 0, k] = 0


@inlined_kernel
def _add_node(sets, node, before, off, on, workspace):
    """Add a node to the tree: the absence of `off`, which `before` excludes, turns `on` on."""
    tree, kept, _, _ = workspace
    cells, weak = sets.cells, sets.weak
    tree[_ON, node] = on
    tree[_VIA, node] = off
    tree[_BACK, node] = before
    tree[_DEPTH, node] = tree[_DEPTH, before] + 2
    for k in range(kept.shape[2]):
        kept[_FORWARD, node, k] = kept[_FORWARD, before, k] | weak[0, on, k]
        kept[_BACKWARD, node, k] = kept[_BACKWARD, before, k] | weak[0, off, k]
        kept[_HELD, node, k] = kept[_HELD, before, k] | cells[off, k] | cells[on, k]
        kept[_OFF, node, k] = kept[_OFF, before, k]
    kept[_OFF, node, off // WORD] |= 1 << off % WORD


@inlined_kernel
def _removes(sets, node, off, workspace):
    """Return True if the cycle that `off` closes after a node removes candidates; keep these."""
    _, kept, _, removed = workspace
    some = 0
    for k in range(removed.size):
        gone = kept[_FORWARD, node, k] & (kept[_BACKWARD, node, k] | sets.weak[0, off, k])
        gone &= ~(kept[_HELD, node, k] | sets.cells[off, k])
        removed[k] = gone
        some |= gone
    return some != 0


@inlined_kernel
def _closes(graph, off, start, first, last):
    """Return True if the absence of a candidate turns on the start."""
    closes = False
    for k in range(first, last):
        closes |= graph.strong[off, k] == start
    return closes


@lean_kernel
def write_cycle(state, finding, graph, links, cycle, rating, workspace):
    """Write the cycle that `find_cycle` returned; the shortest cycles are rated `rating`."""
    tree, _, _, removed = workspace
    node, last = cycle
    size = graph.number.size // state.candidates.size
    begin(finding, rating + longer(tree[_DEPTH, node] + 2), 0)
    finding.head[0]["variant"] = CYCLE_X if links == X else CYCLE_Y if links == Y else CYCLE_XY
    for k in range(removed.size):
        left = removed[k]
        while left:
            i = k * WORD + lowest_bit(left)
            left &= left - 1
            remove(finding, state, graph.cell[i], 1 << graph.digit[i])
    # From the last literal back to the root.
    on = 2 * tree[_ON, 0] + 1
    off = 2 * last
    while True:
        before = 2 * tree[_ON, node] + 1
        add_link(finding, graph, size, off, on)
        add_link(finding, graph, size, before, off)
        if node == 0:
            break
        on = before
        off = 2 * tree[_VIA, node]
        node = tree[_BACK, node]
    finish_links(finding, size)

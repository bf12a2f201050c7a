"""Cycles and forcing chains: one candidate, and what follows from it link by link.

Weak and strong links alternate. A chain from a candidate that is on to the same that is off, or
the other way round, proves where it ends. A cycle of an even number of links that comes back to
its start can be walked both ways: either the candidates at its even places are true or those at
its odd ones, so whatever sees one of each goes. On one digit all links are in houses (X); through
cells with two candidates a chain changes its digit (Y).
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.solvers.logic.sudoku.chains.cycles import (
    DEPTH,
    ends_meet,
    find_cycle,
    may_return,
    new_cycles,
    write_cycle,
)
from nando.solvers.logic.sudoku.chains.implications import list_implications, longer
from nando.solvers.logic.sudoku.chains.lengths import find_lengths, new_lengths
from nando.solvers.logic.sudoku.chains.links import (
    CHAIN_X,
    CHAIN_XY,
    XY,
    X,
    Y,
    add_link,
    finish_links,
)
from nando.solvers.logic.sudoku.chains.sets import link_sets
from nando.solvers.logic.sudoku.finding import VARIANT, begin, remove
from nando.solvers.logic.sudoku.state import WORD


@kernel
def find_chain(state, layout, finding, rating):
    """The easiest cycle or forcing chain.

    Cycles on one digit or through cells alone are rated `rating`, forcing chains on one digit 0.1
    more, all others 0.5 more, each the more the longer they are.
    """
    graph = list_implications(layout, state.candidates, state.positions)
    sets = link_sets(layout, graph)
    words = sets.cells.shape[1]
    best = np.full(4, 1 << 30, np.int64)
    room = new_cycles(graph.n, words)
    lengths = new_lengths(graph.n, words)
    if not _find_best(state, finding, graph, sets, (room, lengths), best, rating):
        return False
    if finding.head[VARIANT] >= CHAIN_X:
        _write_chain(state, finding, graph, best)
    return True


@lean_kernel
def _find_best(state, finding, graph, sets, rooms, best, rating):
    """Find the best and write it, if a cycle; whether there is one.

    `best` tells its rating and number of literals and, of a chain, the candidate it starts from
    and whether that is on.
    """
    room, (lengths, steps) = rooms
    reached = steps[1]
    fresh = steps[2]
    most = 2 * graph.n
    for links in range(3):
        extra = 5 if links == XY else 0
        harder = extra if links == XY else 1
        if best[0] < rating + extra:
            break
        # What a cycle removes is the start of a chain of at most two literals more: from one of
        # the candidates in the cycle that it sees to the other, the long way round.
        limit = most if links == Y else _limit(best, rating + harder, most) + 2
        least = find_lengths(sets, links, limit, True, rooms[1])
        if least == 0:
            continue
        shorter = links != XY or ends_meet(sets, lengths, least, fresh)
        for start in range(graph.n):
            limit = _limit(best, rating + extra, most)
            if links == XY:
                limit = min(limit, least)
            if (
                sets.linked[links, start // WORD] >> start % WORD & 1
                and (shorter or limit == least)
                and (links != XY or may_return(graph, sets, start, reached, fresh, limit == least))
                and find_cycle(graph, sets, links, start, limit, room)
            ):
                n_literals = room[0][DEPTH, 0]
                best[0] = rating + extra + longer(n_literals)
                best[1] = n_literals
                write_cycle(state, finding, graph, links, start, best[0], room)
            if links == Y:
                continue
            for on in range(1, -1, -1):
                n_literals = lengths[on, start]
                if 0 < n_literals <= _limit(best, rating + harder, most):
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

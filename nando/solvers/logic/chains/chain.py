"""Cycles and forcing chains: the consequences of one candidate, link by link.

Weak and strong links alternate. A chain leads from an assumption about a candidate to the opposite,
and so proves its end. A cycle has an even number of links and comes back to its start. It can be
walked in both directions: either every candidate at an even position is true or every candidate at
an odd one, so a candidate that sees one of each can be removed. On one digit all links are in
houses (X); through cells with two candidates a chain changes its digit (Y).
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit
from nando.solvers.logic.chains.cycles import (
    ends_meet,
    find_cycle,
    may_return,
    new_cycles,
    write_cycle,
)
from nando.solvers.logic.chains.link_sets import (
    CHAIN_X,
    CHAIN_XY,
    XY,
    X,
    Y,
    add_link,
    find_lengths,
    finish_links,
    link_sets,
    list_implications,
    longer,
    new_lengths,
)
from nando.solvers.logic.finders.finding import begin, ends_search, remove
from nando.solvers.logic.finders.grid import WORD

_RATING, _N_LITERALS, _VARIANT, _START, _ON = range(5)
"""Indices in `best`, the easiest cycle or chain so far: rating in tenths; number of literals;
variant; and, for a chain, the candidate that it starts from, and 1 if that is on, 0 if off."""


@kernel
def find_chain(state, grid, finding, rating):
    """Find the easiest cycle or forcing chain.

    Cycles on one digit or through cells alone are rated `rating`, forcing chains on one digit 0.1
    more, and all others 0.5 more. Longer ones are rated higher.
    """
    graph = list_implications(grid, state.candidates, state.positions)
    sets = link_sets(graph)
    words = sets.cells.shape[1]
    best = np.full(5, 1 << 30, np.int64)
    workspace = new_cycles(graph.n, words)
    lengths = new_lengths(graph.n, words)
    if not _find_best(state, finding, graph, sets, (workspace, lengths), best, rating):
        return False
    if best[_VARIANT] >= CHAIN_X:
        walk = np.empty((2, 2 * graph.n), np.int64)
        chain = (best[_VARIANT], best[_START], best[_ON])
        write_chain(state, finding, graph, chain, best[_RATING], walk)
    return True


@lean_kernel
def _find_best(state, finding, graph, sets, workspaces, best, rating):
    """Find the easiest cycle or chain; return False if there is none.

    A cycle is written into `finding`; a chain is only described in `best`.
    """
    workspace, (lengths, steps) = workspaces
    reached = steps[1]
    fresh = steps[2]
    most = 2 * graph.n
    for links in range(3):
        extra = 5 if links == XY else 0
        harder = extra if links == XY else 1
        if best[_RATING] < rating + extra:
            break
        # A candidate that a cycle removes starts a chain of at most two literals more: from one of
        # the candidates in the cycle that it sees to the other, the long way round.
        limit = most if links == Y else _limit(best, rating + harder, most) + 2
        least = find_lengths(sets, links, limit, True, workspaces[1])
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
            ):
                cycle = find_cycle(graph, sets, links, start, limit, workspace)
                if cycle[0] >= 0:
                    write_cycle(state, finding, graph, links, cycle, rating + extra, workspace)
                    best[_RATING] = finding.head[0]["rating"]
                    best[_N_LITERALS] = finding.head[0]["n_links"]
                    best[_VARIANT] = finding.head[0]["variant"]
            if links == Y:
                continue
            for on in range(1, -1, -1):
                n_literals = lengths[on, start]
                if 0 < n_literals <= _limit(best, rating + harder, most):
                    best[_RATING] = rating + harder + longer(n_literals)
                    best[_N_LITERALS] = n_literals
                    best[_VARIANT] = CHAIN_X if links == X else CHAIN_XY
                    best[_START] = start
                    best[_ON] = on
    return best[_RATING] < 1 << 30


@inlined_kernel
def _limit(best, rating, most):
    """Return the largest number of literals with which a chain of this rating is still the best."""
    if best[_RATING] == 1 << 30:
        return most
    if rating > best[_RATING]:
        return 0
    # A longer chain is easier than the best one only if its base rating is lower.
    limit = best[_N_LITERALS] - 1
    while limit < most and rating + longer(limit + 1) < best[_RATING]:
        limit += 1
    while limit and rating + longer(limit) > best[_RATING]:
        limit -= 1
    return limit


@lean_kernel
def write_chain(state, finding, graph, chain, rating, walk):
    """Write the shortest forcing chain for a tuple of its variant, first candidate and 1 if on."""
    variant, start, on = chain
    size = graph.number.size // state.candidates.size
    begin(finding, rating, 0)
    finding.head[0]["variant"] = variant
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
    """Walk the shortest chain from an assumption to its opposite; there must be one.

    Row 0 of `walk`, shape (2, n_literals), receives the literal before each literal; row 1 is the
    queue.
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
            for k in range(first, graph.strong.shape[1]):
                after = 2 * graph.strong[i, k] + 1
                if after > 0 and before[after] < 0:
                    before[after] = literal
                    queue[n] = after
                    n += 1


# List the shortest cycles and chains from every candidate, not only the easiest of all


@kernel
def list_chains(state, grid, finding, rating):
    """List the shortest cycle of each kind through each candidate, and the shortest chains.

    For each literal these are the shortest chain to its opposite on one digit, and the shortest of
    all its chains to its opposite.
    """
    graph = list_implications(grid, state.candidates, state.positions)
    sets = link_sets(graph)
    words = sets.cells.shape[1]
    workspace = new_cycles(graph.n, words)
    lengths = new_lengths(graph.n, words)
    walk = np.empty((2, 2 * graph.n), np.int64)
    for links in (X, Y, XY):
        extra = 5 if links == XY else 0
        _sort_links(graph, sets, links)
        for start in range(graph.n):
            cycle = find_cycle(graph, sets, links, start, 2 * graph.n, workspace)
            if cycle[0] >= 0:
                write_cycle(state, finding, graph, links, cycle, rating + extra, workspace)
                ends_search(finding)
        if links == Y:
            continue
        variant = CHAIN_X if links == X else CHAIN_XY
        find_lengths(sets, links, 2 * graph.n, False, lengths)
        for start in range(graph.n):
            for on in range(1, -1, -1):
                n_literals = lengths[0][on, start]
                if n_literals:
                    harder = max(extra, 1) + longer(n_literals)
                    chain = (variant, start, on)
                    write_chain(state, finding, graph, chain, rating + harder, walk)
                    ends_search(finding)


@lean_kernel
def _sort_links(graph, sets, links):
    """Sort the weak links of each candidate by number, the strong ones by kind of house."""
    which = 0 if links == X else 1
    for i in range(graph.n):
        n = graph.peers_from[i] if links == X else graph.weak_from[i]
        for k in range(sets.weak.shape[2]):
            left = sets.weak[which, i, k]
            while left:
                graph.weak[n] = k * WORD + lowest_bit(left)
                left &= left - 1
                n += 1
        if links == X:
            in_box = graph.strong[i, 1]
            graph.strong[i, 1] = graph.strong[i, 2]
            graph.strong[i, 2] = graph.strong[i, 3]
            graph.strong[i, 3] = in_box

"""List the shortest cycles and chains from every candidate, not only the easiest of all."""

import numpy as np

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import kernel, lean_kernel, separate
from nando.solvers.logic.sudoku_chains.chain import write_chain
from nando.solvers.logic.sudoku_chains.cycles import find_cycle, new_cycles, write_cycle
from nando.solvers.logic.sudoku_chains.implications import list_implications, longer
from nando.solvers.logic.sudoku_chains.lengths import find_lengths, new_lengths
from nando.solvers.logic.sudoku_chains.links import CHAIN_X, CHAIN_XY, XY, X, Y
from nando.solvers.logic.sudoku_chains.sets import link_sets
from nando.solvers.logic.sudoku_finders.finding import ends_search
from nando.solvers.logic.sudoku_finders.state import WORD


@separate
@kernel
def list_chains(state, layout, finding, rating):
    """List the shortest cycle of each kind through each candidate, and the shortest chains.

    For each literal these are the shortest chain to its opposite on one digit, and the shortest of
    all its chains to its opposite.
    """
    graph = list_implications(layout, state.candidates, state.positions)
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

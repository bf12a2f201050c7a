"""Forcing chains from several assumptions, one of which must hold, or from one that cannot."""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.solvers.logic.chains.assumptions import NISHIO, assume
from nando.solvers.logic.chains.deductions import (
    FIRST_PARENT,
    N_PARENTS,
    clash_place,
    new_assumption,
)
from nando.solvers.logic.chains.implications import list_implications, longer
from nando.solvers.logic.chains.link_sets import add_link, note_links
from nando.solvers.logic.chains.starts import (
    CLASHES,
    CONTRADICTION,
    HOUSE_OF,
    KIND,
    LENGTH,
    N_SOURCES,
    NONE,
    ON,
    SOURCES,
    START,
    TARGET,
    compare,
    keep,
    list_starts,
    new_best,
    new_workspace,
    next_best,
)
from nando.solvers.logic.finders.finding import add_house, begin, ends_search, remove


@kernel
def find_forcing(state, grid, finding, kind, rating):
    """Find the shortest forcing chains whose assumptions are of a kind without nested chains.

    If all steps are listed, list the shortest chains for each candidate that they remove.
    """
    graph = list_implications(grid, state.candidates, state.positions)
    assumption = new_assumption(grid, graph.n, 0)
    kept, starts = new_workspace(grid, graph.n)
    best = new_best(finding, graph.n)
    follow_starts(state, grid, graph, assumption, kept, starts, best, kind)
    walk = np.empty((3, 2 * graph.n + 1), np.int64)
    i = next_best(best, -1)
    while i >= 0:
        _write(state, grid, finding, graph, assumption, starts[best[i, START]], best[i], kind, walk)
        end_step(state, grid, finding, graph, best[i], rating)
        if ends_search(finding):
            return True
        i = next_best(best, i)
    return False


@lean_kernel
def follow_starts(state, grid, graph, assumption, kept, starts, best, kind):
    """Follow the assumptions of all starts, and compare their consequences.

    An assumption ends early if it can no longer be the best, unless the best chain of each
    candidate is kept.
    """
    ends = kept[0]
    slack = NONE if best.shape[0] > 1 else 0
    n_starts = list_starts(grid, state.candidates, state.positions, graph, starts, kind)
    for start in range(n_starts):
        for j in range(starts[start, N_SOURCES]):
            literal = starts[start, SOURCES + j]
            if ends[literal, ON] >= 0:
                continue
            if kind == NISHIO and literal & 1 == 0 and not _has_link(graph, literal >> 1):
                ends[literal, CLASHES] = 0
                continue
            assume(state, grid, graph, assumption, literal, kind, best[0, LENGTH] + slack)
            keep(assumption, kept, literal, graph.n, kind)
        compare(kept, starts, start, graph, best)


@inlined_kernel
def _has_link(graph, i):
    """Return True if a candidate that is off turns on another of its digit."""
    turns_on = False
    for k in range(1, graph.strong.shape[1]):
        turns_on |= graph.strong[i, k] >= 0
    return turns_on


@lean_kernel
def _write(state, grid, finding, graph, assumption, start, best, kind, walk):
    """Write the links of the best chains, following their assumptions again."""
    begin_step(finding, start, best)
    for source in start[SOURCES : SOURCES + start[N_SOURCES]]:
        assume(state, grid, graph, assumption, source, kind, best[LENGTH] + NONE)
        write_source(grid, finding, graph, assumption, best, walk)


@inlined_kernel
def begin_step(finding, start, best):
    """Begin to write the best chains, found from a row of the starts."""
    begin(finding, 0, 0)
    finding.head[0]["variant"] = best[KIND]
    if start[HOUSE_OF] >= 0:
        add_house(finding, start[HOUSE_OF])


@lean_kernel
def write_source(grid, finding, graph, assumption, best, walk):
    """Write the links from an assumption, which was just followed again, to its conclusion."""
    target = best[TARGET]
    for place in range(walk.shape[1]):
        walk[0, place] = 0
    if best[KIND] == CONTRADICTION:
        clash = assumption.counts[0]["clash"]
        _write_links(finding, graph, assumption, grid.size, clash ^ 1, clash ^ 1, walk)
        _write_links(finding, graph, assumption, grid.size, clash_place(assumption), clash, walk)
    else:
        _write_links(finding, graph, assumption, grid.size, target, target, walk)


@inlined_kernel
def end_step(state, grid, finding, graph, best, rating):
    """Write the rating and the eliminations of the best chains."""
    target = best[TARGET]
    finding.head[0]["rating"] = rating + longer(best[LENGTH])
    note_links(finding, grid.size)
    bit = 1 << graph.digit[target >> 1]
    proved = target & 1 == (best[KIND] != CONTRADICTION)
    remove(finding, state, graph.cell[target >> 1], ~bit if proved else bit)


@lean_kernel
def _write_links(finding, graph, assumption, size, place, end, walk):
    """Write the links that lead to literal `end`, stored at `place`, each after its own causes.

    Rows of `walk`: 1 for a literal whose links are written; the path that is walked back; and the
    number of parents tried for each literal on the path.
    """
    path = walk[1]
    tried = walk[2]
    path[0] = place
    tried[0] = 0
    walk[0, place] = 1
    depth = 0
    while depth >= 0:
        here = path[depth]
        if tried[depth] < assumption.parents_from[here, N_PARENTS]:
            parent = assumption.parents[assumption.parents_from[here, FIRST_PARENT] + tried[depth]]
            tried[depth] += 1
            if walk[0, parent] == 0:
                walk[0, parent] = 1
                depth += 1
                path[depth] = parent
                tried[depth] = 0
            continue
        for k in range(assumption.parents_from[here, N_PARENTS]):
            parent = assumption.parents[assumption.parents_from[here, FIRST_PARENT] + k]
            add_link(finding, graph, size, parent, end if here == place else here)
        depth -= 1

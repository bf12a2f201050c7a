"""Forcing chains: from several assumptions, one of which must hold, or from one that cannot.

If each candidate of a cell, or each position of a digit in a house, turns the same candidate on or
off, it is on or off. The same holds if a candidate does so both by being on and by being off. An
assumption that turns a candidate both on and off is wrong. First come the sets of assumptions and
the conclusions from comparing their results, then the search and the writing of a chain.
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.chains.assumptions import NISHIO, STATIC, assume
from nando.solvers.logic.chains.deductions import (
    FIRST_PARENT,
    N_PARENTS,
    clash_place,
    new_assumption,
)
from nando.solvers.logic.chains.link_sets import add_link, list_implications, longer, note_links
from nando.solvers.logic.finders.finding import add_house, begin, ends_search, remove
from nando.solvers.logic.finders.grid import kind_at

DOUBLE, CELLS_FORCE, HOUSE_FORCES, CONTRADICTION = range(1, 5)
"""Variants, in the order in which they are preferred among chains of the same length."""

VARIANT_OF, HOUSE_OF, N_SOURCES, SOURCES = range(4)
"""Columns of ``starts``: variant; house, or -1; number of assumptions; and these, as literals."""

LENGTH, KIND, START, TARGET = range(4)
"""Columns of ``best``: number of literals; variant; row of ``starts``; and the literal that is
proved, or disproved as assumption."""

OFF, ON, CLASHES = range(3)
"""Columns of the first array of ``kept``: numbers of literals of an assumption that are off, and
on, and of those behind a clash, 0 for none."""

NONE = 1 << 30
"""Length of a chain that was not found."""

_MOST = 1 << 14
"""Largest number of literals that ``kept`` stores; it replaces larger ones."""


@kernel
def new_workspace(grid, n):
    """Return workspace for a grid of `n` candidates: the results of assumptions, and the starts.

    The results, called ``kept``, are three arrays by assumption: numbers of literals, shape
    (2 * n, 3); the number of literals behind each literal, shape (2 * n, 2 * n); and the literals
    that are off, and on, in the order in which they were found, shape (2 * n, 2, n).
    """
    houses = grid.houses
    kept = (
        np.full((2 * n, 3), -1, np.int64),
        np.empty((2 * n, 2 * n), np.int16),
        np.empty((2 * n, 2, n), np.int16),
    )
    n_rows = 3 * n + houses.size + grid.n_cells
    starts = np.empty((n_rows, SOURCES + grid.size), np.int64)
    return kept, starts


@kernel
def new_best(finding, n):
    """Return an empty row for the best chain or, if all are listed, one for each candidate."""
    # A single row would stand for all candidates.
    return np.full((max(n, 2) if finding.head[0]["listed"] else 1, 4), NONE, np.int64)


@lean_kernel
def list_starts(grid, candidates, positions, graph, starts, kind):
    """List the assumptions to compare, cell by cell, as rows of `starts`; return their number.

    A cell starts the comparison of its candidates, and those of the positions of its digits in the
    houses in which it is the first position. Static assumptions skip cells with two candidates.
    Nishio searches only for contradictions.
    """
    size = grid.size
    n = 0
    for cell in range(grid.n_cells):
        width = n_bits(candidates[cell])
        if width < (3 if kind == STATIC else 2):
            continue
        left = candidates[cell]
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            on = 2 * graph.number[cell * size + digit] + 1
            if kind != STATIC:
                for literal in (on, on ^ 1):
                    _begin_start(starts, n, CONTRADICTION, -1)
                    _add_source(starts, n, literal)
                    n += 1
            if kind == NISHIO:
                continue
            if kind != STATIC and width > 2:
                _begin_start(starts, n, DOUBLE, -1)
                _add_source(starts, n, on)
                _add_source(starts, n, on ^ 1)
                n += 1
            for k in range(grid.house_of.shape[1]):
                house = grid.house_of[cell, kind_at(k)]
                if house < 0:
                    continue
                places = positions[house * size + digit]
                if places & (places - 1) == 0:
                    continue
                if grid.houses[house, lowest_bit(places)] == cell:
                    _begin_start(starts, n, HOUSE_FORCES, house)
                    while places:
                        other = grid.houses[house, lowest_bit(places)]
                        places &= places - 1
                        _add_source(starts, n, 2 * graph.number[other * size + digit] + 1)
                    n += 1
        if kind != NISHIO:
            _begin_start(starts, n, CELLS_FORCE, -1)
            left = candidates[cell]
            while left:
                _add_source(starts, n, 2 * graph.number[cell * size + lowest_bit(left)] + 1)
                left &= left - 1
            n += 1
    return n


@inlined_kernel
def _begin_start(starts, n, variant, house):
    starts[n, VARIANT_OF] = variant
    starts[n, HOUSE_OF] = house
    starts[n, N_SOURCES] = 0


@inlined_kernel
def _add_source(starts, n, literal):
    starts[n, SOURCES + starts[n, N_SOURCES]] = literal
    starts[n, N_SOURCES] += 1


@lean_kernel
def keep(assumption, kept, literal, n, kind):
    """Store the results of an assumption on a grid of `n` candidates."""
    ends, n_behind, queues = kept
    ends[literal, OFF] = assumption.n_queued[0]
    ends[literal, ON] = assumption.n_queued[1]
    ends[literal, CLASHES] = assumption.counts[0]["n_clash"]
    if kind == NISHIO:
        return
    for k in range(2 * n):
        n_behind[literal, k] = min(assumption.n_behind[k], _MOST)
    for on in range(2):
        for k in range(assumption.n_queued[on]):
            queues[literal, on, k] = assumption.queues[on, k]


@lean_kernel
def compare(kept, starts, start, graph, best):
    """Record the conclusions from the assumptions of a row that are better than those in `best`.

    `best` has a single row, or one for each candidate: the best chains that remove it.
    """
    ends, n_behind, queues = kept
    variant = starts[start, VARIANT_OF]
    first = starts[start, SOURCES]
    if variant == CONTRADICTION:
        if ends[first, CLASHES]:
            _note(best, graph, ends[first, CLASHES], variant, start, first, first ^ 1)
        return
    several = best.shape[0] > 1
    for on in range(1, -1, -1):
        for k in range(ends[first, on]):
            literal = int(queues[first, on, k])
            length = int(n_behind[first, literal])
            limit = best[literal >> 1 if several else 0, LENGTH]
            for j in range(1, starts[start, N_SOURCES]):
                behind = int(n_behind[starts[start, SOURCES + j], literal])
                length += behind if behind else 2 * NONE
                if length > limit and not (several and on):
                    break
            _note(best, graph, length, variant, start, literal, literal)


@inlined_kernel
def _note(best, graph, length, variant, start, target, proved):
    """Record a step that proves a literal."""
    if best.shape[0] == 1:
        _take_shorter(best[0], length, variant, start, target)
    elif proved & 1 == 0:
        _take_shorter(best[proved >> 1], length, variant, start, target)
    elif length < NONE:
        i = proved >> 1
        for k in range(graph.weak_from[i], graph.peers_from[i]):
            _take_shorter(best[graph.weak[k]], length, variant, start, target)


@inlined_kernel
def _take_shorter(best, length, variant, start, target):
    """Keep a step as the best if it is shorter, or as short and of a preferred variant."""
    if length < best[LENGTH] or (length == best[LENGTH] and variant < best[KIND]):
        best[LENGTH] = length
        best[KIND] = variant
        best[START] = start
        best[TARGET] = target


@lean_kernel
def next_best(best, i):
    """Return the index of the row of `best` that follows row `i` in ascending order, or -1.

    Begin with `i` = -1. Equal rows are returned once, and empty rows are skipped.
    """
    following = -1
    for j in range(best.shape[0]):
        if best[j, LENGTH] == NONE or (i >= 0 and not _precedes(best[i], best[j])):
            continue
        if following < 0 or _precedes(best[j], best[following]):
            following = j
    return following


@inlined_kernel
def _precedes(row, other):
    """Return True if a row comes before another in lexicographic order."""
    for k in range(row.size):
        if row[k] != other[k]:
            return row[k] < other[k]
    return False


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

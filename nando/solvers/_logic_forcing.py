"""Forcing chains from several assumptions of which one must hold, or from one that cannot.

A candidate that each candidate of a cell, or each position of a digit in a house, turns on or off
is on or off. So is what a candidate turns on or off by being on as well as by being off. And an
assumption that turns a candidate both on and off is wrong.
"""

import numpy as np

from nando.puzzles._bits import lowest_bit, n_bits
from nando.puzzles._kernel import inlined_kernel, kernel, lean_kernel
from nando.solvers._logic_assumptions import NISHIO, STATIC, assume
from nando.solvers._logic_chains import add_link, note_links
from nando.solvers._logic_deductions import CLASH, N_CLASH, N_OFF, N_ON, new_assumption
from nando.solvers._logic_implications import KINDS, list_implications, longer
from nando.solvers._logic_state import VARIANT, add_house, begin, remove

DOUBLE, CELLS_FORCE, HOUSE_FORCES, CONTRADICTION = range(1, 5)
"""Variants, in the order in which they are preferred among chains of the same length."""

_LENGTH, _VARIANT, _ORIGIN, _TARGET = range(4)
"""What is known of the best: its number of literals; the variant; the number of the cell, house
and digit or candidate it starts from; and the literal it proves, or disproves as assumption."""

_OFF, _ON, _CLASHES = range(3)
"""What is kept of an assumption: numbers of literals that are off and on, and those behind a
clash, 0 for none."""


@kernel
def find_forcing(state, layout, finding, kind, rating):
    """The shortest forcing chains, seen with assumptions of a kind.

    Static ones start from cells with more than two candidates, and digits that have their first
    position in a house there. Nishio looks for contradictions alone.
    """
    size = layout.size
    graph = list_implications(layout, state.candidates, state.positions)
    n = graph.n
    made = new_assumption(layout, n)
    kept = (
        np.full((2 * n, 3), -1, np.int64),
        np.empty((2 * n, 2 * n), np.int16),
        np.empty((2 * n, 2, n), np.int16),
    )
    best = np.full(4, 1 << 30, np.int64)
    sources = np.empty(size, np.int64)
    _search(state, layout, graph, made, kept, sources, best, kind)
    if best[_LENGTH] == 1 << 30:
        return False
    _write(state, layout, finding, graph, made, sources, best, kind, rating)
    return True


@lean_kernel
def _search(state, layout, graph, made, kept, sources, best, kind):
    """Follow the assumptions from every cell and house and compare what they lead to."""
    size = layout.size
    for cell in range(layout.n_cells):
        digits = state.candidates[cell]
        width = n_bits(digits)
        if width < (3 if kind == STATIC else 2):
            continue
        left = digits
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            i = graph.number[cell * size + digit]
            on = 2 * i + 1
            _follow(state, layout, graph, made, kept, on, kind, best[_LENGTH])
            if kind != STATIC:
                _follow(state, layout, graph, made, kept, on ^ 1, kind, best[_LENGTH])
                for literal in (on, on ^ 1):
                    if kept[0][literal, _CLASHES]:
                        _compare(best, kept[0][literal, _CLASHES], CONTRADICTION, i, literal)
            if kind == NISHIO:
                continue
            if kind != STATIC and width > 2:
                sources[0] = on
                sources[1] = on ^ 1
                _meet(kept, sources, 2, best, DOUBLE, i)
            for k in range(3):
                house = layout.house_of[cell, KINDS[k]]
                positions = state.positions[house * size + digit]
                first = lowest_bit(positions)
                if positions & (positions - 1) == 0 or layout.houses[house, first] != cell:
                    continue
                m = _positions_of(state, layout, graph, sources, house, digit)
                for source in sources[:m]:
                    _follow(state, layout, graph, made, kept, source, kind, best[_LENGTH])
                _meet(kept, sources, m, best, HOUSE_FORCES, house * size + digit)
        if kind != NISHIO:
            m = _candidates_of(state, graph, sources, cell, size)
            _meet(kept, sources, m, best, CELLS_FORCE, cell)


@inlined_kernel
def _positions_of(state, layout, graph, sources, house, digit):
    """List the assumptions that the digit stands at each of its positions: how many."""
    m = 0
    left = state.positions[house * layout.size + digit]
    while left:
        cell = layout.houses[house, lowest_bit(left)]
        left &= left - 1
        sources[m] = 2 * graph.number[cell * layout.size + digit] + 1
        m += 1
    return m


@inlined_kernel
def _candidates_of(state, graph, sources, cell, size):
    """List the assumptions that each candidate of a cell is true: how many."""
    m = 0
    left = state.candidates[cell]
    while left:
        sources[m] = 2 * graph.number[cell * size + lowest_bit(left)] + 1
        left &= left - 1
        m += 1
    return m


@lean_kernel
def _follow(state, layout, graph, made, kept, literal, kind, bound):
    """Follow an assumption, unless that is done, and keep what it leads to."""
    ends, n_behind, queues = kept
    if ends[literal, _ON] >= 0:
        return
    if kind == NISHIO and literal & 1 == 0 and not _has_link(graph, literal >> 1):
        ends[literal, _CLASHES] = 0
        return
    assume(state, layout, graph, made, literal, kind, bound)
    counts = made.counts
    ends[literal, _OFF] = counts[N_OFF]
    ends[literal, _ON] = counts[N_ON]
    ends[literal, _CLASHES] = counts[N_CLASH]
    if kind == NISHIO:
        return
    for k in range(2 * graph.n):
        n_behind[literal, k] = made.n_behind[k]
    for k in range(counts[N_OFF]):
        queues[literal, 0, k] = made.queues[0, k]
    for k in range(counts[N_ON]):
        queues[literal, 1, k] = made.queues[1, k]


@inlined_kernel
def _has_link(graph, i):
    """Whether a candidate that is off turns on another of its digit."""
    found = False
    for k in range(1, 4):
        found |= graph.strong[i, k] >= 0
    return found


@inlined_kernel
def _compare(best, length, variant, origin, target):
    """Take a step for the best where it is shorter, or as short and preferred."""
    if length < best[_LENGTH] or (length == best[_LENGTH] and variant < best[_VARIANT]):
        best[_LENGTH] = length
        best[_VARIANT] = variant
        best[_ORIGIN] = origin
        best[_TARGET] = target


@lean_kernel
def _meet(kept, sources, m, best, variant, origin):
    """Compare all that each of some assumptions leads to."""
    ends, n_behind, queues = kept
    first = sources[0]
    for on in range(1, -1, -1):
        for k in range(ends[first, on]):
            literal = int(queues[first, on, k])
            length = int(n_behind[first, literal])
            for j in range(1, m):
                behind = int(n_behind[sources[j], literal])
                length += behind if behind else 1 << 30
                if length > best[_LENGTH]:
                    break
            _compare(best, length, variant, origin, literal)


@kernel
def _write(state, layout, finding, graph, made, sources, best, kind, rating):
    """Write the best, its assumptions followed anew."""
    size = layout.size
    begin(finding, rating + longer(best[_LENGTH]), 0)
    variant = best[_VARIANT]
    origin = best[_ORIGIN]
    target = best[_TARGET]
    finding.head[VARIANT] = variant
    m = 1
    if variant == CONTRADICTION:
        sources[0] = target
    elif variant == DOUBLE:
        sources[0] = 2 * origin + 1
        sources[1] = 2 * origin
        m = 2
    elif variant == CELLS_FORCE:
        m = _candidates_of(state, graph, sources, origin, size)
    else:
        m = _positions_of(state, layout, graph, sources, origin // size, origin % size)
        add_house(finding, origin // size)
    told = np.zeros((3, 2 * graph.n + 1), np.int64)
    for source in sources[:m]:
        assume(state, layout, graph, made, source, kind, 1 << 30)
        told[0] = 0
        if variant == CONTRADICTION:
            clash = made.counts[CLASH]
            _write_links(finding, graph, made, size, clash ^ 1, clash ^ 1, told)
            _write_links(finding, graph, made, size, made.n_behind.size - 1, clash, told)
        else:
            _write_links(finding, graph, made, size, target, target, told)
    note_links(finding, size)
    bit = 1 << graph.digit[target >> 1]
    proved = target & 1 == (variant != CONTRADICTION)
    remove(finding, state, graph.cell[target >> 1], ~bit if proved else bit)


@lean_kernel
def _write_links(finding, graph, made, size, place, end, told):
    """Write the links that lead to a literal, kept at a place, each after those before it.

    Rows of `told`: whether those to a literal are written; and the path that is walked back, with
    how many parents of each of its literals were tried.
    """
    path = told[1]
    tried = told[2]
    path[0] = place
    tried[0] = 0
    told[0, place] = 1
    depth = 0
    while depth >= 0:
        here = path[depth]
        if tried[depth] < made.parents_from[here, 1]:
            parent = made.parents[made.parents_from[here, 0] + tried[depth]]
            tried[depth] += 1
            if told[0, parent] == 0:
                told[0, parent] = 1
                depth += 1
                path[depth] = parent
                tried[depth] = 0
            continue
        for k in range(made.parents_from[here, 1]):
            parent = made.parents[made.parents_from[here, 0] + k]
            add_link(finding, graph, size, parent, end if here == place else here)
        depth -= 1

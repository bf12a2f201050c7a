"""Assumptions of which one must hold, or which may contradict themselves, and what they lead to.

A candidate that each candidate of a cell, or each position of a digit in a house, turns on or off
is on or off. So is what a candidate turns on or off by being on as well as by being off. And an
assumption that turns a candidate both on and off is wrong.
"""

import numpy as np

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.solvers.logic.sudoku_chains.assumptions import NISHIO, STATIC
from nando.solvers.logic.sudoku_finders.state import kind_at

DOUBLE, CELLS_FORCE, HOUSE_FORCES, CONTRADICTION = range(1, 5)
"""Variants, in the order in which they are preferred among chains of the same length."""

VARIANT_OF, HOUSE_OF, N_SOURCES, SOURCES = range(4)
"""Columns of ``starts``: variant; house, or -1; and the assumptions, as literals."""

LENGTH, KIND, START, TARGET = range(4)
"""Columns of ``best``: number of literals; variant; row of ``starts``; and the literal that is
proved, or disproved as assumption."""

OFF, ON, CLASHES = range(3)
"""What is kept of an assumption: numbers of literals that are off and on, and those behind a
clash, 0 for none."""

NONE = 1 << 30
"""Length of a chain that was not found."""

_MOST = 1 << 14
"""Larger numbers of literals are kept as this one."""


@kernel
def new_room(layout, n):
    """Return room for what the assumptions on a grid of `n` candidates lead to, and for a list."""
    houses = layout.houses
    kept = (
        np.full((2 * n, 3), -1, np.int64),
        np.empty((2 * n, 2 * n), np.int16),
        np.empty((2 * n, 2, n), np.int16),
    )
    n_rows = 3 * n + houses.size + layout.n_cells
    starts = np.empty((n_rows, SOURCES + layout.size), np.int64)
    return kept, starts


@kernel
def new_best(finding, n):
    """Return room for the best chain or, if all steps are listed, for that of each candidate."""
    # A single row would stand for all candidates.
    return np.full((max(n, 2) if finding.head[0]["listed"] else 1, 4), NONE, np.int64)


@lean_kernel
def list_starts(layout, candidates, positions, graph, starts, kind):
    """List what to assume, cell by cell; return the number of rows.

    Static assumptions start from cells with more than two candidates, and digits that have their
    first position in a house there. Nishio looks for contradictions alone.
    """
    size = layout.size
    n = 0
    for cell in range(layout.n_cells):
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
            for k in range(layout.house_of.shape[1]):
                house = layout.house_of[cell, kind_at(k)]
                if house < 0:
                    continue
                places = positions[house * size + digit]
                if places & (places - 1) == 0:
                    continue
                if layout.houses[house, lowest_bit(places)] == cell:
                    _begin_start(starts, n, HOUSE_FORCES, house)
                    while places:
                        other = layout.houses[house, lowest_bit(places)]
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
def keep(made, kept, literal, n, kind):
    """Keep what an assumption on a grid of `n` candidates has led to."""
    ends, n_behind, queues = kept
    ends[literal, OFF] = made.n_queued[0]
    ends[literal, ON] = made.n_queued[1]
    ends[literal, CLASHES] = made.counts[0]["n_clash"]
    if kind == NISHIO:
        return
    for k in range(2 * n):
        n_behind[literal, k] = min(made.n_behind[k], _MOST)
    for on in range(2):
        for k in range(made.n_queued[on]):
            queues[literal, on, k] = made.queues[on, k]


@lean_kernel
def compare(kept, starts, start, graph, best):
    """Note what the assumptions of a row prove if it is shorter than what `best` has.

    `best` has a single row, or one for each candidate: the best that removes it.
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
    """Note a step that proves a literal."""
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
    """Return which row of `best` follows row `i` in ascending order, or -1 for none.

    It starts with `i` = -1, takes equal rows once and leaves out those of nothing found.
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

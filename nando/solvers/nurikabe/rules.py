"""Propagation for Nurikabe: rules colour cells until none of them finds another one."""

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.nurikabe.reach import colour_cuts, reach_cells
from nando.solvers.nurikabe.state import (
    HEAD,
    N_PARTS,
    N_SET,
    OPEN,
    STAMP,
    colour_cell,
    island_if_white,
    label_part,
)

LOCAL = 0
"""Degree with the rules of pools, and of parts that are full, touch, or have one exit."""
RULES = 1
"""Degree with all rules, including the reach of islands and the connection of the river."""


@lean_kernel
def propagate(state, degree, most):
    """Colour the cells that the rules of a degree demand; return False at a contradiction.

    At degree LOCAL, it also ends once `most` cells are coloured in all.
    """
    counts = state.counts
    while True:
        if not _break_pools(state):
            return False
        before = counts[N_SET]
        if not _label_parts(state):
            return False
        if degree == LOCAL and (counts[N_SET] == before or counts[N_SET] >= most):
            return True
        if counts[N_SET] > before:
            continue
        if counts[N_SET] == state.n_cells or counts[BLACK] > 0:
            if not join_river(state):
                return False
            if counts[N_SET] > before:
                continue
        if counts[N_SET] == state.n_cells:
            return True
        if not reach_cells(state):
            return False
        if counts[N_SET] > before:
            continue
        return True


@lean_kernel
def _break_pools(state):
    """Colour the last cells of 2x2 blocks white; return False if a block is black.

    Only blocks around cells coloured since the last call are examined.
    """
    colour = state.colour
    counts = state.counts
    while counts[HEAD] < counts[N_SET]:
        cell = state.trail[counts[HEAD]]
        counts[HEAD] += 1
        if colour[cell] != BLACK:
            continue
        for down in (-state.width, state.width):
            for right in (-1, 1):
                a, b, c = cell + down, cell + right, cell + down + right
                n_black = 0
                opening = 0
                for other in (a, b, c):
                    if colour[other] == BLACK:
                        n_black += 1
                    elif colour[other] == OPEN:
                        opening = other
                if n_black == 3:
                    return False
                if n_black == 2 and opening:
                    colour_cell(state, opening, WHITE)
    return True


@lean_kernel
def _label_parts(state):
    """Find the parts of joined white cells; close those that are full, extend those with one exit.

    Open cells that would join two islands, or make one too large, become black. Return False at a
    contradiction.
    """
    colour = state.colour
    counts = state.counts
    part = state.part
    members = state.members
    steps = (-state.width, -1, 1, state.width)
    n_set = counts[N_SET]
    for i in range(n_set):
        part[state.trail[i]] = 0
    n_parts = 0
    tail = 0
    n_pending = 0
    for i in range(n_set):
        start = state.trail[i]
        if colour[start] != WHITE or part[start] > 0:
            continue
        n_parts += 1
        first = tail
        tail, exit, n_exits, island = label_part(state, start, n_parts, first)
        if island < 0:
            return False
        size = tail - first
        wanted = state.wanted[island]
        if wanted > 0:
            if size > wanted:
                return False
            if size == wanted:
                if exit > 0:
                    for j in range(first, tail):
                        for step in steps:
                            if colour[members[j] + step] == OPEN:
                                colour_cell(state, members[j] + step, BLACK)
                continue
        elif size > state.largest:
            return False
        if wanted >= 0:
            if exit == 0:
                return False
            if n_exits == 1:
                state.growth.queue[n_pending] = exit
                n_pending += 1
    state.first[n_parts + 1] = tail
    counts[N_PARTS] = n_parts
    for i in range(n_pending):
        if not colour_cell(state, state.growth.queue[i], WHITE):
            return False
    if state.n_white >= 0 and (
        counts[WHITE] > state.n_white or counts[BLACK] > state.n_cells - state.n_white
    ):
        return False
    if counts[N_SET] == n_set:
        _touch_islands(state)
    return True


@lean_kernel
def _touch_islands(state):
    """Blacken cells that would join two islands or make one too large; set `touch` of others."""
    colour = state.colour
    for cell in range(state.width, colour.size - state.width):
        if colour[cell] != OPEN:
            continue
        island = island_if_white(state, cell)
        if island < 0:
            colour_cell(state, cell, BLACK)
        state.touch[cell] = island


@lean_kernel
def join_river(state):
    """Colour cells black that the river needs to be joined, and white those it cannot reach.

    Return False at a contradiction.
    """
    colour = state.colour
    counts = state.counts
    counts[STAMP] += 1
    stamp = counts[STAMP]
    n_region = state.n_cells - counts[WHITE]
    root = 0
    for cell in range(state.width, colour.size - state.width):
        if colour[cell] == OPEN or colour[cell] == BLACK:
            state.growth.mark[cell] = stamp
            if colour[cell] == BLACK:
                root = cell
    if root == 0:
        return True
    needed = state.n_cells - state.n_white if state.n_white >= 0 else 0
    n_black = counts[BLACK]
    n_seen, n_must = colour_cuts(state, stamp, root, BLACK, 0, needed)
    if n_must < n_black or n_seen < needed:
        return False
    if n_seen < n_region:
        for cell in range(state.width, colour.size - state.width):
            if colour[cell] == OPEN and state.seen[cell] != stamp:
                colour_cell(state, cell, WHITE)
    return True

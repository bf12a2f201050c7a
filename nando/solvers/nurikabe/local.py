"""What a person sees at a glance in a Nurikabe: the rules at one cell, 2x2 block or group.

A cell is black where it

* is farther from every number than its island could grow, cell by cell in a straight count,
* touches a complete island or two islands, or would make one too large,
* is the only exit of a river group that cannot be all of the river, or
* is left when all islands are complete;

and white where it

* would complete a black 2x2 block,
* is the only exit of an island, or of joined white cells, that must grow, or
* is left when the river has all its cells.

Unlike the rules of the exact search, these do not find cells that all ways of growing share, nor
cells whose colour would cut the river in two elsewhere on the board.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, UNKNOWN, WHITE, Nurikabe
from nando.solvers.nurikabe import state as nurikabe

# Indices in `tally`.
FOUND = 0
BROKEN = 1


class LocalRules(NamedTuple):
    """Facts of a puzzle that the rules use, and the colours that they demand."""

    far: NDArray[np.bool_]
    """True for each cell of the walled board that is out of reach of every number."""
    demanded: NDArray[np.int8]
    """The colour that a rule demands for each cell of the walled board, 0 for none."""
    found: NDArray[np.int32]
    """List of the cells with a demanded colour."""
    tally: NDArray[np.int64]
    """`FOUND`: the number of these cells; `BROKEN`: 1 if a rule is broken, else 0."""


def local_rules(puzzle: Nurikabe, state: nurikabe.NurikabeState) -> LocalRules:
    """Return the workspace of the rules."""
    numbered = np.flatnonzero(puzzle.numbers)
    numbers = puzzle.numbers[numbered].astype(np.int64)
    reach = np.where(numbers == UNKNOWN, puzzle.n_cells, numbers - 1)
    row, column = np.divmod(np.arange(puzzle.n_cells), puzzle.shape[1])
    far = np.ones(state.colour.size, np.bool_)
    away = np.abs(row[:, None] - row[numbered]) + np.abs(column[:, None] - column[numbered])
    far[nurikabe.walled_cells(puzzle.shape)] = (away > reach).all(axis=1)
    demanded = np.zeros(state.colour.size, np.int8)
    return LocalRules(far, demanded, np.zeros(puzzle.n_cells, np.int32), np.zeros(2, np.int64))


@lean_kernel
def find_local(state, local):
    """Find the cells whose colour a rule demands.

    Return their number, or -1 if the rules are broken.
    """
    # Remove the results of the last call.
    for i in range(local.tally[FOUND]):
        local.demanded[local.found[i]] = nurikabe.OPEN
    local.tally[FOUND] = 0
    local.tally[BROKEN] = _label_groups(state)
    if local.tally[BROKEN] == 0:
        _at_groups(state, local)
        _at_cells(state, local)
        _at_blocks(state, local)
    return -1 if local.tally[BROKEN] else local.tally[FOUND]


@lean_kernel
def _demand(local, cell, colour):
    """Record a demanded colour; if the other one is demanded, too, record a broken rule."""
    if local.demanded[cell] == nurikabe.OPEN:
        local.demanded[cell] = colour
        local.found[local.tally[FOUND]] = cell
        local.tally[FOUND] += 1
    elif local.demanded[cell] != colour:
        local.tally[BROKEN] = 1


@lean_kernel
def _label_groups(state):
    """Label the groups of joined cells of one colour; return 1 if one has two numbers, else 0.

    Each group is a part in the arrays of the state: `owner` is its island, `part_reach` the number
    of its open neighbours, up to two, and `part_last` the first of them.
    """
    counts = state.counts
    n_groups = 0
    tail = 0
    for i in range(counts[nurikabe.N_SET]):
        state.part[state.trail[i]] = 0
    for i in range(counts[nurikabe.N_SET]):
        start = state.trail[i]
        if state.part[start] > 0:
            continue
        n_groups += 1
        tail, exit, n_exits, island = nurikabe.label_part(state, start, n_groups, tail)
        if island < 0:
            return 1
        state.part_reach[n_groups] = n_exits
        state.part_last[n_groups] = exit
    state.first[n_groups + 1] = tail
    counts[nurikabe.N_PARTS] = n_groups
    return 0


@lean_kernel
def _at_groups(state, local):
    """Demand the only exits of groups, and black cells around complete islands."""
    counts = state.counts
    n_black = state.n_cells - state.n_white if state.n_white >= 0 else counts[BLACK]
    if state.n_white >= 0 and (counts[WHITE] > state.n_white or counts[BLACK] > n_black):
        local.tally[BROKEN] = 1
        return
    for group in range(1, counts[nurikabe.N_PARTS] + 1):
        size = state.size[group]
        wanted = state.wanted[state.owner[group]]
        own = int(state.colour[state.members[state.first[group]]])
        if own == BLACK:
            # A group of the size of all black cells may be the whole river.
            grows = size < max(n_black, counts[BLACK])
        elif wanted > 0 and size >= wanted:
            grows = False
            if size > wanted:
                local.tally[BROKEN] = 1
            for i in range(state.first[group], state.first[group + 1]):
                for step in (-state.width, -1, 1, state.width):
                    if state.colour[state.members[i] + step] == nurikabe.OPEN:
                        _demand(local, state.members[i] + step, BLACK)
        else:
            # An island of unknown size may be complete.
            grows = wanted >= 0
        if grows and state.part_reach[group] == 0:
            local.tally[BROKEN] = 1
        elif grows and state.part_reach[group] == 1:
            _demand(local, state.part_last[group], own)


@lean_kernel
def _at_cells(state, local):
    """Demand the colours of cells out of reach, next to islands, or left at the end."""
    counts = state.counts
    n_complete = 0
    for group in range(1, counts[nurikabe.N_PARTS] + 1):
        wanted = state.wanted[state.owner[group]]
        n_complete += wanted > 0 and state.size[group] == wanted
    all_white = counts[WHITE] == state.n_white or n_complete == state.n_islands
    all_black = state.n_white >= 0 and counts[BLACK] == state.n_cells - state.n_white
    for cell in range(state.width, state.colour.size - state.width):
        if state.colour[cell] != nurikabe.OPEN:
            continue
        if local.far[cell] or all_white or nurikabe.island_if_white(state, cell) < 0:
            _demand(local, cell, BLACK)
        if all_black:
            _demand(local, cell, WHITE)


@lean_kernel
def _at_blocks(state, local):
    """Demand white for the last open cell of a 2x2 block that would be black."""
    colour = state.colour
    for cell in range(state.width, colour.size - 2 * state.width):
        n_black = 0
        opening = 0
        for other in (cell, cell + 1, cell + state.width, cell + state.width + 1):
            if colour[other] == BLACK:
                n_black += 1
            elif colour[other] == nurikabe.OPEN:
                opening = other
        if n_black == 4:
            local.tally[BROKEN] = 1
        elif n_black == 3 and opening > 0:
            _demand(local, opening, WHITE)

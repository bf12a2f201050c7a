"""What a person sees at a glance in a Nurikabe: the rules at one cell, 2x2 block or group.

A cell is black where it

* is farther from every number than its island could grow, cell by cell in a straight count,
* touches a complete island or two islands, or would make one too large,
* is the only way on of a river group that cannot be all of the river, or
* is left when all islands are complete;

and white where it

* would complete a black 2x2 block,
* is the only way on of an island, or of white cells, that lack cells, or
* is left when the river has all its cells.

Unlike the rules of the exact search, these look neither at what every way of growing has in
common nor at what would cut the river in two farther away.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel, separate
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.puzzles.nurikabe_text import UNKNOWN
from nando.solvers.nurikabe.joined import exits_of, flood, island_if_white
from nando.solvers.nurikabe.state import N_PARTS, N_SET, OPEN, NurikabeState, walled_cells

# Places of `tally`.
FOUND = 0
BROKEN = 1


class LocalRules(NamedTuple):
    """What the rules know of a puzzle, and what they find."""

    far: NDArray[np.bool_]
    """By cell of the walled board: whether it is out of reach of every number."""
    demanded: NDArray[np.int8]
    """By cell of the walled board: the colour that a rule demands, 0 for none ..."""
    found: NDArray[np.int32]
    """... and those cells."""
    tally: NDArray[np.int64]
    """How many they are; 1 where a rule is broken, else 0."""


def local_rules(puzzle: Nurikabe, state: NurikabeState) -> LocalRules:
    """Return the workspace of the rules."""
    numbered = np.flatnonzero(puzzle.numbers)
    numbers = puzzle.numbers[numbered].astype(np.int64)
    reach = np.where(numbers == UNKNOWN, puzzle.n_cells, numbers - 1)
    row, column = np.divmod(np.arange(puzzle.n_cells), puzzle.shape[1])
    far = np.ones(state.colour.size, np.bool_)
    away = np.abs(row[:, None] - row[numbered]) + np.abs(column[:, None] - column[numbered])
    far[walled_cells(puzzle.shape)] = (away > reach).all(axis=1)
    demanded = np.zeros(state.colour.size, np.int8)
    return LocalRules(far, demanded, np.zeros(puzzle.n_cells, np.int32), np.zeros(2, np.int64))


@separate
@lean_kernel
def find_local(state, local):
    """Find the cells whose colour a rule demands.

    Return their number, or -1 where the rules are broken.
    """
    # What the last call found.
    for i in range(local.tally[FOUND]):
        local.demanded[local.found[i]] = OPEN
    local.tally[FOUND] = 0
    local.tally[BROKEN] = _label_groups(state)
    if local.tally[BROKEN] == 0:
        _at_groups(state, local)
        _at_cells(state, local)
        _at_blocks(state, local)
    return -1 if local.tally[BROKEN] else local.tally[FOUND]


@lean_kernel
def _demand(local, cell, colour):
    """Note a colour, or that a rule is broken where the other one is demanded too."""
    if local.demanded[cell] == OPEN:
        local.demanded[cell] = colour
        local.found[local.tally[FOUND]] = cell
        local.tally[FOUND] += 1
    elif local.demanded[cell] != colour:
        local.tally[BROKEN] = 1


@lean_kernel
def _label_groups(state):
    """Return the number the groups of joined cells of one colour.

    1 where one has two numbers, else 0.

    By group: `owner` is its island, `part_reach` its open neighbours, up to two, and `part_last`
    the first of them.
    """
    colour, width, members = state.colour, state.width, state.members
    counts = state.counts
    n_groups = 0
    tail = 0
    for i in range(counts[N_SET]):
        state.part[state.trail[i]] = 0
    for i in range(counts[N_SET]):
        start = state.trail[i]
        if state.part[start] > 0:
            continue
        n_groups += 1
        first = tail
        own = 1 << int(colour[start])
        tail = flood(colour, width, own, state.part, n_groups, members, start, first, members.size)
        exit, n_exits = exits_of(colour, width, members, first, tail)
        island = 0
        if own == 1 << WHITE:
            for j in range(first, tail):
                numbered = state.island_at[members[j]]
                if numbered > 0:
                    if island > 0:
                        return 1
                    island = numbered
        state.size[n_groups] = tail - first
        state.first[n_groups] = first
        state.owner[n_groups] = island
        state.part_reach[n_groups] = n_exits
        state.part_last[n_groups] = exit
    state.first[n_groups + 1] = tail
    counts[N_PARTS] = n_groups
    return 0


@lean_kernel
def _at_groups(state, local):
    """Ways on, and cells around complete islands."""
    counts = state.counts
    n_black = state.n_cells - state.n_white if state.n_white >= 0 else counts[BLACK]
    if state.n_white >= 0 and (counts[WHITE] > state.n_white or counts[BLACK] > n_black):
        local.tally[BROKEN] = 1
        return
    for group in range(1, counts[N_PARTS] + 1):
        size = state.size[group]
        wanted = state.wanted[state.owner[group]]
        own = int(state.colour[state.members[state.first[group]]])
        if own == BLACK:
            # All the river there is now may be all there is.
            grows = size < max(n_black, counts[BLACK])
        elif wanted > 0 and size >= wanted:
            grows = False
            if size > wanted:
                local.tally[BROKEN] = 1
            for i in range(state.first[group], state.first[group + 1]):
                for step in (-state.width, -1, 1, state.width):
                    if state.colour[state.members[i] + step] == OPEN:
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
    """Decide cells out of reach, next to islands, or left at the end."""
    counts = state.counts
    n_complete = 0
    for group in range(1, counts[N_PARTS] + 1):
        wanted = state.wanted[state.owner[group]]
        n_complete += wanted > 0 and state.size[group] == wanted
    all_white = counts[WHITE] == state.n_white or n_complete == state.n_islands
    all_black = state.n_white >= 0 and counts[BLACK] == state.n_cells - state.n_white
    for cell in range(state.width, state.colour.size - state.width):
        if state.colour[cell] != OPEN:
            continue
        if local.far[cell] or all_white or island_if_white(state, cell) < 0:
            _demand(local, cell, BLACK)
        if all_black:
            _demand(local, cell, WHITE)


@lean_kernel
def _at_blocks(state, local):
    """White where a block would be black."""
    colour = state.colour
    for cell in range(state.width, colour.size - 2 * state.width):
        n_black = 0
        opening = 0
        for other in (cell, cell + 1, cell + state.width, cell + state.width + 1):
            if colour[other] == BLACK:
                n_black += 1
            elif colour[other] == OPEN:
                opening = other
        if n_black == 4:
            local.tally[BROKEN] = 1
        elif n_black == 3 and opening > 0:
            _demand(local, opening, WHITE)

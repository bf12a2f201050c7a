"""What the techniques for Nurikabe look at: groups of joined cells, and the step they write down.

The board is a :class:`nando.solvers.nurikabe.state.NurikabeState`, of which the techniques use
colours, numbers and totals only; its parts belong to the rules of the exact search.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.nurikabe.joined import Growth, flood, new_growth
from nando.solvers.nurikabe.state import OPEN, NurikabeState

# Places of `counts`.
N_GROUPS = 0
STAMP = 1
N_QUEUE = 2
"""Open cells in the queue of the growth: those that the last island can grow to."""
N_LOOSE = 3
"""Groups in `loose` of the growth: those that it meets on the way."""
N_COUNTS = 4

SEVERAL = -1


class Groups(NamedTuple):
    """Joined cells of one colour, and workspace. Groups are numbered from 1; 0 stands for none.

    Arrays are by cell of the walled board where nothing else is said.
    """

    counts: NDArray[np.int64]
    part: NDArray[np.int32]
    """The group of a coloured cell."""
    members: NDArray[np.int32]
    """Cells group by group ..."""
    first: NDArray[np.int32]
    """... by group: where its cells begin."""
    size: NDArray[np.int32]
    island: NDArray[np.int32]
    """By group: the island whose number is in it."""
    owner: NDArray[np.int32]
    """By group: that island, or the only one that can grow to it where reach was looked at."""
    n_liberties: NDArray[np.int32]
    """By group: open cells next to it ..."""
    liberty: NDArray[np.int32]
    """... and the first of them."""
    reach: NDArray[np.int32]
    """Islands that can grow to an open cell ..."""
    last: NDArray[np.int32]
    """... and the last of those."""
    group_reach: NDArray[np.int32]
    """By group without number: islands that can grow to it ..."""
    group_last: NDArray[np.int32]
    """... and the last of those."""
    touch: NDArray[np.int32]
    """The island that an open cell touches; 0 for none, SEVERAL for more than one."""
    kept: NDArray[np.int32]
    """A copy of the queue of the growth."""
    growth: Growth
    """What an island can grow to; its marks are those of any search."""


class NurikabeFinding(NamedTuple):
    """One step: `cells` get a colour because of the cells in `reason`.

    In a trial, `reason` has the cells coloured on the way, the assumed one first, and `colours`
    their colours.
    """

    head: NDArray[np.int64]
    cells: NDArray[np.int32]
    reason: NDArray[np.int32]
    colours: NDArray[np.int8]


# Places of `head`.
RATING = 0
COLOUR = 1
N_CELLS = 2
N_REASON = 3
PASSED_OVER = 4
"""How many steps a finder is to pass over before it takes one."""
N_TRIES = 5
"""Nested what-ifs that a deep what-if may still try."""
N_HEAD = 6


def new_groups(state: NurikabeState) -> Groups:
    """Return the room for the groups of a board; :func:`find_groups` finds them."""
    n_walled = state.colour.size
    rows = np.zeros((14, n_walled + 1), np.int32)
    workspace: list[Any] = [*rows, new_growth(n_walled + 1)]
    return Groups(np.zeros(N_COUNTS, np.int64), *workspace)


def new_finding(state: NurikabeState) -> NurikabeFinding:
    """Return the room for one step."""
    n_walled = state.colour.size
    cells, reason = np.zeros((2, n_walled), np.int32)
    return NurikabeFinding(np.zeros(N_HEAD, np.int64), cells, reason, np.zeros(n_walled, np.int8))


@inlined_kernel
def begin(finding, rating, colour):
    """Start a step without cells."""
    finding.head[RATING] = rating
    finding.head[COLOUR] = colour
    finding.head[N_CELLS] = 0
    finding.head[N_REASON] = 0


@inlined_kernel
def decide(finding, cell):
    """Add a cell that the step colours."""
    finding.cells[finding.head[N_CELLS]] = cell
    finding.head[N_CELLS] += 1


@inlined_kernel
def because(finding, cell):
    """Add a cell of the reason."""
    finding.reason[finding.head[N_REASON]] = cell
    finding.head[N_REASON] += 1


@inlined_kernel
def takes(finding):
    """Return True if a finder ends with the written step; else it passes over it."""
    if finding.head[PASSED_OVER] == 0:
        return True
    finding.head[PASSED_OVER] -= 1
    return False


@inlined_kernel
def takes_cell(groups, finding, rating, colour, cell, group):
    """Write that a cell has a colour because of a group; as :func:`takes`."""
    begin(finding, rating, colour)
    decide(finding, cell)
    because_of_group(groups, finding, group)
    return takes(finding)


@lean_kernel
def because_of_group(groups, finding, group):
    """Add the cells of a group to the reason."""
    for i in range(groups.first[group], groups.first[group] + groups.size[group]):
        because(finding, groups.members[i])


@lean_kernel
def find_groups(state, groups):
    """Find the groups of the board as it stands."""
    colour = state.colour
    part, mark = groups.part, groups.growth.mark
    members = groups.members
    counts = groups.counts
    for cell in range(colour.size):
        part[cell] = 0
    n_groups = 0
    tail = 0
    for start in range(state.width, colour.size - state.width):
        held = int(colour[start])
        if part[start] > 0 or (held != WHITE and held != BLACK):
            continue
        n_groups += 1
        counts[STAMP] += 1
        groups.first[n_groups] = tail
        tail = flood(state, 1 << held, part, n_groups, members, start, tail)
        island = 0
        n_liberties = 0
        for i in range(groups.first[n_groups], tail):
            cell = members[i]
            island = max(island, state.island_at[cell])
            for step in (-state.width, -1, 1, state.width):
                other = cell + step
                if colour[other] == OPEN and mark[other] != counts[STAMP]:
                    mark[other] = counts[STAMP]
                    if n_liberties == 0:
                        groups.liberty[n_groups] = other
                    n_liberties += 1
        groups.size[n_groups] = tail - groups.first[n_groups]
        groups.island[n_groups] = island
        groups.owner[n_groups] = island
        groups.n_liberties[n_groups] = n_liberties
    counts[N_GROUPS] = n_groups

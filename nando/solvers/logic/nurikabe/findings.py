"""The data that techniques for Nurikabe share: groups of joined cells, and the step they write.

The board is a :class:`nando.solvers.nurikabe.state.NurikabeState`. The techniques use only its
colours, numbers and totals; its parts belong to the rules of the exact search.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.nurikabe.joined import Growth, flood, new_growth
from nando.solvers.nurikabe.state import OPEN, NurikabeState

# Indices in `counts`.
N_GROUPS = 0
STAMP = 1
N_QUEUE = 2
"""Open cells in the queue of the growth: those that the last island can grow to."""
N_LOOSE = 3
"""Groups in `loose` of the growth: those that the last island can grow to."""
N_COUNTS = 4

SEVERAL = -1


class Groups(NamedTuple):
    """Groups of joined cells of one colour, and workspace.

    Groups and islands are numbered from 1; 0 stands for none. Cells are those of the walled board.
    """

    counts: NDArray[np.int64]
    part: NDArray[np.int32]
    """The group of each cell; 0 for an open cell."""
    members: NDArray[np.int32]
    """The cells of all groups, group by group."""
    first: NDArray[np.int32]
    """Index in `members` at which each group begins."""
    size: NDArray[np.int32]
    """Number of cells of each group."""
    island: NDArray[np.int32]
    """The island whose number is in each group."""
    owner: NDArray[np.int32]
    """The island of each group; `find_reach` adds the only island that can grow to a group."""
    n_exits: NDArray[np.int32]
    """Number of open cells next to each group."""
    first_exit: NDArray[np.int32]
    """The first of these open cells."""
    reach: NDArray[np.int32]
    """Number of islands that can grow to each open cell."""
    last: NDArray[np.int32]
    """The last of these islands."""
    group_reach: NDArray[np.int32]
    """Number of islands that can grow to each group without a number."""
    group_last: NDArray[np.int32]
    """The last of these islands."""
    touch: NDArray[np.int32]
    """The island that each open cell touches; 0 for none, SEVERAL for more than one."""
    kept: NDArray[np.int32]
    """A copy of the queue of the growth."""
    growth: Growth
    """The cells that an island can grow to; other searches use its marks, too."""


class NurikabeFinding(NamedTuple):
    """One step: `cells` get a colour because of the cells in `reason`.

    In a what-if, `reason` holds the cells coloured on the way, the assumed one first, and `colours`
    holds their colours.
    """

    head: NDArray[np.int64]
    cells: NDArray[np.int32]
    reason: NDArray[np.int32]
    colours: NDArray[np.int8]


# Indices in `head`.
RATING = 0
COLOUR = 1
N_CELLS = 2
N_REASON = 3
PASSED_OVER = 4
"""Number of steps that a finder should pass over before it returns one."""
N_TRIES = 5
"""Number of nested what-ifs that a deep what-if may still try."""
N_HEAD = 6


def new_groups(state: NurikabeState) -> Groups:
    """Return empty groups for a board; :func:`find_groups` fills them."""
    n_walled = state.colour.size
    rows = np.zeros((14, n_walled + 1), np.int32)
    workspace: list[Any] = [*rows, new_growth(n_walled + 1)]
    return Groups(np.zeros(N_COUNTS, np.int64), *workspace)


def new_finding(state: NurikabeState) -> NurikabeFinding:
    """Return an empty step."""
    n_walled = state.colour.size
    cells, reason = np.zeros((2, n_walled), np.int32)
    return NurikabeFinding(np.zeros(N_HEAD, np.int64), cells, reason, np.zeros(n_walled, np.int8))


@inlined_kernel
def begin(finding, rating, colour):
    """Begin a new step, without cells."""
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
    """Return True if a finder should return the step that it wrote, False to pass over it."""
    if finding.head[PASSED_OVER] == 0:
        return True
    finding.head[PASSED_OVER] -= 1
    return False


@inlined_kernel
def takes_cell(groups, finding, rating, colour, cell, group):
    """Write a step that colours a cell because of a group; return as :func:`takes` does."""
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
    """Find the groups of the current board."""
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
        tail = flood(
            colour, state.width, 1 << held, part, n_groups, members, start, tail, members.size
        )
        island = 0
        n_exits = 0
        for i in range(groups.first[n_groups], tail):
            cell = members[i]
            island = max(island, state.island_at[cell])
            for step in (-state.width, -1, 1, state.width):
                other = cell + step
                if colour[other] == OPEN and mark[other] != counts[STAMP]:
                    mark[other] = counts[STAMP]
                    if n_exits == 0:
                        groups.first_exit[n_groups] = other
                    n_exits += 1
        groups.size[n_groups] = tail - groups.first[n_groups]
        groups.island[n_groups] = island
        groups.owner[n_groups] = island
        groups.n_exits[n_groups] = n_exits
    counts[N_GROUPS] = n_groups

"""States of the frontier search: what the cells above a line have to tell those below it.

The frontier is one cell in each column, the latest that was decided. A state holds for each of them
whether it is river or to which island it belongs, which of them are joined above, and how many
cells each of these islands has. Islands that are not on the frontier are complete or not begun.

Four words hold a state:

- four bits a column for its group of joined cells, from 1 in the order of the columns; two flags,
- four bits a column for its region: 0 river, else the place of its island in the next words,
- the islands, at most eight, seven bits each, in the order of the columns,
- their cells so far, seven bits each.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel

WORDS = 4
MOST_COLUMNS = 15
MOST_ISLANDS = 127
LARGEST = 127
"""Most cells of an island, and most cells that are counted."""

_N_GROUPS = MOST_COLUMNS + 2

# Places of `flags`.
POOL = 0
"""1 if the next cell completes a pool as river."""
CLOSED = 1
"""1 if the river is complete."""
N_FLAGS = 2


class Frontier(NamedTuple):
    """An unpacked state."""

    group: NDArray[np.int64]
    """By column: the group of joined cells, 0 above the first row."""
    region: NDArray[np.int64]
    """By column: 0 river, else a place of `island` and `n_cells`."""
    island: NDArray[np.int64]
    n_cells: NDArray[np.int64]
    """Cells of the island so far; 1 where its size is not known."""
    flags: NDArray[np.int64]


def new_frontier() -> Frontier:
    """Return the workspace for a state."""
    return Frontier(
        group=np.zeros(MOST_COLUMNS, np.int64),
        region=np.zeros(MOST_COLUMNS, np.int64),
        island=np.zeros(_N_GROUPS, np.int64),
        n_cells=np.zeros(_N_GROUPS, np.int64),
        flags=np.zeros(N_FLAGS, np.int64),
    )


def new_workspace() -> NDArray[np.int64]:
    """Return the room for what is counted by region or by group, six times."""
    return np.zeros((6, 2 * MOST_COLUMNS), np.int64)


@inlined_kernel
def unpack(words, n_columns, frontier):
    """Unpack a state; return the number of islands on the frontier."""
    groups, regions, islands, counts = words[0], words[1], words[2], words[3]
    n_islands = 0
    for column in range(n_columns):
        frontier.group[column] = groups >> 4 * column & 15
        region = regions >> 4 * column & 15
        frontier.region[column] = region
        n_islands = max(n_islands, region)
    for i in range(1, n_islands + 1):
        frontier.island[i] = islands >> 7 * (i - 1) & 127
        frontier.n_cells[i] = counts >> 7 * (i - 1) & 127
    frontier.flags[POOL] = groups >> 60 & 1
    frontier.flags[CLOSED] = groups >> 61 & 1
    return n_islands


@inlined_kernel
def pack(frontier, n_columns, names, words):
    """Pack a state, its groups and islands in the order of the columns.

    `names` is workspace, as of :func:`new_workspace`.
    """
    names[:2] = 0
    groups, regions, islands, counts = 0, 0, 0, 0
    n_groups, n_islands = 0, 0
    for column in range(n_columns):
        group, region = frontier.group[column], frontier.region[column]
        if group > 0 and names[0, group] == 0:
            n_groups += 1
            names[0, group] = n_groups
        if region > 0 and names[1, region] == 0:
            islands |= frontier.island[region] << 7 * n_islands
            counts |= frontier.n_cells[region] << 7 * n_islands
            n_islands += 1
            names[1, region] = n_islands
        groups |= names[0, group] << 4 * column
        regions |= names[1, region] << 4 * column
    words[0] = groups | frontier.flags[POOL] << 60 | frontier.flags[CLOSED] << 61
    words[1] = regions
    words[2] = islands
    words[3] = counts


@inlined_kernel
def place_of(words, states, n_states, table):
    """Return the index of a state among those so far, which it joins if it is new.

    Its place in the table.
    """
    key = 0
    for i in range(WORDS):
        # Source: Vigna 2016, "An experimental exploration of Marsaglia's xorshift generators".
        key = (key ^ int(words[i])) * 0x2545F4914F6CDD1D & 0x3FFFFFFFFFFFFFFF
        key ^= key >> 31
    mask = table.size - 1
    place = key & mask
    while table[place] > 0:
        other = table[place] - 1
        if (
            states[other, 0] == words[0]
            and states[other, 1] == words[1]
            and states[other, 2] == words[2]
            and states[other, 3] == words[3]
        ):
            return other
        place = place + 1 & mask
    table[place] = n_states + 1
    for i in range(WORDS):
        states[n_states, i] = words[i]
    return n_states

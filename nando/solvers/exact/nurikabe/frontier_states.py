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

from nando.kernels.bits import n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel

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


@inlined_kernel
def has_cells(board, frontier, n_islands, position, work):
    """Return True if the cells left suffice for each region, and for its parts to meet."""
    n_columns = board.n_columns
    column = position % n_columns
    river_left = board.n_cells
    if board.is_counted:
        wanted = board.later[position]
        for i in range(1, n_islands + 1):
            island = frontier.island[i]
            if board.number[island] <= position:
                wanted += board.size[island]
            wanted -= frontier.n_cells[i]
        river_left = board.n_cells - 1 - position - wanted
        if river_left < 0 or (frontier.flags[CLOSED] > 0 and river_left > 0):
            return False
    last, total, least, n_gaps, groups, step = work[0], work[1], work[2], work[3], work[4], work[5]
    for i in range(n_islands + 1):
        last[i], total[i], least[i], n_gaps[i], groups[i], step[i] = -1, 0, n_columns, 0, 0, 0
    for other in range(n_columns):
        group = frontier.group[other]
        if group == 0:
            continue
        i = frontier.region[other]
        before = last[i]
        last[i] = other
        groups[i] |= 1 << group
        if before >= 0 and frontier.group[before] != group:
            n_gaps[i] += 1
            total[i] += other - before
            least[i] = min(least[i], other - before)
            if before <= column < other:
                step[i] = 1
    for i in range(n_islands + 1):
        left = river_left
        if i > 0:
            island = frontier.island[i]
            size = board.size[island]
            if size == 0:
                continue
            left = size - frontier.n_cells[i]
            number = board.number[island]
            if number > position and _distance(frontier, i, position, number, n_columns) > left:
                return False
        wanted_gaps = n_bits(groups[i]) - 1
        if wanted_gaps > 0:
            # To join its groups, a region must pass below one gap fewer than there are groups: a
            # cell for each column between, and for each end. One end is higher at the step.
            needed = total[i] if wanted_gaps == n_gaps[i] else wanted_gaps * least[i]
            if needed + 1 - step[i] > left:
                return False
    return True


@lean_kernel
def _distance(frontier, region, position, number, n_columns):
    """Return the steps from the frontier's cells of an island to its number below."""
    row, column = divmod(number, n_columns)
    row -= position // n_columns
    nearest = row + n_columns
    for other in range(n_columns):
        if frontier.group[other] > 0 and frontier.region[other] == region:
            higher = 0 if other <= position % n_columns else 1
            nearest = min(nearest, row + higher + abs(column - other))
    return nearest


@inlined_kernel
def can_meet(frontier, n_islands, n_columns, work):
    """Return True if the parts of each two regions can meet below without crossing each other."""
    for first in range(n_islands):
        if not _is_parted(frontier, first, n_columns):
            continue
        for second in range(first + 1, n_islands + 1):
            if _is_parted(frontier, second, n_columns) and _cross(
                frontier, first, second, n_columns, work
            ):
                return False
    return True


@inlined_kernel
def _is_parted(frontier, region, n_columns):
    """Return True if the cells of a region on the frontier are not all joined above."""
    group = 0
    for column in range(n_columns):
        if frontier.region[column] == region and frontier.group[column] > 0:
            if group > 0 and frontier.group[column] != group:
                return True
            group = frontier.group[column]
    return False


@lean_kernel
def _cross(frontier, first, second, n_columns, work):
    """Return True if two regions, all else left out, cannot both be joined below.

    Cells of one region that follow each other, the last and the first too, can be joined below
    without harm. Then t runs of each region alternate around the half plane below. Their groups
    there are at least t + 1 together, as a partition and its complement that do not cross (Kreweras
    1972). For each region, groups above and below that join all t runs are t + 1 at the most. So
    the groups above must not be more than t + 1 together.
    """
    joined, run = work[0], work[1]
    for column in range(n_columns):
        joined[frontier.group[column]] = frontier.group[column]
    n = 0
    run_region = -1
    first_region = -1
    for column in range(n_columns):
        group, region = frontier.group[column], frontier.region[column]
        if group == 0 or (region != first and region != second):
            continue
        if region == run_region:
            joined[_root(joined, group)] = _root(joined, run[n - 1])
        else:
            run[n] = group
            n += 1
            run_region = region
        if first_region < 0:
            first_region = region
    if n > 1 and run_region == first_region:
        n -= 1
        joined[_root(joined, run[n])] = _root(joined, run[0])
    if n < 4:
        return False
    n_groups = 0
    for i in range(n):
        root = _root(joined, run[i])
        n_groups += 1
        for j in range(i):
            if _root(joined, run[j]) == root:
                n_groups -= 1
                break
    return n_groups > n // 2 + 1


@lean_kernel
def _root(joined, group):
    while joined[group] != group:
        group = joined[group]
    return group

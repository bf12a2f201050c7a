"""States of the frontier search: all that matters of the cells above a line for those below it.

The frontier consists of the latest decided cell of each column. A state holds, for each of these
cells, the river or the island to which it belongs, and the group of cells to which it is joined
above; and, for each of these islands, its number of cells. Islands that are not on the frontier are
complete or not begun.

Four words hold a state:

- the group of joined cells of each column, four bits each, from 1 in the order of the columns; and
  two flags,
- the region of each column, four bits each: 0 for the river, else the number of its island in the
  next two words, from 1,
- the islands, at most eight, seven bits each, in the order of the columns,
- their numbers of cells so far, seven bits each.
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

# Indices in `flags`.
POOL = 0
"""1 if the next cell would complete a pool if it were river."""
CLOSED = 1
"""1 if the river is complete."""
N_FLAGS = 2


class Frontier(NamedTuple):
    """An unpacked state."""

    group: NDArray[np.int64]
    """Group of joined cells of each column, 0 above the first row."""
    region: NDArray[np.int64]
    """Region of each column: 0 for the river, else an index in `island` and `n_cells`."""
    island: NDArray[np.int64]
    n_cells: NDArray[np.int64]
    """Number of cells of each island so far; 1 if its size is not known."""
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
    """Return six rows of workspace with entries for each region or group."""
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
    """Pack a state; number its groups and islands in the order of the columns.

    `names` is workspace from :func:`new_workspace`.
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
    """Return the index of a packed state in `states`; add the state if it is new.

    `table` is a hash table: 1 + the index of a state, 0 for an empty entry.
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
    """Return True if enough cells are left for each region, and to join its groups."""
    n_columns = board.n_columns
    river_left = board.n_cells
    if board.is_counted:
        river_left = _river_left(board, frontier, n_islands, position)
        if river_left < 0 or (frontier.flags[CLOSED] > 0 and river_left > 0):
            return False
    _find_gaps(frontier, n_islands, position % n_columns, n_columns, work)
    total, least, n_gaps, groups, step = work[1], work[2], work[3], work[4], work[5]
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
        n_passed = n_bits(groups[i]) - 1
        if n_passed > 0:
            # To join its groups, a region must pass below one gap fewer than it has groups. A gap
            # takes a cell for each column between, and one for each end. One end is higher at the
            # step.
            needed = total[i] if n_passed == n_gaps[i] else n_passed * least[i]
            if needed + 1 - step[i] > left:
                return False
    return True


@inlined_kernel
def _river_left(board, frontier, n_islands, position):
    """Return how many river cells are left; the sizes of all islands are known."""
    white_left = board.later[position]
    for i in range(1, n_islands + 1):
        island = frontier.island[i]
        if board.number[island] <= position:
            white_left += board.size[island]
        white_left -= frontier.n_cells[i]
    return board.n_cells - 1 - position - white_left


@inlined_kernel
def _find_gaps(frontier, n_islands, column, n_columns, work):
    """Find the gaps between the groups of each region, in the columns of the frontier.

    The rows of `work` receive, for each region: its last column, the total and the least width of
    its gaps, their number, its groups as a mask, and 1 if a gap spans the step of the frontier
    after `column`.
    """
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


@lean_kernel
def _distance(frontier, region, position, number, n_columns):
    """Return the steps from the nearest frontier cell of an island to its number below."""
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
    """Return True if any two regions can join their groups below without crossing each other."""
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
    """Return True if two regions cannot both be joined below, even if there were no others.

    Adjacent cells of one region, and the last and the first one, can be joined below without harm.
    Then t runs of each region alternate around the half plane below. The groups of the two regions
    below are at least t + 1 in all, as a partition and its complement that do not cross (Kreweras
    1972). If groups above and below join all t runs of a region, they are at most t + 1. Therefore
    the groups of both regions above must not be more than t + 1 in all.
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

"""Techniques on the growth of islands: cells that none can reach, and cells that one needs.

Before them stand the data that all techniques for Nurikabe share: groups of joined cells, and the
step that they write. The board is a :class:`nando.solvers.nurikabe.state.NurikabeState`. The
techniques use only its colours, numbers and totals; its parts belong to the rules of the exact
search.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.nurikabe import state as nurikabe

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
    growth: nurikabe.Growth
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


def new_groups(state: nurikabe.NurikabeState) -> Groups:
    """Return empty groups for a board; :func:`find_groups` fills them."""
    n_walled = state.colour.size
    rows = np.zeros((14, n_walled + 1), np.int32)
    workspace: list[Any] = [*rows, nurikabe.new_growth(n_walled + 1)]
    return Groups(np.zeros(N_COUNTS, np.int64), *workspace)


def new_finding(state: nurikabe.NurikabeState) -> NurikabeFinding:
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
        tail = nurikabe.flood(
            colour, state.width, 1 << held, part, n_groups, members, start, tail, members.size
        )
        island = 0
        n_exits = 0
        for i in range(groups.first[n_groups], tail):
            cell = members[i]
            island = max(island, state.island_at[cell])
            for step in (-state.width, -1, 1, state.width):
                other = cell + step
                if colour[other] == nurikabe.OPEN and mark[other] != counts[STAMP]:
                    mark[other] = counts[STAMP]
                    if n_exits == 0:
                        groups.first_exit[n_groups] = other
                    n_exits += 1
        groups.size[n_groups] = tail - groups.first[n_groups]
        groups.island[n_groups] = island
        groups.owner[n_groups] = island
        groups.n_exits[n_groups] = n_exits
    counts[N_GROUPS] = n_groups


@lean_kernel
def find_unreachable(state, groups, finding, degree, rating):
    """Find the cells that no island can grow to: they are river.

    At degree 1, white cells that only one island can grow to count as its own.
    """
    colour = state.colour
    find_reach(state, groups, degree)
    begin(finding, rating, BLACK)
    for cell in range(state.width, colour.size - state.width):
        if colour[cell] == nurikabe.OPEN and groups.reach[cell] == 0:
            decide(finding, cell)
    _because_of_owned(groups, finding)
    return finding.head[N_CELLS] > 0 and takes(finding)


@lean_kernel
def _because_of_owned(groups, finding):
    """Add to the reason the groups without a number that were found to belong to an island."""
    for group in range(1, groups.counts[N_GROUPS] + 1):
        if groups.owner[group] != groups.island[group]:
            because_of_group(groups, finding, group)


@lean_kernel
def find_filled_reach(state, groups, finding, degree, rating):
    """Find an island that can grow to exactly as many cells as it lacks: it needs them all."""
    find_reach(state, groups, degree)
    for island in range(1, state.n_islands + 1):
        group = groups.part[state.start[island]]
        number = state.wanted[island]
        if number > groups.size[group] and grow(state, groups, island, 0) == number:
            begin(finding, rating, WHITE)
            for i in range(groups.counts[N_QUEUE]):
                decide(finding, groups.growth.queue[i])
            because_of_group(groups, finding, group)
            if finding.head[N_CELLS] > 0 and takes(finding):
                return True
    return False


@lean_kernel
def find_island_bottleneck(state, groups, finding, degree, rating):
    """Find a cell without which an island cannot get all its cells.

    At degree 1 it must also reach the white cells that only it can grow to.
    """
    find_reach(state, groups, degree)
    for island in range(1, state.n_islands + 1):
        group = groups.part[state.start[island]]
        number = state.wanted[island]
        if groups.size[group] == number:
            continue
        grow(state, groups, island, 0)
        n_kept = groups.counts[N_QUEUE]
        for i in range(n_kept):
            groups.kept[i] = groups.growth.queue[i]
        for i in range(n_kept):
            cell = groups.kept[i]
            n_could = grow(state, groups, island, cell)
            if n_could < 0 or n_could < number:
                begin(finding, rating, WHITE)
                decide(finding, cell)
                because_of_group(groups, finding, group)
                _because_of_owned(groups, finding)
                if takes(finding):
                    return True
    return False


@lean_kernel
def find_stranded(state, groups, finding, degree, rating):
    """Find a cell without which no island can grow to some white cells."""
    colour = state.colour
    find_reach(state, groups, degree)
    for group in range(1, groups.counts[N_GROUPS] + 1):
        if colour[groups.members[groups.first[group]]] != WHITE or groups.owner[group] > 0:
            continue
        for cell in range(state.width, colour.size - state.width):
            if colour[cell] != nurikabe.OPEN or groups.reach[cell] == 0:
                continue
            is_needed = not _has_way(state, groups, group, cell)
            if is_needed and takes_cell(groups, finding, rating, WHITE, cell, group):
                return True
    return False


@lean_kernel
def _has_way(state, groups, group, barred):
    """Return True if an island can grow to a group without the cell `barred`."""
    for island in range(1, state.n_islands + 1):
        main = groups.part[state.start[island]]
        if groups.size[main] != state.wanted[island]:
            grow(state, groups, island, barred)
            for i in range(groups.counts[N_LOOSE]):
                if groups.growth.loose[i] == group:
                    return True
    return False


@lean_kernel
def find_block_breaker(state, groups, finding, rating):
    """Find a cell without which the only island that can reach a 2x2 block cannot reach it."""
    colour = state.colour
    corners = (0, 1, state.width, state.width + 1)
    find_reach(state, groups, 1)
    for block in range(state.width, colour.size - 2 * state.width):
        island = 0
        is_single = True
        for step in corners:
            cell = block + step
            if colour[cell] == WHITE or colour[cell] == nurikabe.WALL:
                is_single = False
            elif colour[cell] == nurikabe.OPEN and groups.reach[cell] > 0:
                is_single &= groups.reach[cell] == 1 and (
                    island == 0 or island == groups.last[cell]
                )
                island = groups.last[cell]
        if not is_single or island == 0:
            continue
        grow(state, groups, island, 0)
        n_kept = groups.counts[N_QUEUE]
        for i in range(n_kept):
            groups.kept[i] = groups.growth.queue[i]
        for i in range(n_kept):
            grow(state, groups, island, groups.kept[i])
            is_broken = False
            for step in corners:
                is_broken |= groups.growth.mark[block + step] == groups.counts[STAMP]
            if not is_broken:
                begin(finding, rating, WHITE)
                decide(finding, groups.kept[i])
                because_of_group(groups, finding, groups.part[state.start[island]])
                for step in corners:
                    because(finding, block + step)
                if takes(finding):
                    return True
    return False


@lean_kernel
def find_reach(state, groups, degree):
    """Count the islands that can grow to each open cell and to each group without a number.

    At degree 1 a group that only one island can grow to becomes part of it; this is repeated until
    nothing changes.
    """
    counts = groups.counts
    for group in range(1, counts[N_GROUPS] + 1):
        groups.owner[group] = groups.island[group]
    pledged = True
    while pledged:
        pledged = False
        _touch_islands(state, groups)
        for cell in range(groups.reach.size):
            groups.reach[cell] = 0
        for group in range(1, counts[N_GROUPS] + 1):
            groups.group_reach[group] = 0
        for island in range(1, state.n_islands + 1):
            if groups.size[groups.part[state.start[island]]] == state.wanted[island]:
                continue
            grow(state, groups, island, 0)
            for i in range(counts[N_QUEUE]):
                groups.reach[groups.growth.queue[i]] += 1
                groups.last[groups.growth.queue[i]] = island
            for i in range(counts[N_LOOSE]):
                groups.group_reach[groups.growth.loose[i]] += 1
                groups.group_last[groups.growth.loose[i]] = island
        if degree == 0:
            return
        for group in range(1, counts[N_GROUPS] + 1):
            # No island reaches a group of black cells.
            if groups.owner[group] == 0 and groups.group_reach[group] == 1:
                groups.owner[group] = groups.group_last[group]
                pledged = True


@lean_kernel
def _touch_islands(state, groups):
    """Note the island that each open cell touches."""
    for cell in range(groups.touch.size):
        groups.touch[cell] = 0
    for group in range(1, groups.counts[N_GROUPS] + 1):
        owner = groups.owner[group]
        if owner == 0:
            continue
        first = groups.first[group]
        for i in range(first, first + groups.size[group]):
            for step in (-state.width, -1, 1, state.width):
                other = groups.members[i] + step
                touch = groups.touch[other]
                if state.colour[other] == nurikabe.OPEN and touch != owner:
                    groups.touch[other] = owner if touch == 0 else SEVERAL


@lean_kernel
def grow(state, groups, island, barred):
    """Find the cells and groups that an island can grow to without the cell `barred`.

    Open cells are written to the queue of the growth, groups to its `loose`. Return the number of
    cells that the island could have, or -1 if it cannot grow to a group that is its own.
    """
    counts = groups.counts
    growth = groups.growth
    main = groups.part[state.start[island]]
    number = state.wanted[island]
    n_own = 0
    n_groups_own = 0
    for group in range(1, counts[N_GROUPS] + 1):
        if groups.owner[group] == island:
            n_own += groups.size[group]
            n_groups_own += 1
    # A number may exceed the number of cells, but the number of buckets does not.
    left = min(number - n_own, state.n_cells) if number > 0 else state.n_cells
    counts[STAMP] += 1
    stamp = counts[STAMP]
    nurikabe.empty_buckets(growth, left)
    colour, width, parts = state.colour, state.width, nurikabe.parts_of(groups)
    nurikabe.put_part(parts, growth, stamp, main, 0)
    n_queue, n_loose = nurikabe.spread(colour, width, parts, growth, stamp, island, left, barred)
    n_could = n_own
    n_met = 1
    for i in range(n_loose):
        group = growth.loose[i]
        if groups.owner[group] == island:
            n_met += 1
        else:
            n_could += groups.size[group]
    n_fit = 0
    for i in range(n_queue):
        cell = growth.queue[i]
        if nurikabe.fits(colour, width, parts, growth, stamp, cell, left):
            growth.queue[n_fit] = cell
            n_fit += 1
    counts[N_QUEUE] = n_fit
    counts[N_LOOSE] = n_loose
    return n_could + n_fit if n_met == n_groups_own else -1

"""Techniques on where islands can grow to: cells none reaches, and cells one cannot do without."""

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe.puzzle import BLACK, WHITE
from nando.solvers.logic.nurikabe.state import (
    N_CELLS,
    N_GROUPS,
    N_LOOSE,
    N_QUEUE,
    STAMP,
    because,
    because_of_group,
    begin,
    decide,
    takes,
)
from nando.solvers.nurikabe.state import OPEN, WALL


@lean_kernel
def find_unreachable(state, groups, finding, degree, rating):
    """Cells that no island can grow to are river.

    At degree 1, white cells that only one island can grow to count as its own.
    """
    colour = state.colour
    find_reach(state, groups, degree)
    begin(finding, rating, BLACK)
    for cell in range(state.width, colour.size - state.width):
        if colour[cell] == OPEN and groups.reach[cell] == 0:
            decide(finding, cell)
    _because_of_owned(groups, finding)
    return finding.head[N_CELLS] > 0 and takes(finding)


@lean_kernel
def _because_of_owned(groups, finding):
    """Where white cells were found to be of an island, they are the reason."""
    for group in range(1, groups.counts[N_GROUPS] + 1):
        if groups.owner[group] != groups.island[group]:
            because_of_group(groups, finding, group)


@lean_kernel
def find_filled_reach(state, groups, finding, degree, rating):
    """An island that can grow to just as many cells as it lacks: all of them are its own."""
    find_reach(state, groups, degree)
    for island in range(1, state.n_islands + 1):
        group = groups.label[state.start[island]]
        wanted = state.wanted[island]
        if wanted > groups.size[group] and spread(state, groups, island, 0) == wanted:
            begin(finding, rating, WHITE)
            for i in range(groups.counts[N_QUEUE]):
                decide(finding, groups.queue[i])
            because_of_group(groups, finding, group)
            if finding.head[N_CELLS] > 0 and takes(finding):
                return True
    return False


@lean_kernel
def find_island_bottleneck(state, groups, finding, degree, rating):
    """A cell without which an island cannot get all its cells.

    At degree 1 it must also get to the white cells that only it can grow to.
    """
    find_reach(state, groups, degree)
    for island in range(1, state.n_islands + 1):
        group = groups.label[state.start[island]]
        wanted = state.wanted[island]
        if groups.size[group] == wanted:
            continue
        spread(state, groups, island, 0)
        n_kept = groups.counts[N_QUEUE]
        for i in range(n_kept):
            groups.kept[i] = groups.queue[i]
        for i in range(n_kept):
            cell = groups.kept[i]
            n_could = spread(state, groups, island, cell)
            if n_could < 0 or n_could < wanted:
                begin(finding, rating, WHITE)
                decide(finding, cell)
                because_of_group(groups, finding, group)
                _because_of_owned(groups, finding)
                if takes(finding):
                    return True
    return False


@lean_kernel
def find_stranded(state, groups, finding, degree, rating):
    """A cell without which white cells have no way to a number that can take them in."""
    colour = state.colour
    find_reach(state, groups, degree)
    for group in range(1, groups.counts[N_GROUPS] + 1):
        if colour[groups.members[groups.first[group]]] != WHITE or groups.owner[group] > 0:
            continue
        for cell in range(state.width, colour.size - state.width):
            if colour[cell] != OPEN or groups.reach[cell] == 0:
                continue
            if not _has_way(state, groups, group, cell):
                begin(finding, rating, WHITE)
                decide(finding, cell)
                because_of_group(groups, finding, group)
                if takes(finding):
                    return True
    return False


@lean_kernel
def _has_way(state, groups, group, barred):
    """Whether an island can grow to a group without a certain cell."""
    for island in range(1, state.n_islands + 1):
        main = groups.label[state.start[island]]
        if groups.size[main] != state.wanted[island]:
            spread(state, groups, island, barred)
            for i in range(groups.counts[N_LOOSE]):
                if groups.loose[i] == group:
                    return True
    return False


@lean_kernel
def find_block_breaker(state, groups, finding, rating):
    """A cell without which a 2x2 block stays black: one island alone can get there, and by it."""
    colour = state.colour
    corners = (0, 1, state.width, state.width + 1)
    find_reach(state, groups, 1)
    for block in range(state.width, colour.size - 2 * state.width):
        island = 0
        is_single = True
        for step in corners:
            cell = block + step
            if colour[cell] == WHITE or colour[cell] == WALL:
                is_single = False
            elif colour[cell] == OPEN and groups.reach[cell] > 0:
                is_single &= groups.reach[cell] == 1 and (
                    island == 0 or island == groups.last[cell]
                )
                island = groups.last[cell]
        if not is_single or island == 0:
            continue
        spread(state, groups, island, 0)
        n_kept = groups.counts[N_QUEUE]
        for i in range(n_kept):
            groups.kept[i] = groups.queue[i]
        for i in range(n_kept):
            spread(state, groups, island, groups.kept[i])
            is_broken = False
            for step in corners:
                is_broken |= groups.mark[block + step] == groups.counts[STAMP]
            if not is_broken:
                begin(finding, rating, WHITE)
                decide(finding, groups.kept[i])
                because_of_group(groups, finding, groups.label[state.start[island]])
                for step in corners:
                    because(finding, block + step)
                if takes(finding):
                    return True
    return False


@lean_kernel
def find_reach(state, groups, degree):
    """For each open cell and group without number, how many islands can grow to it.

    At degree 1 groups that one island alone can grow to become its own, until no more do.
    """
    counts = groups.counts
    for group in range(1, counts[N_GROUPS] + 1):
        groups.owner[group] = groups.island[group]
    pledged = True
    while pledged:
        pledged = False
        for cell in range(groups.reach.size):
            groups.reach[cell] = 0
        for group in range(1, counts[N_GROUPS] + 1):
            groups.group_reach[group] = 0
        for island in range(1, state.n_islands + 1):
            if groups.size[groups.label[state.start[island]]] == state.wanted[island]:
                continue
            spread(state, groups, island, 0)
            for i in range(counts[N_QUEUE]):
                groups.reach[groups.queue[i]] += 1
                groups.last[groups.queue[i]] = island
            for i in range(counts[N_LOOSE]):
                groups.group_reach[groups.loose[i]] += 1
                groups.group_last[groups.loose[i]] = island
        if degree == 0:
            return
        for group in range(1, counts[N_GROUPS] + 1):
            # Groups of black cells are reached by none.
            if groups.owner[group] == 0 and groups.group_reach[group] == 1:
                groups.owner[group] = groups.group_last[group]
                pledged = True


@lean_kernel
def spread(state, groups, island, barred):
    """What an island can grow to without the cell `barred`; the cells it could then have.

    Open cells go to `queue`, groups without number to `loose`. Where the island cannot grow to a
    group that is its own, -1 is returned.
    """
    colour = state.colour
    mark = groups.mark
    dist = groups.dist
    counts = groups.counts
    steps = (-state.width, -1, 1, state.width)
    main = groups.label[state.start[island]]
    wanted = state.wanted[island]
    n_own = 0
    n_groups_own = 0
    for group in range(1, counts[N_GROUPS] + 1):
        if groups.owner[group] == island:
            n_own += groups.size[group]
            n_groups_own += 1
    # A number may be larger than the board, and the buckets are not.
    left = min(wanted - n_own, state.n_cells) if wanted > 0 else state.n_cells
    n_queue, n_loose, n_met = _flood(state, groups, island, main, left, barred)
    stamp = counts[STAMP]
    n_could = n_own
    for i in range(n_loose):
        if groups.owner[groups.loose[i]] == 0:
            n_could += groups.size[groups.loose[i]]
    n_fit = 0
    for i in range(n_queue):
        cell = groups.queue[i]
        fits = True
        for step in steps:
            # A white cell takes in the groups next to it, on the way to it or after.
            other = cell + step
            group = groups.label[other] if colour[other] == WHITE else 0
            if group == 0 or groups.owner[group] > 0 or dist[cell] + groups.size[group] <= left:
                continue
            if mark[other] != stamp or dist[other] + 1 > left:
                fits = False
        if fits:
            groups.queue[n_fit] = cell
            n_fit += 1
            n_could += 1
    counts[N_QUEUE] = n_fit
    counts[N_LOOSE] = n_loose
    return n_could if n_met == n_groups_own else -1


@lean_kernel
def _flood(state, groups, island, main, left, barred):
    """Fill `queue`, `loose` and `dist`; lengths of both, and how many groups are the island's."""
    colour = state.colour
    mark = groups.mark
    dist = groups.dist
    bucket = groups.bucket
    link = groups.link
    groups.counts[STAMP] += 1
    stamp = groups.counts[STAMP]
    for d in range(max(left, 0) + 2):
        bucket[d] = 0
    for i in range(groups.first[main], groups.first[main] + groups.size[main]):
        cell = groups.members[i]
        mark[cell] = stamp
        dist[cell] = 0
        link[cell] = bucket[0]
        bucket[0] = cell
    n_queue = 0
    n_loose = 0
    n_met = 1
    d = 0
    while d <= left:
        cell = bucket[d]
        if cell == 0:
            d += 1
            continue
        bucket[d] = link[cell]
        for step in (-state.width, -1, 1, state.width):
            other = cell + step
            if mark[other] == stamp or colour[other] == BLACK or colour[other] == WALL:
                continue
            if other == barred:
                continue
            if colour[other] == OPEN:
                if d < left and not _is_by_another(state, groups, other, island):
                    mark[other] = stamp
                    dist[other] = d + 1
                    link[other] = bucket[d + 1]
                    bucket[d + 1] = other
                    groups.queue[n_queue] = other
                    n_queue += 1
                continue
            group = groups.label[other]
            owner = groups.owner[group]
            reached = d if owner == island else d + groups.size[group]
            if reached > left or (owner > 0 and owner != island):
                continue
            n_met += owner == island
            for i in range(groups.first[group], groups.first[group] + groups.size[group]):
                member = groups.members[i]
                mark[member] = stamp
                dist[member] = reached
                link[member] = bucket[reached]
                bucket[reached] = member
            groups.loose[n_loose] = group
            n_loose += 1
    return n_queue, n_loose, n_met


@lean_kernel
def _is_by_another(state, groups, cell, island):
    """Whether a cell touches white cells of another island."""
    for step in (-state.width, -1, 1, state.width):
        other = cell + step
        if state.colour[other] == WHITE:
            owner = groups.owner[groups.label[other]]
            if owner > 0 and owner != island:
                return True
    return False

"""Propagation for Nurikabe: rules colour cells until none of them finds another one.

The rules of reach come first: cells that islands can grow to, and those that they need.
"""

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.nurikabe.state import (
    HEAD,
    N_PARTS,
    N_SET,
    OPEN,
    STAMP,
    WALL,
    colour_cell,
    empty_buckets,
    fits,
    island_if_white,
    label_part,
    parts_of,
    put,
    put_part,
    spread,
)


@lean_kernel
def reach_cells(state):
    """Colour cells black that no island reaches, and white those that an island needs.

    Return False at a contradiction.
    """
    counts = state.counts
    colour = state.colour
    n_set = counts[N_SET]
    # Only its island can break a block found before, unless the block is already broken.
    for island in range(1, state.n_islands + 1):
        corner = state.block[island]
        for step in (0, 1, state.width, state.width + 1):
            if colour[corner + step] == WHITE:
                state.block[island] = 0
    while True:
        for cell in range(state.width, colour.size - state.width):
            state.reach[cell] = 0
        for part in range(1, counts[N_PARTS] + 1):
            state.part_reach[part] = 0
        for island in range(1, state.n_islands + 1):
            part = state.part[state.start[island]]
            if state.size[part] != state.wanted[island] and not _reach_of(state, island, part):
                return False
        for cell in range(state.width, colour.size - state.width):
            if colour[cell] == OPEN and state.reach[cell] == 0:
                colour_cell(state, cell, BLACK)
        pledged = False
        for part in range(1, counts[N_PARTS] + 1):
            owner = state.owner[part]
            if owner > 0 and state.part[state.start[owner]] == part:
                continue
            if state.part_reach[part] == 0:
                return False
            if state.part_reach[part] == 1 and owner == 0:
                _pledge(state, part, state.part_last[part])
                pledged = True
        if counts[N_SET] > n_set:
            return True
        if not (pledged or _find_blocks(state)):
            return True


@lean_kernel
def _find_blocks(state):
    """Find for each island the farthest block that only it can break; return True if one is new."""
    colour = state.colour
    new = False
    for cell in range(state.width, colour.size - 2 * state.width):
        island = 0
        near = state.n_cells
        alone = True
        for other in (cell, cell + 1, cell + state.width, cell + state.width + 1):
            if colour[other] == WHITE or colour[other] == WALL:
                alone = False
            elif colour[other] == OPEN:
                if state.reach[other] > 1 or (island > 0 and state.last[other] != island):
                    alone = False
                island = state.last[other]
                near = min(near, state.near[other])
            if not alone:
                break
        if alone and island > 0 and state.wanted[island] > 0:
            held = state.block[island]
            if held == 0 or near > state.block_far[island]:
                state.block[island] = cell
                state.block_far[island] = near
                new = True
    return new


@lean_kernel
def _pledge(state, part, island):
    """Assign a part to an island; colour cells black that touch this and another island."""
    state.owner[part] = island
    for i in range(state.first[part], state.first[part + 1]):
        for step in (-state.width, -1, 1, state.width):
            other = state.members[i] + step
            if state.colour[other] == OPEN:
                if state.touch[other] == 0:
                    state.touch[other] = island
                elif state.touch[other] != island:
                    colour_cell(state, other, BLACK)


@lean_kernel
def _reach_of(state, island, main):
    """Count the cells that an island can grow to, and colour those that it needs.

    Return False if they do not suffice.
    """
    counts = state.counts
    growth = state.growth
    colour = state.colour
    mark = growth.mark
    number = state.wanted[island]
    n_own = 0
    for part in range(1, counts[N_PARTS] + 1):
        if state.owner[part] == island:
            n_own += state.size[part]
    # A number may be larger than the board, but there are no more buckets than cells.
    left = min(number - n_own, state.n_cells) if number > 0 else state.n_cells
    if left < 0:
        return False
    n_queue, n_loose = _spread_from(state, growth, island, main, left)
    stamp = counts[STAMP]
    if number > 0 and (n_own > state.size[main] or state.block[island] > 0):
        _narrow(state, island, left, n_queue, n_loose)
    parts = parts_of(state)
    n_reached = n_own
    for i in range(n_loose):
        part = growth.loose[i]
        if mark[state.members[state.first[part]]] == stamp:
            state.part_reach[part] += 1
            state.part_last[part] = island
            if state.owner[part] == 0:
                n_reached += state.size[part]
    for i in range(n_queue):
        cell = growth.queue[i]
        if mark[cell] != stamp:
            continue
        if fits(colour, state.width, parts, growth, stamp, cell, left):
            n_reached += 1
            state.reach[cell] += 1
            state.last[cell] = island
            state.near[cell] = growth.dist[cell]
        else:
            mark[cell] = 0
    if n_reached < number:
        return False
    n_seen, n_must = colour_cuts(state, stamp, state.start[island], WHITE, island, number)
    return n_seen >= number and n_must >= n_own


@lean_kernel
def _spread_from(state, growth, island, origin, left):
    """Search from the part `origin` of an island, for 0 from its block; see :func:`spread`."""
    state.counts[STAMP] += 1
    stamp = state.counts[STAMP]
    parts = parts_of(state)
    empty_buckets(growth, left)
    if origin > 0:
        put_part(parts, growth, stamp, origin, 0)
    else:
        for step in (0, 1, state.width, state.width + 1):
            cell = state.block[island] + step
            touch = state.touch[cell]
            if state.colour[cell] != BLACK and (touch == 0 or touch == island):
                put(growth, stamp, cell, 1)
    return spread(state.colour, state.width, parts, growth, stamp, island, left, 0)


@lean_kernel
def _narrow(state, island, left, n_queue, n_loose):
    """Unmark cells that are too far from an island and from another target that it must reach.

    The targets are the island's other parts and a block that only it can break. The white cells
    that join the island, the target and a cell are at least half the sum of the three distances,
    after the one cell or part at which the ways meet is subtracted: only that is in all three.
    """
    mark, dist, loose = state.growth.mark, state.growth.dist, state.growth.loose
    far = state.far
    heaviest = 1
    for i in range(n_loose):
        part = loose[i]
        if state.owner[part] == 0:
            heaviest = max(heaviest, state.size[part])
    stamp = state.counts[STAMP]
    for i in range(-1, n_loose):
        origin = 0
        between = left
        if i < 0:
            if state.block[island] == 0:
                continue
            for step in (0, 1, state.width, state.width + 1):
                cell = state.block[island] + step
                if mark[cell] == stamp:
                    between = min(between, dist[cell])
        else:
            origin = loose[i]
            if state.owner[origin] != island:
                continue
            between = dist[state.members[state.first[origin]]]
        _spread_from(state, far, island, origin, left)
        reached = state.counts[STAMP]
        most = 2 * left + heaviest - between
        for j in range(n_queue):
            cell = state.growth.queue[j]
            if far.mark[cell] != reached or dist[cell] + far.dist[cell] > most:
                mark[cell] = 0
        for j in range(n_loose):
            part = loose[j]
            cell = state.members[state.first[part]]
            if far.mark[cell] != reached or dist[cell] + far.dist[cell] > most:
                for k in range(state.first[part], state.first[part + 1]):
                    mark[state.members[k]] = 0


@lean_kernel
def colour_cuts(state, stamp, root, colour, island, needed):
    """Colour the open cells without which marked cells of the region fall apart.

    The region is all cells marked with `stamp`. A cell is needed if its removal would cut cells
    that must be in the region off from `root`, or leave fewer than `needed` cells. Return the
    number of cells joined to `root`, and the number of those that must be in the region.
    """
    mark, queue = state.growth.mark, state.growth.queue
    seen = state.seen
    order, low, above, turn = state.tree[0], state.tree[1], state.tree[2], state.tree[3]
    below, must, cut, cut_must = state.tree[4], state.tree[5], state.tree[6], state.tree[7]
    steps = (-state.width, -1, 1, state.width)
    n_seen = 0
    n_found = 0
    cell = root
    above[root] = 0
    fresh = True
    while cell > 0:
        if fresh:
            n_seen += 1
            seen[cell] = stamp
            order[cell] = n_seen
            queue[n_seen - 1] = cell
            low[cell] = n_seen
            turn[cell] = 0
            below[cell] = 1
            held = state.colour[cell]
            must[cell] = 0
            if held == colour and (island == 0 or state.owner[state.part[cell]] == island):
                must[cell] = 1
                n_found += 1
            cut[cell] = 0
            cut_must[cell] = 0
            fresh = False
        if turn[cell] < 4:
            other = cell + steps[turn[cell]]
            turn[cell] += 1
            if mark[other] == stamp:
                if seen[other] != stamp:
                    above[other] = cell
                    cell = other
                    fresh = True
                elif order[other] < low[cell]:
                    low[cell] = order[other]
            continue
        parent = above[cell]
        if parent > 0:
            below[parent] += below[cell]
            must[parent] += must[cell]
            if low[cell] >= order[parent]:
                cut[parent] += below[cell]
                cut_must[parent] += must[cell]
            elif low[cell] < low[parent]:
                low[parent] = low[cell]
        cell = parent
    for i in range(n_seen):
        cell = queue[i]
        if state.colour[cell] == OPEN and (cut_must[cell] > 0 or n_seen - cut[cell] - 1 < needed):
            colour_cell(state, cell, colour)
    return n_seen, n_found


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

"""Consequences of the sizes of islands and the river, and of their connection.

The river is treated as one more island, to which a cell belongs if it is not white. The explanation
of a consequence consists of cells that are known not to belong to the region. They surround either
the cells that it can reach or the cell that it cannot reach. If its size limits the reach, the
cells that belong to it are part of the explanation, too.
"""

from nando.kernels.compile import lean_kernel
from nando.solvers.exact.nurikabe.trail import STAMP, conclude, fail, give, has_room

_NO_CELL = -1


@lean_kernel
def follow_region(variables, trail, region):
    """Draw the consequences for an island, or the river, the last region; False at a conflict."""
    value = trail.value
    river = int(region == variables.start.size - 1)
    first, end = variables.first_member[region], variables.first_member[region + 1]
    wanted = variables.wanted[region]
    start = variables.start[region]
    n_own = 0
    n_open = 0
    for i in range(first, end):
        member = variables.members[i]
        held = value[2 * member + river]
        n_open += held == 0
        if held > 0:
            n_own += 1
            if start < 0:
                start = member
    if start < 0:
        return True
    if wanted > 0 and n_own > wanted:
        if not has_room(trail):
            return False
        return fail(trail, _give_own(variables, trail, region, river, 0))
    if n_open == 0 and n_own == 1 and wanted <= 1:
        return True
    left = wanted - n_own if wanted > 0 else variables.n_cells
    n_reached = _walk(variables, trail, river, start, left, _NO_CELL)
    stamp = trail.counts[STAMP]
    for i in range(first, end):
        member = variables.members[i]
        if trail.seen[member] == stamp or value[2 * member + river] < 0:
            continue
        if not has_room(trail):
            return False
        n = _give_reach(
            variables, trail, region, river, start, left, n_own, n_reached, stamp, member, _NO_CELL
        )
        if not conclude(variables, trail, 2 * member + 1 - river, n):
            return False
    if n_reached < wanted:
        if not has_room(trail):
            return False
        n = _give_reach(
            variables, trail, region, river, start, left, n_own, n_reached, stamp, -1, _NO_CELL
        )
        return fail(trail, n)
    if n_own == n_reached:
        return True
    n_cuts = _find_cuts(variables, trail, river, start, wanted, n_reached, stamp)
    for i in range(n_cuts):
        cut = trail.tree[6, i]
        if value[2 * cut] != 0:
            continue
        n_within = _walk(variables, trail, river, start, left, cut)
        stamp = trail.counts[STAMP]
        beyond = -1
        if n_within >= wanted:
            for j in range(first, end):
                member = variables.members[j]
                if value[2 * member + river] > 0 and trail.seen[member] != stamp:
                    beyond = member
                    break
            if beyond < 0:
                continue
        if not has_room(trail):
            return False
        n = _give_reach(
            variables, trail, region, river, start, left, n_own, n_within, stamp, beyond, cut
        )
        if beyond >= 0:
            n = give(trail, 2 * beyond + 1 - river, n)
        if not conclude(variables, trail, 2 * cut + river, n):
            return False
    return True


@lean_kernel
def _walk(variables, trail, river, start, left, without):
    """Find the cells that a region reaches with `left` more cells; return their number.

    `away` receives the number of cells needed, the first row of `queue` the variables by distance.
    """
    trail.counts[STAMP] += 1
    stamp = trail.counts[STAMP]
    seen = trail.seen
    away = trail.away
    nearer, farther = trail.queue[0], trail.queue[1]
    seen[start] = stamp
    away[start] = 0
    nearer[0] = start
    head, tail, n_farther = 0, 1, 0
    distance = 0
    while head < tail:
        variable = nearer[head]
        head += 1
        for side in range(4):
            other = variables.beside[variable, side]
            if other < 0 or seen[other] == stamp or other == without:
                continue
            held = trail.value[2 * other + river]
            if held > 0:
                seen[other] = stamp
                away[other] = distance
                nearer[tail] = other
                tail += 1
            elif held == 0 and distance < left:
                seen[other] = stamp
                away[other] = distance + 1
                farther[n_farther] = other
                n_farther += 1
        if head == tail and n_farther > 0:
            for i in range(n_farther):
                nearer[tail + i] = farther[i]
            tail += n_farther
            n_farther = 0
            distance += 1
    return tail


@lean_kernel
def _give_own(variables, trail, region, river, n):
    """Add the cells that belong to a region to a clause of `n` literals; return its length."""
    for i in range(variables.first_member[region], variables.first_member[region + 1]):
        member = variables.members[i]
        if trail.value[2 * member + river] > 0:
            n = give(trail, 2 * member + 1 - river, n)
    return n


@lean_kernel
def _give_reach(
    variables, trail, region, river, start, left, n_own, n_reached, stamp, target, without
):
    """Write a clause that explains why a walk with this stamp did not reach a target.

    A target of -1 stands for any further cell. Return the length of the clause.
    """
    trail.counts[STAMP] += 1
    given = trail.counts[STAMP]
    n_columns = variables.n_columns
    n = 0
    is_limited = False
    to = variables.cell[target] if target >= 0 else 0
    for i in range(n_reached):
        variable = trail.queue[0, i]
        for side in range(4):
            other = variables.beside[variable, side]
            if other < 0 or trail.seen[other] == stamp or other == without:
                continue
            if trail.given[other] == given:
                continue
            needed = trail.away[variable] + 1
            if target >= 0:
                at = variables.cell[other]
                steps = abs(at // n_columns - to // n_columns) + abs(
                    at % n_columns - to % n_columns
                )
                needed += max(0, steps - n_own)
            if needed > left:
                is_limited = True
            elif trail.value[2 * other + river] < 0:
                trail.given[other] = given
                n = give(trail, 2 * other + river, n)
    if is_limited:
        return _give_own(variables, trail, region, river, n)
    if target >= 0 and n > 1:
        n = _give_border(variables, trail, river, target, without, n)
    return give(trail, 2 * start + 1 - river, n)


@lean_kernel
def _give_border(variables, trail, river, target, without, n):
    """Explain by the cells around those joined to the target, if they are fewer than the `n` given.

    Return the length of the clause.
    """
    trail.counts[STAMP] += 1
    stamp = trail.counts[STAMP]
    queue, border = trail.queue[1], trail.border
    trail.given[target] = stamp
    queue[0] = target
    head, tail, n_border, n_later = 0, 1, 0, 0
    while head < tail:
        variable = queue[head]
        head += 1
        for side in range(4):
            other = variables.beside[variable, side]
            if other < 0 or trail.given[other] == stamp or other == without:
                continue
            trail.given[other] = stamp
            if trail.value[2 * other + river] >= 0:
                queue[tail] = other
                tail += 1
                continue
            border[n_border] = other
            n_border += 1
            n_later += trail.level[other] > 0
            if n_later >= n:
                return n
    n = 0
    for i in range(n_border):
        n = give(trail, 2 * border[i] + river, n)
    return n


@lean_kernel
def _find_cuts(variables, trail, river, start, wanted, n_reached, stamp):
    """List open cells that the region needs; return their number.

    Without one of these, too few of the reached cells are left, or cells of the region are cut off.
    """
    order, low, above, turn = trail.tree[0], trail.tree[1], trail.tree[2], trail.tree[3]
    below, own = trail.tree[4], trail.tree[5]
    cut, lost = trail.tree[6], trail.tree[7]
    trail.counts[STAMP] += 1
    visited = trail.counts[STAMP]
    n_seen = 0
    n_cuts = 0
    variable = start
    above[start] = -1
    fresh = True
    while variable >= 0:
        if fresh:
            trail.seen[variable] = visited
            order[variable] = n_seen
            low[variable] = n_seen
            n_seen += 1
            turn[variable] = 0
            below[variable] = 1
            own[variable] = trail.value[2 * variable + river] > 0
            lost[variable] = 0
            fresh = False
        if turn[variable] < 4:
            other = variables.beside[variable, turn[variable]]
            turn[variable] += 1
            if other < 0:
                continue
            if trail.seen[other] == stamp:
                above[other] = variable
                variable = other
                fresh = True
            elif trail.seen[other] == visited and order[other] < low[variable]:
                low[variable] = order[other]
            continue
        # All cells below are known. `lost` counts those cut off with the cell; it is negative if
        # they include cells of the region.
        if trail.value[2 * variable] == 0 and (
            lost[variable] < 0 or n_reached - 1 - lost[variable] < wanted
        ):
            cut[n_cuts] = variable
            n_cuts += 1
        parent = above[variable]
        if parent >= 0:
            below[parent] += below[variable]
            own[parent] += own[variable]
            if low[variable] >= order[parent]:
                if own[variable] > 0:
                    lost[parent] = -1
                elif lost[parent] >= 0:
                    lost[parent] += below[variable]
            elif low[variable] < low[parent]:
                low[parent] = low[variable]
        variable = parent
    return n_cuts

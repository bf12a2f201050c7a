"""Consequences of the sizes of islands and the river, and of their connection.

The river is treated as one more island, to which a cell belongs if it is not white. The explanation
of a consequence consists of cells that are known not to belong to the region. They surround either
the cells that it can reach or the cell that it cannot reach. If its size limits the reach, the
cells that belong to it are part of the explanation, too.
"""

from typing import NamedTuple

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.exact.trail import STAMP, conclude, fail, give, has_room

_NO_CELL = -1


class _Region(NamedTuple):
    """An island, or the river, and what is known of it."""

    first: int
    """Index in `members` of the first variable of its cells."""
    end: int
    """Index after the last one."""
    river: int
    """1 for the river, else 0; literal ``2 * variable + river`` says that a cell belongs to it."""
    start: int
    """A variable of a cell that belongs to it, negative if there is none yet."""
    size: int
    """0 if it is not known."""
    n_own: int
    """Number of cells that belong to it."""
    n_open: int
    """Number of cells that may belong to it."""
    left: int
    """Most cells that it can still take."""


class _Walk(NamedTuple):
    """What a walk from the cells of a region reached."""

    n_reached: int
    stamp: int
    without: int
    """The variable that the walk could not enter, or `_NO_CELL`."""


@lean_kernel
def follow_region(variables, trail, number):
    """Draw the consequences for an island, or the river, the last region; False at a conflict."""
    region = _read_region(variables, trail, number)
    if region.start < 0:
        return True
    if region.size > 0 and region.n_own > region.size:
        if not has_room(trail):
            return False
        return fail(trail, _give_own(variables, trail, region, 0))
    if region.n_open == 0 and region.n_own == 1 and region.size <= 1:
        return True
    walk = _walk(variables, trail, region, _NO_CELL)
    if not _exclude_beyond(variables, trail, region, walk):
        return False
    if walk.n_reached < region.size:
        if not has_room(trail):
            return False
        return fail(trail, _give_reach(variables, trail, region, walk, _NO_CELL))
    if region.n_own == walk.n_reached:
        return True
    return _take_cuts(variables, trail, region, walk)


@lean_kernel
def _read_region(variables, trail, number):
    """Count the cells that belong to a region, or may belong to it."""
    first, end = int(variables.first_member[number]), int(variables.first_member[number + 1])
    river = int(number == variables.start.size - 1)
    size = int(variables.size[number])
    start = int(variables.start[number])
    n_own = 0
    n_open = 0
    for i in range(first, end):
        member = int(variables.members[i])
        held = trail.value[2 * member + river]
        n_open += held == 0
        if held > 0:
            n_own += 1
            if start < 0:
                start = member
    left = size - n_own if size > 0 else variables.n_cells
    return _Region(first, end, river, start, size, n_own, n_open, left)


@lean_kernel
def _exclude_beyond(variables, trail, region, walk):
    """Conclude that cells which a walk did not reach are not of the region; False at a conflict."""
    river = region.river
    for i in range(region.first, region.end):
        member = variables.members[i]
        if trail.seen[member] == walk.stamp or trail.value[2 * member + river] < 0:
            continue
        if not has_room(trail):
            return False
        n = _give_reach(variables, trail, region, walk, member)
        if not conclude(trail, 2 * member + 1 - river, n):
            return False
    return True


@lean_kernel
def _take_cuts(variables, trail, region, walk):
    """Conclude that a region has the open cells that it needs; return False at a conflict."""
    river = region.river
    n_cuts = _find_cuts(variables, trail, region, walk)
    for i in range(n_cuts):
        cut = trail.tree[6, i]
        if trail.value[2 * cut] != 0:
            continue
        within = _walk(variables, trail, region, cut)
        beyond = _NO_CELL
        if within.n_reached >= region.size:
            beyond = _own_beyond(variables, trail, region, within)
            if beyond < 0:
                continue
        if not has_room(trail):
            return False
        n = _give_reach(variables, trail, region, within, beyond)
        if beyond >= 0:
            n = give(trail, 2 * beyond + 1 - river, n)
        if not conclude(trail, 2 * cut + river, n):
            return False
    return True


@lean_kernel
def _own_beyond(variables, trail, region, walk):
    """Return the first cell of a region that a walk did not reach, `_NO_CELL` if there is none."""
    for i in range(region.first, region.end):
        member = int(variables.members[i])
        if trail.value[2 * member + region.river] > 0 and trail.seen[member] != walk.stamp:
            return member
    return _NO_CELL


@lean_kernel
def _walk(variables, trail, region, without):
    """Find the cells that a region reaches with the cells that it can still take.

    `away` receives the number of cells needed, the first row of `queue` the variables by distance.
    """
    trail.counts[STAMP] += 1
    stamp = trail.counts[STAMP]
    seen = trail.seen
    away = trail.away
    nearer, farther = trail.queue[0], trail.queue[1]
    seen[region.start] = stamp
    away[region.start] = 0
    nearer[0] = region.start
    head, tail, n_farther = 0, 1, 0
    distance = 0
    while head < tail:
        variable = nearer[head]
        head += 1
        for side in range(4):
            other = variables.beside[variable, side]
            if other < 0 or seen[other] == stamp or other == without:
                continue
            held = trail.value[2 * other + region.river]
            if held > 0:
                seen[other] = stamp
                away[other] = distance
                nearer[tail] = other
                tail += 1
            elif held == 0 and distance < region.left:
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
    return _Walk(tail, stamp, without)


@lean_kernel
def _give_own(variables, trail, region, n):
    """Add the cells that belong to a region to a clause of `n` literals; return its length."""
    for i in range(region.first, region.end):
        member = variables.members[i]
        if trail.value[2 * member + region.river] > 0:
            n = give(trail, 2 * member + 1 - region.river, n)
    return n


@lean_kernel
def _give_reach(variables, trail, region, walk, target):
    """Write a clause that explains why a walk did not reach a target; return its length.

    A target of `_NO_CELL` stands for any further cell.
    """
    trail.counts[STAMP] += 1
    given = trail.counts[STAMP]
    n = 0
    is_limited = False
    for i in range(walk.n_reached):
        variable = trail.queue[0, i]
        for side in range(4):
            other = variables.beside[variable, side]
            if other < 0 or trail.seen[other] == walk.stamp or other == walk.without:
                continue
            if trail.given[other] == given:
                continue
            needed = trail.away[variable] + 1
            if target >= 0:
                needed += max(0, _distance(variables, other, target) - region.n_own)
            if needed > region.left:
                is_limited = True
            elif trail.value[2 * other + region.river] < 0:
                trail.given[other] = given
                n = give(trail, 2 * other + region.river, n)
    if is_limited:
        return _give_own(variables, trail, region, n)
    if target >= 0 and n > 1:
        n = _give_border(variables, trail, region.river, target, walk.without, n)
    return give(trail, 2 * region.start + 1 - region.river, n)


@inlined_kernel
def _distance(variables, first, second):
    """Return the number of rows plus columns between the cells of two variables."""
    n_columns = variables.n_columns
    start, end = variables.cell[first], variables.cell[second]
    rows = abs(start // n_columns - end // n_columns)
    return rows + abs(start % n_columns - end % n_columns)


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
def _find_cuts(variables, trail, region, walk):
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
    variable = region.start
    above[variable] = -1
    fresh = True
    while variable >= 0:
        if fresh:
            trail.seen[variable] = visited
            order[variable] = n_seen
            low[variable] = n_seen
            n_seen += 1
            turn[variable] = 0
            below[variable] = 1
            own[variable] = trail.value[2 * variable + region.river] > 0
            lost[variable] = 0
            fresh = False
        if turn[variable] < 4:
            other = variables.beside[variable, turn[variable]]
            turn[variable] += 1
            if other < 0:
                continue
            if trail.seen[other] == walk.stamp:
                above[other] = variable
                variable = other
                fresh = True
            elif trail.seen[other] == visited and order[other] < low[variable]:
                low[variable] = order[other]
            continue
        # All cells below are known. `lost` counts those cut off with the cell; it is negative if
        # they include cells of the region.
        if trail.value[2 * variable] == 0 and (
            lost[variable] < 0 or walk.n_reached - 1 - lost[variable] < region.size
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

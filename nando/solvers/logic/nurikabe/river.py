"""Techniques that use a cell and its neighbours or one group and its exits, and those on the river.

The latter look at the river as a whole, and at the number of cells of each colour.
"""

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.logic.nurikabe.reach_steps import (
    N_CELLS,
    N_GROUPS,
    N_REASON,
    STAMP,
    because,
    because_of_group,
    begin,
    decide,
    takes,
    takes_cell,
)
from nando.solvers.nurikabe.state import OPEN, flood, part_beside


@lean_kernel
def find_between(state, groups, finding, degree, rating):
    """Find a cell that would join two islands; at degree 0 two numbers must be next to it."""
    colour = state.colour
    steps = (-state.width, -1, 1, state.width)
    for cell in range(state.width, colour.size - state.width):
        if colour[cell] != OPEN:
            continue
        for i in range(4):
            one = cell + steps[i]
            island = groups.island[groups.part[one]] if colour[one] == WHITE else 0
            if island == 0 or (degree == 0 and state.island_at[one] == 0):
                continue
            for j in range(i):
                two = cell + steps[j]
                other = groups.island[groups.part[two]] if colour[two] == WHITE else 0
                if other == 0 or other == island or (degree == 0 and state.island_at[two] == 0):
                    continue
                begin(finding, rating, BLACK)
                decide(finding, cell)
                because_of_group(groups, finding, groups.part[one])
                because_of_group(groups, finding, groups.part[two])
                if takes(finding):
                    return True
    return False


@lean_kernel
def find_complete(state, groups, finding, degree, rating):
    """Find an island that has all its cells, at degree 0 a 1: the cells around it are river."""
    colour = state.colour
    for island in range(1, state.n_islands + 1):
        group = groups.part[state.start[island]]
        wanted = state.wanted[island]
        if groups.size[group] != wanted or groups.n_exits[group] == 0:
            continue
        if degree == 0 and wanted > 1:
            continue
        begin(finding, rating, BLACK)
        because_of_group(groups, finding, group)
        _decide_exits(colour, groups, finding, group, state.width)
        if takes(finding):
            return True
    return False


@lean_kernel
def _decide_exits(colour, groups, finding, group, width):
    for i in range(groups.first[group], groups.first[group] + groups.size[group]):
        for step in (-width, -1, 1, width):
            other = groups.members[i] + step
            if colour[other] == OPEN:
                seen = False
                for j in range(finding.head[N_CELLS]):
                    seen |= finding.cells[j] == other
                if not seen:
                    decide(finding, other)


@lean_kernel
def find_pool(state, finding, rating):
    """Find a 2x2 block with three river cells: the fourth is white."""
    colour = state.colour
    for cell in range(state.width, colour.size - state.width - 1):
        n_black = 0
        opening = 0
        for step in (0, 1, state.width, state.width + 1):
            if colour[cell + step] == BLACK:
                n_black += 1
            elif colour[cell + step] == OPEN:
                opening = cell + step
        if n_black == 3 and opening > 0:
            begin(finding, rating, WHITE)
            decide(finding, opening)
            for step in (0, 1, state.width, state.width + 1):
                if cell + step != opening:
                    because(finding, cell + step)
            if takes(finding):
                return True
    return False


@lean_kernel
def find_river_exit(state, groups, finding, rating):
    """Find a part of the river with one way out, and more river elsewhere."""
    n_black = state.counts[BLACK]
    if state.n_white >= 0:
        n_black = state.n_cells - state.n_white
    for group in range(1, groups.counts[N_GROUPS] + 1):
        if _has_one_exit(state, groups, group, BLACK) and groups.size[group] < n_black:
            first_exit = groups.first_exit[group]
            if takes_cell(groups, finding, rating, BLACK, first_exit, group):
                return True
    return False


@lean_kernel
def find_island_exit(state, groups, finding, rating):
    """Find white cells with one way out that lack cells, or a number."""
    for group in range(1, groups.counts[N_GROUPS] + 1):
        wanted = state.wanted[groups.island[group]]
        lacks = wanted >= 0 and groups.size[group] != wanted
        if lacks and _has_one_exit(state, groups, group, WHITE):
            first_exit = groups.first_exit[group]
            if takes_cell(groups, finding, rating, WHITE, first_exit, group):
                return True
    return False


@lean_kernel
def _has_one_exit(state, groups, group, colour):
    """Return True if a group is of a colour, and one open cell touches it."""
    cell = groups.members[groups.first[group]]
    return state.colour[cell] == colour and groups.n_exits[group] == 1


@lean_kernel
def find_oversize(state, groups, finding, rating):
    """Find a cell that would make an island larger than its number, or than every number."""
    for cell in range(state.width, state.colour.size - state.width):
        if state.colour[cell] != OPEN:
            continue
        size = 1
        most = state.largest
        for i in range(4):
            group = part_beside(state.colour, state.width, groups.part, cell, i)
            if group > 0:
                size += groups.size[group]
                if state.wanted[groups.island[group]] > 0:
                    most = min(most, state.wanted[groups.island[group]])
        if size > most and size > 1:
            begin(finding, rating, BLACK)
            decide(finding, cell)
            for i in range(4):
                group = part_beside(state.colour, state.width, groups.part, cell, i)
                if group > 0:
                    because_of_group(groups, finding, group)
            if takes(finding):
                return True
    return False


@lean_kernel
def find_shared_exit(state, groups, finding, rating):
    """Find an island that lacks one cell: a cell next to all its exits is black."""
    colour = state.colour
    steps = (-state.width, -1, 1, state.width)
    for island in range(1, state.n_islands + 1):
        group = groups.part[state.start[island]]
        if groups.size[group] != state.wanted[island] - 1:
            continue
        for i in range(4):
            cell = groups.first_exit[group] + steps[i]
            if colour[cell] != OPEN:
                continue
            n_next = 0
            is_exit = False
            for j in range(4):
                if groups.part[cell + steps[j]] == group:
                    is_exit = True
                if colour[cell + steps[j]] == OPEN and _touches(
                    groups, cell + steps[j], group, state.width
                ):
                    n_next += 1
            touches_all = not is_exit and n_next == groups.n_exits[group]
            if touches_all and takes_cell(groups, finding, rating, BLACK, cell, group):
                return True
    return False


@lean_kernel
def _touches(groups, cell, group, width):
    found = False
    for step in (-width, -1, 1, width):
        found |= groups.part[cell + step] == group
    return found


@lean_kernel
def find_total(state, finding, rating):
    """Find that all white cells, or all river cells, are known: the rest has the other colour."""
    if state.n_white < 0:
        return False
    rest = 0
    if state.counts[WHITE] == state.n_white:
        rest = BLACK
    elif state.counts[BLACK] == state.n_cells - state.n_white:
        rest = WHITE
    if rest == 0:
        return False
    begin(finding, rating, rest)
    for cell in range(state.width, state.colour.size - state.width):
        if state.colour[cell] == OPEN:
            decide(finding, cell)
    return finding.head[N_CELLS] > 0 and takes(finding)


@lean_kernel
def find_enclosed(state, groups, finding, rating):
    """Find the cells that white cells cut off from the river."""
    root = _river(state)
    if root == 0:
        return False
    _flow(state, groups, root, 0)
    begin(finding, rating, WHITE)
    for cell in range(state.width, state.colour.size - state.width):
        if state.colour[cell] == OPEN and groups.growth.mark[cell] != groups.counts[STAMP]:
            decide(finding, cell)
    return finding.head[N_CELLS] > 0 and takes(finding)


@lean_kernel
def find_river_bottleneck(state, groups, finding, degree, rating):
    """Find a cell without which the river falls apart or, at degree 1, has too few cells."""
    colour = state.colour
    root = _river(state)
    if root == 0 or (degree > 0 and state.n_white < 0):
        return False
    n_whole = _flow(state, groups, root, 0)
    n_needed = state.n_cells - state.n_white if degree > 0 else 0
    for cell in range(state.width, colour.size - state.width):
        if colour[cell] != OPEN or (n_whole > n_needed and not _may_cut(state, cell)):
            continue
        n_left = _flow(state, groups, root, cell)
        if n_left == n_whole - 1 and n_left >= n_needed:
            continue
        begin(finding, rating, BLACK)
        stamp = groups.counts[STAMP]
        for group in range(1, groups.counts[N_GROUPS] + 1):
            member = groups.members[groups.first[group]]
            if colour[member] == BLACK and groups.growth.mark[member] != stamp:
                because_of_group(groups, finding, group)
        if finding.head[N_REASON] > 0 or n_left < n_needed:
            decide(finding, cell)
            if takes(finding):
                return True
    return False


@lean_kernel
def find_block_count(state, groups, finding, rating):
    """Find disjoint 2x2 blocks that need all white cells left: all other open cells are river."""
    colour = state.colour
    if state.n_white < 0:
        return False
    left = state.n_white - state.counts[WHITE]
    width = state.width
    # Blocks are packed from each of the four corners, since the results differ.
    for corner in range(4):
        groups.counts[STAMP] += 1
        stamp = groups.counts[STAMP]
        n_blocks = 0
        begin(finding, rating, BLACK)
        n_rows = colour.size // width
        for i in range(1, n_rows - 2):
            row = i if corner < 2 else n_rows - 2 - i
            for j in range(1, width - 2):
                column = j if corner % 2 == 0 else width - 2 - j
                cell = row * width + column
                is_free = True
                for step in (0, 1, width, width + 1):
                    other = cell + step
                    held = colour[other]
                    if (held != OPEN and held != BLACK) or groups.growth.mark[other] == stamp:
                        is_free = False
                if is_free:
                    n_blocks += 1
                    for step in (0, 1, width, width + 1):
                        groups.growth.mark[cell + step] = stamp
                        because(finding, cell + step)
        if n_blocks == left:
            for cell in range(width, colour.size - width):
                if colour[cell] == OPEN and groups.growth.mark[cell] != stamp:
                    decide(finding, cell)
            if finding.head[N_CELLS] > 0 and takes(finding):
                return True
    return False


@lean_kernel
def _river(state):
    """Return a cell of the river, or 0 if there is none yet."""
    for cell in range(state.width, state.colour.size - state.width):
        if state.colour[cell] == BLACK:
            return cell
    return 0


@lean_kernel
def _may_cut(state, cell):
    """Return True if the ring around a cell does not join all its neighbours that are not white."""
    width = state.width
    ring = (-width, 1 - width, 1, width + 1, width, width - 1, -1, -width - 1)
    n_ways = 0
    for i in range(0, 8, 2):
        if _may_be_river(state, cell + ring[i]):
            is_joined = _may_be_river(state, cell + ring[i + 1])
            is_joined &= _may_be_river(state, cell + ring[(i + 2) % 8])
            n_ways += not is_joined
    return n_ways > 1


@inlined_kernel
def _may_be_river(state, cell):
    return state.colour[cell] == OPEN or state.colour[cell] == BLACK


@lean_kernel
def _flow(state, groups, root, barred):
    """Mark the cells that can be joined to the river without `barred`; return their number."""
    mark = groups.growth.mark
    groups.counts[STAMP] += 1
    stamp = groups.counts[STAMP]
    mark[barred] = stamp
    may_be_river = 1 << OPEN | 1 << BLACK
    queue = groups.growth.queue
    return flood(state.colour, state.width, may_be_river, mark, stamp, queue, root, 0, queue.size)

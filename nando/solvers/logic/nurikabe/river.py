"""Techniques on the river as a whole, and on the number of cells of each colour."""

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
)
from nando.solvers.nurikabe.state import OPEN, flood


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

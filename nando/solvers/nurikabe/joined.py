"""Joined cells of a Nurikabe, their neighbours, and the cells that an island can grow to.

Kernels take the `colour` of each cell of a walled board and its `width`. Those that search from an
island also take the parts of joined white cells.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE

OPEN = 0
WALL = 3

RING = -1
"""Index of the first cell of a part that is a ring: it is named after a cell, and `members` leads
from each of its cells to the next."""


class Parts(NamedTuple):
    """The parts of joined white cells, for a search from an island.

    :class:`nando.solvers.nurikabe.state.NurikabeState` describes the arrays.
    """

    part: NDArray[np.int32]
    size: NDArray[np.int32]
    first: NDArray[np.int32]
    members: NDArray[np.int32]
    owner: NDArray[np.int32]
    touch: NDArray[np.int32]


@inlined_kernel
def parts_of(record):
    """Return the parts of a record that has these arrays among its fields."""
    return Parts(record.part, record.size, record.first, record.members, record.owner, record.touch)


class Growth(NamedTuple):
    """Workspace of a search from an island, with entries for cells if nothing else is stated."""

    mark: NDArray[np.int64]
    """Stamp of the last search that reached the cell."""
    dist: NDArray[np.int32]
    """Number of white cells that the island needs to grow to the cell."""
    bucket: NDArray[np.int32]
    """First cell at each distance; 0 for none."""
    link: NDArray[np.int32]
    """Next cell at the same distance; 0 after the last."""
    queue: NDArray[np.int32]
    """List of the open cells reached, in the order of the search."""
    loose: NDArray[np.int32]
    """List of the parts reached."""


def new_growth(n_walled: int) -> Growth:
    """Return the workspace for a walled board of `n_walled` cells."""
    dist, bucket, link, queue, loose = np.zeros((5, n_walled), np.int32)
    return Growth(np.zeros(n_walled, np.int64), dist, bucket, link, queue, loose)


@inlined_kernel
def empty_buckets(growth, left):
    """Empty the buckets for a search of cells that need at most `left` white cells."""
    for d in range(max(left, 0) + 2):
        growth.bucket[d] = 0


@inlined_kernel
def put(growth, stamp, cell, distance):
    """Put a cell into the bucket of its distance."""
    growth.mark[cell] = stamp
    growth.dist[cell] = distance
    growth.link[cell] = growth.bucket[distance]
    growth.bucket[distance] = cell


@inlined_kernel
def put_part(parts, growth, stamp, part, distance):
    """Put the cells of a part into the bucket of their distance."""
    first = parts.first[part]
    if first == RING:
        cell = part
        for _ in range(parts.size[part]):
            put(growth, stamp, cell, distance)
            cell = parts.members[cell]
        return
    for i in range(first, first + parts.size[part]):
        put(growth, stamp, parts.members[i], distance)


@inlined_kernel
def spread(colour, width, parts, growth, stamp, island, left, barred):
    """Search from the cells in the buckets; return the numbers of open cells and parts reached.

    The search reaches cells that `island` can grow to with at most `left` white cells. It does not
    enter the cell `barred`, nor open cells that touch another island. Cells that became white after
    the parts were found count as open.
    """
    n_queue = 0
    n_loose = 0
    d = 0
    while d <= left:
        cell = growth.bucket[d]
        if cell == 0:
            d += 1
            continue
        growth.bucket[d] = growth.link[cell]
        for step in (-width, -1, 1, width):
            other = cell + step
            if growth.mark[other] == stamp or colour[other] == BLACK or colour[other] == WALL:
                continue
            if other == barred:
                continue
            part = parts.part[other] if colour[other] == WHITE else 0
            if part == 0:
                touch = parts.touch[other]
                if d < left and (touch == 0 or touch == island):
                    put(growth, stamp, other, d + 1)
                    growth.queue[n_queue] = other
                    n_queue += 1
                continue
            owner = parts.owner[part]
            reached = d if owner == island else d + parts.size[part]
            if reached > left or (owner > 0 and owner != island):
                continue
            put_part(parts, growth, stamp, part, reached)
            growth.loose[n_loose] = part
            n_loose += 1
    return n_queue, n_loose


@inlined_kernel
def fits(colour, width, parts, growth, stamp, cell, left):
    """Return True if an island can grow through a reached cell and the ownerless parts next to it.

    Such a part must be reached itself, or fit together with the cell into `left` white cells.
    """
    for step in (-width, -1, 1, width):
        other = cell + step
        part = parts.part[other]
        if colour[other] == WHITE and part > 0 and parts.owner[part] == 0:
            alone = growth.dist[cell] + parts.size[part]
            is_reached = growth.mark[other] == stamp and growth.dist[other] < left
            if alone > left and not is_reached:
                return False
    return True


@inlined_kernel
def flood(colour, width, allowed, mark, stamp, queue, start, first, enough):
    """List the cells joined to a cell in `queue`, from `first` on; return the end of the list.

    They are joined through colours with a bit in `allowed`. Each is marked with the stamp; cells
    that are marked with it already are skipped. The list ends once it has about `enough` cells.
    """
    mark[start] = stamp
    queue[first] = start
    head, end = first, first + 1
    while head < end < enough:
        cell = queue[head]
        head += 1
        for step in (-width, -1, 1, width):
            other = cell + step
            if allowed >> int(colour[other]) & 1 and mark[other] != stamp:
                mark[other] = stamp
                queue[end] = other
                end += 1
    return end


@inlined_kernel
def exits_of(colour, width, cells, first, end):
    """Return the first open cell next to those listed, or 0, and the number of such cells.

    A number of 2 stands for two or more.
    """
    exit = 0
    for i in range(first, end):
        cell = cells[i]
        for step in (-width, -1, 1, width):
            other = cell + step
            if colour[other] == OPEN and other != exit:
                if exit > 0:
                    return exit, 2
                exit = other
    return exit, int(exit > 0)


@inlined_kernel
def label_part(state, start, part, first):
    """Label the cells joined to a cell as a part, and list them in `members` from `first` on.

    The cells have the same colour. The part belongs to the island whose number it has, or to which
    one of its cells is known to belong. Return the end of the list; the first open cell next to the
    part and the number of such cells, as :func:`exits_of`; and the island whose number is in the
    part, 0 for none. The island is -1 if the part has two numbers or belongs to two islands.
    """
    colour, width, members = state.colour, state.width, state.members
    own = int(colour[start])
    end = flood(colour, width, 1 << own, state.part, part, members, start, first, members.size)
    exit, n_exits = exits_of(colour, width, members, first, end)
    state.size[part] = end - first
    state.first[part] = first
    island = owner = 0
    if own == WHITE:
        for i in range(first, end):
            numbered = state.island_at[members[i]]
            if numbered > 0:
                if island > 0:
                    return end, exit, n_exits, -1
                island = numbered
            known = max(numbered, state.owner_kept[members[i]])
            if known > 0:
                if owner > 0 and owner != known:
                    return end, exit, n_exits, -1
                owner = known
    state.owner[part] = owner
    return end, exit, n_exits, island


@inlined_kernel
def part_beside(colour, width, part, cell, side):
    """Return the white part on one of the four sides of a cell.

    It is 0 if there is none, or if it is also on an earlier side.
    """
    steps = (-width, -1, 1, width)
    if colour[cell + steps[side]] != WHITE:
        return 0
    beside = part[cell + steps[side]]
    for i in range(side):
        if colour[cell + steps[i]] == WHITE and part[cell + steps[i]] == beside:
            return 0
    return beside


@lean_kernel
def island_if_white(state, cell):
    """Return the island that an open cell would belong to if it were white, 0 for none.

    It is -1 if the cell would join two islands or make one too large.
    """
    size = 1
    island = 0
    a = b = c = 0
    for step in (-state.width, -1, 1, state.width):
        part = state.part[cell + step]
        if state.colour[cell + step] != WHITE or part == 0:
            continue
        if part in (a, b, c):
            continue
        a, b, c = part, a, b
        size += state.size[part]
        owner = state.owner[part]
        if owner > 0:
            if island > 0 and island != owner:
                return -1
            island = owner
    number = state.wanted[island]
    return -1 if size > (number if number > 0 else state.largest) else island


@inlined_kernel
def is_in_pool(colour, width, cell):
    """Return True if a cell is in a 2x2 block whose other cells are black."""
    for down in (-width, width):
        for right in (-1, 1):
            if (
                colour[cell + down] == BLACK
                and colour[cell + right] == BLACK
                and colour[cell + down + right] == BLACK
            ):
                return True
    return False

"""A partly coloured Nurikabe as kernels see it, and the cells that its islands can grow to.

Kernels take the `colour` of each cell of a walled board and its `width`. Those that search from an
island also take the parts of joined white cells. Below is the workspace of the rules, and how a
cell is coloured in it and taken back.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe

# Indices in `counts`. Those equal to WHITE and BLACK hold the numbers of cells of these colours.
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


N_SET = 0
HEAD = 3
STAMP = 4
N_PARTS = 5
N_COUNTS = 6


class NurikabeState(NamedTuple):
    """The colours of a board, its parts and islands, and the workspace of the rules.

    The board has a wall around it: cell (r, c) of the puzzle is at (r + 1) * width + c + 1.
    If nothing else is stated, arrays have an entry for each cell of this walled board. Islands are
    named 1, 2, ... in the order of their cells in the puzzle. Parts, the groups of joined white
    cells, are named anew whenever they are found. 0 stands for no cell, no island and no part.
    """

    width: int
    n_cells: int
    n_white: int
    """Number of white cells of every solution, -1 if it is not known."""
    largest: int
    """Most cells of an island."""
    n_islands: int
    counts: NDArray[np.int64]
    colour: NDArray[np.int8]
    trail: NDArray[np.int32]
    """List of the cells in the order in which they were coloured."""
    island_at: NDArray[np.int32]
    """The island whose number is in the cell, 0 for none."""
    start: NDArray[np.int32]
    """The cell with the number of each island."""
    wanted: NDArray[np.int32]
    """The number of each island, -1 if it is unknown; 0 for no island."""
    part: NDArray[np.int32]
    """The part of a white cell; 0 if the cell became white after parts were found."""
    size: NDArray[np.int32]
    """Number of cells of each part."""
    first: NDArray[np.int32]
    """Index in `members` of the first cell of each part."""
    members: NDArray[np.int32]
    """List of the cells of all parts."""
    owner: NDArray[np.int32]
    """The island that each part belongs to, or the only one that can reach it; 0 if several can."""
    touch: NDArray[np.int32]
    """The island that an open cell touches, so that it would belong to it if it were white."""
    reach: NDArray[np.int32]
    """Number of islands that can grow to an open cell."""
    last: NDArray[np.int32]
    """The last of these islands."""
    near: NDArray[np.int32]
    """Number of white cells that the last island needs for that."""
    part_reach: NDArray[np.int32]
    """Number of islands that can grow to a part without a number."""
    part_last: NDArray[np.int32]
    """The last of these islands."""
    block: NDArray[np.int32]
    """The first cell of the farthest 2x2 block that only the island can break, for each island."""
    block_far: NDArray[np.int32]
    """Number of white cells that the island needs to reach this block."""
    block_kept: NDArray[np.int32]
    """The block of each island that is restored when cells are opened again."""
    owner_kept: NDArray[np.int32]
    """The owner of a white cell's part, if it stays known when cells are opened again; else 0."""
    growth: Growth
    """Search from the number of an island; its marks also mark other regions."""
    far: Growth
    """Search from another part of the island, or from its block."""
    seen: NDArray[np.int64]
    """Stamp of the last depth-first search that reached the cell."""
    tree: NDArray[np.int32]
    """Workspace of the depth-first search, shape (8, n_walled)."""


def walled_cells(shape: tuple[int, int]) -> NDArray[np.int32]:
    """Return the index on the walled board of each cell of a puzzle."""
    row, column = np.divmod(np.arange(shape[0] * shape[1], dtype=np.int32), shape[1])
    return np.asarray((row + 1) * (shape[1] + 2) + column + 1, np.int32)


def cells_at(places: NDArray[np.int32], width: int) -> NDArray[np.int32]:
    """Return the cells of the puzzle at indices of the walled board."""
    row, column = np.divmod(places, width)
    return (row - 1) * (width - 2) + column - 1


def walled_colours(shape: tuple[int, int]) -> NDArray[np.int8]:
    """Return the colours of a board with a wall around it, all cells open."""
    # One entry more than the board: parts and distances are counted from 1.
    colour = np.full((shape[0] + 2) * (shape[1] + 2) + 1, WALL, np.int8)
    colour[walled_cells(shape)] = OPEN
    return colour


def new_state(puzzle: Nurikabe) -> NurikabeState:
    """Return the state of a board on which only the numbers are coloured."""
    numbered = np.flatnonzero(puzzle.numbers)
    cells = walled_cells(puzzle.shape)[numbered]
    n_white = puzzle.n_white
    numbers = puzzle.numbers[numbered]
    colour = walled_colours(puzzle.shape)
    n_walled = colour.size
    colour[cells] = WHITE
    counts = np.zeros(N_COUNTS, np.int64)
    counts[N_SET] = counts[WHITE] = cells.size
    rows = np.zeros((27, n_walled), np.int32)
    trail, island_at, start, wanted = rows[:4]
    trail[: cells.size] = cells
    island_at[cells] = np.arange(1, cells.size + 1)
    start[1 : cells.size + 1] = cells
    wanted[1 : cells.size + 1] = numbers
    growth, far = new_growth(n_walled), new_growth(n_walled)
    seen = np.zeros(n_walled, np.int64)
    workspace: list[Any] = [*rows[4:19], growth, far, seen, rows[19:]]
    return NurikabeState(
        puzzle.shape[1] + 2,
        puzzle.n_cells,
        -1 if n_white is None else n_white,
        puzzle.n_cells if n_white is None else int(numbers.max(initial=0)),
        cells.size,
        counts,
        colour,
        trail,
        island_at,
        start,
        wanted,
        *workspace,
    )


def colour_cells(state: NurikabeState, cells: NDArray[np.int32], colours: NDArray[np.int8]) -> None:
    """Colour open cells, given by their indices on the walled board; none is given twice."""
    n_set = state.counts[N_SET]
    state.colour[cells] = colours
    state.part[cells] = 0
    state.trail[n_set : n_set + cells.size] = cells
    state.counts[N_SET] += cells.size
    for colour in (WHITE, BLACK):
        state.counts[colour] += np.count_nonzero(colours == colour)


@inlined_kernel
def colour_cell(state, cell, colour):
    """Colour a cell if it is open; return True if the cell then has this colour."""
    held = state.colour[cell]
    if held != OPEN:
        return held == colour
    state.colour[cell] = colour
    state.part[cell] = 0
    state.trail[state.counts[N_SET]] = cell
    state.counts[N_SET] += 1
    state.counts[colour] += 1
    return True


@lean_kernel
def take_back(state, n_set):
    """Open all coloured cells again, except the `n_set` that were coloured first."""
    for i in range(n_set, state.counts[N_SET]):
        cell = state.trail[i]
        state.counts[int(state.colour[cell])] -= 1
        state.colour[cell] = OPEN
    state.counts[N_SET] = n_set
    state.counts[HEAD] = n_set
    for island in range(1, state.n_islands + 1):
        state.block[island] = state.block_kept[island]


@lean_kernel
def keep_findings(state):
    """Save the blocks and owners found, which hold as long as the present colours."""
    for island in range(1, state.n_islands + 1):
        state.block_kept[island] = state.block[island]
    for i in range(state.counts[N_SET]):
        cell = state.trail[i]
        if state.colour[cell] == WHITE:
            state.owner_kept[cell] = state.owner[state.part[cell]]


@lean_kernel
def forget_findings(state):
    """Discard the saved blocks and owners, before any of these cells is opened."""
    for island in range(1, state.n_islands + 1):
        state.block_kept[island] = 0
    for i in range(state.counts[N_SET]):
        state.owner_kept[state.trail[i]] = 0

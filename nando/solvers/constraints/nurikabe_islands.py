"""Brute force on Nurikabe: try all shapes of the islands, the smallest number first.

Islands are tried in the order of their numbers; ties are broken at random. A shape is a connected
set of open cells that contains the number. In each step one shape is put on the board, and the
cells around it become black. The shape is removed again if

* it touches another number,
* a later island has too little room left,
* the black cells can no longer be connected, or
* a 2x2 block is black.

When all islands are placed, the remaining cells become river. Islands of unknown size come last,
and shapes of every size are tried for them.

Source: Krivanek 2011, chapter 4, which gives the order and the four reasons to backtrack. This
library chose the rest: what a step is, when the cells around an island become black, and that the
river may still be connected through open cells.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.nurikabe.cost import ColourBoard, new_board
from nando.solvers.nurikabe.state import OPEN, flood, is_in_pool

STEPS, DEPTH, ALIVE, N_SET = range(4)
"""Indices in `progress`: shapes tried; islands placed, or -1 at the end; 1 if the last shape is on
the board and may stay; cells coloured."""


class Islands(NamedTuple):
    """A board and the search over its islands, one after another.

    Connected sets are enumerated as by Redelmeier (1981). A list holds the cells that may join the
    set. The set is a subsequence of this list, and each cell that joins it appends its new
    neighbours. In this way every set is tried once. A place is an index into the padded board.
    """

    board: ColourBoard
    start: NDArray[np.int32]
    """Place of each island's number; islands are in the order of the search."""
    wanted: NDArray[np.int32]
    """Number of each island; if it is unknown, minus the number of cells of the puzzle."""
    first: NDArray[np.int64]
    """Index at which each island's part of `listed`, `chosen` and `ends` begins."""
    listed: NDArray[np.int32]
    """Places in the list of each island."""
    chosen: NDArray[np.int32]
    """Index in the list of each cell of the set."""
    ends: NDArray[np.int32]
    """Length of the list before each cell of the set appended its neighbours."""
    sizes: NDArray[np.int32]
    """Number of cells in the set of each island."""
    coloured: NDArray[np.int32]
    """Places in the order in which they were coloured."""
    island: NDArray[np.int32]
    """Island that coloured each of them; the number of islands for the remaining river."""
    held: NDArray[np.int32]
    """Number of places coloured before each island was put on the board."""
    tried: NDArray[np.int64]
    """Number of shapes tried for each island."""
    mark: NDArray[np.int64]
    """Last stamp of each place; entry 0 holds the newest stamp."""
    rank: NDArray[np.int32]
    """Index of each place in the list; valid if its mark is the stamp of the list."""
    progress: NDArray[np.int64]


def new_islands(puzzle: Nurikabe, rng: np.random.Generator) -> Islands:
    """Return the search at its start: numbers white, nothing else coloured."""
    board = new_board(puzzle)
    numbered = np.flatnonzero(puzzle.numbers)
    numbers = puzzle.numbers[numbered].astype(np.int32)
    full_sizes = np.where(numbers < 0, -puzzle.n_cells, numbers)
    order = np.lexsort((rng.random(len(numbered)), np.where(numbers < 0, puzzle.n_cells, numbers)))
    full_sizes = full_sizes[order].astype(np.int32)
    start = board.cells[numbered[order]]
    board.colour[start] = WHITE
    # A list holds the set and its neighbours, each cell once.
    sizes = np.minimum(3 * np.abs(full_sizes.astype(np.int64)) + 2, puzzle.n_cells) + 1
    first = np.concatenate([[0], np.cumsum(sizes)])
    n_islands, n_places = len(start), len(board.colour)
    return Islands(
        board=board,
        start=start,
        wanted=full_sizes,
        first=first,
        listed=np.zeros(first[-1], np.int32),
        chosen=np.zeros(first[-1], np.int32),
        ends=np.zeros(first[-1], np.int32),
        sizes=np.zeros(n_islands + 1, np.int32),
        coloured=np.zeros(puzzle.n_cells, np.int32),
        island=np.zeros(puzzle.n_cells, np.int32),
        held=np.zeros(n_islands + 1, np.int32),
        tried=np.zeros(n_islands + 1, np.int64),
        mark=np.zeros(n_places, np.int64),
        rank=np.zeros(n_places, np.int32),
        progress=np.array([0, 0, 1, 0], np.int64),
    )


@lean_kernel
def try_shapes(state, pause):
    """Continue until `pause` shapes have been tried, all islands are placed, or the depth is -1."""
    progress = state.progress
    n_islands = state.start.shape[0]
    while progress[DEPTH] >= 0:
        depth = progress[DEPTH]
        if progress[ALIVE] == 1 and depth == n_islands:
            if _river_fits(state):
                return
            progress[ALIVE] = 0
            progress[DEPTH] -= 1
            continue
        if progress[STEPS] >= pause:
            return
        if progress[ALIVE] == 1:
            state.held[depth] = progress[N_SET]
            found = _first_shape(state, depth)
        else:
            _take_off(state, state.held[depth])
            found = _next_shape(state, depth)
        if not found:
            progress[ALIVE] = 0
            progress[DEPTH] -= 1
            continue
        progress[STEPS] += 1
        state.tried[depth] += 1
        progress[ALIVE] = _put_on(state, depth)
        progress[DEPTH] += progress[ALIVE]


@lean_kernel
def _take_off(state, n_set):
    """Reopen all coloured cells except for the first `n_set`."""
    for i in range(n_set, state.progress[N_SET]):
        cell = state.coloured[i]
        # The number stays white.
        state.board.colour[cell] = WHITE if state.board.numbers[cell] != 0 else OPEN
    state.progress[N_SET] = n_set


# Shapes


@lean_kernel
def _first_shape(state, island):
    """Begin with the number alone and go to the first shape; return False if there is none."""
    offset = state.first[island]
    state.listed[offset] = state.start[island]
    state.chosen[offset] = 0
    state.ends[offset] = 1
    state.sizes[island] = 1
    if state.wanted[island] < 0 or state.wanted[island] == 1:
        return True
    return _grow_shape(state, island, False)


@lean_kernel
def _next_shape(state, island):
    """Go from the present shape to the next; return False if there is none."""
    return _grow_shape(state, island, state.wanted[island] > 0)


@lean_kernel
def _grow_shape(state, island, back):
    """Go to the next set that is a shape; return False if there is none.

    If `back` is True, replace the last cell of the set; if it is False, add a cell first.
    """
    offset = state.first[island]
    full_size = state.wanted[island]
    colour = state.board.colour
    width = state.board.width
    stamp = _mark_list(state, island)
    while True:
        size = state.sizes[island]
        if not back:
            # The neighbours of the last cell join the list.
            end = state.ends[offset + size - 1]
            last = state.listed[offset + state.chosen[offset + size - 1]]
            for step in (-width, -1, 1, width):
                other = last + step
                if colour[other] == OPEN and state.mark[other] != stamp:
                    state.mark[other] = stamp
                    state.rank[other] = end
                    state.listed[offset + end] = other
                    end += 1
            state.ends[offset + size] = end
            following = state.chosen[offset + size - 1] + 1
        else:
            # Replace the last cell of the set by the next cell of the list.
            size -= 1
            if size == 0:
                return False
            end = state.ends[offset + size]
            following = state.chosen[offset + size] + 1
        if following < end:
            state.chosen[offset + size] = following
            state.ends[offset + size] = end
            state.sizes[island] = size + 1
            if full_size < 0 or size + 1 == full_size:
                return True
            back = not _has_room(state, island, stamp)
            continue
        # The list has ended: forget the neighbours of the cell before, and replace it in turn.
        for i in range(state.ends[offset + size - 1], end):
            state.mark[state.listed[offset + i]] = 0
        state.sizes[island] = size
        back = True


@lean_kernel
def _mark_list(state, island):
    """Mark the cells of the island's list with a new stamp and return the stamp."""
    state.mark[0] += 1
    stamp = state.mark[0]
    offset = state.first[island]
    for i in range(state.ends[offset + state.sizes[island] - 1]):
        cell = state.listed[offset + i]
        state.mark[cell] = stamp
        state.rank[cell] = i
    return stamp


@lean_kernel
def _has_room(state, island, stamp):
    """Return True if the set can still grow to the size of the island."""
    board = state.board
    offset = state.first[island]
    size = state.sizes[island]
    latest = state.chosen[offset + size - 1]
    board.seen[0] += 1
    seen = board.seen[0]
    for i in range(size):
        cell = state.listed[offset + state.chosen[offset + i]]
        board.queue[i] = cell
        board.seen[cell] = seen
    n_queue = size
    i = 0
    while i < n_queue and n_queue < state.wanted[island]:
        cell = board.queue[i]
        i += 1
        for step in (-board.width, -1, 1, board.width):
            other = cell + step
            # The sets that follow do not contain a cell of the list that was skipped.
            passed = state.mark[other] == stamp and state.rank[other] < latest
            if board.colour[other] == OPEN and board.seen[other] != seen and not passed:
                board.seen[other] = seen
                board.queue[n_queue] = other
                n_queue += 1
    return n_queue >= state.wanted[island]


# Rules


@lean_kernel
def _put_on(state, island):
    """Colour the shape and the cells around it; return True if the rules allow it."""
    colour = state.board.colour
    width = state.board.width
    offset = state.first[island]
    size = state.sizes[island]
    state.mark[0] += 1
    stamp = state.mark[0]
    for i in range(size):
        cell = state.listed[offset + state.chosen[offset + i]]
        colour[cell] = WHITE
        state.mark[cell] = stamp
        _note(state, cell, island)
    begin = state.progress[N_SET] - size
    for i in range(size):
        cell = state.coloured[begin + i]
        for step in (-width, -1, 1, width):
            other = cell + step
            if colour[other] == OPEN:
                colour[other] = BLACK
                _note(state, other, island)
            elif colour[other] == WHITE and state.mark[other] != stamp:
                return 0
    for i in range(begin + size, state.progress[N_SET]):
        if is_in_pool(state.board.colour, state.board.width, state.coloured[i]):
            return 0
    if not _is_joined(state):
        return 0
    for other in range(island + 1, state.start.shape[0]):
        if not _can_grow(state, other):
            return 0
    return 1


@lean_kernel
def _note(state, cell, island):
    state.coloured[state.progress[N_SET]] = cell
    state.island[state.progress[N_SET]] = island
    state.progress[N_SET] += 1


@lean_kernel
def _is_joined(state):
    """Return True if all black cells can be connected through cells that are not white."""
    board = state.board
    n_black = 0
    root = 0
    for cell in board.cells:
        if board.colour[cell] == BLACK:
            n_black += 1
            root = cell
    if n_black == 0:
        return True
    may_be_river = 1 << OPEN | 1 << BLACK
    for i in range(_flood_until(board, may_be_river, root, board.queue.size)):
        n_black -= board.colour[board.queue[i]] == BLACK
    return n_black == 0


@lean_kernel
def _can_grow(state, island):
    """Return True if open cells around a number are enough for its island."""
    full_size = state.wanted[island]
    return _flood_until(state.board, 1 << OPEN, state.start[island], full_size) >= full_size


@lean_kernel
def _flood_until(board, allowed, start, enough):
    """List cells in the queue of the board as :func:`flood` does; return their number."""
    board.seen[0] += 1
    stamp = board.seen[0]
    return flood(
        board.colour, board.width, allowed, board.seen, stamp, board.queue, start, 0, enough
    )


@lean_kernel
def _river_fits(state):
    """Colour the remaining cells black; if that breaks the rules, undo it and return False."""
    board = state.board
    colour = board.colour
    n_set = state.progress[N_SET]
    for cell in board.cells:
        if colour[cell] == OPEN:
            colour[cell] = BLACK
            _note(state, cell, state.start.shape[0])
    fits = _is_joined(state)
    for i in range(n_set, state.progress[N_SET]):
        if not fits:
            break
        fits = not is_in_pool(board.colour, board.width, state.coloured[i])
    if not fits:
        _take_off(state, n_set)
    return fits

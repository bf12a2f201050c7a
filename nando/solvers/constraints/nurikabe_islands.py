"""Tries all shapes of the islands of a Nurikabe, from the smallest number on.

Islands are taken in the order of their numbers, ties at random. A shape is a connected set of
open cells with the number in it; a step is one shape tried. It is put on the board, the cells
around it become black, and it is removed again if

* it touches another number,
* a later island has too little room left,
* the black cells can no longer be connected, or
* a 2x2 block is black.

When all islands are placed, the rest is river. Islands of unknown size come last, and shapes
of every size are tried for them.

Source: Krivanek 2011, chapter 4, which gives the order and the four reasons to backtrack. The
definition of a step, the time at which the cells around an island become black, and that open cells
can connect the river are choices of this library.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.nurikabe.cost import ColourBoard, new_board
from nando.solvers.nurikabe.joined import OPEN, flood, flood_to, is_in_pool

# Places of `progress`.
STEPS, DEPTH, ALIVE, N_SET = range(4)
"""Shapes tried; islands placed (-1 at the end); whether the shape before is on the board and may
stay; cells coloured."""


class Islands(NamedTuple):
    """A board and the search over its islands, one after another.

    Connected sets are listed as by Redelmeier (1981): the cells that may join the set stand in a
    list, in which each cell of the set is behind the one before, and whose end gets the new
    neighbours of each. Every set comes up once.
    """

    board: ColourBoard
    start: NDArray[np.int32]
    """By island, in the order of the search: the place of its number ..."""
    wanted: NDArray[np.int32]
    """... its number, and for an island of unknown size minus the cells there are."""
    first: NDArray[np.int64]
    """By island: where its part of the three arrays below begins."""
    listed: NDArray[np.int32]
    chosen: NDArray[np.int32]
    """By cell of the set: its place in the list ..."""
    ends: NDArray[np.int32]
    """... and the length of the list without its neighbours."""
    sizes: NDArray[np.int32]
    """By island: cells of its set."""
    coloured: NDArray[np.int32]
    """Cells in the order in which they were coloured ..."""
    island: NDArray[np.int32]
    """... and the island that did it; for the river that is left, the number of islands."""
    held: NDArray[np.int32]
    """By island: how many of those came before it."""
    tried: NDArray[np.int64]
    """By island: shapes tried."""
    mark: NDArray[np.int64]
    rank: NDArray[np.int32]
    """By place: where it stands in the list, if its mark is that of the list."""
    progress: NDArray[np.int64]


def new_islands(puzzle: Nurikabe, rng: np.random.Generator) -> Islands:
    """Return the search at its start: numbers white, nothing else coloured."""
    board = new_board(puzzle)
    numbered = np.flatnonzero(puzzle.numbers)
    numbers = puzzle.numbers[numbered].astype(np.int32)
    wanted = np.where(numbers < 0, -puzzle.n_cells, numbers)
    order = np.lexsort((rng.random(len(numbered)), np.where(numbers < 0, puzzle.n_cells, numbers)))
    wanted = wanted[order].astype(np.int32)
    start = board.cells[numbered[order]]
    board.colour[start] = WHITE
    # A list has the set, its neighbours, and no cell twice.
    room = np.minimum(3 * np.abs(wanted.astype(np.int64)) + 2, puzzle.n_cells) + 1
    first = np.concatenate([[0], np.cumsum(room)])
    n_islands, n_places = len(start), len(board.colour)
    return Islands(
        board=board,
        start=start,
        wanted=wanted,
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
    """Search on until `pause` shapes were tried, or the end: all islands placed, or depth -1."""
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
    """Open all cells again but the first `n_set` that were coloured."""
    for i in range(n_set, state.progress[N_SET]):
        cell = state.coloured[i]
        # The number stays white.
        state.board.colour[cell] = WHITE if state.board.numbers[cell] != 0 else OPEN
    state.progress[N_SET] = n_set


# Shapes


@lean_kernel
def _first_shape(state, island):
    """Begin with the number alone; return True if that leads to a shape."""
    at = state.first[island]
    state.listed[at] = state.start[island]
    state.chosen[at] = 0
    state.ends[at] = 1
    state.sizes[island] = 1
    if state.wanted[island] < 0 or state.wanted[island] == 1:
        return True
    return _grow_shape(state, island, False)


@lean_kernel
def _next_shape(state, island):
    """Go to the shape after the present one; return False if there is none."""
    return _grow_shape(state, island, state.wanted[island] > 0)


@lean_kernel
def _grow_shape(state, island, back):
    """Go to the next set that is a shape, first going back from the present one if `back`."""
    at = state.first[island]
    wanted = state.wanted[island]
    colour = state.board.colour
    width = state.board.width
    stamp = _mark_list(state, island)
    while True:
        size = state.sizes[island]
        if not back:
            # The neighbours of the last cell join the list.
            end = state.ends[at + size - 1]
            last = state.listed[at + state.chosen[at + size - 1]]
            for step in (-width, -1, 1, width):
                other = last + step
                if colour[other] == OPEN and state.mark[other] != stamp:
                    state.mark[other] = stamp
                    state.rank[other] = end
                    state.listed[at + end] = other
                    end += 1
            state.ends[at + size] = end
            following = state.chosen[at + size - 1] + 1
        else:
            # The last cell of the set gives way to the next one of the list.
            size -= 1
            if size == 0:
                return False
            end = state.ends[at + size]
            following = state.chosen[at + size] + 1
        if following < end:
            state.chosen[at + size] = following
            state.ends[at + size] = end
            state.sizes[island] = size + 1
            if wanted < 0 or size + 1 == wanted:
                return True
            back = not _has_room(state, island, stamp)
            continue
        # Nothing follows: forget the neighbours of the cell before, which gives way in turn.
        for i in range(state.ends[at + size - 1], end):
            state.mark[state.listed[at + i]] = 0
        state.sizes[island] = size
        back = True


@lean_kernel
def _mark_list(state, island):
    """Mark the cells of the island's list with a new stamp and return the stamp."""
    state.mark[0] += 1
    stamp = state.mark[0]
    at = state.first[island]
    for i in range(state.ends[at + state.sizes[island] - 1]):
        cell = state.listed[at + i]
        state.mark[cell] = stamp
        state.rank[cell] = i
    return stamp


@lean_kernel
def _has_room(state, island, stamp):
    """Return True if the set can still grow to a shape: no step is lost on sets that cannot."""
    board = state.board
    at = state.first[island]
    size = state.sizes[island]
    latest = state.chosen[at + size - 1]
    board.seen[0] += 1
    seen = board.seen[0]
    for i in range(size):
        cell = state.listed[at + state.chosen[at + i]]
        board.queue[i] = cell
        board.seen[cell] = seen
    n_queue = size
    i = 0
    while i < n_queue and n_queue < state.wanted[island]:
        cell = board.queue[i]
        i += 1
        for step in (-board.width, -1, 1, board.width):
            other = cell + step
            # A cell of the list that was skipped is not in the sets that follow.
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
    at = state.first[island]
    size = state.sizes[island]
    state.mark[0] += 1
    stamp = state.mark[0]
    for i in range(size):
        cell = state.listed[at + state.chosen[at + i]]
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
        if is_in_pool(state.board, state.coloured[i]):
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
    """Return True if cells that are not white join all that are black."""
    board = state.board
    n_black = 0
    root = 0
    for cell in board.cells:
        if board.colour[cell] == BLACK:
            n_black += 1
            root = cell
    if n_black == 0:
        return True
    board.seen[0] += 1
    may_be_river = 1 << OPEN | 1 << BLACK
    end = flood(board, may_be_river, board.seen, board.seen[0], board.queue, root, 0)
    for i in range(end):
        n_black -= board.colour[board.queue[i]] == BLACK
    return n_black == 0


@lean_kernel
def _can_grow(state, island):
    """Return True if open cells around a number are enough for its island."""
    board = state.board
    wanted = state.wanted[island]
    start = state.start[island]
    board.seen[0] += 1
    stamp = board.seen[0]
    return flood_to(board, 1 << OPEN, board.seen, stamp, board.queue, start, 0, wanted) >= wanted


@lean_kernel
def _river_fits(state):
    """Make the river of what is left; return True if it keeps the rules."""
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
        fits = not is_in_pool(board, state.coloured[i])
    if not fits:
        _take_off(state, n_set)
    return fits

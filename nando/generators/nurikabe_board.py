"""Random islands and rivers, moved until the numbers have one solution.

Every board here is a legal solution: a connected river without 2x2 blocks, and islands around it.
Two moves connect all boards: a river cell whose loss leaves the river connected becomes white, and
a white cell becomes river. The number of cells that the rules alone leave open measures how far a
board is from having one solution. It is quick to compute, and once it is low the exact search has
little left to do.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.generators import nurikabe_closure as closure
from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.nurikabe.state import OPEN, WALL, flood, is_in_pool, walled_cells, walled_colours

_REACHED = -1
"""Label of the cells of the river in a test of its connection."""
DULL = 5
"""Consecutive rounds of moves without gain before a board is given up."""
ELSEWHERE = 8
"""Every round of this number moves cells anywhere, not only where cells are open."""
RENUMBERED = 0.3
"""Share of the moves at a white cell that move only the number of its island."""
PAIRED = 0.3
"""Share of the moves of one cell that also move another one near it."""


class Board(NamedTuple):
    """A solution and its numbers, on the walled board of the exact search."""

    width: int
    cells: NDArray[np.int32]
    """The cells inside the wall."""
    counts: NDArray[np.int64]
    colour: NDArray[np.int8]
    number: NDArray[np.int32]
    """The size of the island at the cell of its number, else 0."""
    label: NDArray[np.int32]
    """The island of a white cell, from 1."""
    size: NDArray[np.int32]
    """Number of cells of each island."""
    queue: NDArray[np.int32]
    kept_colour: NDArray[np.int8]
    kept_number: NDArray[np.int32]
    """Saved colours and numbers."""
    known: NDArray[np.int8]
    """The colours that the rules alone give on the saved board."""
    near: NDArray[np.bool_]
    """True for cells near those that moved."""
    reach: closure.Reach
    """Workspace of the rules."""


def new_board(shape: tuple[int, int]) -> Board:
    """Return an all-white board without numbers."""
    cells, known = walled_cells(shape), walled_colours(shape)
    colour, n_walled = known.copy(), known.size
    colour[cells] = WHITE
    number, label, size, queue, kept = np.zeros((5, n_walled + 1), np.int32)
    counts = np.zeros(closure.N_COUNTS, np.int64)
    return Board(
        shape[1] + 2,
        cells,
        counts,
        colour,
        number,
        label,
        size,
        queue,
        colour.copy(),
        kept,
        known,
        np.zeros(n_walled, np.bool_),
        closure.new_reach(n_walled),
    )


@lean_kernel
def draw_board(board, sizes, n_moves, rng):
    """Draw a random solution with about the given mean and largest size of islands.

    Return its strain.
    """
    for cell in board.cells:
        board.colour[cell] = WHITE
        board.number[cell] = 0
    # Grow the river as far as possible.
    board.colour[board.cells[drawn(rng, board.cells.size)]] = BLACK
    grown = True
    while grown:
        grown = False
        for _ in range(board.cells.size):
            cell = board.cells[drawn(rng, board.cells.size)]
            if board.colour[cell] == WHITE and _may_blacken(board, cell):
                board.colour[cell] = BLACK
                grown = True
    number_islands(board, rng)
    # Then a random walk that always accepts a better mean size.
    before = strain(board, sizes)
    for _ in range(n_moves):
        _keep(board)
        if flip(board, board.cells[drawn(rng, board.cells.size)], rng):
            after = strain(board, sizes)
            if after <= before or rng.random() < np.exp((before - after) * 2.0):
                before = after
            else:
                _restore(board, rng)
    return before


@lean_kernel
def drawn(rng, n):
    """Return a random integer below `n`; the generator's own method would allocate an array."""
    return int(rng.random() * n)


@lean_kernel
def strain(board, sizes):
    """Return the strain: how far the sizes of islands are from the target, as a number of islands.

    `sizes` are the target mean and the largest size.
    """
    n_islands = board.counts[closure.N_ISLANDS]
    off = abs(board.counts[closure.N_WHITE] / sizes[0] - n_islands)
    for island in range(1, n_islands + 1):
        off += max(0, board.size[island] - sizes[1])
    return off


@kernel
def approach(board, state, sizes, focus, n_moves, most_open, rng):
    """Improve the board until the rules leave few cells open; return their number, or -1.

    If `n_moves` is positive, a new board is drawn first. The first moves are at `focus`, if it has
    cells. Then most rounds move where cells are open, and the others anywhere. The search fails
    after several rounds without gain.
    """
    if n_moves > 0:
        draw_board(board, sizes, n_moves, rng)
    n_cells = board.cells.size
    heat = min(1.5, max(0.75, n_cells / 360))
    now = closure.n_open(board, state, n_cells) + excess(board, sizes)
    _note(board, state)
    if focus.size > 0:
        now = improve(board, state, sizes, focus, now, heat, rng)
    n_dull = 0
    n_rounds = 0
    while n_dull < DULL:
        focus = closure.left_open(board, board.known)
        if focus.size <= most_open and has_wanted_sizes(board, sizes):
            return focus.size
        n_rounds += 1
        if n_rounds % ELSEWHERE == 0 or focus.size == 0:
            focus = board.cells
        then = improve(board, state, sizes, focus, now, heat, rng)
        n_dull = 0 if then < now else n_dull + 1
        now = then
    return -1


@lean_kernel
def has_wanted_sizes(board, sizes):
    """Return True if the sizes of the islands are near enough to the target."""
    return strain(board, sizes) <= 1.0 + 0.05 * board.counts[closure.N_ISLANDS]


@lean_kernel
def improve(board, state, sizes, focus, best, heat, rng):
    """Move the board until its tension falls below the `best`, or for a number of moves.

    The tension is the number of cells that the rules leave open, plus the excess of the sizes.
    Return the new tension. Moves are tried at the cells of `focus` and next to them, as many as the
    board has cells. The higher the `heat`, the more moves that raise the tension are accepted.
    """
    now = best
    for _ in range(board.cells.size):
        _keep(board)
        if not propose(board, focus, RENUMBERED, rng):
            continue
        # Draw the bound first, so that a move which cannot be accepted is detected early.
        most = now - heat * np.log(1.0 - rng.random())
        more = excess(board, sizes)
        most_open = int(np.floor(most - more))
        n_left = closure.n_open(board, state, most_open) if most_open >= 0 else 0
        if n_left > most_open:
            _restore(board, rng)
            continue
        now = n_left + more
        _note(board, state)
        if now < best:
            break
    return now


@lean_kernel
def _note(board, state):
    """Save the colours that the rules gave in a state."""
    for cell in board.cells:
        board.known[cell] = state.colour[cell]


@lean_kernel
def propose(board, focus, renumbered, rng):
    """Move at or next to a cell of `focus`; return True if there was such a move.

    `renumbered` is the share of the moves at white cells that move only the island's number.
    """
    cell = focus[drawn(rng, focus.size)]
    if rng.random() < 0.5:
        steps = (-board.width, -1, 1, board.width)
        cell += steps[drawn(rng, 4)]
    if board.colour[cell] == WALL:
        return False
    if board.colour[cell] == WHITE and rng.random() < renumbered:
        return renumber(board, cell)
    if not flip(board, cell, rng):
        return False
    if rng.random() < PAIRED:
        # Another cell, at most two rows and columns away, may make up for the change of sizes.
        other = cell + (drawn(rng, 5) - 2) * board.width + drawn(rng, 5) - 2
        is_inside = 0 <= other < board.colour.size and board.colour[other] != WALL
        if is_inside and other != cell:
            flip(board, other, rng)
    return True


@lean_kernel
def excess(board, sizes):
    """Return the tension that the sizes of the islands add beyond a margin."""
    return 2.0 * max(0.0, strain(board, sizes) - 0.5 - 0.03 * board.counts[closure.N_ISLANDS])


@lean_kernel
def flip(board, cell, rng):
    """Give a cell the other colour if the board stays a solution; return True if it does."""
    if board.colour[cell] == WHITE:
        if not _may_blacken(board, cell):
            return False
        board.colour[cell] = BLACK
        board.number[cell] = 0
    else:
        if not _may_whiten(board, cell):
            return False
        board.colour[cell] = WHITE
    number_islands(board, rng)
    return True


@lean_kernel
def renumber(board, cell):
    """Move the number of an island to one of its cells; return True if it was elsewhere."""
    if board.number[cell] > 0:
        return False
    island = board.label[cell]
    for other in board.cells:
        if board.label[other] == island and board.number[other] > 0:
            board.number[cell] = board.number[other]
            board.number[other] = 0
            return True
    return False


@lean_kernel
def _may_blacken(board, cell):
    """Return True if a white cell is next to the river and closes no 2x2 block."""
    is_joined = False
    for step in (-board.width, -1, 1, board.width):
        is_joined |= board.colour[cell + step] == BLACK
    return is_joined and not is_in_pool(board.colour, board.width, cell)


@lean_kernel
def _may_whiten(board, cell):
    """Return True if the river stays connected, and not empty, without a cell."""
    colour = board.colour
    steps = (-board.width, -1, 1, board.width)
    root = 0
    n_beside = 0
    for step in steps:
        if colour[cell + step] == BLACK:
            root = cell + step
            n_beside += 1
    if n_beside < 2:
        return n_beside == 1
    # All river neighbours must be reachable from one of them.
    colour[cell] = OPEN
    label, queue = board.label, board.queue
    n_seen = flood(colour, board.width, 1 << BLACK, label, _REACHED, queue, root, 0, queue.size)
    colour[cell] = BLACK
    n_met = 0
    for step in steps:
        n_met += label[cell + step] == _REACHED
    for i in range(n_seen):
        label[queue[i]] = 0
    return n_met == n_beside


@lean_kernel
def number_islands(board, rng):
    """Find the islands and give each one number, keeping an existing number if there is one."""
    label = board.label
    queue = board.queue
    for cell in board.cells:
        label[cell] = 0
    n_islands = 0
    n_white = 0
    largest = 0
    for start in board.cells:
        if board.colour[start] != WHITE or label[start] > 0:
            continue
        n_islands += 1
        size = flood(
            board.colour, board.width, 1 << WHITE, label, n_islands, queue, start, 0, queue.size
        )
        n_numbers = 0
        chosen = 0
        for i in range(size):
            cell = queue[i]
            if board.number[cell] > 0:
                board.number[cell] = 0
                n_numbers += 1
                if n_numbers == 1 or drawn(rng, n_numbers) == 0:
                    chosen = cell
        if n_numbers == 0:
            chosen = queue[drawn(rng, size)]
        board.number[chosen] = size
        board.size[n_islands] = size
        n_white += size
        largest = max(largest, size)
    board.counts[closure.N_WHITE] = n_white
    board.counts[closure.N_ISLANDS] = n_islands
    board.counts[closure.LARGEST] = largest


@lean_kernel
def _keep(board):
    for cell in board.cells:
        board.kept_colour[cell] = board.colour[cell]
        board.kept_number[cell] = board.number[cell]


@lean_kernel
def _restore(board, rng):
    """Restore the saved board; nothing is random, since every island has its number."""
    for cell in board.cells:
        board.colour[cell] = board.kept_colour[cell]
        board.number[cell] = board.kept_number[cell]
    number_islands(board, rng)


@kernel
def left_after_move(board, state, solution, numbers, sizes, renumbered, rng):
    """Set a solution with its numbers, move it, and return how many cells the rules leave open.

    Nothing is moved if `renumbered` is negative; otherwise it is as for :func:`propose`. Return -1
    if there was no move, or if the sizes of the islands are then too far from the target.
    """
    set_board(board, solution, numbers, rng)
    if renumbered >= 0.0 and not (
        propose(board, board.cells, renumbered, rng) and has_wanted_sizes(board, sizes)
    ):
        return -1
    return closure.n_open(board, state, board.cells.size)


@kernel
def set_board(board, solution, numbers, rng):
    """Set a solution with its numbers; nothing is drawn, since every island has one."""
    for i in range(board.cells.size):
        board.colour[board.cells[i]] = solution[i]
        board.number[board.cells[i]] = abs(numbers[i])
    number_islands(board, rng)

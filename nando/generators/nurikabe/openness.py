"""The number of cells that quick rules leave open, the distance from having one solution."""

from nando.generators.nurikabe.closure import close
from nando.generators.nurikabe.forecast import SMALL, recall
from nando.kernels.compile import kernel, lean_kernel, separate
from nando.puzzles.nurikabe.puzzle import WHITE
from nando.solvers.nurikabe.state import N_SET, OPEN, NurikabeState, colour_cell

# Places of the `counts` of a board.
N_WHITE = 0
N_ISLANDS = 1
LARGEST = 2
"""Cells of the largest island."""
N_COUNTS = 3


@kernel
def left_open(board, colour):
    """Return the cells that are open among colours."""
    n_left = 0
    for cell in board.cells:
        if colour[cell] == OPEN:
            board.queue[n_left] = cell
            n_left += 1
    return board.queue[:n_left].copy()


@separate
@lean_kernel
def n_open(board, state, most):
    """Return how many cells the rules alone leave open, or some number above `most`.

    Most moves leave too many cells open, which a forecast shows. The state is complete only if the
    result is at most `most`.
    """
    n_cells = board.cells.size
    n_left = n_cells
    for is_forecast in (True, False):
        if is_forecast and (most >= n_cells or n_cells <= SMALL):
            continue
        fresh = state_of(board, state)
        if is_forecast:
            recall(board, fresh)
        close(fresh, board.reach, n_cells - most if is_forecast else n_cells)
        n_left = n_cells - fresh.counts[N_SET]
        if n_left > most:
            break
    return n_left


@lean_kernel
def state_of(board, state):
    """Return the exact search's state for the board's numbers, in the arrays of another."""
    n_cells = board.cells.size
    counts = state.counts
    for cell in board.cells:
        state.colour[cell] = OPEN
        state.island_at[cell] = 0
        state.owner_kept[cell] = 0
    for i in range(4):
        counts[i] = 0
    for island in range(board.counts[N_ISLANDS] + 1):
        state.block[island] = 0
        state.block_kept[island] = 0
    fresh = NurikabeState(
        state.width,
        n_cells,
        board.counts[N_WHITE],
        board.counts[LARGEST],
        board.counts[N_ISLANDS],
        counts,
        state.colour,
        state.trail,
        state.island_at,
        state.start,
        state.wanted,
        state.part,
        state.size,
        state.first,
        state.members,
        state.owner,
        state.touch,
        state.reach,
        state.last,
        state.near,
        state.part_reach,
        state.part_last,
        state.block,
        state.block_far,
        state.block_kept,
        state.owner_kept,
        state.growth,
        state.far,
        state.seen,
        state.tree,
    )
    island = 0
    for cell in board.cells:
        if board.number[cell] > 0:
            island += 1
            fresh.island_at[cell] = island
            fresh.start[island] = cell
            fresh.wanted[island] = board.number[cell]
            colour_cell(fresh, cell, WHITE)
    return fresh

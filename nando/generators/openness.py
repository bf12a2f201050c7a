"""The number of cells that quick rules leave open, a distance from having one solution.

A quick lower bound of this number, the forecast, rejects most moves. It assumes that colours which
followed before the move still follow, except near the changed cells. The rules only add colours, so
without this assumption they leave at least as many cells open.
"""

from nando.generators.nurikabe_closure import close, join_group
from nando.kernels.compile import kernel, lean_kernel, separate
from nando.puzzles.nurikabe import WHITE
from nando.solvers.nurikabe.state import HEAD, N_SET, OPEN, NurikabeState, colour_cell

# Indices in the `counts` of a board.
N_WHITE = 0
N_ISLANDS = 1
LARGEST = 2
"""Cells of the largest island."""
N_COUNTS = 3

NEAR = 3
"""Distance in rows and columns from a changed cell within which colours are recomputed."""
SMALL = 150
"""Cells of the largest boards that are closed as quickly without a forecast."""


@kernel
def left_open(board, colour):
    """Return the cells of a board that are open in `colour`."""
    n_left = 0
    for cell in board.cells:
        if colour[cell] == OPEN:
            board.queue[n_left] = cell
            n_left += 1
    return board.queue[:n_left].copy()


@separate
@lean_kernel
def n_open(board, state, most):
    """Return the number of cells that the rules alone leave open, or some number above `most`.

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


@lean_kernel
def recall(board, state):
    """Colour the cells that followed on the saved board, except near those that differ from it.

    The closure begins next to open cells, since nothing more can follow elsewhere.
    """
    _mark_near(board)
    counts = state.counts
    trail = state.trail
    for cell in board.cells:
        if not board.near[cell] and board.known[cell] == board.colour[cell]:
            colour_cell(state, cell, board.known[cell])
    n_quiet = 0
    for i in range(counts[N_SET]):
        cell = trail[i]
        if _is_quiet(state, cell):
            trail[i] = trail[n_quiet]
            trail[n_quiet] = cell
            n_quiet += 1
    for i in range(n_quiet):
        join_group(state, trail[i])
    counts[HEAD] = n_quiet


@lean_kernel
def _mark_near(board):
    """Mark the cells near those that differ from the saved board."""
    width = board.width
    n_rows = board.colour.size // width
    for cell in board.cells:
        board.near[cell] = False
    for cell in board.cells:
        if (
            board.colour[cell] == board.kept_colour[cell]
            and board.number[cell] == board.kept_number[cell]
        ):
            continue
        row = cell // width
        column = cell - row * width
        for r in range(max(row - NEAR, 1), min(row + NEAR, n_rows - 2) + 1):
            for c in range(max(column - NEAR, 1), min(column + NEAR, width - 2) + 1):
                board.near[r * width + c] = True


@lean_kernel
def _is_quiet(state, cell):
    """Return True if none of the eight neighbours of a cell is open."""
    for down in (-state.width, 0, state.width):
        for other in range(cell + down - 1, cell + down + 2):
            if state.colour[other] == OPEN:
                return False
    return True

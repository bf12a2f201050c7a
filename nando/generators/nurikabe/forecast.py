"""A quick lower bound on the cells that the rules leave open after a move; it rejects most moves.

Colours that followed before the move are assumed to follow still, except near the changed cells.
The rules only add colours, so without this assumption they leave at least as many cells open.
"""

from nando.generators.nurikabe.closure import join_group
from nando.kernels.compile import lean_kernel
from nando.solvers.nurikabe.state import HEAD, N_SET, OPEN, colour_cell

NEAR = 3
"""Distance in rows and columns from a changed cell within which colours are recomputed."""
SMALL = 150
"""Cells of the largest boards that are closed as quickly without a forecast."""


@lean_kernel
def recall(board, state):
    """Colour what followed on the saved board, but not near the cells that differ from it.

    The closure begins next to open cells: elsewhere nothing more can follow.
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
    """Return True if no cell beside it, nor at its corners, is open."""
    for down in (-state.width, 0, state.width):
        for other in range(cell + down - 1, cell + down + 2):
            if state.colour[other] == OPEN:
                return False
    return True

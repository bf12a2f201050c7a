"""Random full grids, from which puzzles are carved.

For order 3 all grids are equally likely (:mod:`nando.generators.uniform`). For orders 4 and
5 a search fills cells at random and backtracks, and grids that need fewer choices are more likely:
every grid can occur, but not with equal probability.
"""

import numpy as np

from nando.checks import real, whole
from nando.generators.uniform import draw_uniform, new_workspace
from nando.kernels.bits import drawn_bit, n_bits
from nando.kernels.compile import kernel, lean_kernel
from nando.kernels.streams import drawn_stream
from nando.puzzles import Sudoku, Values
from nando.puzzles.sudoku.layout import shuffled_lines, sudoku_layout
from nando.solvers.exact.houses import BRANCH, WAYS, even_weights, hardest, level, new_house_stack
from nando.solvers.protocol import Seed, generator
from nando.solvers.singles import N_EMPTY, N_OPEN, place, restore

_MOST_CHOICES = 1_000
"""Choices after which a search for a large grid restarts; successful ones need a few hundred."""


def random_grid(order: int = 3, rng: Seed = None) -> Values:
    """Return a full grid.

    Parameters
    ----------
    order : int
        3, 4 or 5.
    rng : seed or Generator

    Returns
    -------
    ndarray of int8, shape (n_cells,)
        For order 3 each of the 6,670,903,752,021,072,936,960 grids is equally likely; for orders
        4 and 5 every grid can occur.

    Raises
    ------
    ValueError
        For another order.
    """
    layout = sudoku_layout(whole("order", order))
    rng = generator(rng)
    grid = np.zeros(layout.n_cells, np.int8)
    if order == 3:
        draw_uniform(grid, new_workspace(), drawn_stream(rng))
        return grid
    while True:
        grid[:] = 0
        _draw_diagonal(grid, order, rng)
        stack, branches = new_house_stack(Sudoku.from_values(grid))
        if _fill(stack, branches, layout, even_weights(layout), grid, _MOST_CHOICES, rng):
            return grid


def root_grid(order: int = 3) -> Values:
    """Return Lewis's root solution: ``(r mod n) n + r div n + c, mod n^2, + 1``, by cell.

    Source: Lewis 2007, section 4.
    """
    size = sudoku_layout(whole("order", order)).size
    row, column = np.divmod(np.arange(size * size), size)
    grid = (row % order * order + row // order + column) % size + 1
    return np.asarray(grid, np.int8)


def lewis_instance(
    p: float, order: int = 3, rng: Seed = None, *, grid: Values | None = None
) -> Sudoku:
    """Return an instance for research on solvers; it has at least one solution, often many.

    Parameters
    ----------
    p : float
        Probability of each cell to be given, 0 to 1.
    order : int
        3, 4 or 5.
    rng : seed or Generator
    grid : ndarray of int8, shape (n_cells,), or None
        Full grid to shuffle; None takes Lewis's root solution.

    Returns
    -------
    Sudoku
        The grid transposed or not, rows and columns permuted within and across bands, each way
        equally likely, and cells deleted with probability 1 - p each. Digits keep their names.

    Raises
    ------
    ValueError
        For a p outside 0 to 1, another order, or a grid that is no solution.

    Notes
    -----
    Source: Lewis 2007, section 4. Use :func:`nando.generators.generate` for puzzles for people.
    """
    if not 0.0 <= real("p", p) <= 1.0:
        raise ValueError(f"p must be between 0 and 1, got {p!r}")
    root = root_grid(order) if grid is None else np.asarray(grid, np.int8)
    if not Sudoku("." * order**4).is_solution(root):
        raise ValueError(f"grid must be a full {order**2}x{order**2} grid that obeys the rules")
    rng = generator(rng)
    square = root.reshape(order**2, order**2)
    if rng.random() < 0.5:
        square = square.T
    square = square[shuffled_lines(order, rng)][:, shuffled_lines(order, rng)]
    return Sudoku.from_values(np.where(rng.random(square.shape) < p, square, 0))


@kernel
def _draw_diagonal(grid, order, rng):
    """Put random permutations into the boxes on the diagonal of an empty grid."""
    size = order * order
    digits = np.arange(1, size + 1)
    for box in range(order):
        corner = box * order * (size + 1)
        for i in range(size):
            j = i + int(rng.random() * (size - i))
            digits[i], digits[j] = digits[j], digits[i]
            grid[corner + i // order * size + i % order] = digits[i]


@kernel
def _fill(stack, branches, layout, weights, grid, most_choices, rng):
    """Call :func:`_choose_often` with a generator from Python."""
    return _choose_often(stack, branches, layout, weights, grid, most_choices, rng)


@lean_kernel
def _choose_often(stack, branches, layout, weights, grid, most_choices, rng):
    """Fill the state at the bottom of the stack by random choices; return True if that succeeded.

    `weights` are even; `grid` holds its digits and receives the others.
    """
    depth = 0
    alive = True
    for _ in range(most_choices):
        state = level(stack, depth)
        if alive:
            while alive and state.counts[N_OPEN] > 0:
                cell = int(state.open[state.counts[N_OPEN] - 1])
                digit = int(state.digit[cell])
                grid[cell] = digit + 1
                alive = place(state, layout, cell, digit)
            if alive and state.counts[N_EMPTY] == 0:
                return True
            if alive:
                branch, ways = hardest(state, layout, weights)
                branches[depth, BRANCH] = branch
                branches[depth, WAYS] = ways
        ways = branches[depth, WAYS] if alive else 0
        while ways == 0:
            depth -= 1
            if depth < 0:
                return False
            ways = branches[depth, WAYS]
        way = drawn_bit(ways, n_bits(ways), rng)
        branches[depth, WAYS] = ways & ~(1 << way)
        branch = branches[depth, BRANCH]
        if branch >= 0:
            cell, digit = branch, way
        else:
            house, digit = divmod(-1 - branch, layout.size)
            cell = int(layout.houses[house, way])
        below = level(stack, depth)
        depth += 1
        above = level(stack, depth)
        restore(above, below)
        branches[depth, WAYS] = 0
        grid[cell] = digit + 1
        alive = place(above, layout, cell, digit)
    return False

"""Lewis's instances: a shuffled full grid of which each cell is kept with probability p."""

import numpy as np

from nando.checks import real
from nando.generators.sudoku.grids import root_grid
from nando.puzzles import Sudoku, Values
from nando.puzzles.sudoku.layout import shuffled_lines
from nando.solvers.protocol import Seed, generator


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

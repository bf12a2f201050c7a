"""Missing symbols: the cost that the stochastic searches of the papers bring down."""

from typing import Literal

import numpy as np

from nando.puzzles import Sudoku, Values

HousesCounted = Literal["lines", "all"]


def missing_symbols(puzzle: Sudoku, values: Values, houses: HousesCounted = "all") -> int:
    """Return the number of symbols missing from houses of a filled grid, summed over houses.

    Parameters
    ----------
    puzzle : Sudoku
        Only its order is used.
    values : ndarray of int8, shape (n_cells,)
        All above 0.
    houses : {"lines", "all"}
        Rows and columns (the papers' cost over 18 houses), or boxes too (27 houses).

    Examples
    --------
    >>> import numpy as np
    >>> from nando.puzzles import Sudoku
    >>> missing_symbols(Sudoku("." * 81), np.ones(81, np.int8))
    216
    """
    layout = puzzle.layout
    counted = layout.houses if houses == "all" else layout.houses[: 2 * layout.size]
    return sum(layout.size - len(np.unique(values[house])) for house in counted)

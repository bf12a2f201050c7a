"""Fill orders as ranks, and as grids of ranks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.displayed import Displayed
from nando.puzzles import Puzzle, Sudoku, blanks_of
from nando.puzzles.frozen import EqualFields


@dataclass(frozen=True, eq=False)
class PredictedOrder(EqualFields, Displayed):
    """The order in which a puzzle is predicted to be filled; ``str()`` is a grid of ranks.

    A notebook shows it as a heat map, in which darker cells are filled earlier.

    Attributes
    ----------
    puzzle : Puzzle
    mean_ranks : ndarray of float64, shape (n_cells,)
        As in :meth:`Population.expected_order`: 1 for the first cell, 0 for givens.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> from nando.games import load_fill_order
    >>> puzzle = load_examples().puzzles[0]
    >>> order = PredictedOrder(puzzle, load_fill_order().expected_order(puzzle))
    >>> int(order.ranks.max()) == puzzle.givens.size - puzzle.n_givens
    True
    """

    puzzle: Puzzle
    mean_ranks: Floats

    @property
    def ranks(self) -> NDArray[np.int64]:
        """Ranks 1, 2, ... of the blanks, shape (n_cells,); 0 for givens."""
        return ranks_of(self.puzzle, self.mean_ranks)

    def __str__(self) -> str:
        return order_grid(self.puzzle, self.mean_ranks)


def order_grid(puzzle: Puzzle, order: Floats) -> str:
    """Return the ranks, 1 for the first cell, as the lines of a grid; givens are dots.

    Parameters
    ----------
    puzzle : Puzzle
    order : ndarray of float64, shape (n_cells,)
        Mean ranks, as in :meth:`Population.expected_order`.
    """
    ranks = ranks_of(puzzle, order)
    width = len(str(int(ranks.max(initial=0)))) + 1
    n_rows, n_columns = puzzle.shape
    if not isinstance(puzzle, Sudoku):
        cells = [str(rank or ".").rjust(width) for rank in ranks]
        starts = range(0, n_rows * n_columns, n_columns)
        return "\n".join("".join(cells[start : start + n_columns]) for start in starts)
    n, size = puzzle.order, puzzle.size
    lines = []
    for row in range(size):
        if row and row % n == 0:
            lines.append("+".join(["-" * (width * n + 1)] * n)[:-1])
        cells = [str(rank or ".").rjust(width) for rank in ranks[row * size : (row + 1) * size]]
        lines.append(" |".join("".join(cells[i : i + n]) for i in range(0, size, n)))
    return "\n".join(lines)


def ranks_of(puzzle: Puzzle, order: Floats) -> NDArray[np.int64]:
    """Return the ranks 1, 2, ... of the blanks by their mean ranks; 0 for givens."""
    blanks = blanks_of(puzzle)
    ranks = np.zeros(len(order), np.int64)
    ranks[blanks[np.argsort(order[blanks], kind="stable")]] = np.arange(1, len(blanks) + 1)
    return ranks

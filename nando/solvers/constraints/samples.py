"""Settings and results of relaxation, for every kind of puzzle."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Values


class Weakening(NamedTuple):
    """What is weakened, and the cap of the count; see :class:`Relaxation`."""

    removed_edges: int
    relaxed_share: float
    cap: int


class Samples(NamedTuple):
    """The results of the samples of a puzzle.

    Attributes
    ----------
    solution : ndarray of int8, shape (n_cells,)
        The puzzle's own.
    counts : ndarray of int64, shape (runs, 3)
        Solutions, branches of the count, and whether all solutions were found.
    fixed : ndarray of float64, shape (n_cells,)
        Number of samples in which a cell has one value in all solutions found.
    """

    solution: Values
    counts: NDArray[np.int64]
    fixed: NDArray[np.float64]

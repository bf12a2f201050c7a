"""Sums over runs of refutation-based propagation, for every kind of puzzle."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel
from nando.solvers.protocol import STEP, Rule

TOTAL, LARGEST, IMPASSES, UNREFUTED = range(4)
"""Places of :attr:`Refutations.sums`."""

_REFUTATION = int(Rule.REFUTATION)


class Refutations(NamedTuple):
    """Sums over runs; all arrays are changed in place.

    Attributes
    ----------
    trace : ndarray of STEP, shape (n_blanks,)
        The last run.
    sums : ndarray of float64, shape (4,)
        Scores of the impasses; the largest score of each run; impasses; those at which nothing
        could be refuted.
    possibilities : ndarray of float64, shape (n_blanks,)
        Cells that could be filled without a refutation, before each step.
    order : ndarray of float64, shape (n_cells,)
        Step, from 1, at which each cell was filled.
    """

    trace: NDArray[np.void]
    sums: NDArray[np.float64]
    possibilities: NDArray[np.float64]
    order: NDArray[np.float64]


def no_refutations(n_cells: int, n_blanks: int) -> Refutations:
    """Sums over no run yet."""
    return Refutations(np.zeros(n_blanks, STEP), np.zeros(4), np.zeros(n_blanks), np.zeros(n_cells))


@inlined_kernel
def note_run(played, unrefuted):
    """Add the run of the trace to the sums."""
    trace = played.trace
    sums = played.sums
    worst = 0.0
    for k in range(trace.shape[0]):
        played.possibilities[k] += trace[k]["options"]
        played.order[trace[k]["cell"]] += k + 1
        if trace[k]["rule"] == _REFUTATION:
            sums[IMPASSES] += 1.0
            sums[TOTAL] += trace[k]["cost"]
            worst = max(worst, trace[k]["cost"])
    sums[LARGEST] += worst
    sums[UNREFUTED] += unrefuted

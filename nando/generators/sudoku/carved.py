"""Carved 9x9 puzzles, many in one call: uniform grids, emptied in random order."""

import numpy as np
from numpy.typing import NDArray

from nando.generators.sudoku.carving import Groups, carve_bands, carving_room
from nando.generators.sudoku.uniform import draw_uniform, new_workspace
from nando.kernels.compile import lean_kernel
from nando.kernels.streams import shuffle
from nando.puzzles import Values


def draw_carved(streams: NDArray[np.int64], groups: Groups) -> tuple[Values, Values]:
    """Return a grid from each stream, and what is left of it when no group of givens can go.

    Parameters
    ----------
    streams : ndarray of int64, shape (n, 4)
        Of :mod:`nando.kernels.streams`; they are moved on.
    groups : ndarray of int16, shape (n_groups, 4)
        Cells that are given or blank together, -1 where a group has fewer.

    Returns
    -------
    grids, givens : ndarray of int8, shape (n, 81)
    """
    grids, givens = np.zeros((2, len(streams), 81), np.int8)
    order = np.arange(len(groups))
    ordered, work = groups.copy(), new_workspace()
    with carving_room() as room:
        _draw(streams, groups, grids, givens, order, ordered, work, room)
    return grids, givens


@lean_kernel
def _draw(streams, groups, grids, givens, order, ordered, work, room):
    for i in range(streams.shape[0]):
        draw_uniform(grids[i], work, streams[i])
        for cell in range(81):
            givens[i, cell] = grids[i, cell]
        for j in range(groups.shape[0]):
            order[j] = j
        shuffle(streams[i], order)
        for j in range(groups.shape[0]):
            for k in range(4):
                ordered[j, k] = groups[order[j], k]
        carve_bands(givens[i], grids[i], ordered, 0, room)

"""Lists of different lengths as two arrays, which kernels can take.

All lists stand in a row; list i begins at ``start[i]`` and ends before ``start[i + 1]``.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def lists(items: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Return where each list begins, with the end of the last, and all lists in a row."""
    start = np.cumsum([0, *map(len, items)], dtype=np.int64)
    return start, np.array([item for row in items for item in row], np.int64)


def rows_of(start: Ints, items: Ints) -> list[list[int]]:
    """Return the lists that stand in a row; see :func:`lists`."""
    flat = items.tolist()
    return [flat[first:end] for first, end in pairwise(start.tolist())]


def set_columns(table: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Return for each row of a table the columns that are set, as lists in a row."""
    n_rows, n_columns = table.shape
    places = np.flatnonzero(table)
    return places.searchsorted(np.arange(n_rows + 1) * n_columns), places % max(n_columns, 1)


def by_cell(groups: Any, n_cells: int) -> tuple[Ints, Ints]:
    """Return for each cell the numbers of the groups that hold it, as lists in a row."""
    holds = np.zeros((n_cells, len(groups)), np.bool_)
    for number, cells in enumerate(groups):
        holds[cells, number] = True
    return set_columns(holds)

"""Lists of different lengths as two flat arrays that kernels can take.

The items of all lists are joined in one array; list i begins at ``start[i]`` and ends before
``start[i + 1]``.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def lists(items: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Return the start of each list followed by the end of the last, and the joined items."""
    start = np.cumsum([0, *map(len, items)], dtype=np.int64)
    return start, np.array([item for row in items for item in row], np.int64)


def rows_of(start: Ints, items: Ints) -> list[list[int]]:
    """Return the separate lists of joined items; the reverse of :func:`lists`."""
    flat = items.tolist()
    return [flat[first:end] for first, end in pairwise(start.tolist())]


def set_columns(table: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Return the columns that are set in each row of a table, as :func:`lists` does."""
    n_rows, n_columns = table.shape
    flat = np.flatnonzero(table)
    return flat.searchsorted(np.arange(n_rows + 1) * n_columns), flat % max(n_columns, 1)


def by_cell(groups: Any, n_cells: int) -> tuple[Ints, Ints]:
    """Return the numbers of the groups that hold each cell, as :func:`lists` does."""
    holds = np.zeros((n_cells, len(groups)), np.bool_)
    for number, cells in enumerate(groups):
        holds[cells, number] = True
    return set_columns(holds)

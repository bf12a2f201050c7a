"""The least of all equivalent 9x9 Sudokus (minlex form), the field's canonical form.

Equivalent means equal up to transposition, permuting bands, stacks, the lines inside them, and
the digits: 2 * 9! * 6^8 symmetries. Blanks count as 0, so the least line has them in front.

The search fixes transposition, first row and column order, relabels digits as they first
appear, and then takes the remaining rows one at a time. It keeps every candidate that ties for
the best line so far and drops all others, row by row.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from nando.puzzles._kernel import kernel

_LINES = np.array(
    [
        [3 * band + line for band, lines in zip(bands, inner, strict=True) for line in lines]
        for bands in permutations(range(3))
        for a in permutations(range(3))
        for b in permutations(range(3))
        for c in permutations(range(3))
        for inner in [(a, b, c)]
    ],
    dtype=np.int8,
)
"""All 1296 ways to order nine lines so that bands stay together, shape ``(1296, 9)``."""


def minlex(values: NDArray[np.int8]) -> NDArray[np.int8]:
    """Minlex form of a 9x9 grid or puzzle.

    Parameters
    ----------
    values : ndarray of int8, shape (81,)
        0 where blank.

    Returns
    -------
    ndarray of int8, shape (81,)
    """
    return np.asarray(_minlex(np.ascontiguousarray(values).reshape(9, 9), _LINES)).reshape(81)


@kernel
def _minlex(grid, column_orders):
    best = np.full((9, 9), 10, np.int8)
    turned = np.empty((9, 9), np.int8)
    label = np.zeros(10, np.int8)
    used = np.zeros(9, np.bool_)
    order = np.zeros(9, np.int64)
    line = np.zeros(9, np.int8)
    for transposed in range(2):
        for row in range(9):
            for column in range(9):
                turned[row, column] = grid[column, row] if transposed else grid[row, column]
        for top in range(9):
            for chosen in range(column_orders.shape[0]):
                columns = column_orders[chosen]
                # The first row decides most candidates after a few symbols.
                label[:] = 0
                if _compare(turned[top], columns, label, 0, line, best[0]) <= 0:
                    used[:] = False
                    used[top] = True
                    order[0] = top
                    _extend(turned, columns, order, used, best)
    return best


@kernel
def _compare(row, columns, label, n_labels, line, target):
    """Relabel `row` into `line` (labels extended in place) and compare: -1, 0 or 1.

    Stops at the first symbol above the target's; then `line` is incomplete.
    """
    verdict = 0
    for i in range(9):
        value = row[columns[i]]
        if value == 0:
            symbol = 0
        else:
            if label[value] == 0:
                n_labels += 1
                label[value] = n_labels
            symbol = label[value]
        line[i] = symbol
        if verdict == 0 and symbol != target[i]:
            if symbol > target[i]:
                return 1
            verdict = -1
    return verdict


@kernel
def _extend(turned, columns, order, used, best):
    """Best row orders below a fixed first row and column order; `best` is lowered in place."""
    labels = np.zeros((10, 10), np.int8)
    counts = np.zeros(10, np.int64)
    tried = np.full(10, -1, np.int64)
    line = np.zeros(9, np.int8)
    # Row 0 once more, to set the labels and lower the record.
    verdict = _compare(turned[order[0]], columns, labels[0], 0, line, best[0])
    if verdict > 0:
        return
    if verdict < 0:
        best[0] = line
        best[1:] = 10
    for value in range(1, 10):
        if labels[0, value] > counts[0]:
            counts[0] = labels[0, value]
    depth = 1
    tried[1] = -1
    while depth > 0:
        if depth == 9:
            depth -= 1
            used[order[depth]] = False
            continue
        tried[depth] += 1
        row = tried[depth]
        if row == 9:
            depth -= 1
            if depth > 0:
                used[order[depth]] = False
            continue
        # Rows of one band stay together.
        if used[row] or (depth % 3 != 0 and row // 3 != order[depth - 1] // 3):
            continue
        if depth % 3 == 0:
            band = row // 3 * 3
            if used[band] or used[band + 1] or used[band + 2]:
                continue
        labels[depth] = labels[depth - 1]
        verdict = _compare(
            turned[row], columns, labels[depth], counts[depth - 1], line, best[depth]
        )
        if verdict > 0:
            continue
        if verdict < 0:
            best[depth] = line
            best[depth + 1 :] = 10
        counts[depth] = counts[depth - 1]
        for value in range(1, 10):
            if labels[depth, value] > counts[depth]:
                counts[depth] = labels[depth, value]
        order[depth] = row
        used[row] = True
        depth += 1
        tried[depth] = -1

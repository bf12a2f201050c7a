"""The minlex form of a 9x9 Sudoku, the field's canonical form.

Equivalent means equal up to transposition, permuting bands, stacks, the lines inside them, and
the digits: 2 * 9! * 6^8 symmetries. The minlex form is the smallest line among
all equivalent ones, with blanks as 0.

The first row depends on the number of givens in each third of a row, so few rows can come first,
each with few column orders. The other rows follow one at a time, and digits are relabelled at their
first occurrence. The search keeps every candidate that ties for the best row so far, and drops all
others.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel

_THREE = np.array(list(permutations(range(3))), dtype=np.int64)


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
    grid = np.reshape(values, (9, 9))
    turned = np.stack([grid, grid.T])
    best = np.full((9, 9), 10, np.int8)
    labels = np.zeros((10, 10), np.int64)
    n_labels, order, columns, line = (np.zeros(n, np.int64) for n in (10, 10, 9, 9))
    _search(turned, best, labels, n_labels, order, columns, line)
    return best.reshape(81)


@lean_kernel
def _search(turned, best, labels, n_labels, order, columns, line):
    """Lower `best` to the least form; the other arrays are workspace."""
    least = 1 << 30
    for side in range(2):
        for row in range(9):
            least = min(least, _filling(turned[side, row]))
    for side in range(2):
        for top in range(9):
            first = turned[side, top]
            if _filling(first) != least:
                continue
            order[0] = top
            for stacks in range(6):
                if not _is_sorted(first, _THREE[stacks]):
                    continue
                for left in range(6):
                    if not _put(first, columns, 0, _THREE[stacks, 0], _THREE[left]):
                        continue
                    for middle in range(6):
                        if not _put(first, columns, 3, _THREE[stacks, 1], _THREE[middle]):
                            continue
                        for right in range(6):
                            if _put(first, columns, 6, _THREE[stacks, 2], _THREE[right]):
                                _extend(turned[side], columns, order, labels, n_labels, line, best)


@lean_kernel
def _filling(row):
    """Givens in each third, fewest first, as one number that orders lines."""
    a = 0
    b = 0
    c = 0
    for i in range(3):
        a += row[i] != 0
        b += row[3 + i] != 0
        c += row[6 + i] != 0
    fewest = min(a, b, c)
    most = max(a, b, c)
    return 16 * fewest + 4 * (a + b + c - fewest - most) + most


@lean_kernel
def _is_sorted(row, stacks):
    """Whether the stacks in this order have no fewer givens each than the one before."""
    before = 0
    for stack in stacks:
        filled = 0
        for i in range(3):
            filled += row[3 * stack + i] != 0
        if filled < before:
            return False
        before = filled
    return True


@lean_kernel
def _put(row, columns, at, stack, inner):
    """Put a stack's columns in place; whether the row has its blanks first there."""
    filled = False
    for i in range(3):
        column = 3 * stack + inner[i]
        columns[at + i] = column
        if row[column] != 0:
            filled = True
        elif filled:
            return False
    return True


@lean_kernel
def _extend(turned, columns, order, labels, n_labels, line, best):
    """Best row orders below a first row and a column order; `best` is lowered in place.

    `order` has the first row in front, and is the next row to try at the depth reached.
    """
    top = order[0]
    for value in range(10):
        labels[0, value] = 0
    n_labels[0] = 0
    _compare(turned[top], columns, labels[0], n_labels, 0, line, best[0])
    for i in range(9):
        best[0, i] = line[i]
    used = 1 << top
    depth = 1
    order[1] = -1
    while depth > 0:
        if depth < 9:
            order[depth] += 1
        if depth == 9 or order[depth] == 9:
            depth -= 1
            used &= ~(1 << order[depth])
            continue
        row = order[depth]
        # The rows of a band stay together.
        if depth % 3:
            if row // 3 != order[depth - 1] // 3 or used >> row & 1:
                continue
        elif used >> row // 3 * 3 & 7:
            continue
        for value in range(10):
            labels[depth, value] = labels[depth - 1, value]
        n_labels[depth] = n_labels[depth - 1]
        verdict = _compare(turned[row], columns, labels[depth], n_labels, depth, line, best[depth])
        if verdict > 0:
            continue
        if verdict < 0:
            for i in range(9):
                best[depth, i] = line[i]
            for later in range(depth + 1, 9):
                best[later, 0] = 10
        used |= 1 << row
        depth += 1
        if depth < 9:
            order[depth] = -1


@lean_kernel
def _compare(row, columns, label, n_labels, depth, line, target):
    """Relabel `row` into `line` (labels extended in place) and compare: -1, 0 or 1.

    Stops at the first symbol above the target's; then `line` is incomplete.
    """
    verdict = 0
    for i in range(9):
        value = int(row[columns[i]])
        symbol = 0
        if value:
            symbol = label[value]
            if symbol == 0:
                n_labels[depth] += 1
                symbol = n_labels[depth]
                label[value] = symbol
        line[i] = symbol
        if verdict == 0 and symbol != target[i]:
            if symbol > target[i]:
                return 1
            verdict = -1
    return verdict

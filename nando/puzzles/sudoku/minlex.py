"""The minlex form of a 9x9 Sudoku, the field's canonical form.

Two puzzles are equivalent if transposition and permutations of the bands, the stacks, the lines
within them and the digits turn one into the other: 2 * 9! * 6^8 symmetries. The minlex form is the
smallest line of all equivalent puzzles, with blanks as 0.

The number of givens in each third of a row leaves few rows that can come first. The first and the
second row leave few column orders. The other rows follow one by one, and digits are relabelled at
their first occurrence. The search continues with the rows that are as small as the best so far. A
row is stored as one number with four bits for each digit, and so are the labels of the digits.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel

_THREE = np.array(list(permutations(range(3))), dtype=np.int64)
_PLACES = np.arange(32, -1, -4)
"""Number of bits below each digit of a line."""
_ABOVE_ALL = 1 << 36


def minlex(values: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the minlex form of a 9x9 grid or puzzle.

    Parameters
    ----------
    values : ndarray of int8, shape (81,)
        0 where blank.

    Returns
    -------
    ndarray of int8, shape (81,)
    """
    form: NDArray[np.int8] = minlex_many(np.reshape(values, (1, 81)))[0]
    return form


def minlex_many(values: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the minlex forms of 9x9 grids or puzzles, one per row, shape ``(n, 81)``."""
    grids = np.reshape(values, (-1, 9, 9))
    turned = np.stack([grids, grids.transpose(0, 2, 1)], axis=1)
    lines = np.full((len(grids), 9), _ABOVE_ALL, np.int64)
    labels, order, columns = (np.zeros(9, np.int64) for _ in range(3))
    _search_all(turned, lines, labels, order, columns)
    symbols = lines[:, :, None] >> _PLACES & 15
    return np.reshape(symbols.astype(np.int8), (-1, 81))


@lean_kernel
def _search_all(turned, lines, labels, order, columns):
    for i in range(turned.shape[0]):
        _search(turned[i], lines[i], labels, order, columns)


@lean_kernel
def _search(turned, best, labels, order, columns):
    """Lower `best` to the lines of the minlex form; the last three arrays are work space."""
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
            for following in range(1, 3):
                order[1] = top // 3 * 3 + (top + following) % 3
                second = turned[side, order[1]]
                for stacks in range(6):
                    if not _is_sorted(first, _THREE[stacks]):
                        continue
                    for left in range(6):
                        stack = _THREE[stacks, 0]
                        if not _put(first, second, columns, 0, stack, _THREE[left]):
                            continue
                        for middle in range(6):
                            stack = _THREE[stacks, 1]
                            if not _put(first, second, columns, 3, stack, _THREE[middle]):
                                continue
                            for right in range(6):
                                stack = _THREE[stacks, 2]
                                if _put(first, second, columns, 6, stack, _THREE[right]):
                                    _extend(turned[side], columns, order, labels, best)


@lean_kernel
def _filling(row):
    """Return the numbers of givens in the three thirds of a row, fewest first, as one number."""
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
    """Return True if the givens of a row in the stacks, taken in this order, never decrease."""
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
def _put(first, second, columns, at, stack, inner):
    """Write the columns of a stack to `columns`; return True if their order may be the least.

    In the least order, blanks come first in the first row and, among the columns that are blank
    there, in the second. The order of the other columns decides how digits are relabelled.
    """
    before = 0
    for i in range(3):
        column = 3 * stack + inner[i]
        columns[at + i] = column
        filled = 2 if first[column] != 0 else int(second[column] != 0)
        if filled < before:
            return False
        before = filled
    return True


@lean_kernel
def _extend(turned, columns, order, labels, best):
    """Search the orders of the other rows for two first rows and the columns; lower `best`.

    `order` begins with the two first rows, and is modified in place.
    """
    line, labels[0] = _relabelled(turned[order[0]], columns, 0)
    _lower(best, 0, line)
    line, labels[1] = _relabelled(turned[order[1]], columns, labels[0])
    if not _lower(best, 1, line):
        return
    used = 1 << order[0] | 1 << order[1]
    depth = 2
    order[2] = -1
    while depth > 1:
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
        line, labels[depth] = _relabelled(turned[row], columns, labels[depth - 1])
        if not _lower(best, depth, line):
            continue
        used |= 1 << row
        depth += 1
        if depth < 9:
            order[depth] = -1


@inlined_kernel
def _relabelled(row, columns, label):
    """Return a row as a line of new digits, first digit highest, and the labels with its digits.

    The label of digit d is in bits 4d to 4d + 3, and the number of labels in the lowest four.
    """
    line = 0
    for i in range(9):
        value = int(row[columns[i]])
        symbol = 0
        if value:
            symbol = label >> 4 * value & 15
            if symbol == 0:
                label += 1
                symbol = label & 15
                label |= symbol << 4 * value
        line = line << 4 | symbol
    return line, label


@inlined_kernel
def _lower(best, depth, line):
    """Lower the line of `best` at this depth to `line`; return False if it is already lower."""
    if line < best[depth]:
        best[depth] = line
        for later in range(depth + 1, 9):
            best[later] = _ABOVE_ALL
    return line == best[depth]

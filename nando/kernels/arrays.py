"""Copies and sorted orders of arrays, for kernels.

Arrays are copied element by element. For a few hundred bytes that is much faster than assigning a
slice, for which numba also compiles the formatting of an error message.
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel


@inlined_kernel
def copy_values(target, source):
    """Copy a row into another of the same length."""
    for i in range(source.size):
        target[i] = source[i]


@inlined_kernel
def copy_rows(target, source):
    """Copy a table into another of the same shape."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@kernel
def stable_order(values):
    """Return the indices that sort a short row, equal values in their order.

    This is an insertion sort; `np.argsort` in a kernel adds two seconds to its compilation.
    """
    order = np.empty(values.size, np.int64)
    for i in range(values.size):
        place = i
        while place > 0 and values[order[place - 1]] > values[i]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
    return order

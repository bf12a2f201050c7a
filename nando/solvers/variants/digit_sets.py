"""Sets of different digits with a given sum."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

MOST_DIGITS = 16
"""Most digits of a board for which sets are listed: 65,536 of them."""


@cache
def digit_sets(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sets of the digits 1 to n, ordered by size and sum.

    Returns
    -------
    start : ndarray of int64, shape ((n + 1) * width + 1,)
        Sets of size k and sum s begin at ``start[k * width + s]`` and end where those of the next
        place begin; `width` is ``n * (n + 1) // 2 + 1``, the number of sums.
    sets : ndarray of int64, shape (2**n,)
        Masks; bit d stands for digit d + 1.

    Both are empty above `MOST_DIGITS` digits, and read-only.
    """
    if n > MOST_DIGITS:
        start, sets = np.zeros(0, np.int64), np.zeros(0, np.int64)
    else:
        masks = np.arange(1 << n)
        width = n * (n + 1) // 2 + 1
        bits = masks[:, None] >> np.arange(n) & 1
        place = bits.sum(axis=1) * width + bits @ np.arange(1, n + 1)
        sets = np.argsort(place, kind="stable").astype(np.int64)
        start = np.searchsorted(place[sets], np.arange((n + 1) * width + 1)).astype(np.int64)
    start.setflags(write=False)
    sets.setflags(write=False)
    return start, sets

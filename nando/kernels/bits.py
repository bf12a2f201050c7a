"""Bits of masks, inside kernels and in plain Python.

Python has methods for these that numba does not know.
"""

import numba
from numba.extending import overload

from nando.kernels.internals.instructions import bit_count, trailing_zeros


def lowest_bit(mask: int) -> int:
    """Index of the lowest bit set; `mask` must not be 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def n_bits(mask: int) -> int:
    """Number of bits set in a mask that is not negative."""
    return int(mask).bit_count()


def unsigned(index: int) -> int:
    """The same index, which must not be negative, so that numba does not check its sign.

    Use it right where the index is used: numba makes floats of sums of signed and unsigned.
    """
    return index


@overload(lowest_bit)
def _lowest_bit(mask):
    return lambda mask: trailing_zeros(numba.int64(mask))


@overload(n_bits)
def _n_bits(mask):
    return lambda mask: bit_count(numba.int64(mask))


@overload(unsigned, inline="always")
def _unsigned(index):
    return lambda index: numba.uint64(index)

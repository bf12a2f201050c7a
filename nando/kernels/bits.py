"""Bits of masks, inside kernels and in plain Python.

Python has methods for these that numba does not know.
"""

import numba
from numba.extending import overload

from nando.kernels.lanes import formula
from nando.kernels.support import internals_work


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


@formula
def n_bits_formula(mask: int) -> int:
    """`n_bits` in arithmetic: sums of each two bits, of each four, of each eight, of all bytes."""
    # Source: Warren, Hacker's Delight, section 5-1.
    mask = mask - (mask >> 1 & 0x5555555555555555)
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F
    return mask * 0x0101010101010101 >> 56 & 0xFF


@formula
def lowest_bit_formula(mask: int) -> int:
    """`lowest_bit` in arithmetic."""
    return n_bits_formula((mask & -mask) - 1)


if internals_work():
    from nando.kernels.internals.instructions import bit_count, trailing_zeros
else:
    bit_count, trailing_zeros = n_bits_formula, lowest_bit_formula


@overload(lowest_bit)
def _lowest_bit(mask):
    return lambda mask: trailing_zeros(numba.int64(mask))


@overload(n_bits)
def _n_bits(mask):
    return lambda mask: bit_count(numba.int64(mask))


@overload(unsigned, inline="always")
def _unsigned(index):
    return lambda index: numba.uint64(index)

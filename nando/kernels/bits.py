"""Bit operations on masks, in kernels and in plain Python.

numba does not support the methods of Python's integers for them.
"""

import numpy as np

from nando.kernels.extensions import before_compiling
from nando.kernels.lanes import formula


def lowest_bit(mask: int) -> int:
    """Return the index of the lowest bit set; `mask` must not be 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def n_bits(mask: int) -> int:
    """Return the number of bits set in a mask that is not negative."""
    return int(mask).bit_count()


def unsigned(index: int) -> int:
    """Return the index as an unsigned integer, so that numba does not check for a negative one.

    Call it inside the brackets: numba turns the sum of a signed and an unsigned integer into a
    float.
    """
    return index


@formula
def highest_bit(mask: int) -> int:
    """Return the index of the highest bit set; -1 if `mask` is 0. It has at most 32 bits."""
    for places in (1, 2, 4, 8, 16):
        mask |= mask >> places
    return n_bits(mask) - 1


@formula
def drawn_bit(mask: int, n: int, rng: np.random.Generator) -> int:
    """Return the index of one of the `n` lowest bits of a mask, each equally likely."""
    for _ in range(int(rng.random() * n)):
        mask &= mask - 1
    return lowest_bit(mask)


@formula
def n_bits_formula(mask: int) -> int:
    """Return `n_bits` by adding up pairs of bits, then groups of four, bytes, and all bytes."""
    # Source: Warren, Hacker's Delight, section 5-1.
    mask = mask - (mask >> 1 & 0x5555555555555555)
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F
    return mask * 0x0101010101010101 >> 56 & 0xFF


@formula
def lowest_bit_formula(mask: int) -> int:
    """Return `lowest_bit` by arithmetic."""
    return n_bits_formula((mask & -mask) - 1)


@before_compiling
def _extend_numba() -> None:
    import numba
    from numba.extending import overload

    from nando.kernels.support import internals_work

    if internals_work():
        from nando.kernels.internals.instructions import bit_count, trailing_zeros
    else:
        bit_count, trailing_zeros = n_bits_formula, lowest_bit_formula

    @overload(lowest_bit)
    def of_lowest_bit(mask):
        return lambda mask: trailing_zeros(numba.int64(mask))

    @overload(n_bits)
    def of_n_bits(mask):
        return lambda mask: bit_count(numba.int64(mask))

    @overload(unsigned, inline="always")
    def of_unsigned(index):
        return lambda index: numba.uint64(index)

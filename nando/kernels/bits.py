"""What Python spells as methods of masks, or need not spell, and numba not at all.

All work compiled, inside kernels, and in plain Python, where the kernels are tested.
"""

from typing import Any

from numba import types
from numba.extending import intrinsic, overload


def lowest_bit(mask: int) -> int:
    """Index of the lowest bit set; `mask` must not be 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def n_bits(mask: int) -> int:
    """Number of bits set in a mask that is not negative."""
    return int(mask).bit_count()


def unsigned(index: int) -> int:
    """The same index, which must not be negative: so that numba does not ask whether it is.

    To be taken right where it is used, as numba makes floats of sums of signed and unsigned.
    """
    return index


@intrinsic
def _cttz(typing_context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@intrinsic
def _ctpop(typing_context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@overload(lowest_bit)
def _lowest_bit(mask):
    return lambda mask: _cttz(mask)


@overload(n_bits)
def _n_bits(mask):
    return lambda mask: _ctpop(mask)


@overload(unsigned, inline="always")
def _unsigned(index):
    return lambda index: types.uint64(index)

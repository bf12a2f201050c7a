"""Bit operations on masks, in kernels and in plain Python.

numba does not support the methods of Python's integers for them.
"""

from collections.abc import Callable
from typing import Any

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


@before_compiling
def _extend_numba() -> None:
    from numba import types
    from numba.extending import lower_builtin, type_callable

    def define(function: Any, result: Any, instruction: Callable[[Any, Any, Any], Any]) -> None:
        """Build an instruction for each call of a function of one integer."""

        @type_callable(function)
        def typed(context: Any) -> Any:
            return lambda value: result if isinstance(value, types.Integer) else None

        @lower_builtin(function, types.Integer)
        def built(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = context.cast(builder, arguments[0], signature.args[0], result)
            return instruction(context, builder, word)

    def trailing_zeros(context: Any, builder: Any, word: Any) -> Any:
        return builder.cttz(word, context.get_constant(types.boolean, True))  # undefined for 0

    define(lowest_bit, types.int64, trailing_zeros)
    define(n_bits, types.int64, lambda context, builder, word: builder.ctpop(word))
    define(unsigned, types.uint64, lambda context, builder, word: word)

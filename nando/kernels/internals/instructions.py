"""Single machine instructions on 64-bit integers."""

from typing import Any

from numba import types
from numba.extending import intrinsic


@intrinsic
def trailing_zeros(typing_context: Any, mask: Any) -> Any:
    """Return the index of the lowest bit set; undefined for 0."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@intrinsic
def bit_count(typing_context: Any, mask: Any) -> Any:
    """Return the number of bits set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate

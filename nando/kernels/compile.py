"""What kernels are written with: decorators that compile them, and operations on bits and arrays.

A kernel is passed to numba when it is first called, so importing a module does not import numba.
`nando.kernels.cache` names the files of the cache.

`nando.kernels.internals` relies on numba's private names, and each version of numba may change what
they do. It compiles kernels for the versions in `TESTED`, with which the whole test suite has
passed. For any other version, `nando.kernels.fallback` compiles the same kernels with numba's
documented decorator alone.

Below the decorators are the methods of integers that numba does not support, in kernels and in
plain Python. Arrays are copied element by element: for a few hundred bytes that is much faster than
assigning a slice, for which numba also compiles the formatting of an error message.
"""

import os
import warnings
from collections.abc import Callable, Mapping
from functools import cache, update_wrapper
from importlib import import_module
from importlib.metadata import version
from threading import RLock
from typing import Any

import numpy as np

from nando.kernels.extensions import before_compiling, extend_numba
from nando.kernels.lanes import Program, formula

TESTED = ((0, 58), (0, 68))
"""First and last version of numba whose internals nando uses."""

FALLBACK = "NANDO_FALLBACK_KERNELS"
"""Environment variable; 1 makes `nando.kernels.fallback` compile all kernels, 0 none."""

_MAKING = RLock()


class Kernel:
    """A function that numba compiles at its first call, by Python or by another kernel.

    Parameters
    ----------
    function : callable
    **options : bool
        Options of `nando.kernels.internals.dispatchers.compile_kernel`.
    """

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.options = options
        self._dispatcher: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Run the compiled function."""
        return (self._dispatcher or self.dispatcher)(*arguments)

    @property
    def dispatcher(self) -> Any:
        """The function as numba compiles it."""
        with _MAKING:
            if self._dispatcher is None:
                extend_numba()
                self._dispatcher = _compile(self.py_func, self.options)
            return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """The type that numba gives this object in a kernel that calls it."""
        return self.dispatcher._numba_type_

    def __reduce__(self) -> str:
        return self.py_func.__qualname__


def _compile(function: Callable[..., Any], options: Mapping[str, bool]) -> Any:
    if uses_internals():
        compiler = import_module("nando.kernels.internals.dispatchers")
    else:
        compiler = import_module("nando.kernels.fallback")
    return compiler.compile_kernel(function, **options)


@cache
def uses_internals() -> bool:
    """Return True if `nando.kernels.internals` compiles kernels, and not the fallback."""
    if chosen := os.environ.get(FALLBACK):
        return chosen == "0"
    installed = version("numba")
    first, last = TESTED
    if first <= tuple(map(int, installed.split(".")[:2])) <= last:
        return True
    tested = " to ".join(".".join(map(str, each)) for each in TESTED)
    warnings.warn(
        f"nando is tested with numba {tested}, and numba {installed} is installed. Therefore "
        "numba.njit alone compiles its kernels: the results are the same, but the first use takes "
        "four times as long. Install a tested version of numba, or a later nando",
        RuntimeWarning,
        stacklevel=2,
    )
    return False


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` at its first call, cache it on disk, and release the interpreter lock."""
    # Without it, a kernel that is first compiled for a lean one would inherit that one's option.
    return Kernel(function, _nrt=True)


def lean_kernel(function: Callable[..., Any]) -> Any:
    """Compile a `function` that allocates no array and returns none.

    numba counts references each time it takes an array out of a named tuple, which often takes
    longer than the work itself. A lean kernel counts no references; its caller holds the arrays. It
    may take slices and assign to single elements.
    """
    return Kernel(function, _nrt=False)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Compile a lean `function` into every kernel that calls it.

    For innermost loops, where a call takes longer than the work.
    """
    return Kernel(function, _nrt=False, forceinline=True)


def vector_kernel(program: Program, otherwise: Any) -> Any:
    """Compile a program on vectors (`nando.kernels.lanes`) into every kernel that calls it.

    This imports numba, so call it in a function given to `before_compiling` of
    `nando.kernels.extensions`.

    Parameters
    ----------
    program : callable
        Takes memories and returns flags.
    otherwise : kernel
        Does the same work word by word, for versions of numba whose internals nando does not use.

    Returns
    -------
    callable
        For kernels only. It takes the arrays and returns the flags as bits of an integer, the first
        flag as the lowest bit.
    """
    if not uses_internals():
        return otherwise
    from nando.kernels.internals.vectors import machine_code

    return machine_code(program)


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

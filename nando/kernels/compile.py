"""The decorators of kernels: numba functions with a cache on disk.

`nando.kernels.cache` says where; `nando.kernels.support` decides whether to use numba's internals.
"""

from collections.abc import Callable
from typing import Any

from nando.kernels.lanes import Program
from nando.kernels.support import internals_work

_compiled: Callable[..., Any]

if internals_work():
    from nando.kernels.internals.dispatchers import compiled as _compiled
    from nando.kernels.internals.events import on_first_compile
else:
    from nando.kernels.fallback import compiled as _compiled
    from nando.kernels.fallback import on_first_compile

__all__ = ["inlined_kernel", "kernel", "lean_kernel", "on_first_compile", "vector_kernel"]


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` at its first call, cache it on disk, and release the interpreter lock."""
    # Explicit: otherwise a kernel first compiled for a lean one would inherit that option.
    return _compiled(function, _nrt=True)


def lean_kernel(function: Callable[..., Any]) -> Any:
    """Compile a `function` that allocates no array and returns none.

    numba counts references each time it takes an array out of a named tuple, which often takes
    longer than the work itself. A lean kernel counts none: its caller holds the arrays. It may
    take slices, and assign to single elements.
    """
    return _compiled(function, _nrt=False)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Compile a lean `function` into every kernel that calls it.

    For innermost loops: each array passed to a kernel is seven words, so passing a state of several
    arrays can take longer than working on it.
    """
    return _compiled(function, _nrt=False, forceinline=True)


def vector_kernel(program: Program, otherwise: Any) -> Any:
    """Compile a program on vectors (`nando.kernels.lanes`) into every kernel that calls it.

    Parameters
    ----------
    program : callable
        Takes memories and returns flags.
    otherwise : kernel
        Does the same word by word, for versions of numba whose internals nando cannot use.

    Returns
    -------
    callable, for kernels only
        Takes the arrays and returns the flags as bits of an integer, the first one lowest.
    """
    if not internals_work():
        return otherwise
    from nando.kernels.internals.vectors import machine_code

    return machine_code(program)

"""The one way nando compiles: numba kernels that are kept on disk.

`nando.kernels.cache` says where; `nando.kernels.support`, whether numba's private side is used.
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
    """Compile `function` on its first call; keep it on disk; release the interpreter lock."""
    # Explicit, or a kernel first compiled for a lean one would inherit that option.
    return _compiled(function, _nrt=True)


def lean_kernel(function: Callable[..., Any]) -> Any:
    """Compile a `function` that makes no array, neither a copy nor one it returns.

    numba counts the references to an array each time it takes one out of a named tuple, which
    takes longer than most of what is then done with it. A lean kernel counts none: it relies on
    its caller to hold what it is given. It may take slices, and assign to single elements.
    """
    return _compiled(function, _nrt=False)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Compile a lean `function` into every kernel that calls it.

    For the work of innermost loops: each array passed to a kernel is seven words, and a state of
    several arrays takes longer to pass than to work on.
    """
    return _compiled(function, _nrt=False, forceinline=True)


def vector_kernel(program: Program, otherwise: Any) -> Any:
    """Compile a program on vectors (`nando.kernels.lanes`) into every kernel that calls it.

    Parameters
    ----------
    program : callable
        Takes memories and returns flags.
    otherwise : kernel
        Does the same word by word, for a numba whose inside nando does not know.

    Returns
    -------
    callable, for kernels only
        Takes the arrays and returns the flags as bits of an integer, the first one lowest.
    """
    if not internals_work():
        return otherwise
    from nando.kernels.internals.vectors import machine_code

    return machine_code(program)

"""The decorators of kernels: functions that numba compiles, with a cache on disk.

A kernel is passed to numba when it is first called, so importing a module does not import numba.
`nando.kernels.cache` names the cache's folders; `nando.kernels.support` decides whether to use
numba's internals.
"""

from collections.abc import Callable, Mapping
from functools import update_wrapper
from importlib import import_module
from threading import RLock
from typing import Any

from nando.kernels.extensions import extend_numba
from nando.kernels.lanes import Program
from nando.kernels.support import internals_work

__all__ = ["inlined_kernel", "kernel", "lean_kernel", "separate", "vector_kernel"]

_MAKING = RLock()


class Kernel:
    """A function that numba compiles at its first call, by Python or by another kernel.

    Parameters
    ----------
    function : callable
    **options : bool
        Options of `nando.kernels.internals.dispatchers.compiled`.
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
                self._dispatcher = _compiled(self.py_func, self.options)
            return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """The type that numba gives this object in a kernel that calls it."""
        return self.dispatcher._numba_type_

    def __reduce__(self) -> str:
        return self.py_func.__qualname__


def _compiled(function: Callable[..., Any], options: Mapping[str, bool]) -> Any:
    if internals_work():
        compiled = import_module("nando.kernels.internals.dispatchers").compiled
    else:
        compiled = import_module("nando.kernels.fallback").compiled
    return compiled(function, **options)


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


def separate(kernel: Kernel) -> Kernel:
    """Compile a kernel to machine code of its own, which its callers call.

    Any other kernel is compiled again into each kernel that calls it. This one is compiled once and
    never inlined: for large kernels that several others call, and that run for microseconds.
    Several processes can compile them at the same time (`nando.precompile`).
    """
    return Kernel(kernel.py_func, **kernel.options, separate=True)


def vector_kernel(program: Program, otherwise: Any) -> Any:
    """Compile a program on vectors (`nando.kernels.lanes`) into every kernel that calls it.

    This imports numba, so call it in a function given to `before_compiling` of
    `nando.kernels.extensions`.

    Parameters
    ----------
    program : callable
        Takes memories and returns flags.
    otherwise : kernel
        Does the same work word by word, for versions of numba whose internals nando cannot use.

    Returns
    -------
    callable
        For kernels only. It takes the arrays and returns the flags as bits of an integer, the first
        flag as the lowest bit.
    """
    if not internals_work():
        return otherwise
    from nando.kernels.internals.vectors import machine_code

    return machine_code(program)

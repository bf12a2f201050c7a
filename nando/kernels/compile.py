"""The one way nando compiles: numba kernels that are compiled once and kept on disk.

See `nando.kernels.cache` for where.
"""

from collections.abc import Callable, Sequence
from typing import Any

from numba.core import types
from numba.core.compiler import Compiler
from numba.core.event import Event, Listener, register
from numba.core.registry import CPUDispatcher

from nando.kernels.cache import KernelCache


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on its first call; keep it on disk; release the interpreter lock."""
    # Said outright: a kernel first compiled for a lean one would take after it.
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


def _compiled(function: Callable[..., Any], **options: bool) -> Any:
    compiled = _Kernel(function, targetoptions={"nopython": True, "nogil": True, **options})
    compiled.enable_caching()
    return compiled


class _Linked(CPUDispatcher):  # type: ignore[misc]
    """The side of a kernel that other kernels see, which Python cannot call."""

    def enable_caching(self) -> None:
        self._cache = KernelCache(self.py_func, "linked")


class _Kernel(CPUDispatcher):  # type: ignore[misc]
    """A kernel that is compiled on one side for Python and on the other for kernels.

    The way in from Python takes a fifth of all the time to compile, and most kernels are called by
    kernels only. Among these, numba would compile a kernel once more for each constant and each
    width of integer it is given; here all of these are widened, as kernels do by themselves.
    """

    def __init__(
        self,
        py_func: Callable[..., Any],
        locals: dict[str, Any] | None = None,
        targetoptions: dict[str, Any] | None = None,
        pipeline_class: Any = Compiler,
    ) -> None:
        options = {**(targetoptions or {}), "no_cfunc_wrapper": True}
        super().__init__(py_func, locals, options, pipeline_class)
        options = {**options, "no_cpython_wrapper": True}
        self._linked = _Linked(py_func, locals, options, pipeline_class)

    def enable_caching(self) -> None:
        """Keep both sides on disk."""
        self._cache = KernelCache(self.py_func, "python")
        self._linked.enable_caching()

    @property
    def linked(self) -> CPUDispatcher:
        """The side that kernels call."""
        return self._linked

    def get_call_template(self, args: Sequence[Any], kws: dict[str, Any]) -> Any:
        """What a kernel that calls this one is told about it."""
        wide = tuple(_widened(argument) for argument in args)
        return self._linked.get_call_template(
            wide, {name: _widened(argument) for name, argument in kws.items()}
        )

    def get_overload(self, sig: Any) -> Any:
        """The function that a kernel links."""
        return self._linked.get_overload(sig)


def _widened(argument: Any) -> Any:
    """Type of an argument between kernels: no constant, no integer shorter than a word."""
    known: Any = types  # its names are made at run time
    argument = known.unliteral(argument)
    if isinstance(argument, known.Integer) and argument.bitwidth < known.intp.bitwidth:
        return known.intp
    return argument


class _Once(Listener):  # type: ignore[misc]
    """Calls `tell` when a kernel is compiled for the first time in this process."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._told = False

    def on_start(self, event: Event) -> None:
        """A kernel that was not found on disk is about to be compiled."""
        if not self._told:
            self._told = True
            self._tell()

    def on_end(self, event: Event) -> None:
        """Nothing to say."""


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell`, once, should this process have to compile a kernel."""
    register("numba:compile", _Once(tell))

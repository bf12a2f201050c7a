"""Kernels with two entry points: one for Python and one for other kernels.

Most kernels are called by kernels only. These are kept as they are before LLVM optimises them
(`libraries` says why). Between kernels, numba would also compile a kernel again for each constant
and each integer width. Here these are widened first, so that one version serves all.
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from numba.core import types
from numba.core.compiler import Compiler, Flags
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes

from nando.kernels.internals import libraries
from nando.kernels.internals.lowering import Lowering
from nando.kernels.internals.states import by_address
from nando.kernels.internals.storage import KernelCache, LinkedCache, kernel_files


@contextmanager
def keep_garbage() -> Iterator[None]:
    """Collect no garbage in this context, in any thread."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            _age()
            gc.enable()


def _age() -> None:
    """Move all objects to the oldest generation, which the next collections do not visit."""
    if not gc.get_freeze_count():  # else the program keeps objects out of all collections
        gc.freeze()
        gc.unfreeze()


def with_room(function: Any) -> Any:
    """Let a function and all that it calls have their frames in one piece of memory.

    Python maps memory for frames in pieces of 16 kB, and unmaps a piece when its first frame ends.
    If a loop calls a function whose frame begins a piece, each call waits for the system. A frame
    of a megabyte gets a piece of two, with room for those that follow. Without this, compiling
    takes a seventh longer.
    """
    function.__code__ = function.__code__.replace(co_stacksize=_WORDS)
    return function


_WORDS = 1 << 17
"""Words of a frame with room for others."""


def compile_kernel(function: Callable[..., Any], **options: bool) -> Any:
    """Compile a function with numba's option `_nrt`, and `forceinline` if it is to be inlined."""
    kernel = Kernel(function, targetoptions={"nopython": True, "nogil": True, **options})
    kernel.keep(options)
    return kernel


class _Flags(Flags):  # type: ignore[misc]
    """numba's flags, which are compared quickly here.

    For each call in a kernel, numba looks up what it has compiled with the same flags. numba's
    flags all have the same hash, and comparing two of them reads more than forty properties.
    Without this class, compiling takes 8 % longer.
    """

    def __hash__(self) -> int:
        return hash(tuple(bool(self._values.get(name)) for name in _COMPARED))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Flags) and self._values == other._values:
            return True
        return bool(super().__eq__(other))


_COMPARED = ("nrt", "forceinline", "no_cpython_wrapper")
"""Flags, False unless they are set, in which those of kernels differ."""

_UNUSED = (InlineClosureLikes, NopythonRewrites)
"""Passes for closures and for expressions of whole arrays."""


class _Compiler(Compiler):  # type: ignore[misc]
    """numba's compiler with nando's passes."""

    def __init__(self, *arguments: Any) -> None:
        *first, flags, local_types = arguments
        super().__init__(*first, _Flags(flags), local_types)

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Compile a kernel; numba's own functions that it calls are linked like kernels."""
        with libraries.creating(libraries.LinkedLibrary, self.state.targetctx.codegen()):
            return super().compile_extra(function)

    def define_pipelines(self) -> Any:
        pipelines: list[Any] = super().define_pipelines()
        for passes in pipelines:
            passes.passes = [
                (Lowering if step is NativeLowering else step, name)
                for step, name in passes.passes
                if step not in _UNUSED
            ]
        return pipelines


class _LinkedCompiler(_Compiler, libraries.LibraryCompiler):
    """The compiler of the side that other kernels link."""

    library_class = libraries.LinkedLibrary


class _CountedCompiler(_Compiler, libraries.LibraryCompiler):
    """The compiler of the side of a kernel with counts of references that Python calls."""

    library_class = libraries.CountedLibrary


class _LeanCompiler(_Compiler, libraries.LibraryCompiler):
    """The compiler of the side of a lean kernel that Python calls."""

    library_class = libraries.LeanLibrary


class _Linked(CPUDispatcher):  # type: ignore[misc]
    """The side that other kernels link; Python cannot call it."""

    def keep(self, options: dict[str, bool]) -> None:
        self._cache = LinkedCache(self.py_func, kernel_files(self.py_func, "linked", options))

    def get_call_template(self, args: Sequence[Any], kws: dict[str, Any]) -> Any:
        """Return the types of a call from another kernel."""
        return super().get_call_template(
            tuple(widen(argument) for argument in args),
            {name: widen(argument) for name, argument in kws.items()},
        )


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """The side that Python calls; kernels call `linked`."""

    def __init__(
        self,
        py_func: Callable[..., Any],
        locals: dict[str, Any] | None = None,
        targetoptions: dict[str, Any] | None = None,
        *more: Any,  # differ between versions of numba, which passes them when it unpickles
        **named: Any,
    ) -> None:
        locals = locals or {}
        options = {**(targetoptions or {}), "no_cfunc_wrapper": True}
        named["pipeline_class"] = _CountedCompiler if options.get("_nrt", True) else _LeanCompiler
        super().__init__(py_func, locals, options, *more, **named)
        options = {**options, "no_cpython_wrapper": True}
        named["pipeline_class"] = _LinkedCompiler
        self.linked = _Linked(py_func, locals, options, *more, **named)

    def keep(self, options: dict[str, bool]) -> None:
        """Cache both sides on disk."""
        self._cache = KernelCache(self.py_func, kernel_files(self.py_func, "python", options))
        self.linked.keep(options)

    @with_room
    def compile(self, signature: Any) -> Any:
        """Compile or load the side that Python calls."""
        known = set(self.overloads)
        with keep_garbage():
            entry_point = super().compile(signature)
        for arguments in self.overloads.keys() - known:
            libraries.set_environments(self.overloads[arguments])
        return entry_point

    @with_room
    def link(self, *arguments: Any) -> None:
        """Compile the side that other kernels link, for such arguments."""
        with keep_garbage():
            self.linked.compile(tuple(widen(self.typeof_pyval(value)) for value in arguments))

    def get_call_template(self, args: Sequence[Any], kws: dict[str, Any]) -> Any:
        """Return the types of a call from another kernel."""
        return self.linked.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the machine code that another kernel links."""
        return self.linked.get_overload(sig)


def widen(argument: Any) -> Any:
    """Return the type without its constant value; an integer shorter than a word becomes a word."""
    known: Any = types  # its names are made at run time
    argument = known.unliteral(argument)
    if isinstance(argument, known.Integer) and argument.bitwidth < known.intp.bitwidth:
        return known.intp
    return by_address(argument)

"""Kernels with two entry points, compiled separately: one for Python and one for other kernels.

Most kernels are called by kernels only. These are kept as they are before LLVM optimises them
(`libraries` says why). Between kernels, numba would also compile a kernel again for each constant
and each integer width. Here these are widened first, so that one version serves all.
"""

from collections.abc import Callable, Sequence
from typing import Any

from numba.core import types
from numba.core.compiler import Compiler, Flags
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NativeLowering, NopythonTypeInference

from nando.kernels.internals.claims import release_all
from nando.kernels.internals.garbage import kept_garbage
from nando.kernels.internals.inference import Inference
from nando.kernels.internals.libraries import LeanCompiler, LinkedCompiler, set_environments
from nando.kernels.internals.lowering import Lowering
from nando.kernels.internals.references import add_check, check_arguments, clear_error
from nando.kernels.internals.storage import KernelCache, LinkedCache, Store, kernel_files

Stores = Callable[[Callable[..., Any], str], Store]
"""Where to cache one side of a function, ``python`` or ``linked``."""


def compiled(function: Callable[..., Any], stores: Stores = kernel_files, **options: bool) -> Any:
    """Compile a function with numba's option `_nrt`, and `forceinline` if it is to be inlined."""
    kernel = Kernel(function, targetoptions={"nopython": True, "nogil": True, **options})
    kernel.keep(stores)
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

_PASSES = {NopythonTypeInference: Inference, NativeLowering: Lowering}
"""What stands in for passes of numba."""


class _Compiler(Compiler):  # type: ignore[misc]
    """numba's compiler with nando's passes."""

    def __init__(self, *arguments: Any) -> None:
        *first, flags, local_types = arguments
        super().__init__(*first, _Flags(flags), local_types)

    def define_pipelines(self) -> Any:
        pipelines: list[Any] = super().define_pipelines()
        for passes in pipelines:
            add_check(passes)
            passes.passes = [(_PASSES.get(step, step), name) for step, name in passes.passes]
        return pipelines


class _LinkedCompiler(_Compiler, LinkedCompiler):
    """The compiler of the side that other kernels link."""


class _LeanCompiler(_Compiler, LeanCompiler):
    """The compiler of the side of a lean kernel that Python calls."""


class _Linked(CPUDispatcher):  # type: ignore[misc]
    """The side that other kernels link; Python cannot call it."""

    def keep(self, stores: Stores) -> None:
        self._cache = LinkedCache(self.py_func, stores(self.py_func, "linked"))


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
        named["pipeline_class"] = _Compiler if options.get("_nrt", True) else _LeanCompiler
        super().__init__(py_func, locals, options, *more, **named)
        options = {**options, "no_cpython_wrapper": True}
        named["pipeline_class"] = _LinkedCompiler
        self.linked = _Linked(py_func, locals, options, *more, **named)

    def keep(self, stores: Stores) -> None:
        """Cache both sides on disk."""
        self._cache = KernelCache(self.py_func, stores(self.py_func, "python"))
        self.linked.keep(stores)

    def compile(self, signature: Any) -> Any:
        """Compile or load the side that Python calls."""
        known = set(self.overloads)
        try:
            with kept_garbage():
                if not self.targetoptions["_nrt"]:
                    check_arguments(self.py_func, normalize_signature(signature)[0])
                entry_point = super().compile(signature)
        except Exception as error:
            clear = clear_error(self.py_func, error)
            if clear is None:
                raise
            raise clear from None
        finally:
            release_all()
        for arguments in self.overloads.keys() - known:
            set_environments(self.overloads[arguments])
        return entry_point

    def link(self, *arguments: Any) -> None:
        """Compile the side that other kernels link, for such arguments."""
        try:
            with kept_garbage():
                self.linked.compile(tuple(widened(self.typeof_pyval(value)) for value in arguments))
        finally:
            release_all()

    def get_call_template(self, args: Sequence[Any], kws: dict[str, Any]) -> Any:
        """Return the types of a call from another kernel."""
        return self.linked.get_call_template(
            tuple(widened(argument) for argument in args),
            {name: widened(argument) for name, argument in kws.items()},
        )

    def get_overload(self, sig: Any) -> Any:
        """Return the machine code that another kernel links."""
        return self.linked.get_overload(sig)


def widened(argument: Any) -> Any:
    """Return the type without its constant value; an integer shorter than a word becomes a word."""
    known: Any = types  # its names are made at run time
    argument = known.unliteral(argument)
    if isinstance(argument, known.Integer) and argument.bitwidth < known.intp.bitwidth:
        return known.intp
    return argument

"""Kernels with two entry points: one for Python and one for other kernels.

Most kernels are called by kernels only. These are kept as they are before LLVM optimises them
(`libraries` says why). Between kernels, numba would also compile a kernel again for each constant
and each integer width. Here these are widened first, so that one version serves all.
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import update_wrapper
from importlib import import_module
from inspect import signature
from typing import Any, NamedTuple

from numba.core import types
from numba.core.compiler import Compiler, Flags
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NativeLowering, NopythonRewrites, NopythonTypeInference
from numba.core.untyped_passes import InlineClosureLikes

from nando.kernels.cache import folder_of
from nando.kernels.internals.claims import release_all
from nando.kernels.internals.inference import Inference
from nando.kernels.internals.libraries import (
    CountedLibrary,
    LeanLibrary,
    LeanSeparateLibrary,
    LibraryCompiler,
    LinkedLibrary,
    SeparateLibrary,
    set_environments,
)
from nando.kernels.internals.lowering import Lowering
from nando.kernels.internals.references import add_check, check_arguments, clear_error
from nando.kernels.internals.states import by_address
from nando.kernels.internals.storage import (
    KernelCache,
    LinkedCache,
    SeparateCache,
    Store,
    kernel_files,
)


@contextmanager
def kept_garbage() -> Iterator[None]:
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


Stores = Callable[[Callable[..., Any], str], Store]
"""Where to cache one side of a function: ``python``, ``linked`` or ``separate``."""


def compiled(function: Callable[..., Any], stores: Stores = kernel_files, **options: bool) -> Any:
    """Compile a function with numba's option `_nrt`, and `forceinline` if it is to be inlined.

    The option `separate` gives it machine code that its callers declare.
    """
    kind = SeparateKernel if options.pop("separate", False) else Kernel
    kernel = kind(function, targetoptions={"nopython": True, "nogil": True, **options})
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


_UNUSED = (InlineClosureLikes, NopythonRewrites)
"""Passes for closures and for expressions of whole arrays."""


class _Compiler(Compiler):  # type: ignore[misc]
    """numba's compiler with nando's passes."""

    def __init__(self, *arguments: Any) -> None:
        *first, flags, local_types = arguments
        super().__init__(*first, _Flags(flags), local_types)

    def define_pipelines(self) -> Any:
        pipelines: list[Any] = super().define_pipelines()
        for passes in pipelines:
            add_check(passes)
            passes.passes = [
                (_PASSES.get(step, step), name)
                for step, name in passes.passes
                if step not in _UNUSED
            ]
        return pipelines


class _LinkedCompiler(_Compiler, LibraryCompiler):
    """The compiler of the side that other kernels link."""

    library_class = LinkedLibrary


class _CountedCompiler(_Compiler, LibraryCompiler):
    """The compiler of the side of a kernel with counts of references that Python calls."""

    library_class = CountedLibrary


class _LeanCompiler(_Compiler, LibraryCompiler):
    """The compiler of the side of a lean kernel that Python calls."""

    library_class = LeanLibrary


class _SeparateCompiler(_Compiler, LibraryCompiler):
    """The compiler of a kernel with machine code that its callers declare."""

    def __init__(self, *arguments: Any) -> None:
        *_, flags, _ = arguments
        self.library_class = SeparateLibrary if flags.nrt else LeanSeparateLibrary
        super().__init__(*arguments)

    def _compile_bytecode(self) -> Any:
        # numba's number differs from process to process, but callers on disk know the name.
        identity = self.state.func_id
        identity.unique_id = int(folder_of(identity.func).rpartition("-")[2], 16)
        return super()._compile_bytecode()


class _Linked(CPUDispatcher):  # type: ignore[misc]
    """The side that other kernels link; Python cannot call it."""

    def keep(self, stores: Stores) -> None:
        self._cache = LinkedCache(self.py_func, stores(self.py_func, "linked"))

    def add_overload(self, result: Any) -> None:
        result.library.needs = result.reload_init
        super().add_overload(result)

    def get_call_template(self, args: Sequence[Any], kws: dict[str, Any]) -> Any:
        """Return the types of a call from another kernel."""
        return super().get_call_template(
            tuple(widened(argument) for argument in args),
            {name: widened(argument) for name, argument in kws.items()},
        )


class _Separate(_Linked):
    """A kernel with machine code that other kernels call; Python cannot call it."""

    def keep(self, stores: Stores) -> None:
        self._cache = SeparateCache(self.py_func, stores(self.py_func, "separate"))

    def add_overload(self, result: Any) -> None:
        super().add_overload(result)
        set_environments(result)
        function = self.py_func
        load = Load(function.__module__, function.__qualname__, result.signature.args)
        result.library.needs = [load]


class Load(NamedTuple):
    """Loads a separately compiled kernel, without which its callers cannot be loaded.

    numba stores it with each caller and calls it before it loads one.
    """

    module: str
    name: str
    arguments: tuple[Any, ...]

    def __call__(self) -> None:
        """Load the kernel, or compile it if it is not on disk."""
        kernel = getattr(import_module(self.module), self.name)._numba_type_.dispatcher
        kernel.linked.compile(self.arguments)


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """The side that Python calls; kernels call `linked`."""

    _linked_class: type = _Linked
    _linked_compiler: type = _LinkedCompiler

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
        named["pipeline_class"] = self._linked_compiler
        self.linked = self._linked_class(py_func, locals, options, *more, **named)

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
        return self.linked.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the machine code that another kernel links."""
        return self.linked.get_overload(sig)


class SeparateKernel(Kernel):
    """A kernel with machine code that other kernels call; the side for Python calls it as well."""

    _linked_class = _Separate
    _linked_compiler = _SeparateCompiler

    def __init__(self, py_func: Callable[..., Any], *more: Any, **named: Any) -> None:
        super().__init__(py_func, *more, **named)
        self._compiler.py_func = _calling(py_func, self.linked)


def _calling(function: Callable[..., Any], linked: _Separate) -> Callable[..., Any]:
    """Return a function with the parameters of another that calls the linked side of its kernel."""
    names = ", ".join(signature(function).parameters)
    scope = {"linked": linked}
    exec(f"def call({names}): return linked({names})", scope)
    call: Any = scope["call"]
    return update_wrapper(call, function)


def widened(argument: Any) -> Any:
    """Return the type without its constant value; an integer shorter than a word becomes a word."""
    known: Any = types  # its names are made at run time
    argument = known.unliteral(argument)
    if isinstance(argument, known.Integer) and argument.bitwidth < known.intp.bitwidth:
        return known.intp
    return by_address(argument)

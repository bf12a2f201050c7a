"""The code of kernels that only other kernels call, and of numba's functions that they call.

numba optimises a function together with everything it calls and translates it to machine code, and
does both again for each caller, up to the function that Python calls. Here, the code of a kernel
that only kernels call stays bitcode that is not optimised together with its callees. The kernel
that Python calls is optimised once, together with everything it needs. When this was new, a first
`nando rate` took 43 processor seconds instead of 130.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

_LEVEL = 1
"""LLVM's level of optimisation. Kernels of levels 1 and 3 are equally fast; with 3, a first rating
takes an eighth longer."""


def _has_old_passes(codegen: Any) -> bool:
    """Return True if numba is older than 0.62, whose passes are run without their builder."""
    return not hasattr(codegen, "_pass_builder")


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code that other kernels link. It has no machine code."""

    def _optimize_functions(self, module: Any) -> None:
        """Optimise each function on its own, so that there is less to link."""
        if _has_old_passes(self._codegen):
            super()._optimize_functions(module)
            return
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(opt=_LEVEL)
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def finalize(self) -> None:
        """Link what the kernel calls."""
        for library in dict.fromkeys(self._linking_libraries):
            if hasattr(library, "_reload_init"):  # older versions of numba have none
                self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """The code generator, for which there is no machine code to set an environment in."""
        return _WithoutMachineCode(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, which numba expects of a function without machine code."""
        return 0

    def serialize_using_object_code(self) -> Any:
        """Return what is cached."""
        return self.serialize_using_bitcode()


class LeanLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code of a lean kernel that Python calls, with all that it calls.

    numba optimises each function, then all of them twice, and removes counts of references in
    between. A lean kernel has none, so it is optimised once.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        if _has_old_passes(self._codegen):
            self._codegen._module_pass_manager().run(self._final_module)
            return
        # Loops run over nine cells or so: vectors make them longer, not faster.
        passes, builder = self._codegen._module_pass_manager(opt=_LEVEL, loop_vectorize=False)
        passes.run(self._final_module, builder)


class CountedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code of a kernel that counts references and that Python calls, with all that it calls.

    numba optimises each function, and everything at level 3 after a first pass that brings counts
    of references together. Here, the functions are not optimised first, and level 1 suffices.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        if _has_old_passes(self._codegen):
            super()._optimize_final_module()
            return
        first = self._codegen._module_pass_manager(
            opt=0, cost="cheap", loop_vectorize=False, slp_vectorize=False
        )
        for passes, builder in (first, self._codegen._module_pass_manager(opt=_LEVEL)):
            passes.run(self._final_module, builder)


class _WithoutMachineCode:
    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing; `set_environments` does it for the kernel that Python calls."""


class LibraryCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler, into a library of the given class."""

    library_class: type

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        if self.state.library is None:
            self.state.library = self.library_class(self.state.targetctx.codegen(), "nando")
            self.state.library.enable_object_caching()


@contextmanager
def creating(library_class: type, codegen: Any) -> Iterator[None]:
    """Create or load libraries of this class in this context; the caller holds numba's lock."""
    before = codegen._library_class
    codegen._library_class = library_class
    try:
        yield
    finally:
        codegen._library_class = before


def set_environments(result: Any) -> None:
    """Give the machine code of a kernel the objects, such as messages, of all kernels in it."""
    for environment in result._find_referenced_environments():
        result.library.codegen.set_env(environment.env_name, environment)

"""Refuses kernels that would never free memory, or free it too early.

numba counts the references to an array that a kernel allocates and to a generator from Python. A
lean kernel counts no references, because its caller holds the arguments. It may use arrays, take
slices, and pass them to lean kernels. But it would never release an array that another kernel
allocated for it, or a generator from Python. And a kernel that counts references would release a
slice from a lean kernel, which never counted it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from typing import Any

from numba.core import types
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.core.typed_passes import NopythonTypeInference

_known: Any = types  # its names are made at run time


class UncountedReference(TypeError):
    """A kernel would leak memory, or free it too early."""


def check_arguments(function: Callable[..., Any], arguments: Sequence[Any]) -> None:
    """Raise an error if Python gives a lean kernel anything but numbers and arrays.

    Parameters
    ----------
    function : callable
        The kernel.
    arguments : sequence of numba types
    """
    names = list(signature(function).parameters)
    for i, argument in enumerate(arguments):
        if not _is_held_by_python(argument):
            # The last parameter may take several arguments.
            raise UncountedReference(
                f"the lean kernel {function.__qualname__} gets {names[min(i, len(names) - 1)]} "
                f"({argument}) from Python, and would never release it: make it a kernel; that "
                "one may call a lean kernel"
            )


@register_pass(mutates_CFG=False, analysis_only=True)
class CheckCalls(AnalysisPass):  # type: ignore[misc]
    """Raises an error if a kernel gets arrays that it would not free, or free too early.

    The same goes for Python and what it gets from a lean kernel.
    """

    _name = "check_calls"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Check what a kernel and each call in it return."""
        name = state.func_id.func_qualname
        is_lean = not state.flags.nrt
        is_for_python = not state.flags.no_cpython_wrapper
        if is_lean and is_for_python and _is_counted(state.return_type):
            raise UncountedReference(
                f"the lean kernel {name} returns {_described(state.return_type)}, and Python would "
                "get all of an array for a slice: make it a kernel"
            )
        for callee, result in _calls(state):
            if is_lean == _is_lean(callee) or not _is_counted(result):
                continue
            if is_lean and not isinstance(callee, _known.NamedTupleClass):
                raise UncountedReference(
                    f"the lean kernel {name} gets {_described(result)} from {_named(callee)}, and "
                    "would never free it: give it an array to fill, or make it a kernel"
                )
            if _is_lean(callee):
                raise UncountedReference(
                    f"the kernel {name} gets {_described(result)} from the lean kernel "
                    f"{_named(callee)}, and would free it too early: make that one a kernel"
                )
        return False


def add_check(passes: Any) -> None:
    """Add the check of calls to numba's passes."""
    passes.add_pass_after(CheckCalls, NopythonTypeInference)
    passes.finalize()


def clear_error(function: Callable[..., Any], error: Exception) -> TypeError | None:
    """Return the error to raise in place of one from compiling a kernel, or None to keep it."""
    text = str(error)
    refusal = _REFUSAL.search(text)
    if refusal is not None and isinstance(error, (UncountedReference, NumbaError)):
        return TypeError(refusal[0])
    if isinstance(error, NumbaError) and any(sign in text for sign in _ALLOCATES):
        return TypeError(
            f"the lean kernel {function.__qualname__}, or one that it calls, allocates or returns "
            "an array: make that one a kernel"
        )
    return None


_REFUSAL = re.compile("^the (lean )?kernel .+", re.MULTILINE)
"""A message of this module; numba adds lines before it, and 0.58 after it, too."""

_ALLOCATES = ("NRT required but not enabled", "Only accept returning of array passed into")
"""Parts of numba's own messages about such a kernel."""


def _calls(state: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the type of each function that is called, and the type of its result."""
    for block in state.func_ir.blocks.values():
        for call in block.find_exprs("call"):
            yield state.typemap[call.func.name], state.calltypes[call].return_type


def _is_lean(callee: Any) -> bool:
    if not isinstance(callee, _known.Dispatcher):
        return False
    return callee.dispatcher.targetoptions.get("_nrt") is False


def _is_counted(kind: Any) -> bool:
    """Return True if numba counts the references to a value of this type."""
    return bool(cpu_target.target_context.data_model_manager[kind].contains_nrt_meminfo())


_HELD = (
    _known.Array,
    _known.Boolean,
    _known.EnumMember,
    _known.NoneType,
    _known.Number,
    _known.Omitted,
)
"""Types to which a lean kernel takes no reference of its own."""


def _is_held_by_python(kind: Any) -> bool:
    kind = _known.unliteral(kind)
    if isinstance(kind, _known.BaseTuple):
        return all(map(_is_held_by_python, kind))
    if isinstance(kind, _known.Optional):
        return _is_held_by_python(kind.type)
    return isinstance(kind, _HELD)


def _named(callee: Any) -> str:
    if isinstance(callee, _known.Dispatcher):
        return str(callee.dispatcher.py_func.__qualname__)
    key = getattr(callee, "typing_key", callee)
    return str(getattr(key, "__name__", key))


def _described(kind: Any) -> str:
    return "an array" if isinstance(kind, _known.Array) else f"a {kind}"

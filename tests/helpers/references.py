"""Refuse kernels that would never free memory, or free it too early, while tests compile them.

numba counts the references to an array that a kernel allocates and to a generator from Python. A
lean kernel counts no references, because its caller holds the arguments. It may use arrays, take
slices, and pass them to lean kernels. But it would never release an array that another kernel
allocated for it, or a generator from Python. And a kernel that counts references would release a
slice from a lean kernel, which never counted it.
"""

from contextlib import contextmanager
from inspect import signature
from unittest import mock

from numba.core import types
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.registry import cpu_target
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NopythonTypeInference

from nando.kernels.internals.dispatchers import Kernel, _Compiler


class UncountedReference(TypeError):
    """A kernel would leak memory, or free it too early."""


@contextmanager
def refused_leaks():
    """Refuse kernels in the block; those that are on disk are not compiled, and not seen."""
    define, compile = _Compiler.define_pipelines, Kernel.compile

    def checked_pipelines(self):
        pipelines = define(self)
        for passes in pipelines:
            passes.add_pass_after(CheckCalls, NopythonTypeInference)
            passes.finalize()
        return pipelines

    def checked(self, given):
        if not self.targetoptions["_nrt"]:
            check_arguments(self.py_func, normalize_signature(given)[0])
        return compile(self, given)

    with (
        mock.patch.object(_Compiler, "define_pipelines", checked_pipelines),
        mock.patch.object(Kernel, "compile", checked),
    ):
        yield


def check_arguments(function, arguments):
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
class CheckCalls(AnalysisPass):
    """Raises an error if a kernel gets arrays that it would not free, or free too early.

    The same goes for Python and what it gets from a lean kernel.
    """

    _name = "check_calls"

    def __init__(self):
        AnalysisPass.__init__(self)

    def run_pass(self, state):
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
            if is_lean and not isinstance(callee, types.NamedTupleClass):
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


def _calls(state):
    """Yield the type of each function that is called, and the type of its result."""
    for block in state.func_ir.blocks.values():
        for call in block.find_exprs("call"):
            yield state.typemap[call.func.name], state.calltypes[call].return_type


def _is_lean(callee):
    if not isinstance(callee, types.Dispatcher):
        return False
    return callee.dispatcher.targetoptions.get("_nrt") is False


def _is_counted(kind):
    """Return True if numba counts the references to a value of this type."""
    return bool(cpu_target.target_context.data_model_manager[kind].contains_nrt_meminfo())


_HELD = (
    types.Array,
    types.Boolean,
    types.EnumMember,
    types.NoneType,
    types.Number,
    types.Omitted,
)
"""Types to which a lean kernel takes no reference of its own."""


def _is_held_by_python(kind):
    kind = types.unliteral(kind)
    if isinstance(kind, types.BaseTuple):
        return all(map(_is_held_by_python, kind))
    if isinstance(kind, types.Optional):
        return _is_held_by_python(kind.type)
    return isinstance(kind, _HELD)


def _named(callee):
    if isinstance(callee, types.Dispatcher):
        return str(callee.dispatcher.py_func.__qualname__)
    key = getattr(callee, "typing_key", callee)
    return str(getattr(key, "__name__", key))


def _described(kind):
    return "an array" if isinstance(kind, types.Array) else f"a {kind}"

"""Machine code of a kernel that runs without numba.

Numba's entry points for Python need numba's own library. An entry made here takes the address of a
row of words, from which it makes what the kernel takes:

- an array is its address, its shape and its strides in bytes;
- an integer, a truth value or a float is one word;
- a tuple is its elements, one after the other.

It returns 0, or another number if the kernel raises an error; a result is left in the first word.
"""

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

from llvmlite import ir
from numba import typeof
from numba.core import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.np.arrayobj import populate_array

from nando.kernels.internals.dispatchers import Kernel, widened
from nando.kernels.internals.libraries import LinkedLibrary
from nando.kernels.internals.memory import memory_module

_WORD = ir.IntType(64)
_FAILURE = ir.IntType(32)


class Object(NamedTuple):
    """An object file.

    Attributes
    ----------
    code : bytes
    result : str
        ``none``, ``int64`` or ``bool``.
    symbols : list of str
        Functions of the system that it needs.
    """

    code: bytes
    result: str
    symbols: list[str]


def object_of(kernel: Kernel, arguments: Sequence[Any], name: str) -> Object | None:
    """The object file with an entry of this name; None for a kernel that needs numba's library."""
    known: Any = types  # its names are made at run time
    kinds = tuple(widened(typeof(argument)) for argument in arguments)
    with global_compiler_lock:
        kernel.linked.compile(kinds)
        compiled = kernel.linked.overloads[kinds]
        result = compiled.signature.return_type
        if result not in (known.none, known.int64, known.boolean):
            return None
        context = cpu_target.target_context
        library = LinkedLibrary(context.codegen(), name)
        library.add_linking_library(compiled.library)
        library.add_ir_module(memory_module())
        library.add_ir_module(_entry(context, compiled.fndesc, kinds, name))
        library.finalize()
        module = library._final_module
        for function in module.functions:
            if not function.is_declaration and function.name != name:
                function.linkage = "internal"
        library._optimize_final_module()
        symbols = _needed(module)
        if not all(map(_is_of_the_system, symbols)):
            return None
        code = context.codegen()._tm.emit_object(module)
    return Object(code, str(result), symbols)


def _is_of_the_system(symbol: str) -> bool:
    """Whether any Python program has a function, not only one that has imported numba."""
    try:
        return hasattr(ctypes.CDLL(None), symbol)
    except (OSError, TypeError):  # Windows does not tell
        return False


def _entry(context: Any, callee: Any, kinds: Sequence[Any], name: str) -> ir.Module:
    module = context.create_module(name)
    function = ir.Function(module, ir.FunctionType(_FAILURE, [_WORD.as_pointer()]), name)
    builder = ir.IRBuilder(function.append_basic_block())
    words = _Words(context, builder, function.args[0])
    taken = [words.read(kind) for kind in kinds]
    status, result = context.call_conv.call_function(
        builder,
        context.declare_function(module, callee),
        callee.restype,
        callee.argtypes,
        taken,
    )
    if isinstance(result.type, ir.IntType):
        word = result if result.type == _WORD else builder.zext(result, _WORD)
        builder.store(word, function.args[0])
    builder.ret(status.code)
    return module


def _needed(module: Any) -> list[str]:
    """What an optimised module uses and does not define."""
    text = str(module)
    declared = [*module.functions, *module.global_variables]
    names = [value.name for value in declared if value.is_declaration]
    return sorted(
        name for name in names if not name.startswith("llvm.") and text.count(f"@{name}") > 1
    )


class _Words:
    """Reads one argument after the other."""

    def __init__(self, context: Any, builder: ir.IRBuilder, first: ir.Value) -> None:
        self._context = context
        self._builder = builder
        self._first = first
        self._n_read = 0

    def read(self, kind: Any) -> ir.Value:
        """The next argument."""
        known: Any = types
        if isinstance(kind, known.Array):
            return self._array(kind)
        if isinstance(kind, known.BaseTuple):
            return self._context.make_tuple(
                self._builder, kind, [self.read(element) for element in kind]
            )
        word = self._word()
        if kind == known.int64:
            return word
        if kind == known.float64:
            return self._builder.bitcast(word, ir.DoubleType())
        if kind == known.boolean:
            return self._builder.icmp_unsigned("!=", word, ir.Constant(_WORD, 0))
        raise TypeError(f"no kernel takes {kind} as words")

    def _array(self, kind: Any) -> ir.Value:
        array = self._context.make_array(kind)(self._context, self._builder)
        address = self._builder.inttoptr(self._word(), array.data.type)
        shape, strides = ([self._word() for _ in range(kind.ndim)] for _ in range(2))
        size = self._context.get_abi_sizeof(self._context.get_data_type(kind.dtype))
        populate_array(array, address, shape, strides, ir.Constant(_WORD, size), None)
        return array._getvalue()

    def _word(self) -> ir.Value:
        place = self._builder.gep(self._first, [ir.Constant(_WORD, self._n_read)])
        self._n_read += 1
        return self._builder.load(place)

"""Arrays that a kernel makes for itself, without numba's library.

Numba's code asks that library for memory and hands it back when no reference is left. These two
functions take its place in an object file whose kernel returns no array. What lies before the
elements is what numba's own code reads there.
"""

from llvmlite import ir
from numba.core.cgutils import gep_inbounds
from numba.core.runtime.nrtdynmod import _meminfo_struct_type as _INFO

_WORD = ir.IntType(64)
_COUNT, _ELEMENTS = 0, 3
"""Fields of `_INFO`: how many references there are, and where the elements are."""
_BYTES = 64
"""What `_INFO` takes at most."""


def memory_module() -> ir.Module:
    """A module with both functions."""
    module = ir.Module("memory")
    pointer = ir.IntType(8).as_pointer()
    take = ir.Function(module, ir.FunctionType(pointer, [_WORD]), "malloc")
    leave = ir.Function(module, ir.FunctionType(ir.VoidType(), [pointer]), "free")
    _define_allocate(module, take)
    _define_release(module, leave)
    return module


def _define_allocate(module: ir.Module, take: ir.Function) -> None:
    kind = ir.FunctionType(take.function_type.return_type, [_WORD, ir.IntType(32)])
    function = ir.Function(module, kind, "NRT_MemInfo_alloc_aligned")
    size, align = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    align = builder.zext(align, _WORD)
    room = builder.add(builder.add(size, align), ir.Constant(_WORD, _BYTES))
    start = builder.call(take, [room])
    with builder.if_then(builder.icmp_unsigned("!=", start, ir.Constant(start.type, None))):
        info = builder.bitcast(start, _INFO.as_pointer())
        builder.store(ir.Constant(_WORD, 1), gep_inbounds(builder, info, 0, _COUNT))
        first = builder.add(builder.ptrtoint(start, _WORD), ir.Constant(_WORD, _BYTES))
        last = builder.add(first, builder.sub(align, ir.Constant(_WORD, 1)))
        elements = builder.and_(last, builder.neg(align))
        builder.store(
            builder.inttoptr(elements, start.type), gep_inbounds(builder, info, 0, _ELEMENTS)
        )
    builder.ret(start)


def _define_release(module: ir.Module, leave: ir.Function) -> None:
    function = ir.Function(module, leave.function_type, "NRT_MemInfo_call_dtor")
    builder = ir.IRBuilder(function.append_basic_block())
    builder.call(leave, function.args)
    builder.ret_void()

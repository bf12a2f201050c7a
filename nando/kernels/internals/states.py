"""Passes a named tuple to a kernel by its address.

The state of a solver is a named tuple of up to fifty arrays, each of them seven words. numba passes
each of these words as an argument of its own. Here a kernel that another kernel calls gets one
pointer instead, reads the words that it uses, and passes the same pointer on. Without it, the
kernels of the ladder take 15 % longer to compile for Sudoku, and 46 % for Nurikabe.

A tuple that changed while a kernel holds its address would give wrong results. These tests would
notice: `tests/kernels/test_shorter_code.py`, which swaps and nests tuples in loops, and all that
compare compiled kernels with plain Python.
"""

from functools import cache
from hashlib import sha256
from typing import Any

from llvmlite.ir import Constant, IntType
from llvmlite.ir.instructions import InsertValue, LoadInstr
from numba.core import types
from numba.core.datamodel.models import TupleModel, UniTupleModel
from numba.extending import lower_cast, register_model

_known: Any = types  # its names are made at run time


class _ByAddress:
    """The type of a named tuple that is passed by its address."""

    name: str
    fields: tuple[str, ...]
    instance_class: type

    def _shorten_name(self) -> None:
        # The name is part of each symbol, and numba compares types by their keys.
        own = self.instance_class
        described = f"{own.__module__} {own.__qualname__} {self.fields} {self.name}"
        self.name = f"{own.__name__}-{sha256(described.encode()).hexdigest()[:16]}"

    @property
    def key(self) -> str:
        """What numba compares types by."""
        return self.name


class State(_ByAddress, _known.NamedTuple):  # type: ignore[misc]
    """A named tuple of different types."""

    def __init__(self, members: Any, instance_class: type) -> None:
        super().__init__(members, instance_class)
        self._shorten_name()


class UniformState(_ByAddress, _known.NamedUniTuple):  # type: ignore[misc]
    """A named tuple of one type."""

    def __init__(self, dtype: Any, count: int, instance_class: type) -> None:
        super().__init__(dtype, count, instance_class)
        self._shorten_name()


@cache
def by_address(kind: Any) -> Any:
    """Return the type of a named tuple for a call from another kernel."""
    if type(kind) is _known.NamedTuple:
        return State(kind.types, kind.instance_class)
    if type(kind) is _known.NamedUniTuple:
        return UniformState(kind.dtype, kind.count, kind.instance_class)
    return kind


@lower_cast(_known.NamedTuple, State)
@lower_cast(_known.NamedUniTuple, UniformState)
def _same_value(context: Any, builder: Any, before: Any, after: Any, value: Any) -> Any:
    return value


class Loaded(LoadInstr):  # type: ignore[misc]
    """A named tuple that is read from its address, or a part of one."""


def load(builder: Any, address: Any) -> Loaded:
    """Read a named tuple, or a part of one, from its address, whose value never changes."""
    value = Loaded(builder.block, address)
    builder._insert(value)
    return value


def part_of(builder: Any, value: Loaded, indices: Any) -> Loaded:
    """Read a part of a named tuple from the address of this part."""
    steps = [Constant(_INDEX, index) for index in (0, *indices)]
    return load(builder, builder.gep(value.operands[0], steps, inbounds=True))


_INDEX = IntType(32)


def _address_of(builder: Any, value: Any) -> Any:
    """Store a named tuple that a kernel puts together or gets from Python; return its address.

    It is stored once, where it is put together, and not in the loop that passes it on: the board of
    a Nurikabe takes three hundred words.
    """
    if not hasattr(value, "address"):
        with builder.goto_block(value.parent):
            value.address = _room(builder, value.type)
            builder.position_after(value)
            builder.store(value, value.address)
    return value.address


def _room(builder: Any, kind: Any) -> Any:
    with builder.goto_block(builder.block):
        builder.position_at_start(builder.function.entry_basic_block)
        return builder.alloca(kind)


class _PassedByAddress:
    """How numba represents a named tuple: as before, but by its address in a call."""

    get_value_type: Any

    def get_argument_type(self) -> Any:
        address = self.get_value_type().as_pointer()
        address.is_of_state = True
        return address

    def as_argument(self, builder: Any, value: Any) -> Any:
        if isinstance(value, Loaded):
            return value.operands[0]
        if isinstance(value, InsertValue):
            return _address_of(builder, value)
        address = _room(builder, value.type)
        builder.store(value, address)
        return address

    def from_argument(self, builder: Any, address: Any) -> Any:
        return load(builder, address)


@register_model(State)
class _StateModel(_PassedByAddress, TupleModel):  # type: ignore[misc]
    pass


@register_model(UniformState)
class _UniformStateModel(_PassedByAddress, UniTupleModel):  # type: ignore[misc]
    pass


def mark_addresses(module: Any) -> None:
    """Let LLVM know that nothing changes a named tuple while a kernel has its address."""
    for function in module.functions:
        for argument in function.args:
            if getattr(argument.type, "is_of_state", False):
                # numba gives these to the address of the result, too.
                argument.attributes.update(function.args[0].attributes)

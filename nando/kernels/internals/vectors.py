"""Vectors in a kernel that is being compiled, written by llvmlite.

:mod:`nando.kernels.lanes` says what programs on them may do. With them a core solves 620,000
Sudokus of 9x9 a second instead of 180,000. `tests/solvers/exact/test_exact.py` compares them with
plain Python.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import ArrayLike, NDArray

from nando.kernels.lanes import Program, Step, any_of, differ

_WORD = ir.IntType(32)
_FLAGS = ir.IntType(64)


def machine_code(program: Program) -> Any:
    """Return the intrinsic that runs a program.

    It returns the program's flags as bits of an integer.
    """

    def typed(typing_context: Any, *arrays: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            memories = [
                LanesMemory(context, builder, kind, array)
                for kind, array in zip(signature.args, args, strict=True)
            ]
            result = ir.Constant(_FLAGS, 0)
            for i, flag in enumerate(program(*memories)):
                bit = builder.shl(builder.zext(flag.value, _FLAGS), ir.Constant(_FLAGS, i))
                result = builder.or_(result, bit)
            return result

        return types.int64(*arrays), generate

    # numba asks for the names of the arguments.
    names = ["typing_context", *inspect.signature(program).parameters]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    typed.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, kind) for name in names]
    )
    typed.__name__ = program.__name__
    return intrinsic(typed)


def _operator(instruction: str, *first: str) -> Callable[["Lanes", Any], "Lanes"]:
    """Return the operator of two vectors, or of one and constants, that an instruction computes."""

    def combine(self: "Lanes", other: "Lanes | ArrayLike") -> "Lanes":
        build = getattr(self._builder, instruction)
        return Lanes(self._builder, build(*first, self.value, self._lift(other)))

    return combine


class Lanes:
    """A vector of 32-bit words, or of the bits that a comparison returns."""

    def __init__(self, builder: ir.IRBuilder, value: ir.Value) -> None:
        self._builder = builder
        self.value = value

    def __len__(self) -> int:
        return int(self.value.type.count)

    def _lift(self, other: "Lanes | ArrayLike") -> ir.Value:
        if isinstance(other, Lanes):
            return other.value
        return _constant(np.broadcast_to(np.asarray(other), len(self)))

    __or__ = _operator("or_")
    __and__ = _operator("and_")
    __xor__ = _operator("xor")
    __lshift__ = _operator("shl")
    __rshift__ = _operator("lshr")
    __add__ = _operator("add")
    __sub__ = _operator("sub")
    __eq__ = _operator("icmp_unsigned", "==")  # type: ignore[assignment]
    __ne__ = _operator("icmp_unsigned", "!=")  # type: ignore[assignment]

    def __invert__(self) -> "Lanes":
        return Lanes(self._builder, self._builder.not_(self.value))

    def __getitem__(self, order: NDArray[np.integer]) -> "Lanes":
        nothing = ir.Constant(self.value.type, ir.Undefined)
        shuffled = self._builder.shuffle_vector(self.value, nothing, _constant(order))
        return Lanes(self._builder, shuffled)

    def any(self) -> "Bit":
        """Return True if a word is not 0, or a comparison holds, anywhere."""
        flags = self.value if self.value.type.element == ir.IntType(1) else (self != 0).value
        mask = self._builder.bitcast(flags, ir.IntType(len(self)))
        some = self._builder.icmp_unsigned("!=", mask, ir.Constant(mask.type, 0))
        return Bit(self._builder, some)


class Bit:
    """A truth value."""

    def __init__(self, builder: ir.IRBuilder, value: ir.Value) -> None:
        self._builder = builder
        self.value = value

    def __or__(self, other: "Bit") -> "Bit":
        return Bit(self._builder, self._builder.or_(self.value, other.value))

    def __and__(self, other: "Bit") -> "Bit":
        return Bit(self._builder, self._builder.and_(self.value, other.value))

    def __invert__(self) -> "Bit":
        return Bit(self._builder, self._builder.not_(self.value))


class Bits:
    """A number with a bit for each element."""

    def __init__(self, builder: ir.IRBuilder, value: ir.Value) -> None:
        self._builder = builder
        self.value = value

    def __rshift__(self, places: int) -> "Bits":
        constant = ir.Constant(self.value.type, places)
        return Bits(self._builder, self._builder.lshr(self.value, constant))


class Bytes:
    """Some elements of an array of int8."""

    def __init__(self, builder: ir.IRBuilder, value: ir.Value) -> None:
        self._builder = builder
        self._value = value

    def equal_to(self, value: int) -> Bits:
        """Return a bit for each byte, set where it equals `value`."""
        count = self._value.type.count
        repeated = ir.Constant(self._value.type, [ir.Constant(ir.IntType(8), value)] * count)
        same = self._builder.icmp_unsigned("==", self._value, repeated)
        return Bits(self._builder, self._builder.bitcast(same, ir.IntType(count)))


class LanesMemory:
    """An array that is passed to an intrinsic."""

    def __init__(self, context: Any, builder: ir.IRBuilder, kind: Any, array: ir.Value) -> None:
        self._builder = builder
        self._data = cgutils.create_struct_proxy(kind)(context, builder, array).data

    def _pointer(self, start: int, element: ir.Type, count: int) -> ir.Value:
        first = self._builder.gep(self._data, [ir.Constant(ir.IntType(64), start)])
        return self._builder.bitcast(first, ir.VectorType(element, count).as_pointer())

    def load(self, widths: Sequence[int]) -> list[Lanes]:
        """Return the first words as vectors of the given widths."""
        vectors = []
        start = 0
        for width in widths:
            value = self._builder.load(self._pointer(start, _WORD, width))
            value.align = 4
            vectors.append(Lanes(self._builder, value))
            start += width
        return vectors

    def store(self, vectors: Sequence[Lanes]) -> None:
        """Write the vectors over the first words."""
        start = 0
        for vector in vectors:
            pointer = self._pointer(start, _WORD, len(vector))
            self._builder.store(vector.value, pointer).align = 4
            start += len(vector)

    def elements(self, first: int, count: int) -> Bytes:
        """Return some elements of an array of int8."""
        value = self._builder.load(self._pointer(first, ir.IntType(8), count))
        value.align = 1
        return Bytes(self._builder, value)

    def gathered(
        self, numbers: Sequence[Bits | None], widths: Sequence[int], mask: int
    ) -> list[Lanes]:
        """Return vectors of the lower bits of numbers, where None counts as 0."""
        vectors = []
        start = 0
        for width in widths:
            vector = _constant(np.zeros(width, np.int64))
            for place, number in enumerate(numbers[start : start + width]):
                if number is not None:
                    vector = self._builder.insert_element(
                        vector, self._word(number.value), ir.Constant(_WORD, place)
                    )
            vectors.append(Lanes(self._builder, vector) & mask)
            start += width
        return vectors

    def _word(self, number: ir.Value) -> ir.Value:
        return number if number.type == _WORD else self._builder.trunc(number, _WORD)

    def until_steady(self, step: Step, vectors: Sequence[Lanes]) -> tuple[Sequence[Lanes], Bit]:
        """Repeat a step until it changes nothing or contradicts itself; return both results."""
        builder = self._builder
        entry = builder.block
        loop, end = builder.append_basic_block("steady"), builder.append_basic_block("end")
        builder.branch(loop)
        builder.position_at_end(loop)
        before = [Lanes(builder, builder.phi(vector.value.type)) for vector in vectors]
        after, wrong = step(before)
        contradiction = any_of(wrong)
        changed = differ(before, after)
        builder.cbranch((changed & ~contradiction).value, loop, end)
        for phi, start, vector in zip(before, vectors, after, strict=True):
            phi.value.add_incoming(start.value, entry)
            phi.value.add_incoming(vector.value, loop)
        builder.position_at_end(end)
        return after, contradiction


def _constant(words: NDArray[np.integer]) -> ir.Constant:
    constants = [ir.Constant(_WORD, int(word)) for word in words]
    return ir.Constant(ir.VectorType(_WORD, len(constants)), constants)

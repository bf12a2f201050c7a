"""Vectors of 32-bit words inside kernels: a formula on bits is written once and runs two ways.

A formula takes and returns vectors and uses ``| & ^ ~ << >> + -``, comparisons and reordering by
``vector[order]``, and has no branches. Given numpy arrays of uint32 it is numpy's; given
:class:`Lanes` it writes the machine code of a kernel, one vector instruction or a few for each
operation, whatever the width of the machine's registers. numba would take a loop over the words
in 64-bit numbers, and does not vectorise most of them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numpy.typing import ArrayLike, NDArray

Vector = Any
"""An array of uint32, or :class:`Lanes`."""

_WORD = ir.IntType(32)


class Lanes:
    """A vector in a kernel that is being compiled."""

    def __init__(self, builder: ir.IRBuilder, value: ir.Value) -> None:
        self._builder = builder
        self.value = value

    def __len__(self) -> int:
        return int(self.value.type.count)

    def _lifted(self, other: "Lanes | ArrayLike") -> ir.Value:
        if isinstance(other, Lanes):
            return other.value
        words = np.broadcast_to(np.asarray(other), len(self))
        return _constant(words)

    def __or__(self, other: "Lanes | ArrayLike") -> "Lanes":
        return Lanes(self._builder, self._builder.or_(self.value, self._lifted(other)))

    def __and__(self, other: "Lanes | ArrayLike") -> "Lanes":
        return Lanes(self._builder, self._builder.and_(self.value, self._lifted(other)))

    def __xor__(self, other: "Lanes | ArrayLike") -> "Lanes":
        return Lanes(self._builder, self._builder.xor(self.value, self._lifted(other)))

    def __lshift__(self, places: int) -> "Lanes":
        return Lanes(self._builder, self._builder.shl(self.value, self._lifted(places)))

    def __rshift__(self, places: int) -> "Lanes":
        return Lanes(self._builder, self._builder.lshr(self.value, self._lifted(places)))

    def __add__(self, other: "Lanes | ArrayLike") -> "Lanes":
        return Lanes(self._builder, self._builder.add(self.value, self._lifted(other)))

    def __sub__(self, other: "Lanes | ArrayLike") -> "Lanes":
        return Lanes(self._builder, self._builder.sub(self.value, self._lifted(other)))

    def __invert__(self) -> "Lanes":
        return Lanes(self._builder, self._builder.not_(self.value))

    def __eq__(self, other: "Lanes | ArrayLike") -> "Lanes":  # type: ignore[override]
        same = self._builder.icmp_unsigned("==", self.value, self._lifted(other))
        return Lanes(self._builder, same)

    def __ne__(self, other: "Lanes | ArrayLike") -> "Lanes":  # type: ignore[override]
        differs = self._builder.icmp_unsigned("!=", self.value, self._lifted(other))
        return Lanes(self._builder, differs)

    def __getitem__(self, order: NDArray[np.integer]) -> "Lanes":
        nothing = ir.Constant(self.value.type, ir.Undefined)
        shuffled = self._builder.shuffle_vector(self.value, nothing, _constant(order))
        return Lanes(self._builder, shuffled)

    def any(self) -> ir.Value:
        """Whether a word is not 0, or a comparison holds, anywhere: one bit."""
        flags = self.value if self.value.type.element == ir.IntType(1) else (self != 0).value
        mask = self._builder.bitcast(flags, ir.IntType(len(self)))
        return self._builder.icmp_unsigned("!=", mask, ir.Constant(mask.type, 0))


def _constant(words: NDArray[np.integer]) -> ir.Constant:
    constants = [ir.Constant(_WORD, int(word)) for word in words]
    return ir.Constant(ir.VectorType(_WORD, len(constants)), constants)


class Words:
    """The words of an array of uint32 that an intrinsic was given, as vectors of some widths."""

    def __init__(
        self, context: Any, builder: ir.IRBuilder, kind: Any, array: ir.Value, widths: Sequence[int]
    ) -> None:
        self._builder = builder
        data = cgutils.create_struct_proxy(kind)(context, builder, array).data
        self._places = []
        at = 0
        for width in widths:
            first = builder.gep(data, [ir.Constant(ir.IntType(64), at)])
            vector = ir.VectorType(_WORD, width)
            self._places.append(builder.bitcast(first, vector.as_pointer()))
            at += width

    def load(self) -> list[Lanes]:
        """Read them."""
        vectors = []
        for place in self._places:
            value = self._builder.load(place)
            value.align = 4
            vectors.append(Lanes(self._builder, value))
        return vectors

    def store(self, vectors: Sequence[Lanes]) -> None:
        """Write them."""
        for place, vector in zip(self._places, vectors, strict=True):
            self._builder.store(vector.value, place).align = 4


def any_of(builder: ir.IRBuilder, vectors: Sequence[Lanes]) -> ir.Value:
    """Whether any of several vectors has a word that is not 0, or a comparison that holds."""
    result = vectors[0].any()
    for vector in vectors[1:]:
        result = builder.or_(result, vector.any())
    return result


class Bytes:
    """Some elements of an array of int8 that an intrinsic was given."""

    def __init__(
        self, context: Any, builder: ir.IRBuilder, kind: Any, array: ir.Value, at: int, count: int
    ) -> None:
        self._builder = builder
        data = cgutils.create_struct_proxy(kind)(context, builder, array).data
        first = builder.gep(data, [ir.Constant(ir.IntType(64), at)])
        vector = ir.VectorType(ir.IntType(8), count)
        self._value = builder.load(builder.bitcast(first, vector.as_pointer()))
        self._value.align = 1

    def equal_to(self, value: int) -> ir.Value:
        """Which of them have a value: a number of as many bits."""
        count = self._value.type.count
        wanted = ir.Constant(self._value.type, [ir.Constant(ir.IntType(8), value)] * count)
        same = self._builder.icmp_unsigned("==", self._value, wanted)
        return self._builder.bitcast(same, ir.IntType(count))


def gathered(
    builder: ir.IRBuilder, numbers: Sequence[ir.Value | None], widths: Sequence[int], mask: int
) -> list[Lanes]:
    """Vectors of the lower bits of numbers; None is 0."""
    vectors = []
    at = 0
    for width in widths:
        vector = ir.Constant(ir.VectorType(_WORD, width), [ir.Constant(_WORD, 0)] * width)
        for place, number in enumerate(numbers[at : at + width]):
            if number is not None:
                word = number if number.type == _WORD else builder.trunc(number, _WORD)
                vector = builder.insert_element(vector, word, ir.Constant(_WORD, place))
        vectors.append(Lanes(builder, vector) & mask)
        at += width
    return vectors

"""Vectors of 32-bit words, for programs in kernels.

A program takes a :class:`Memory` for each array, loads vectors from it, computes, and stores
vectors. It uses ``| & ^ ~ << >> + -``, comparisons, ``any()`` and reordering by ``vector[order]``.
Its only branch is :meth:`Memory.until_steady`. It returns flags.

:func:`nando.kernels.compile.vector_kernel` translates a program to machine code, with a few vector
instructions for each operation, whatever the width of the registers. numba alone would compile a
loop over 64-bit numbers, and most such loops are not vectorised. With vectors the exact search of a
9x9 is 3.5 times as fast, and twice as many minimal puzzles are made in a second.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any, Protocol, TypeVar

from nando.kernels.extensions import before_compiling

Vector = Any
"""A vector of words without sign."""

Flag = Any
"""A truth value; ``~`` negates it."""

Step = Callable[[Sequence[Vector]], tuple[Sequence[Vector], Sequence[Vector]]]
"""Returns the vectors after a step, and vectors that are not 0 where there is a contradiction."""

F = TypeVar("F", bound=Callable[..., Any])


def formula(function: F) -> F:
    """Let kernels call a function of words or vectors. From a kernel it takes single words."""

    @before_compiling
    def extend() -> None:
        from numba.extending import register_jitable

        register_jitable(function)

    return function


class Memory(Protocol):
    """An array that is passed to a program."""

    def load(self, widths: Sequence[int]) -> list[Vector]:
        """Return the first words (int32) as vectors of the given widths."""

    def store(self, vectors: Sequence[Vector]) -> None:
        """Write the vectors over the first words."""

    def elements(self, first: int, count: int) -> "Elements":
        """Return some elements of an array of int8."""

    def gathered(
        self, numbers: Sequence["Bits | None"], widths: Sequence[int], mask: int
    ) -> list[Vector]:
        """Return vectors of the lower bits of numbers, where None counts as 0."""

    def until_steady(self, step: Step, vectors: Sequence[Vector]) -> tuple[Sequence[Vector], Flag]:
        """Repeat a step until it changes nothing or contradicts itself.

        Returns
        -------
        vectors : sequence of Vector
        contradiction : Flag
        """


class Elements(Protocol):
    """Bytes of an array."""

    def equal_to(self, value: int) -> "Bits":
        """Return a bit for each byte, set where it equals `value`."""


class Bits(Protocol):
    """A number with a bit for each element."""

    def __rshift__(self, places: int) -> "Bits": ...


Program = Callable[..., Sequence[Flag]]


def any_of(vectors: Sequence[Vector]) -> Flag:
    """Return True if any vector has a word that is not 0, or a comparison that holds."""
    return reduce(or_, (vector.any() for vector in vectors))


def differ(before: Sequence[Vector], after: Sequence[Vector]) -> Flag:
    """Return True if the vectors differ in any word."""
    return any_of([x ^ y for x, y in zip(before, after, strict=True)])

"""Vectors of 32-bit words, for programs in kernels.

A program takes a memory for each array, loads vectors from it, computes, and stores
vectors. It uses ``| & ^ ~ << >> + -``, comparisons, ``any()`` and reordering by ``vector[order]``.
Its only branch is `until_steady` of a memory. It returns flags.

:func:`nando.kernels.compile.vector_kernel` translates a program to machine code, with a few vector
instructions for each operation, whatever the width of the registers. numba alone would compile a
loop over 64-bit numbers, and most such loops are not vectorised. With vectors the exact search of a
9x9 is 3.5 times as fast, and twice as many minimal puzzles are made in a second.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any, TypeVar

from nando.kernels.extensions import before_compiling

Vector = Any
"""A vector of words without sign."""

Flag = Any
"""A truth value; ``~`` negates it."""

Memory = Any
"""An array that is passed to a program: a `nando.kernels.internals.vectors.LanesMemory`."""

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


Program = Callable[..., Sequence[Flag]]


def any_of(vectors: Sequence[Vector]) -> Flag:
    """Return True if any vector has a word that is not 0, or a comparison that holds."""
    return reduce(or_, (vector.any() for vector in vectors))


def differ(before: Sequence[Vector], after: Sequence[Vector]) -> Flag:
    """Return True if the vectors differ in any word."""
    return any_of([x ^ y for x, y in zip(before, after, strict=True)])

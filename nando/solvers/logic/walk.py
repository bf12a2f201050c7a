"""The protocols of a logical solution, for every kind of puzzle.

Positions, the steps between them, and a walker that finds the steps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle
from nando.puzzles.frozen import EqualFields
from nando.solvers.logic.technique import Technique
from nando.solvers.protocol import Rule


class Position(Protocol):
    """What a person has on paper before a step. It is immutable."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        ...

    @property
    def n_blanks(self) -> int:
        """Number of cells not decided yet."""
        ...

    def after(self, step: Any) -> "Position":
        """Return the position after a step of the same kind of puzzle."""
        ...


class Step(Protocol):
    """One step, as plain data: a technique, its pattern, and the conclusion.

    The words of a step depend on the position before it: see :mod:`nando.solvers.logic.words`.
    """

    @property
    def technique(self) -> Technique:
        """The rung of the ladder."""
        ...

    @property
    def rating(self) -> float:
        """The difficulty of the step, on the scale of the ladder."""
        ...


class Fill(NamedTuple):
    """A cell that a step decides, as a trace records it."""

    cell: int
    value: int
    rule: Rule


@dataclass(frozen=True, eq=False)
class LogicRatings(EqualFields):
    """Ratings of many puzzles by a ladder.

    Attributes
    ----------
    solved : ndarray of bool, shape (n,)
        True if the ladder solves the puzzle.
    rating : ndarray of float64, shape (n,)
        Rating of the hardest step found.
    uses : ndarray of int64, shape (n, n_techniques)
        Uses of each technique, in the order of the ladder.
    blanks : ndarray of int64, shape (n,)
        Cells that the ladder leaves undecided.
    """

    solved: NDArray[np.bool_]
    rating: NDArray[np.float64]
    uses: NDArray[np.int64]
    blanks: NDArray[np.int64]


class Walker(Protocol):
    """Finds the steps of one kind of puzzle with the techniques of one ladder."""

    def steps(self, puzzle: Any, start: Any = None) -> Iterator[Step]:
        """Return the steps, one by one, until the puzzle is solved or no technique finds one.

        `start` is the position at which to begin; None begins with the givens.
        """
        ...

    def fills(self, step: Any) -> Sequence[Fill]:
        """Return the cells that a step decides; none if it only removes candidates."""
        ...

    def rate(self, puzzles: Sequence[Any]) -> LogicRatings:
        """Return the ratings of puzzles, without a check for exactly one solution."""
        ...

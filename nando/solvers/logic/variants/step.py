"""Steps of the logic solver on a variant of Sudoku."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from nando.solvers.logic.step import LogicStep

Literal = tuple[int, int, bool]
"""A place, a digit from 1, and whether the digit is there."""

Link = tuple[int, int, bool, int, int, bool]
"""Two literals, the second of which follows from the first."""


class Broken(Enum):
    """What is wrong with a board that can no longer be solved."""

    CELL = "cell"
    """A cell has no candidate left."""
    HOUSE = "house"
    """A digit has no position left in a house."""
    RULE = "rule"
    """A rule cannot be kept."""


class Contradiction(NamedTuple):
    """What an assumption ends in.

    Attributes
    ----------
    broken : Broken
    number : int
        The place of the cell, the number of the house, or that of the rule.
    digit : int
        The digit without a position, from 1; else 0.
    cells : tuple of int
        The two cells between which the rule cannot be kept, if it relates two.
    """

    broken: Broken
    number: int
    digit: int = 0
    cells: tuple[int, ...] = ()


@dataclass(frozen=True)
class VariantStep(LogicStep):
    """One step: its pattern and its conclusion.

    Cells are places among ``puzzle.givens``, houses are numbered as :meth:`VariantMarks.house`
    takes them. A chain may also have links by which all else points to a candidate.

    Attributes
    ----------
    rules : tuple of int
        Rules that the step applies, as places in ``puzzle.rules``.
    branches : tuple of tuple of (cell, digit, on)
        Of an assumption, else empty: for each possibility the literals that follow from it, the
        assumed one first.
    contradiction : Contradiction or None
        What the only branch ends in; None if all branches lead to the conclusion.
    n_cases : int
        Of a deep what-if, the assumptions that it takes; else 0.
    """

    rules: tuple[int, ...] = ()
    branches: tuple[tuple[Literal, ...], ...] = ()
    contradiction: Contradiction | None = None
    n_cases: int = 0

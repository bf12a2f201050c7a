"""Steps of the logic solver on a variant of Sudoku."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from nando.solvers.logic.technique import LogicStep

Literal = tuple[int, int, bool]
"""A cell, a digit from 1, and True if the cell holds the digit."""

Link = tuple[int, int, bool, int, int, bool]
"""Two literals, the second of which follows from the first."""


class Broken(Enum):
    """The constraint that a board can no longer keep."""

    CELL = "cell"
    """A cell has no candidate left."""
    HOUSE = "house"
    """A digit has no position left in a house."""
    RULE = "rule"
    """A rule cannot be obeyed."""


class Contradiction(NamedTuple):
    """The contradiction to which an assumption leads.

    Attributes
    ----------
    broken : Broken
    number : int
        Index of the cell in the puzzle's values, number of the house, or index of the rule.
    digit : int
        The digit without a position, from 1; else 0.
    cells : tuple of int
        The two cells between which the rule cannot be obeyed, if it relates two.
    """

    broken: Broken
    number: int
    digit: int = 0
    cells: tuple[int, ...] = ()


@dataclass(frozen=True)
class VariantStep(LogicStep):
    """One step: its pattern and its conclusion.

    Cells are indices into ``puzzle.givens``; houses are numbered as for
    :meth:`VariantMarks.house`. Links of a chain may also follow from rules other than houses.

    Attributes
    ----------
    rules : tuple of int
        Rules that the step applies, as indices into ``puzzle.rules``.
    branches : tuple of tuple of (cell, digit, on)
        For each case of an assumption, the literals that follow from it, the assumed one first;
        empty for other steps.
    contradiction : Contradiction or None
        The contradiction to which the only branch leads; None if all branches lead to the
        conclusion.
    n_cases : int
        Number of assumptions that a deep what-if takes; 0 for other steps.
    """

    rules: tuple[int, ...] = ()
    branches: tuple[tuple[Literal, ...], ...] = ()
    contradiction: Contradiction | None = None
    n_cases: int = 0

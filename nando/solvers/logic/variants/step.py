"""Steps of the logic solver on a variant of Sudoku."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from nando.solvers.logic.technique import Technique

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
class VariantStep:
    """One step: its pattern and its conclusion.

    Cells are places among ``puzzle.givens``, digits count from 1.

    Attributes
    ----------
    technique : Technique
    rating : float
    houses : tuple of int
        Houses of the pattern, numbered as :meth:`VariantMarks.house` takes them.
    rules : tuple of int
        Rules that the step applies, as places in ``puzzle.rules``.
    cells, digits : tuple of int
        The pattern.
    placement : (cell, digit) or None
    eliminations : tuple of (cell, digit)
        Candidates removed, apart from those a placement rules out.
    variant : int
        Which form of its technique a chain, a unique loop or a bivalue universal grave has, as in
        :class:`nando.solvers.logic.sudoku.step.LogicStep`; else 0.
    links : tuple of (cell, digit, on, cell, digit, on)
        Of a chain, else empty: the first candidate being true (`on`) or false implies that the
        second is, or with all else that points to the second.
    branches : tuple of tuple of (cell, digit, on)
        Of an assumption, else empty: for each possibility the literals that follow from it, the
        assumed one first.
    contradiction : Contradiction or None
        What the only branch ends in; None if all branches lead to the conclusion.
    n_cases : int
        Of a deep what-if, the assumptions that it takes; else 0.
    """

    technique: Technique
    rating: float
    houses: tuple[int, ...]
    rules: tuple[int, ...]
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    placement: tuple[int, int] | None
    eliminations: tuple[tuple[int, int], ...]
    variant: int = 0
    links: tuple[Link, ...] = ()
    branches: tuple[tuple[Literal, ...], ...] = ()
    contradiction: Contradiction | None = None
    n_cases: int = 0

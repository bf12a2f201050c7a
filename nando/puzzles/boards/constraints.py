"""What a solver knows of a rule: five kinds of constraint on cells.

Every rule of a variant comes down to these. A solver never sees a rule, a person never sees a
constraint.
"""

from dataclasses import dataclass

from nando.puzzles.boards.board import Cell, Cells


@dataclass(frozen=True)
class AllDifferent:
    """No digit twice in these cells. With as many cells as digits, they are a house."""

    cells: Cells


@dataclass(frozen=True)
class Sum:
    """The weighted sum of the digits of these cells is `total`.

    Attributes
    ----------
    cells : tuple of Cell
    total : int
    weights : tuple of int
        Weight of each cell, not 0; empty if all weights are 1.
    """

    cells: Cells
    total: int
    weights: tuple[int, ...] = ()


@dataclass(frozen=True)
class Relation:
    """The digits of two cells are one of these pairs.

    Attributes
    ----------
    first, second : Cell
    allowed : tuple of int
        For each digit of `first`, from 1, the mask of the digits that `second` may hold; bit d - 1
        stands for digit d.
    """

    first: Cell
    second: Cell
    allowed: tuple[int, ...]


@dataclass(frozen=True)
class Automaton:
    """A finite automaton that reads digits; state 0 is its start.

    Attributes
    ----------
    moves : tuple of tuple of int
        For each state and digit, from 1, the next state; -1 for none.
    accepting : frozenset of int
        States in which a line may end.
    """

    moves: tuple[tuple[int, ...], ...]
    accepting: frozenset[int]


@dataclass(frozen=True)
class Pattern:
    """An automaton accepts the digits of these cells, read one after the other."""

    cells: Cells
    automaton: Automaton


@dataclass(frozen=True)
class Candidates:
    """The digit of a cell is in a mask; bit d - 1 stands for digit d."""

    cell: Cell
    mask: int


Constraint = AllDifferent | Sum | Relation | Pattern | Candidates

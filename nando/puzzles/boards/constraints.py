"""The five kinds of constraint on cells to which every rule of a variant is reduced.

Solvers see only constraints, and people see only rules.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from nando.puzzles.boards.board import Cell, Cells


@dataclass(frozen=True)
class AllDifferent:
    """No two of these cells have the same digit. As many cells as digits are a house."""

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


def pairs(values: range, holds: Callable[[int, int], bool]) -> tuple[int, ...]:
    """Return the table of a relation: for each first digit, the mask of the second ones.

    Parameters
    ----------
    values : range
        What the digits stand for, as `Board.values`.
    holds : callable
        Takes two values; returns True if the pair is allowed.
    """
    return tuple(mask_of(values, (b for b in values if holds(a, b))) for a in values)


def mask_of(values: range, chosen: Iterable[int]) -> int:
    """Return the mask of the digits that stand for some of the values."""
    return sum(1 << values.index(value) for value in chosen)


@cache
def equal(values: range) -> tuple[int, ...]:
    """Return the table of two equal digits."""
    return pairs(values, lambda a, b: a == b)


@cache
def apart(values: range, distance: int) -> tuple[int, ...]:
    """Return the table of digits that differ by at least `distance`."""
    return pairs(values, lambda a, b: abs(a - b) >= distance)


@cache
def at_least_above(values: range, distance: int) -> tuple[int, ...]:
    """Return the table of a second digit that is at least `distance` above the first."""
    return pairs(values, lambda a, b: b - a >= distance)


def rising(values: range, cells: tuple[Cell, ...], step: int) -> list[Relation]:
    """Return relations between all pairs of a line on which each digit is `step` above the last.

    Relations between cells that are further apart follow from those of neighbours, but they
    exclude digits at once.
    """
    return [
        Relation(cells[i], cells[j], at_least_above(values, step * (j - i)))
        for i in range(len(cells))
        for j in range(i + 1, len(cells))
    ]


MOST_STATES = 20_000
"""Most states of an automaton."""


def automaton_of(
    values: range,
    start: Any,
    step: Callable[[Any, int], Any],
    accepts: Callable[[Any], bool],
) -> Automaton:
    """Return the automaton whose states are the values that `step` reaches from `start`.

    Parameters
    ----------
    values : range
        What the digits stand for, as `Board.values`.
    start : hashable
    step : callable
        Takes a state and a value; returns the next state, or None if there is none.
    accepts : callable
        Returns True for a state in which a line may end.

    Raises
    ------
    ValueError
        If more than `MOST_STATES` states can be reached.
    """
    numbers = {start: 0}
    states = [start]
    moves = []
    for state in states:
        row = []
        for value in values:
            reached = step(state, value)
            if reached is None:
                row.append(-1)
                continue
            if reached not in numbers:
                numbers[reached] = len(states)
                states.append(reached)
                if len(states) > MOST_STATES:
                    raise ValueError(f"a pattern must have at most {MOST_STATES:,} states")
            row.append(numbers[reached])
        moves.append(tuple(row))
    accepting = frozenset(i for i, state in enumerate(states) if accepts(state))
    return Automaton(tuple(moves), accepting)


def of_length(automaton: Automaton, length: int) -> Automaton:
    """Return the smallest automaton that accepts the same lines of one length, and no others."""
    layers = [{0}]
    for _ in range(length):
        layers.append({to for state in layers[-1] for to in automaton.moves[state] if to >= 0})
    # Built from the end: states that lead to the same states in the same ways are one.
    rows = [(-1,) * len(automaton.moves[0])]
    after = dict.fromkeys(layers.pop() & automaton.accepting, 0)
    for layer in reversed(layers):
        numbers: dict[tuple[int, ...], int] = {}
        own = {}
        for state in sorted(layer):
            row = tuple(after.get(to, -1) for to in automaton.moves[state])
            if max(row) >= 0:
                own[state] = numbers.setdefault(row, len(rows) + len(numbers))
        rows += numbers
        after = own
    if not after:
        return Automaton((rows[0],), frozenset())
    # The start is the last of them, and becomes the first.
    last = len(rows) - 1
    moves = tuple(tuple(last - to if to >= 0 else -1 for to in row) for row in reversed(rows))
    return Automaton(moves, frozenset([last]))

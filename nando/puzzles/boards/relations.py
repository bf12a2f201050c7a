"""Tables of the pairs of digits that a relation allows."""

from collections.abc import Callable
from functools import cache

from nando.puzzles.boards.board import Cell
from nando.puzzles.boards.constraints import Relation


def pairs(digits: int, holds: Callable[[int, int], bool]) -> tuple[int, ...]:
    """Return the table of a relation: for each first digit, the mask of the second ones.

    Parameters
    ----------
    digits : int
    holds : callable
        Takes two digits, from 1; returns True if the pair is allowed.
    """
    n = range(1, digits + 1)
    return tuple(sum(1 << b - 1 for b in n if holds(a, b)) for a in n)


@cache
def equal(digits: int) -> tuple[int, ...]:
    """Return the table of two equal digits."""
    return pairs(digits, lambda a, b: a == b)


@cache
def apart(digits: int, distance: int) -> tuple[int, ...]:
    """Return the table of digits that differ by at least `distance`."""
    return pairs(digits, lambda a, b: abs(a - b) >= distance)


@cache
def at_least_above(digits: int, distance: int) -> tuple[int, ...]:
    """Return the table of a second digit that is at least `distance` above the first."""
    return pairs(digits, lambda a, b: b - a >= distance)


def rising(digits: int, cells: tuple[Cell, ...], step: int) -> list[Relation]:
    """Return relations between all pairs of a line on which each digit is `step` above the last.

    Pairs that are further apart follow from neighbours, but say at once how much room they need.
    """
    return [
        Relation(cells[i], cells[j], at_least_above(digits, step * (j - i)))
        for i in range(len(cells))
        for j in range(i + 1, len(cells))
    ]

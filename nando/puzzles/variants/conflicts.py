"""Conflicts that the givens and rules of a variant show without solving it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from nando.puzzles.boards.board import Cell, Cells
from nando.puzzles.boards.constraints import (
    AllDifferent,
    Candidates,
    Constraint,
    Pattern,
    Relation,
    Sum,
)


class Conflict(NamedTuple):
    """Givens that break a rule, or rules that leave no digit for a cell.

    Attributes
    ----------
    rules : tuple of int
        Numbers of the rules; -1 for rows and columns.
    given : tuple of Cell
        The given cells concerned.
    empty : Cell or None
        The cell without a digit.
    """

    rules: tuple[int, ...]
    given: Cells
    empty: Cell | None = None


def conflicts(
    constraints: Iterable[tuple[int, Constraint]], grid: Mapping[Cell, int], digits: int
) -> Iterator[Conflict]:
    """Yield the conflicts between constraints and given digits.

    Parameters
    ----------
    constraints : iterable of (int, Constraint)
        Each constraint with the number of its rule.
    grid : mapping of Cell to int
        The given digits.
    digits : int
        Number of digits of the board.
    """
    listed = list(constraints)
    broken: set[int] = set()
    for number, constraint in listed:
        for cells in _find_broken(constraint, grid, digits):
            broken.add(number)
            yield Conflict((number,), cells)
    masks: dict[Cell, list[tuple[int, int, Cells]]] = {}
    for number, constraint in listed:
        if number not in broken:
            for cell, mask, given in _masks(constraint, grid):
                masks.setdefault(cell, []).append((number, mask, given))
    for cell, known in masks.items():
        yield from _find_emptied(cell, known, (1 << digits) - 1)


def _masks(constraint: Constraint, grid: Mapping[Cell, int]) -> Iterator[tuple[Cell, int, Cells]]:
    """Yield open cells, the digits that a constraint leaves them, and the givens responsible."""
    if isinstance(constraint, Candidates):
        if constraint.cell not in grid:
            yield constraint.cell, constraint.mask, ()
    elif isinstance(constraint, Relation):
        first, second, allowed = constraint.first, constraint.second, constraint.allowed
        if first in grid and second not in grid:
            yield second, allowed[grid[first] - 1], (first,)
        elif second in grid and first not in grid:
            mask = sum((row >> grid[second] - 1 & 1) << d for d, row in enumerate(allowed))
            yield first, mask, (second,)


def _find_emptied(
    cell: Cell, known: Sequence[tuple[int, int, Cells]], full: int
) -> Iterator[Conflict]:
    """Yield the first conflict of one or two rules that leave a cell no digit, if any."""
    for i, (number, mask, given) in enumerate(known):
        if not mask & full:
            yield Conflict((number,), given, cell)
            return
        for other, other_mask, other_given in known[:i]:
            if not mask & other_mask:
                cells = tuple(dict.fromkeys((*other_given, *given)))
                yield Conflict((other, number), cells, cell)
                return


def _find_broken(constraint: Constraint, grid: Mapping[Cell, int], digits: int) -> Iterator[Cells]:
    """Yield groups of given cells that break a constraint."""
    if isinstance(constraint, AllDifferent):
        first: dict[int, Cell] = {}
        for cell in constraint.cells:
            if (value := grid.get(cell)) is not None and (
                other := first.setdefault(value, cell)
            ) != cell:
                yield tuple(sorted((other, cell)))
    elif isinstance(constraint, Relation):
        a, b = constraint.first, constraint.second
        if a in grid and b in grid and not constraint.allowed[grid[a] - 1] >> grid[b] - 1 & 1:
            yield tuple(sorted((a, b)))
    elif isinstance(constraint, Candidates):
        if constraint.cell in grid and not constraint.mask >> grid[constraint.cell] - 1 & 1:
            yield (constraint.cell,)
    elif isinstance(constraint, Sum):
        if not _can_sum(constraint, grid, digits):
            yield tuple(cell for cell in constraint.cells if cell in grid)
    elif all(cell in grid for cell in constraint.cells) and not _accepts(
        constraint, [grid[cell] for cell in constraint.cells]
    ):
        yield constraint.cells


def _can_sum(constraint: Sum, grid: Mapping[Cell, int], digits: int) -> bool:
    """Return True if the open cells can hold the rest that the givens leave of a sum.

    A sum that is impossible without givens is a fault of its rule, not of the givens.
    """
    least = most = 0
    n_given = 0
    weights = constraint.weights or (1,) * len(constraint.cells)
    for cell, weight in zip(constraint.cells, weights, strict=True):
        if cell in grid:
            n_given += 1
            ends = weight * grid[cell], weight * grid[cell]
        else:
            ends = weight, weight * digits
        least, most = least + min(ends), most + max(ends)
    return not n_given or least <= constraint.total <= most


def _accepts(pattern: Pattern, digits: Sequence[int]) -> bool:
    state = 0
    for digit in digits:
        state = pattern.automaton.moves[state][digit - 1]
        if state < 0:
            return False
    return state in pattern.automaton.accepting

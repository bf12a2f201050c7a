"""Every naked and hidden subset."""

from collections.abc import Iterator
from itertools import combinations

from nando.solvers.logic.sudoku.every.board import Board, members, set_of, step
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique


def every_naked_subset(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """Cells of a house with as many candidates.

    A subset of more than half the blanks is told as the hidden subset that it leaves.
    """
    n = technique.degree
    for house in range(3 * board.size):
        blanks = board.blanks_of(house)
        if len(blanks) < 2 * n:
            continue
        few = [cell for cell in blanks if 2 <= len(board.digits[cell]) <= n]
        for cells in combinations(few, n):
            digits = frozenset[int]().union(*(board.digits[cell] for cell in cells))
            if len(digits) != n:
                continue
            gone = [*board.removed(digits, board.houses[house] & ~set_of(cells))]
            if gone:
                yield step(technique, gone, houses=[house], cells=cells, digits=digits)


def every_hidden_subset(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """Digits of a house with as many positions."""
    for house, digits, places in _hidden(board, technique.degree):
        if len(board.blanks_of(house)) <= 2 * technique.degree:
            continue
        others = set(range(1, board.size + 1)) - set(digits)
        gone = [*board.removed(others, places)]
        if gone:
            yield step(technique, gone, houses=[house], cells=members(places), digits=digits)


def every_direct_hidden_subset(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """Digits of a house with as many positions, which leave another digit one."""
    for house, digits, places in _hidden(board, technique.degree):
        if len(board.blanks_of(house)) <= technique.degree:
            continue
        for digit in set(range(1, board.size + 1)) - set(digits):
            there = board.houses[house] & board.at[digit]
            left = there & ~places
            if left != there and left.bit_count() == 1:
                (cell,) = members(left)
                yield step(
                    technique,
                    houses=[house],
                    cells=members(places),
                    digits=digits,
                    placement=(cell, digit),
                )


def _hidden(board: Board, n: int) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """A house, digits of it, and as many positions."""
    for house in range(3 * board.size):
        places = {
            digit: here
            for digit in range(1, board.size + 1)
            for here in [board.houses[house] & board.at[digit]]
            if 2 <= here.bit_count() <= n
        }
        for digits in combinations(places, n):
            union = 0
            for digit in digits:
                union |= places[digit]
            if union.bit_count() == n:
                yield house, digits, union

"""Every naked and hidden single."""

from collections.abc import Iterator

from nando.solvers.logic.sudoku.every.board import Board, members, step
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique


def every_hidden_single(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """Degree 0: the last blank of a house; 1: a single in a box; 2: in a row or column."""
    n = board.size
    houses = {0: range(3 * n), 1: range(2 * n, 3 * n), 2: range(2 * n)}[technique.degree]
    for house in houses:
        blanks = board.blanks_of(house)
        if technique.degree == 0 and len(blanks) != 1:
            continue
        for digit in range(1, n + 1):
            places = board.houses[house] & board.at[digit]
            if places.bit_count() == 1:
                (cell,) = members(places)
                yield step(
                    technique,
                    houses=[house],
                    cells=[cell],
                    digits=[digit],
                    placement=(cell, digit),
                )


def every_naked_single(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """A cell with one candidate."""
    for cell, digits in enumerate(board.digits):
        if len(digits) == 1:
            (digit,) = digits
            yield step(technique, cells=[cell], digits=[digit], placement=(cell, digit))

"""Every digit that is locked where a box and a line cross."""

from collections.abc import Callable, Iterator

from nando.solvers.logic.sudoku.every.board import Board, members, step
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique


def every_pointing(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """A digit of a box that lies on one line."""
    n = board.size
    for inside, across, digit, places in _locked(board, range(2 * n, 3 * n), range(2 * n)):
        others = board.houses[across] & board.at[digit] & ~places
        if others:
            yield step(
                technique,
                board.removed([digit], others),
                houses=[inside, across],
                cells=members(places),
                digits=[digit],
            )


def every_claiming(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """A digit of a line that lies in one box."""
    n = board.size
    for inside, across, digit, places in _locked(board, range(2 * n), range(2 * n, 3 * n)):
        others = board.houses[across] & board.at[digit] & ~places
        if others:
            yield step(
                technique,
                board.removed([digit], others),
                houses=[inside, across],
                cells=members(places),
                digits=[digit],
            )


def every_direct_pointing(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """A digit of a box that lies on one line, which leaves it one position in another box."""
    n = board.size
    boxes = range(2 * n, 3 * n)
    yield from _direct(board, technique, boxes, range(2 * n), lambda _: boxes)


def every_direct_claiming(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """A digit of a line that lies in one box, which leaves it one position on a parallel line."""
    n = board.size
    lines = (range(n), range(n, 2 * n))
    yield from _direct(
        board,
        technique,
        range(2 * n),
        range(2 * n, 3 * n),
        lambda inside: lines[inside // n],
    )


def _direct(
    board: Board,
    technique: Technique,
    insides: range,
    acrosses: range,
    others: Callable[[int], range],
) -> Iterator[LogicStep]:
    for inside, across, digit, places in _locked(board, insides, acrosses):
        for other in others(inside):
            there = board.houses[other] & board.at[digit]
            left = there & ~board.houses[across]
            if other != inside and there != left and left.bit_count() == 1:
                (cell,) = members(left)
                yield step(
                    technique,
                    houses=[inside, across, other],
                    cells=members(places),
                    digits=[digit],
                    placement=(cell, digit),
                )


def _locked(board: Board, insides: range, acrosses: range) -> Iterator[tuple[int, int, int, int]]:
    """Two houses, a digit, and its cells in the first, of which all lie in the second."""
    for inside in insides:
        for across in acrosses:
            if not board.houses[inside] & board.houses[across]:
                continue
            for digit in range(1, board.size + 1):
                places = board.houses[inside] & board.at[digit]
                if places.bit_count() > 1 and not places & ~board.houses[across]:
                    yield inside, across, digit, places

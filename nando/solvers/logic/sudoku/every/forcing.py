"""For every candidate the shortest forcing chains that remove it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.solvers.logic.sudoku.chains.collecting import prove_all, write_proof
from nando.solvers.logic.sudoku.chains.nested import prove_all_nested, write_nested_proof
from nando.solvers.logic.sudoku.chains.starts import LENGTH, NONE
from nando.solvers.logic.sudoku.every.board import Board
from nando.solvers.logic.sudoku.finding import new_finding
from nando.solvers.logic.sudoku.state import logic_layout
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.sudoku.walk import standing_state, step_of
from nando.solvers.logic.technique import Technique


def every_forcing(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """Forcing chains of a kind that nests no chains, the shortest for each candidate.

    One step may remove several candidates: it is told once.
    """
    layout, state = logic_layout(board.puzzle.order), standing_state(board.marks)
    proved = prove_all(state, layout, technique.degree)
    return _steps(board, technique, proved, write_proof)


def every_nested(
    board: Board, technique: Technique, effort: NDArray[np.int64]
) -> Iterator[LogicStep]:
    """The same of a kind that nests chains; `effort` is counted down."""
    layout, state = logic_layout(board.puzzle.order), standing_state(board.marks)
    proved = prove_all_nested(state, layout, effort, technique.degree)
    return _steps(board, technique, proved, write_nested_proof)


def _steps(board: Board, technique: Technique, proved: Any, write: Any) -> Iterator[LogicStep]:
    """The steps that a search has proved, as `write` tells them."""
    order = board.puzzle.order
    layout, state = logic_layout(order), standing_state(board.marks)
    finding, rating = new_finding(order), round(technique.rating * 10)
    for row in np.unique(proved.best[proved.best[:, LENGTH] < NONE], axis=0):
        write(state, layout, finding, proved, row, technique.degree, rating)
        yield step_of(technique, finding)

"""For every candidate the shortest forcing chains that remove it."""

from collections.abc import Iterator

import numpy as np

from nando.solvers.logic.sudoku.chains.collecting import prove_all, write_proof
from nando.solvers.logic.sudoku.chains.starts import LENGTH, NONE, START
from nando.solvers.logic.sudoku.every.board import Board
from nando.solvers.logic.sudoku.state import logic_layout, new_finding
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.sudoku.walk import standing_state, step_of
from nando.solvers.logic.technique import Technique


def every_forcing(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """Forcing chains of a kind that nests no chains, the shortest for each candidate.

    One step may remove several candidates: it is told once.
    """
    order = board.puzzle.order
    layout, state = logic_layout(order), standing_state(board.marks)
    graph, made, starts, best = prove_all(state, layout, technique.degree)
    finding, rating = new_finding(order), round(technique.rating * 10)
    for row in np.unique(best[best[:, LENGTH] < NONE], axis=0):
        start = starts[row[START]]
        write_proof(state, layout, finding, graph, made, start, row, technique.degree, rating)
        yield step_of(technique, finding)


def easiest_nested(board: Board, technique: Technique, effort: int) -> Iterator[LogicStep]:
    """The easiest forcing chains with nested chains, of which a grid has too many to list."""
    from nando.solvers.logic.sudoku.walk import SudokuWalker

    steps = SudokuWalker((technique,), effort).steps(board.puzzle, board.marks)
    found = next(steps, None)
    if found is not None:
        yield found

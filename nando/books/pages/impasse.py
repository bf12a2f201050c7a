"""The first step of a puzzle that is more than filling in a cell, in a line: a hint."""

from functools import lru_cache
from typing import NamedTuple

from nando.puzzles import Puzzle


class Impasse(NamedTuple):
    """Where filling in cells comes to an end for the first time.

    Attributes
    ----------
    n_filled : int
        Cells that are filled in before.
    sentence : str
        The step that goes on, in English; empty where none is needed.
    """

    n_filled: int
    sentence: str


@lru_cache(maxsize=4096)
def first_impasse(puzzle: Puzzle) -> Impasse:
    """Walk to the first step that fills in nothing."""
    from nando.solvers.logic import LogicSolver, describe, opens_paragraph

    solver = LogicSolver()
    position = solver.start(puzzle)
    n_filled = 0
    for step in solver.steps(puzzle):
        if opens_paragraph(step):
            return Impasse(n_filled, describe(step, position))
        before, position = position, position.after(step)
        n_filled += before.n_blanks - position.n_blanks
    return Impasse(n_filled, "")

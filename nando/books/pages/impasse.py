"""A hint: the first step beyond singles, in one line."""

from functools import lru_cache
from typing import NamedTuple

from nando.puzzles import Puzzle


class Impasse(NamedTuple):
    """The first impasse of a puzzle.

    Attributes
    ----------
    n_filled : int
        Cells filled before it.
    sentence : str
        The step that resolves it; empty if there is no impasse.
    """

    n_filled: int
    sentence: str


@lru_cache(maxsize=4096)
def first_impasse(puzzle: Puzzle, language: str = "en") -> Impasse:
    """Find the first step that fills no cell, and tell it in a language of steps."""
    from nando.solvers.logic import LogicSolver, describe, opens_paragraph

    solver = LogicSolver()
    position = solver.start(puzzle)
    n_filled = 0
    for step in solver.steps(puzzle):
        if opens_paragraph(step):
            return Impasse(n_filled, describe(step, position, language=language))
        before, position = position, position.after(step)
        n_filled += before.n_blanks - position.n_blanks
    return Impasse(n_filled, "")

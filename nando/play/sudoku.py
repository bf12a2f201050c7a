"""What the page needs of a Sudoku."""

from typing import Any

from nando.puzzles import Sudoku
from nando.solvers.logic.sudoku.step import LogicStep


def board(puzzle: Sudoku) -> dict[str, Any]:
    """The side of a box."""
    return {"box": puzzle.order}


def decisions(step: LogicStep) -> list[tuple[int, int]]:
    """The cell that a step fills, if it does."""
    return [] if step.placement is None else [step.placement]


def removals(step: LogicStep) -> list[tuple[int, int]]:
    """The candidates that a step removes, apart from those a placement rules out."""
    return list(step.eliminations)

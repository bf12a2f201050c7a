"""What the page needs of a Nurikabe."""

from typing import Any

from nando.puzzles import Nurikabe
from nando.solvers.logic.nurikabe.step import NurikabeStep


def board(puzzle: Nurikabe) -> dict[str, Any]:
    """The numbers of the islands, -1 for an unknown size."""
    return {"numbers": puzzle.numbers.tolist()}


def decisions(step: NurikabeStep) -> list[tuple[int, int]]:
    """The cells that a step colours."""
    return [(cell, step.colour) for cell in step.cells]


def removals(step: NurikabeStep) -> list[tuple[int, int]]:
    """None: every step of a Nurikabe decides cells."""
    del step
    return []

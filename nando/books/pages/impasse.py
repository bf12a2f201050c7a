"""Describe the first step that takes thought, as a hint in one sentence."""

from functools import lru_cache

from nando.puzzles import Puzzle


@lru_cache(maxsize=4096)
def first_impasse(puzzle: Puzzle, language: str = "en") -> str:
    """Describe the first step that takes thought; empty if simple steps solve the puzzle."""
    from nando.solvers.logic import LogicSolver, describe, opens_paragraph

    solver = LogicSolver()
    position = solver.start(puzzle)
    for step in solver.steps(puzzle):
        if opens_paragraph(step):
            return describe(step, position, language=language)
        position = position.after(step)
    return ""

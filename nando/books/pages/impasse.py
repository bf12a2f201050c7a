"""Describe the step at which a puzzle is hardest, as a hint in one sentence."""

from functools import lru_cache

from nando.puzzles import Puzzle

_LONG = 400
"""Characters of a sentence that is too long for a hint, which then gives the pattern alone."""


@lru_cache(maxsize=4096)
def hardest_step(puzzle: Puzzle, language: str = "en") -> str:
    """Describe the first of the hardest steps; empty if simple steps solve the puzzle."""
    from nando.solvers.logic import LogicSolver, describe, hint, opens_paragraph

    solver = LogicSolver()
    position = solver.start(puzzle)
    hardest = None
    for step in solver.steps(puzzle):
        if opens_paragraph(step) and (hardest is None or step.rating > hardest[0].rating):
            hardest = step, position
        position = position.after(step)
    if hardest is None:
        return ""
    sentence = describe(*hardest, language=language)
    return sentence if len(sentence) <= _LONG else hint(*hardest, 2, language=language)

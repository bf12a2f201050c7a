"""Steps in words: one call for every kind of puzzle.

Words take a step and the position before it. The sentences of each kind are in its folder.
"""

from typing import Any

from nando.solvers.logic.explanation import Explanation
from nando.solvers.logic.kinds import kind_of
from nando.solvers.logic.walk import Position, Step


def describe(step: Step, before: Position) -> str:
    """A step in a sentence, with its reason.

    Parameters
    ----------
    step : Step
    before : Position
        The position before it.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> from nando.solvers.logic.solver import LogicSolver
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> describe(next(LogicSolver().steps(puzzle)), LogicSolver().start(puzzle))
    'Hidden single: in box 2 the 8 fits only r1c6.'
    """
    told = _explained(step, before)
    return f"{_headline(told)}: {told.why}."


def hint(step: Step, before: Position, degree: int) -> str:
    """A part of a step: where to look (1), the pattern (2), or all of it (3).

    Raises
    ------
    ValueError
        For another degree.
    """
    told = _explained(step, before)
    if degree == 1:
        return f"Look for {told.sought} {told.where}."
    if degree == 2:
        return told.question or f"{_headline(told)}."
    if degree == 3:
        return f"{_headline(told)}: {told.why}."
    raise ValueError(f"degree of a hint must be 1, 2 or 3, got {degree!r}")


def record(step: Step, before: Position) -> dict[str, Any]:
    """A step as plain values for programs: cells and houses by name, digits as numbers.

    Every kind of puzzle has the keys `technique`, `rating` and `sentence`; the others depend on the
    kind.
    """
    return {
        "technique": step.technique.name,
        "rating": step.rating,
        **kind_of(step).record(step, before),
        "sentence": describe(step, before),
    }


def opens_paragraph(step: Step) -> bool:
    """Whether a step starts a new paragraph, because it takes thought.

    In Sudoku these are steps that only eliminate candidates, in Nurikabe what-ifs.
    """
    return kind_of(step).takes_thought(step)


def _explained(step: Step, before: Position) -> Explanation:
    told = kind_of(step).explain(step, before)
    name = told.name or step.technique.name
    return told._replace(name=name, sought=told.sought or f"{_article(name)} {name}")


def _headline(told: Explanation) -> str:
    return f"{told.name[0].upper()}{told.name[1:]} {told.what}".rstrip()


def _article(name: str) -> str:
    return "an" if name[0] in "aeioAX" else "a"

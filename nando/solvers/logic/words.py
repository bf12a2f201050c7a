"""Steps in words: one call for every kind of puzzle.

Words take a step and the position before it. The sentences of each kind are in its folder.
"""

import re
from typing import Any

from nando.solvers.logic.explanation import Explanation
from nando.solvers.logic.kinds import kind_of
from nando.solvers.logic.sudoku.families.styles import STYLES
from nando.solvers.logic.walk import Position, Step


def describe(step: Step, before: Position, style: str = "nando") -> str:
    """A step in a sentence, with its reason.

    Parameters
    ----------
    step : Step
    before : Position
        The position before it.
    style : str
        Whose names: one of :data:`STYLES`.

    Raises
    ------
    ValueError
        For another style.

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
    told = _explained(step, before, style)
    return f"{_headline(told)}: {told.why}."


def hint(step: Step, before: Position, degree: int, style: str = "nando") -> str:
    """A part of a step: where to look (1), the pattern (2), or all of it (3).

    Raises
    ------
    ValueError
        For another degree or style.
    """
    told = _explained(step, before, style)
    if degree == 1:
        return f"Look for {told.sought} {told.where}."
    if degree == 2:
        return told.question or f"{_headline(told)}."
    if degree == 3:
        return f"{_headline(told)}: {told.why}."
    raise ValueError(f"degree of a hint must be 1, 2 or 3, got {degree!r}")


def record(step: Step, before: Position, style: str = "nando") -> dict[str, Any]:
    """A step as plain values for programs: cells and houses by name, digits as numbers.

    Every kind of puzzle has the keys `technique`, `family`, `name`, `rating` and `sentence`; the
    others depend on the kind.
    """
    told = _explained(step, before, style)
    family, _ = kind_of(step).names(step, before, style)
    return {
        "technique": step.technique.name,
        "family": family,
        "name": told.name,
        "rating": step.rating,
        **kind_of(step).record(step, before),
        "sentence": f"{_headline(told)}: {told.why}.",
    }


def name_of(step: Step, before: Position, style: str = "nando") -> str:
    """The name of a step in a style."""
    return _explained(step, before, style).name


def check_style(style: str) -> None:
    """Refuse a style that is none of :data:`STYLES`, with a ValueError."""
    if style not in STYLES:
        raise ValueError(f"style must be one of {', '.join(STYLES)}, got {style!r}")


def opens_paragraph(step: Step) -> bool:
    """Whether a step starts a new paragraph, because it takes thought.

    In Sudoku these are steps that only eliminate candidates, in Nurikabe what-ifs.
    """
    return kind_of(step).takes_thought(step)


def _explained(step: Step, before: Position, style: str) -> Explanation:
    check_style(style)
    told = kind_of(step).explain(step, before)
    name = told.name or step.technique.name
    if style != "nando":
        _, styled = kind_of(step).names(step, before, style)
        if styled:
            return _renamed(told, name, styled)
    return told._replace(name=name, sought=told.sought or f"{_article(name)} {name}")


def _renamed(told: Explanation, name: str, styled: str) -> Explanation:
    """The step under the name of another program, which may say its type."""
    what = re.sub(r"^type \d ", "", told.what) if re.search(r"\d$", styled) else told.what
    question = told.question
    own = _capital(name)
    if question.startswith(own):
        question = _capital(styled) + question.removeprefix(own)
    sought = styled if styled.endswith("s") else f"{_article(styled)} {styled}"
    return told._replace(name=styled, what=what, question=question, sought=sought)


def _headline(told: Explanation) -> str:
    return f"{_capital(told.name)} {told.what}".rstrip()


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]


def _article(name: str) -> str:
    return "an" if name[0] in "aeioAEX" else "a"

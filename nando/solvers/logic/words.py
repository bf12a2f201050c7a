"""Steps in words, for every kind of puzzle.

The words of a step depend on the position before it. The sentences are in the tables of
`nando.languages`: some for each kind of puzzle, others for all kinds.
"""

from collections.abc import Sequence
from typing import Any

from nando.checks import one_of
from nando.solvers.kinds import logic_of
from nando.solvers.logic.language import Explanation, Words, words_for
from nando.solvers.logic.technique import Position, Step
from nando.solvers.logic.wording.record import STYLES


def describe(step: Step, before: Position, style: str = "nando", language: str = "en") -> str:
    """Return a step in a sentence, with its reason.

    Parameters
    ----------
    step : Step
    before : Position
        The position before it.
    style : str
        Style of the name, one of :data:`STYLES`.
    language : str
        Language of the words, one of :data:`LANGUAGES`.

    Raises
    ------
    ValueError
        For another style or language.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> from nando.solvers.logic.solver import LogicSolver
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> describe(next(LogicSolver().steps(puzzle)), LogicSolver().start(puzzle))
    'Hidden single: in box 2, the 8 can only go in r1c6.'
    """
    words = words_for(step.technique.kind, language)
    return _sentence(_explain(step, before, style, words), words)


def describe_together(
    told: Sequence[tuple[Step, Position]], style: str = "nando", language: str = "en"
) -> str:
    """Return steps of one technique, each with the position before it, in a sentence."""
    step, before = told[0]
    words = words_for(step.technique.kind, language)
    together = logic_of(step.technique.kind).together
    assert together is not None
    explained = _explain(step, before, style, words)
    return _sentence(explained._replace(why=together(told, words)), words)


def hint(
    step: Step, before: Position, degree: int, style: str = "nando", language: str = "en"
) -> str:
    """Return a part of a step: where to look (1), the pattern (2), or all of it (3).

    Raises
    ------
    ValueError
        For another degree, style or language.
    """
    words = words_for(step.technique.kind, language)
    explained = _explain(step, before, style, words)
    if degree == 1:
        return words("step.look", sought=explained.sought, where=explained.where)
    if degree == 2:
        return explained.question or words("step.pattern", headline=_headline(explained, words))
    if degree == 3:
        return _sentence(explained, words)
    raise ValueError(f"degree of a hint must be 1, 2 or 3, got {degree!r}")


def record(
    step: Step, before: Position, style: str = "nando", language: str = "en"
) -> dict[str, Any]:
    """Return a step as plain values for programs: cells and houses by name, digits as numbers.

    Every kind of puzzle has the keys `technique`, `family`, `name`, `rating` and `sentence`; the
    others depend on the kind. Only the name and the sentence are in the language.
    """
    kind = logic_of(step.technique.kind)
    words = words_for(step.technique.kind, language)
    explained = _explain(step, before, style, words)
    return {
        "technique": step.technique.name,
        "family": family_of(step, before),
        "name": explained.name,
        "rating": step.rating,
        **kind.record(step, before, words),
        "sentence": _sentence(explained, words),
    }


def family_of(step: Step, before: Position) -> str:
    """Return the name under which solvers know the pattern of a step, or else its technique."""
    return _names(step, before, "nando")[0]


def name_of(step: Step, before: Position, style: str = "nando", language: str = "en") -> str:
    """Return the name of a step in a style."""
    return _explain(step, before, style, words_for(step.technique.kind, language)).name


def is_nameless_chain(step: Step, before: Position) -> bool:
    """Return True if a step is a chain with no name but that of its technique."""
    if not getattr(step, "links", ()):
        return False
    return family_of(step, before) in (step.technique.name, *_PLAIN_CHAINS)


_PLAIN_CHAINS = ("AIC", "nice loop", "forcing chain", "forcing X-chain")


def check_style(style: str) -> None:
    """Raise a ValueError for a style that is not in :data:`STYLES`."""
    one_of("style", style, STYLES)


def opens_paragraph(step: Step) -> bool:
    """Return True if a step starts a new paragraph, because it takes thought.

    In Sudoku these are steps that only eliminate candidates, in Nurikabe what-ifs.
    """
    return logic_of(step.technique.kind).takes_thought(step)


def _explain(step: Step, before: Position, style: str, words: Words) -> Explanation:
    check_style(style)
    technique = step.technique.name
    explained: Explanation = logic_of(step.technique.kind).explain(step, before, words)
    name = explained.name or words.name(technique)
    if style != "nando":
        _, styled = _names(step, before, style)
        if styled:
            return _rename(explained, name, styled, words)
    sought = explained.sought or words.sought(technique) or _article(name, words)
    return explained._replace(name=name, sought=sought)


def _names(step: Step, before: Position, style: str) -> tuple[str, str]:
    """Return the family of a step, and its name in a style; empty if no other program names it."""
    names = logic_of(step.technique.kind).names
    return names(step, before, style) if names else (step.technique.name, "")


def _rename(explained: Explanation, name: str, styled: str, words: Words) -> Explanation:
    """Return the step under the name of another program, which may include the type."""
    variant = "" if styled[-1].isdigit() else explained.variant
    question = explained.question
    own = _capital(name)
    if question.startswith(own):
        question = _capital(styled) + question.removeprefix(own)
    sought = _article(styled, words)
    return explained._replace(name=styled, variant=variant, question=question, sought=sought)


def _sentence(explained: Explanation, words: Words) -> str:
    return words("step.explained", headline=_headline(explained, words), why=explained.why)


def _headline(explained: Explanation, words: Words) -> str:
    parts = (_capital(explained.name), explained.variant, explained.what)
    return words("list.space").join(part for part in parts if part)


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]


def _article(name: str, words: Words) -> str:
    """Return a name that no table has, with an article if the language can derive it."""
    form = "many" if name.endswith("s") else "an" if name[0] in "aeioAEX" else "a"
    return words(f"unlisted.{form}", name=name)

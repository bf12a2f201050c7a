"""Every step that a position allows, by technique."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import numpy as np

from nando.displayed import Displayed
from nando.puzzles import Puzzle, PuzzleLike
from nando.solvers.exact.search import read_checked
from nando.solvers.kinds import LogicKind, logic_of
from nando.solvers.logic.language import Words, check_language, words_for
from nando.solvers.logic.solver import EFFORT, LogicSolver
from nando.solvers.logic.technique import Ladder, Position, Scale, Step, Technique, scale_of
from nando.solvers.logic.walkthrough import WalkthroughStep, count_techniques, line_of
from nando.solvers.logic.words import check_style, is_nameless_chain


@dataclass(frozen=True)
class Listing(Displayed):
    """Every step that a position allows; ``str()`` gives them in words.

    Attributes
    ----------
    position : Position
    steps : tuple of WalkthroughStep
        The steps, the easiest technique first. All start from the same position.
    scale : Scale
        The scale of the ratings.
    language : str
        Language of the words, one of :data:`nando.solvers.logic.LANGUAGES`.
    complete : bool
        False if the effort was spent before all steps were found.
    """

    position: Position
    steps: tuple[WalkthroughStep, ...] = field(repr=False)
    scale: Scale
    language: str = "en"
    complete: bool = True

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.position.puzzle

    @property
    def lines(self) -> tuple[WalkthroughStep, ...]:
        """The steps as they are told."""
        return self.steps

    @property
    def end(self) -> Position:
        """The position itself, since no step is made."""
        return self.position

    def techniques(self) -> list[tuple[str, str, int]]:
        """Return name, rating or range of ratings, and count of each technique, easiest first."""
        return count_techniques(self.steps)

    def summary(self) -> str:
        """Return the number of steps in a sentence."""
        words = self._words
        if not self.position.n_blanks:
            return words("listing.full")
        summary = words(
            "listing.summary" if self.steps else "listing.none",
            steps=words.count("walk.steps", len(self.steps)),
            techniques=words.count("listing.techniques", len(self.techniques())),
            blanks=self.position.n_blanks,
        )
        return summary if self.complete else f"{summary} {words('listing.incomplete')}"

    def __str__(self) -> str:
        """Return the puzzle, the steps under the names of their techniques, and the summary."""
        words = self._words
        lines = [line_of(self.puzzle, self.language), ""]
        width = len(str(len(self.steps)))
        for (name, rating), group in groupby(self.steps, key=_heading):
            lines.append(words("listing.heading", name=name, rating=words.number(rating)))
            lines += [f"{taken.number:{width}}. {taken.sentence()}" for taken in group]
            lines.append("")
        return "\n".join([*lines, self.summary()])

    @property
    def _words(self) -> Words:
        return words_for(self.puzzle.kind, self.language)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {
            "puzzle": self.puzzle.text,
            "blanks": self.position.n_blanks,
            "complete": self.complete,
            "steps": [taken.to_dict() for taken in self.steps],
        }


def _heading(taken: WalkthroughStep) -> tuple[str, float]:
    """Return the heading of a step, and the least rating of its technique."""
    return taken.heading, taken.step.technique.rating


def list_steps(
    puzzle: PuzzleLike,
    ladder: Sequence[Technique] | None = None,
    start: Position | None = None,
    *,
    style: str = "nando",
    language: str = "en",
    effort: int = EFFORT,
) -> Listing:
    """List every step that a position allows.

    Parameters
    ----------
    puzzle : Puzzle, or anything that :func:`nando.puzzles.as_puzzle` takes
        It must have exactly one solution.
    ladder : sequence of Technique or None
        The techniques that may be used; None for the standard ladder of the puzzle's kind.
    start : Position or None
        The position; None for the givens alone.
    style : str
        Style of the names of steps, one of :data:`nando.solvers.logic.STYLES`.
    language : str
        Language of the words, one of :data:`nando.solvers.logic.LANGUAGES`.
    effort : int
        Most searches for chains, or what-ifs, nested in an assumption. A 9x9 Sudoku and a Nurikabe
        of usual size take a few thousand. If they are spent, the list is incomplete.

    Returns
    -------
    Listing
        Each pattern is listed once, with its easiest technique. Of chains and what-ifs only the
        shortest is listed for each candidate or cell. Steps of the same name with the same result
        are merged into one, whose `others` holds the rest.

    Raises
    ------
    PuzzleError
        If the puzzle does not have exactly one solution, or the position contradicts it.
    ValueError
        For an unknown style or language, or an effort below 1.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> listing = list_steps(load_examples().puzzles[0])
    >>> listing.techniques()[0]
    ('hidden single in box', '1.2', 6)
    """
    check_style(style)
    check_language(language)
    puzzle = read_checked(puzzle)
    if effort < 1:
        raise ValueError(f"effort must be at least 1, got {effort!r}")
    solver = LogicSolver() if ladder is None else LogicSolver(tuple(ladder))
    position = solver.start(puzzle) if start is None else start
    solver.check_position(position)
    kind = logic_of(puzzle.kind)
    ladder = solver.rungs_for(puzzle)
    left = np.full(1, effort, np.int64)
    if kind.every is not None:
        listed = kind.every(position, ladder, left)
    else:
        listed = _first_of_each(kind, position, ladder, effort)
    steps = _merge(WalkthroughStep(0, step, position, style, language) for step in listed)
    return Listing(position, steps, scale_of(puzzle.kind), language, bool(left[0] > 0))


def _merge(steps: Iterable[WalkthroughStep]) -> tuple[WalkthroughStep, ...]:
    """Merge the steps of the same name with the same result into the first of them.

    All chains without a name of their own count as steps of the same name.
    """
    kept: list[list[WalkthroughStep]] = []
    by_result: dict[tuple[object, ...], list[WalkthroughStep]] = {}
    for taken in steps:
        placed, gone = (getattr(taken.step, key, None) for key in ("placement", "eliminations"))
        name = "" if is_nameless_chain(taken.step, taken.position) else taken.name
        key = (name, placed, gone)
        if key in by_result:
            by_result[key].append(taken)
            continue
        kept.append([taken])
        if placed or gone:
            by_result[key] = kept[-1]
    return tuple(
        replace(same[0], number=number, others=tuple(other.step for other in same[1:]))
        for number, same in enumerate(kept, 1)
    )


def _first_of_each(
    kind: LogicKind, position: Position, ladder: Ladder, effort: int
) -> Iterator[Step]:
    """Yield the first step of each technique, unless an easier one fills the same cells."""
    known = set()
    for technique in ladder:
        walker = kind.walker((technique,), effort)
        step = next(iter(walker.steps(position.puzzle, position)), None)
        if step is not None and tuple(walker.fills(step)) not in known:
            known.add(tuple(walker.fills(step)))
            yield step

"""Walkthroughs: every step from the givens to the solution, in words, with its rating."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from nando.displayed import Displayed
from nando.puzzles import Puzzle, PuzzleLike, Variant
from nando.puzzles.variants.genre import Genre
from nando.solvers.exact.search import read_checked
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.language import check_language, words_for
from nando.solvers.logic.orders.order import Order, Score
from nando.solvers.logic.solver import LogicSolver
from nando.solvers.logic.technique import (
    Ladder,
    Position,
    Scale,
    Step,
    Technique,
    scale_of,
    standard_ladder,
)
from nando.solvers.logic.words import (
    check_style,
    describe,
    describe_together,
    family_of,
    hint,
    name_of,
    opens_paragraph,
    record,
)


@dataclass(frozen=True)
class WalkthroughStep(Displayed):
    """A step of a walkthrough.

    Attributes
    ----------
    number : int
        Number of the step in the walk, from 1.
    step : Step
    position : Position
        The position before the step.
    style : str
        Style of its name, one of :data:`nando.solvers.logic.STYLES`.
    language : str
        Language of its words, one of :data:`nando.solvers.logic.LANGUAGES`.
    others : tuple of Step
        In a :class:`Listing`, further steps of the same name with the same result.
    parts : tuple of WalkthroughStep
        In :attr:`Walkthrough.lines`, the steps that are told together.
    """

    number: int
    step: Step
    position: Position
    style: str = "nando"
    language: str = "en"
    others: tuple[Step, ...] = ()
    parts: tuple["WalkthroughStep", ...] = ()

    @property
    def last(self) -> int:
        """Number of the last of the steps that are told together."""
        return self.parts[-1].number if self.parts else self.number

    @property
    def numbers(self) -> str:
        """Its number; of several steps that are told together, the first and the last."""
        return span_of(self.number, self.last)

    @property
    def name(self) -> str:
        """Name of the step in its style."""
        return name_of(self.step, self.position, self.style, self.language)

    @property
    def family(self) -> str:
        """English name under which solvers know the pattern, or else the technique."""
        return family_of(self.step, self.position)

    def place_in(self, ladder: Ladder) -> int:
        """Return the number of the first rung that is the family or the technique of the step."""
        names = self.family.partition(":")[0], self.step.technique.name
        return next((i for i, rung in enumerate(ladder) if rung.name in names), len(ladder))

    @property
    def heading(self) -> str:
        """Heading of the step in a list: its technique, or its name in another program."""
        if self.style != "nando":
            return self.name
        technique = self.step.technique
        return words_for(technique.kind, self.language).name(technique.name)

    def __str__(self) -> str:
        """Return the number and the sentence."""
        return f"{self.numbers}. {self.sentence()}"

    def sentence(self, degree: int | None = None) -> str:
        """Return the step with its reason or, with a degree from 1 to 3, a hint at it."""
        if degree is None and self.parts:
            told = [(taken.step, taken.position) for taken in self.parts]
            return describe_together(told, self.style, self.language)
        if degree is None:
            sentence = describe(self.step, self.position, self.style, self.language)
            if not self.others:
                return sentence
            words = words_for(self.step.technique.kind, self.language)
            return f"{sentence} {words.count('listing.others', len(self.others))}"
        return hint(self.step, self.position, degree, self.style, self.language)

    @property
    def reasons(self) -> list[str]:
        """The reasons for the links of a chain, in sentences; empty for other steps."""
        if not getattr(self.step, "links", ()):
            return []
        return list(self.to_dict().get("reasons", ()))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        values = record(self.step, self.position, self.style, self.language)
        if self.others:
            values["others"] = len(self.others)
        return {"number": self.number, **values}


def span_of(first: int, last: int) -> str:
    """Return the first and the last number of steps, as texts show them."""
    return str(first) if first == last else f"{first}–{last}"


def count_techniques(steps: Sequence[WalkthroughStep]) -> list[tuple[str, str, int]]:
    """Return name, rating or range of ratings, and count of each technique, easiest first.

    In the style of another program, the names are its names of the families.
    """
    ratings: dict[str, list[float]] = {}
    for taken in sorted(steps, key=lambda taken: taken.step.technique.rating):
        ratings.setdefault(taken.heading, []).append(taken.step.rating)
    if not steps:
        return []
    words = words_for(steps[0].step.technique.kind, steps[0].language)

    def format_range(low: float, high: float) -> str:
        least, most = words.number(low), words.number(high)
        return least if low == high else words("walk.range", low=least, high=most)

    return [(name, format_range(min(r), max(r)), len(r)) for name, r in ratings.items()]


_LONGEST_LINE = 100
"""Characters of the longest text of a variant that is printed."""


def line_of(puzzle: Puzzle, language: str, longest: int = _LONGEST_LINE) -> str:
    """Return a puzzle in a line: its text, or the name of a variant whose text is longer."""
    if isinstance(puzzle, Variant) and len(puzzle.text) > longest:
        return Genre.of(puzzle).name(language)
    return puzzle.text


_TOLD_TOGETHER = (kernels.RELATION, kernels.SUM, kernels.NEEDED, kernels.PATTERN)
"""Kernels whose eliminations at different cages, marks or clues are alike."""


def _alike(taken: WalkthroughStep) -> object:
    """Return what eliminations have in common that are told together; else their number."""
    technique = taken.step.technique
    told = technique.kind == Variant.kind and technique.kernel in _TOLD_TOGETHER
    return taken.name if told and getattr(taken.step, "eliminations", None) else taken.number


def _together(steps: Sequence[WalkthroughStep]) -> WalkthroughStep:
    """Return eliminations that are alike as one step."""
    if len(steps) == 1:
        return steps[0]
    found: list[Any] = [taken.step for taken in steps]

    def all_of(field: str) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(part for step in found for part in getattr(step, field)))

    fields = ("houses", "cells", "rules", "eliminations")
    merged = replace(found[0], digits=(), **{field: all_of(field) for field in fields})
    return replace(steps[0], step=merged, parts=tuple(steps))


@dataclass(frozen=True)
class Walkthrough(Displayed):
    """The steps that solve a puzzle, or as far as they go; ``str()`` gives them in words.

    Attributes
    ----------
    puzzle : Puzzle, or anything that :func:`nando.puzzles.as_puzzle` takes
    steps : tuple of WalkthroughStep
    end : Position
        The position after the last step.
    ladder : sequence of Technique
        The techniques that were allowed, easiest first.
    scale : Scale
        The scale of the ratings.
    left_out : tuple of Step
        Steps of the whole walk that :func:`shorten` left out.
    language : str
        Language of the words, one of :data:`nando.solvers.logic.LANGUAGES`.
    order : Order or None
        The order in which the techniques were tried; None for that of the ladder.
    score : Score or None
        The points of all steps in the order; None if the order has no points.
    standard_rating : float or None
        Rating of the puzzle in the standard order, if `order` is another, or by the whole walk, if
        this one is shortened.
    """

    puzzle: Puzzle
    steps: tuple[WalkthroughStep, ...] = field(repr=False)
    end: Position
    ladder: Sequence[Technique] = field(repr=False)
    scale: Scale
    left_out: tuple[Step, ...] = field(default=(), repr=False)
    language: str = "en"
    order: Order | None = None
    score: Score | None = None
    standard_rating: float | None = None

    @property
    def lines(self) -> list[WalkthroughStep]:
        """The steps as they are told: alike ones at many cages that follow one another are one."""
        return [_together([*same]) for _, same in groupby(self.steps, key=_alike)]

    @property
    def solved(self) -> bool:
        """True if the ladder solves the puzzle."""
        return self.end.n_blanks == 0

    @property
    def hardest(self) -> Step | None:
        """The first of the hardest steps, including those left out."""
        steps = [*(taken.step for taken in self.steps), *self.left_out]
        return max(steps, key=lambda step: step.rating, default=None)

    @property
    def rating(self) -> float | None:
        """Rating of the hardest step; None if the puzzle was not solved, since it may be harder.

        For a walk in another order, it is the rating of the puzzle in the standard order.
        """
        if not self.solved or self.hardest is None:
            return None
        return self.hardest.rating if self.standard_rating is None else self.standard_rating

    def techniques(self) -> list[tuple[str, str, int]]:
        """Return name, rating or range of ratings, and count of each technique, easiest first."""
        return count_techniques(self.steps)

    def summary(self) -> str:
        """Return a summary in one sentence: the rating, or where the solver is stuck."""
        words = words_for(self.puzzle.kind, self.language)
        steps = words.count("walk.steps", len(self.steps))
        hardest = self.hardest
        if self.solved and hardest is None:
            return words("walk.full")
        so_far = None if hardest is None else hardest.rating
        number = self.rating if self.solved else so_far
        rating = "" if number is None else words.number(number)
        if self.solved:
            rated = words(
                "walk.shortened" if self.left_out else "walk.rated",
                scale=words.known("scale.name", self.scale.name),
                source=words.known("scale.source", self.scale.source),
                rating=rating,
                steps=steps,
                n=len(self.left_out),
            )
            return rated + self._describe_score()
        return words(
            "walk.stuck" if hardest is None else "walk.stuck_rated",
            steps=steps,
            blanks=self.end.n_blanks,
            reason=self._obstacle(),
            rating=rating,
        )

    def _describe_score(self) -> str:
        """Return a sentence on the score in the order, if there is one."""
        if self.order is None or self.score is None:
            return ""
        words = words_for(self.puzzle.kind, self.language)
        unknown = self.score.n_unknown
        return " " + words(
            "walk.scored_in_part" if unknown else "walk.scored",
            order=self.order.title,
            points=f"{self.score.points:g}",
            steps=words.count("walk.steps", unknown),
        )

    def _obstacle(self) -> str:
        """Return why no technique of the ladder finds a step."""
        words = words_for(self.puzzle.kind, self.language)
        if self._is_selected():
            return words("walk.selected")
        top = self.ladder[-1]
        return words(
            "walk.lacks" if top.rating < self.scale.hardest_from else "walk.longer",
            top=words.name(top.name),
            hardest=words.known("scale.hardest", self.scale.hardest),
        )

    def _is_selected(self) -> bool:
        """Return True if the ladder lacks a technique easier than its hardest one."""
        if self.order is not None:
            return len(self.ladder) < len(self.order.ladder)
        whole = standard_ladder(self.puzzle.kind)
        return set(self.ladder) < set(whole) and tuple(self.ladder) != whole[: len(self.ladder)]

    def __str__(self) -> str:
        """Return the puzzle, the numbered steps in sentences, the summary and the techniques.

        Of a variant, eliminations by one technique that follow one another share a line.
        """
        lines, told = [line_of(self.puzzle, self.language), ""], self.lines
        width = max((len(taken.numbers) for taken in told), default=0)
        before = None
        for taken in told:
            if before and opens_paragraph(taken.step) and not opens_paragraph(before.step):
                lines.append("")
            lines.append(f"{taken.numbers:>{width}}. {taken.sentence()}")
            before = taken
        lines += ["", self.summary()] if self.steps else [self.summary()]
        techniques = self.techniques()
        if techniques:
            longest = max(len(name) for name, _, _ in techniques)
            lines += [
                f"  {count:4}  {name:{longest}}  {rating}" for name, rating, count in techniques
            ]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON; the key of the rating is the scale's column."""
        values = {
            "puzzle": self.puzzle.text,
            self.scale.column: self.rating,
            "solved": self.solved,
            "left_out": len(self.left_out),
        }
        if self.order is not None:
            values["order"] = self.order.name
            values["score"] = self.score and self.score.points
            values["steps_without_score"] = self.score and self.score.n_unknown
        return {**values, "steps": [taken.to_dict() for taken in self.steps]}


def walk_through(
    puzzle: PuzzleLike,
    ladder: Sequence[Technique] | None = None,
    start: Position | None = None,
    *,
    style: str = "nando",
    language: str = "en",
    order: Order | None = None,
) -> Walkthrough:
    """Solve a puzzle as a person would, and return every step with its reason.

    Parameters
    ----------
    puzzle : Puzzle
        It must have exactly one solution.
    ladder : sequence of Technique or None
        The techniques that may be used; None for the standard ladder of the puzzle's kind.
    start : Position or None
        Where to begin; None begins with the givens.
    style : str
        Style of the names of steps, one of :data:`nando.solvers.logic.STYLES`.
    language : str
        Language of the words, one of :data:`nando.solvers.logic.LANGUAGES`.
    order : Order or None
        The order to which `ladder` belongs; without a `ladder` all its techniques are used. The
        rating stays that of the standard order, unless techniques are left out.

    Returns
    -------
    Walkthrough

    Raises
    ------
    PuzzleError
        If the puzzle does not have exactly one solution, or `start` contradicts it.
    ValueError
        For an unknown style or language.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> found = walk_through(load_examples().puzzles[0])
    >>> found.solved, found.steps[0].sentence(1)
    (True, 'Look for a hidden single in box 2.')
    """
    check_style(style)
    check_language(language)
    puzzle = read_checked(puzzle)
    if ladder is None and order is not None:
        ladder = order.ladder
    solver = LogicSolver() if ladder is None else LogicSolver(tuple(ladder))
    position = solver.start(puzzle) if start is None else start
    steps = []
    for number, step in enumerate(solver.steps(puzzle, start), 1):
        steps.append(WalkthroughStep(number, step, position, style, language))
        position = position.after(step)
    ladder, scale = solver.rungs_for(puzzle), scale_of(puzzle.kind)
    walk = Walkthrough(puzzle, tuple(steps), position, ladder, scale, language=language)
    return walk if order is None else _in_order(walk, order, start)


@lru_cache(maxsize=128)
def remembered_walk(puzzle: Puzzle, ladder: tuple[Technique, ...] | None = None) -> Walkthrough:
    """Return the walk through a puzzle from its givens, of which the latest are remembered."""
    return walk_through(puzzle, ladder)


def _in_order(walk: Walkthrough, order: Order, start: Position | None) -> Walkthrough:
    """Return a walk with the score of its order, and the rating of the standard order."""
    score = standard = None
    if order.points:
        score = order.score(taken.family for taken in walk.steps)
    if walk.solved and len(walk.ladder) == len(order.ladder):
        steps = LogicSolver().steps(walk.puzzle, start)
        standard = max((step.rating for step in steps), default=None)
    return replace(walk, order=order, score=score, standard_rating=standard)

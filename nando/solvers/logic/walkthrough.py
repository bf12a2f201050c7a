"""Walkthroughs: every step from the givens to the solution, in words, with its rating."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nando.displayed import Displayed
from nando.puzzles import Puzzle, PuzzleLike, as_puzzle
from nando.solvers.logic.language import check_language, words_for
from nando.solvers.logic.solver import LogicSolver
from nando.solvers.logic.technique import Scale, Technique, scale_of, standard_ladder
from nando.solvers.logic.walk import Position, Step
from nando.solvers.logic.words import check_style, describe, hint, name_of, opens_paragraph, record


@dataclass(frozen=True)
class WalkthroughStep(Displayed):
    """A step of a walkthrough.

    Attributes
    ----------
    number : int
        From 1.
    step : Step
    position : Position
        The position before the step.
    style : str
        Whose names it takes, one of :data:`nando.solvers.logic.STYLES`.
    language : str
        Of its words, one of :data:`nando.solvers.logic.LANGUAGES`.
    """

    number: int
    step: Step
    position: Position
    style: str = "nando"
    language: str = "en"

    @property
    def name(self) -> str:
        """What the step is called in the style."""
        return name_of(self.step, self.position, self.style, self.language)

    @property
    def heading(self) -> str:
        """What it stands under among others: its technique, or its name in another program."""
        if self.style != "nando":
            return self.name
        technique = self.step.technique
        return words_for(technique.kind, self.language).name(technique.name)

    def __str__(self) -> str:
        """Return the number and the sentence."""
        return f"{self.number}. {self.sentence()}"

    def sentence(self, degree: int | None = None) -> str:
        """Return the step with its reason; with a degree from 1 to 3 a hint at it."""
        if degree is None:
            return describe(self.step, self.position, self.style, self.language)
        return hint(self.step, self.position, degree, self.style, self.language)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        values = record(self.step, self.position, self.style, self.language)
        return {"number": self.number, **values}


def counted(steps: Sequence[WalkthroughStep]) -> list[tuple[str, str, int]]:
    """Name, rating or range of ratings, and count of each technique in steps, easiest first.

    In the style of another program, the names are those that it has for the families.
    """
    ratings: dict[str, list[float]] = {}
    for taken in sorted(steps, key=lambda taken: taken.step.technique.rating):
        ratings.setdefault(taken.heading, []).append(taken.step.rating)
    if not steps:
        return []
    words = words_for(steps[0].step.technique.kind, steps[0].language)

    def ranged(low: float, high: float) -> str:
        least, most = words.number(low), words.number(high)
        return least if low == high else words("walk.range", low=least, high=most)

    return [(name, ranged(min(r), max(r)), len(r)) for name, r in ratings.items()]


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
        Steps of the whole walk that :func:`shortest` found needless.
    language : str
        Of its words, one of :data:`nando.solvers.logic.LANGUAGES`.
    """

    puzzle: Puzzle
    steps: tuple[WalkthroughStep, ...]
    end: Position
    ladder: Sequence[Technique]
    scale: Scale
    left_out: tuple[Step, ...] = ()
    language: str = "en"

    @property
    def solved(self) -> bool:
        """Whether the ladder solves it."""
        return self.end.n_blanks == 0

    @property
    def hardest(self) -> Step | None:
        """The first of the hardest steps, those left out among them."""
        steps = [*(taken.step for taken in self.steps), *self.left_out]
        return max(steps, key=lambda step: step.rating, default=None)

    @property
    def rating(self) -> float | None:
        """Rating of the hardest step; None if the puzzle was not solved, since it may be harder."""
        return self.hardest.rating if self.solved and self.hardest is not None else None

    def techniques(self) -> list[tuple[str, str, int]]:
        """Name, rating or range of ratings, and count of each technique used, easiest first."""
        return counted(self.steps)

    def summary(self) -> str:
        """Return a summary in one sentence: the rating, or where the solver is stuck."""
        words = words_for(self.puzzle.kind, self.language)
        steps = words.count("walk.steps", len(self.steps))
        hardest = self.hardest
        if self.solved and hardest is None:
            return words("walk.full")
        rating = "" if hardest is None else words.number(hardest.rating)
        if self.solved:
            return words(
                "walk.shortened" if self.left_out else "walk.rated",
                scale=words.known("scale.name", self.scale.name),
                source=words.known("scale.source", self.scale.source),
                rating=rating,
                steps=steps,
                n=len(self.left_out),
            )
        return words(
            "walk.stuck" if hardest is None else "walk.stuck_rated",
            steps=steps,
            blanks=self.end.n_blanks,
            reason=self._obstacle(),
            rating=rating,
        )

    def _obstacle(self) -> str:
        """Why no technique of the ladder goes on."""
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
        whole = standard_ladder(self.puzzle.kind)
        return set(self.ladder) < set(whole) and tuple(self.ladder) != whole[: len(self.ladder)]

    def __str__(self) -> str:
        """Return the puzzle, a numbered sentence for each step, the summary and the techniques."""
        lines = [self.puzzle.text, ""]
        width = len(str(len(self.steps)))
        for before, taken in zip((None, *self.steps), self.steps, strict=False):
            if before and opens_paragraph(taken.step) and not opens_paragraph(before.step):
                lines.append("")
            lines.append(f"{taken.number:{width}}. {taken.sentence()}")
        lines += ["", self.summary()] if self.steps else [self.summary()]
        techniques = self.techniques()
        if techniques:
            longest = max(len(name) for name, _, _ in techniques)
            lines += [
                f"  {count:4}  {name:{longest}}  {rating}" for name, rating, count in techniques
            ]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON; the rating's name is that of the scale's column."""
        return {
            "puzzle": self.puzzle.text,
            self.scale.column: self.rating,
            "solved": self.solved,
            "left_out": len(self.left_out),
            "steps": [taken.to_dict() for taken in self.steps],
        }


def walk_through(
    puzzle: PuzzleLike,
    ladder: Sequence[Technique] | None = None,
    start: Position | None = None,
    *,
    style: str = "nando",
    language: str = "en",
) -> Walkthrough:
    """Solve a puzzle as a person would, and keep every step with its reason.

    Parameters
    ----------
    puzzle : Puzzle
        With exactly one solution.
    ladder : sequence of Technique or None
        The techniques that may be used; None takes those of its kind.
    start : Position or None
        Where to begin; None begins with the givens.
    style : str
        Whose names the steps take, one of :data:`nando.solvers.logic.STYLES`.
    language : str
        Of their words, one of :data:`nando.solvers.logic.LANGUAGES`.

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
    puzzle = as_puzzle(puzzle)
    solver = LogicSolver() if ladder is None else LogicSolver(tuple(ladder))
    position = solver.start(puzzle) if start is None else start
    steps = []
    for number, step in enumerate(solver.steps(puzzle, start), 1):
        steps.append(WalkthroughStep(number, step, position, style, language))
        position = position.after(step)
    ladder, scale = solver.rungs_for(puzzle), scale_of(puzzle.kind)
    return Walkthrough(puzzle, tuple(steps), position, ladder, scale, language=language)

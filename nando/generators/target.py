"""The search for puzzles whose score lies in a wanted range.

It knows neither a kind of puzzle nor a rating: a source gives drafts, each of which can become
easier or harder in small steps, and a callable scores them. From a hard draft the wanted score is
bracketed by adding givens (the score falls almost steadily as they come in), and from the nearest
puzzle on that path small moves go on towards the target. What arrives is confirmed by a second
callable, which says where the score will fall when it is asked for again with other draws.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from nando.puzzles import Puzzle

_MOVES = 12
"""Steps towards the target from the best puzzle of one path."""

_MARGIN = 0.3
"""Share of the range, at either end, where a rough score is not worth confirming."""

_NEAR = 0.1
"""A rough score that is no further than this share of the range from the aim is near enough."""

_INSIDE = 0.2
"""Share of a bracket, at either end, that is not looked at first."""

_TRIES = 8
"""Moves looked at for one step that comes nearer."""


class Draft(Protocol):
    """A puzzle with one solution that can be changed; drafts themselves never change."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it stands."""
        ...

    def easier_ones(self, rng: np.random.Generator) -> Sequence["Draft"]:
        """The draft itself and easier ones made from it, in the order of falling difficulty."""
        ...

    def moves(self, rng: np.random.Generator, *, harder: bool) -> Iterator["Draft"]:
        """Puzzles near this one, in a drawn order; perhaps none."""
        ...


class Source(Protocol):
    """What new puzzles are drawn from."""

    def draft(self, rng: np.random.Generator) -> Draft | None:
        """A new puzzle, about as hard as its solution allows; None where the draw failed."""
        ...


def _as_number(score: float) -> str:
    return f"{score:.4g}"


@dataclass(frozen=True)
class Target:
    """A range of scores, and how puzzles are scored.

    Parameters
    ----------
    low, high : float
        Least and largest score wanted.
    score : callable
        ``score(puzzle)`` returns a float that rises with difficulty; cheap, perhaps rough. It
        must give the same puzzle the same score.
    confirm : callable or None
        ``confirm(puzzle)`` returns the least and the largest score that rating the puzzle again
        is likely to give; a puzzle is taken where both are in the range. None: `score` is exact.
    aims : tuple of float or None
        Each search aims at a score drawn between these two, so that puzzles are spread over a wide
        range. None: the middle of the range, or its finite bound.
    unit : callable
        Turns a score into words for messages.

    Raises
    ------
    ValueError
        For a range without a number in it.
    """

    low: float
    high: float
    score: Callable[[Puzzle], float]
    confirm: Callable[[Puzzle], tuple[float, float]] | None = None
    aims: tuple[float, float] | None = None
    unit: Callable[[float], str] = _as_number

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"the target's range is empty: {self.low!r} to {self.high!r}")

    def aim(self, rng: np.random.Generator) -> float:
        """What one search aims at."""
        if self.aims is not None:
            return float(rng.uniform(*self.aims))
        if np.isinf(self.low) or np.isinf(self.high):
            return self.high if np.isinf(self.low) else self.low
        return (self.low + self.high) / 2.0

    def is_well_inside(self, score: float) -> bool:
        """Whether a rough score is in the range and not near a bound: worth confirming."""
        margin = 0.0
        if self.confirm is not None and np.isfinite(self.high - self.low):
            margin = _MARGIN * (self.high - self.low)
        return self.low + margin <= score <= self.high - margin


@dataclass
class Effort:
    """What a search has spent, and the nearest puzzle it has seen.

    Attributes
    ----------
    most_scored : int
        Puzzles that may be scored before the search ends.
    drafts, scored, confirmed : int
        Puzzles drawn, scored and confirmed.
    nearest : Puzzle or None
    nearest_score : float
    """

    most_scored: int
    drafts: int = 0
    scored: int = 0
    confirmed: int = 0
    nearest: Puzzle | None = None
    nearest_score: float = field(default=float("nan"))

    @property
    def is_spent(self) -> bool:
        """Whether the search must end; drafts that fail count too."""
        return self.scored >= self.most_scored or self.drafts >= self.most_scored

    def note(self, puzzle: Puzzle, score: float, aim: float) -> None:
        """Take a scored puzzle into account."""
        self.scored += 1
        if self.nearest is None or abs(score - aim) < abs(self.nearest_score - aim):
            self.nearest, self.nearest_score = puzzle, score


def search(
    source: Source, target: Target | None, rng: np.random.Generator, effort: Effort
) -> Iterator[Puzzle]:
    """Puzzles of a source in the target's range, until the effort is spent.

    Parameters
    ----------
    source : Source
    target : Target or None
        None: every draft is as good as another.
    rng : Generator
    effort : Effort
        Kept up to date while the search goes on.
    """
    aim = target.aim(rng) if target is not None else 0.0
    while not effort.is_spent:
        effort.drafts += 1
        draft = source.draft(rng)
        if draft is None:
            continue
        if target is None:
            yield draft.puzzle
        else:
            yield from _approach(draft, target, aim, rng, effort)


def _approach(
    draft: Draft, target: Target, aim: float, rng: np.random.Generator, effort: Effort
) -> Iterator[Puzzle]:
    """The puzzles in range that are met on the way from one draft."""

    def scored(candidate: Draft) -> float:
        score = target.score(candidate.puzzle)
        effort.note(candidate.puzzle, score, aim)
        return score

    near = _NEAR * (target.high - target.low) if np.isfinite(target.high - target.low) else 0.0
    nearest, score = _nearest_on(draft.easier_ones(rng), aim, near, scored)
    for _ in range(_MOVES):
        if target.is_well_inside(score):
            low, high = target.confirm(nearest.puzzle) if target.confirm else (score, score)
            effort.confirmed += 1
            if target.low <= low and high <= target.high:
                yield nearest.puzzle
                return
            score = (low + high) / 2.0
        if effort.is_spent:
            return
        for tried, moved in enumerate(nearest.moves(rng, harder=score < aim), 1):
            moved_score = scored(moved)
            if abs(moved_score - aim) < abs(score - aim):
                nearest, score = moved, moved_score
                break
            if tried == _TRIES or effort.is_spent:
                return
        else:
            return


def _nearest_on(
    path: Sequence[Draft], aim: float, near: float, scored: Callable[[Draft], float]
) -> tuple[Draft, float]:
    """A draft on a path of falling scores within `near` of the aim, or the nearest looked at.

    The aim is bracketed between a draft too hard and one too easy, and looked for where a straight
    line between the two would meet it. The hard end of the path, which takes longest to score, is
    left until a draft has turned out too easy.
    """
    hard, easy = -1, len(path)
    above = below = math.nan
    at = len(path) // 2
    best, best_score = path[at], math.nan
    while True:
        score = scored(path[at])
        if not abs(score - aim) >= abs(best_score - aim):
            best, best_score = path[at], score
        if score >= aim:
            hard, above = at, score
        else:
            easy, below = at, score
        if abs(best_score - aim) <= near or easy - hard <= 1:
            return best, best_score
        if hard < 0:
            at = 0
            continue
        gap = easy - hard
        share = 0.5 if math.isnan(below) else (above - aim) / (above - below)
        # Well within the bracket: the path is no straight line.
        share = min(max(share, _INSIDE), 1.0 - _INSIDE)
        at = hard + min(max(round(share * gap), 1), gap - 1)

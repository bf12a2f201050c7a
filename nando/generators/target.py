"""The search for puzzles whose score lies in a wanted range.

The search knows neither the kind of puzzle nor the rating. A source draws candidate puzzles, each
of which can become easier or harder in small steps, and a callable scores them. Adding givens to a
hard candidate lowers its score almost steadily, so the wanted score is bracketed first. From the
nearest puzzle on that path, small moves go on towards the target. A second callable confirms the
result: it says where the score is likely to fall if the puzzle is rated again.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle

_MOVES = 12
"""Steps towards the target from the best puzzle of one path."""

_MARGIN = 0.3
"""Share of the range, at either end, in which a rough score is not confirmed."""

_NEAR = 0.1
"""A rough score is near enough within this share of the range from the aim."""

_INSIDE = 0.2
"""Share of a bracket, at either end, that interpolation avoids."""

_TRIES = 8
"""Moves tried for one step that comes nearer."""


class CandidatePuzzle(Protocol):
    """A puzzle with one solution, and the puzzles it can become. It is immutable."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle itself."""
        ...

    def easier_ones(self, rng: np.random.Generator) -> Sequence["CandidatePuzzle"]:
        """The candidate and easier ones made from it, by falling difficulty."""
        ...

    def moves(self, rng: np.random.Generator, *, harder: bool) -> Iterator["CandidatePuzzle"]:
        """Puzzles near this one, in random order; perhaps none."""
        ...


class Source(Protocol):
    """Draws new puzzles."""

    def draw(self, rng: np.random.Generator) -> CandidatePuzzle | None:
        """A new puzzle, about as hard as its solution allows; None where the draw failed."""
        ...


@runtime_checkable
class ManySource(Source, Protocol):
    """A source that may draw many puzzles in one call."""

    @property
    def draws_many(self) -> bool:
        """Whether it does."""
        ...

    def draw_many(self, streams: NDArray[np.int64]) -> Sequence[CandidatePuzzle | None]:
        """A new puzzle from each stream of :mod:`nando.kernels.streams`, None where it failed.

        The streams, shape (n, 4), are moved on. What a stream gives does not depend on the others.
        """
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
        Each search aims at a score drawn between these two, which spreads the puzzles of a batch
        over a wide range. None: the middle of the range, or its finite bound.
    unit : callable
        Turns a score into words for messages.

    Raises
    ------
    ValueError
        For an empty range.
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
        """Whether a rough score lies in the range and away from its bounds."""
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
    drawn, scored, confirmed : int
        Puzzles drawn, scored and confirmed.
    nearest : Puzzle or None
    nearest_score : float
    """

    most_scored: int
    drawn: int = 0
    scored: int = 0
    confirmed: int = 0
    nearest: Puzzle | None = None
    nearest_score: float = field(default=float("nan"))

    @property
    def is_spent(self) -> bool:
        """Whether the search must end. Failed draws count too."""
        return self.scored >= self.most_scored or self.drawn >= self.most_scored

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
        None: every puzzle drawn is accepted.
    rng : Generator
    effort : Effort
        Updated as the search goes on.
    """
    aim = target.aim(rng) if target is not None else 0.0
    while not effort.is_spent:
        effort.drawn += 1
        candidate = source.draw(rng)
        if candidate is None:
            continue
        if target is None:
            yield candidate.puzzle
        else:
            yield from _approach(candidate, target, aim, rng, effort)


def _approach(
    candidate: CandidatePuzzle, target: Target, aim: float, rng: np.random.Generator, effort: Effort
) -> Iterator[Puzzle]:
    """The puzzles in range found from one candidate."""

    def scored(other: CandidatePuzzle) -> float:
        score = target.score(other.puzzle)
        effort.note(other.puzzle, score, aim)
        return score

    near = _NEAR * (target.high - target.low) if np.isfinite(target.high - target.low) else 0.0
    nearest, score = _nearest_on(candidate.easier_ones(rng), aim, near, scored)
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
    path: Sequence[CandidatePuzzle],
    aim: float,
    near: float,
    scored: Callable[[CandidatePuzzle], float],
) -> tuple[CandidatePuzzle, float]:
    """A candidate on a path of falling scores within `near` of the aim, or the nearest one scored.

    The aim is bracketed between a candidate too hard and one too easy, and located by linear
    interpolation. The hard end of the path takes longest to score, so it waits until a candidate
    has turned out too easy.
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

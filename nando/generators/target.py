"""What a search for puzzles is given: a source of candidates, a range of scores, an effort."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle

_MARGIN = 0.15
"""Share of the range, at either end, in which a rough score is not confirmed."""


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
    rough : callable or None
        ``rough(puzzles, rng)`` returns cheaper and rougher scores of many puzzles, or None where it
        cannot; a puzzle whose rough score is beyond the range by more than `rough_error` is seldom
        in it.
    rough_error : float

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
    rough: Callable[[Sequence[Puzzle], np.random.Generator], NDArray[np.float64] | None] | None = (
        None
    )
    rough_error: float = 0.0

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

    def may_be_inside(self, rough: float) -> bool:
        """Whether a puzzle of this rough score may lie in the range."""
        return self.low - self.rough_error <= rough <= self.high + self.rough_error

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

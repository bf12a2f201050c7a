"""The inputs of a search for puzzles: a source of candidates, a range of scores, an effort."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.checks import how_many
from nando.puzzles import Puzzle

MOST_SCORED = 3_000
"""Default number of puzzles scored for one puzzle before its target counts as out of reach. A
source may set a smaller one."""

_AROUND = 0.35
"""Share of the range within which a rough score is near an aim."""


Condition = Callable[[Sequence[Puzzle]], NDArray[np.bool_]]
"""Returns for each of several puzzles of a kind whether it may be accepted."""


class CandidatePuzzle(Protocol):
    """A puzzle with one solution, and the puzzles it can become. It is immutable."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle itself."""
        ...

    def easier_ones(self, rng: np.random.Generator) -> "EasierPuzzles":
        """Return the candidate and easier ones made from it, by falling difficulty."""
        ...

    def moves(self, rng: np.random.Generator, *, harder: bool) -> Iterator["CandidatePuzzle"]:
        """Return the puzzles near this one, in random order; perhaps none."""
        ...


class EasierPuzzles(Protocol):
    """Candidates by falling difficulty, each made when it is requested."""

    def __len__(self) -> int: ...
    def __getitem__(self, step: int) -> CandidatePuzzle: ...


class FailedDraw(NamedTuple):
    """How near a draw came that gave no suitable puzzle.

    Attributes
    ----------
    distance : int
        0 would be a suitable puzzle.
    reached : str
        What it reached in words, for example ``20 givens``.
    weight : int
        Failed draws for which it counts: hopeless wishes are given up sooner.
    """

    distance: int
    reached: str
    weight: int = 1


class Source(Protocol):
    """Draws new puzzles.

    A source may have the attributes `most_scored`, `most_failed` and `most_seconds`, the default
    bounds of :class:`Effort`, `at_once`, the number of puzzles that a draw looks at, and `hint`,
    advice if no draw succeeds.
    """

    def draw(self, rng: np.random.Generator) -> CandidatePuzzle | FailedDraw | None:
        """Return a new puzzle, about as hard as its solution allows.

        If the draw failed, return how near it came, or None.
        """
        ...


@runtime_checkable
class ManySource(Source, Protocol):
    """A source that may draw many puzzles in one call, each in less time than a score takes."""

    @property
    def draws_many(self) -> bool:
        """True if the source draws many puzzles in one call."""
        ...

    def draw_many(
        self, streams: NDArray[np.int64], *, hashed: bool = False
    ) -> Sequence[CandidatePuzzle | None]:
        """Draw a puzzle from each stream of :mod:`nando.kernels.streams`; None if that failed.

        The streams, shape (n, 4), are advanced. The puzzle of a stream does not depend on others.
        If `hashed`, equivalence hashes are computed too, at once: most puzzles will need them.
        """
        ...


Step = Callable[[Sequence[Puzzle]], tuple[Floats, Floats]]
"""Returns the expected score of each puzzle and the standard deviation of the score around it."""


class Judge(Protocol):
    """Scores puzzles: numbers that rise with difficulty, equal for the same puzzle.

    :class:`nando.rating.Ladder` scores by the ratings of a model, and :meth:`Target.by` makes a
    judge of any function.
    """

    @property
    def screens(self) -> tuple[Step, ...]:
        """The steps that judge all puzzles of a source that draws many, the cheapest first.

        They drop puzzles that are unlikely to be in the range. Without screens, the estimates
        judge one puzzle at a time.
        """
        ...

    @property
    def checks(self) -> tuple[Step, ...]:
        """The steps that judge the few remaining puzzles, the cheapest first.

        In every search the last one decides: puzzles are accepted if their scores are in the range
        by their errors.
        """
        ...

    @property
    def margin(self) -> float:
        """Share of a range, at either end, in which an estimate is too near a bound to be checked.

        It is 0 for exact estimates.
        """
        ...

    def estimates(self, puzzle: Puzzle) -> Iterator[tuple[float, float]]:
        """Yield expected scores of a puzzle and their standard errors, the cheapest first."""
        ...

    def time(self, scores: Floats) -> Floats:
        """Return how long the checks take for puzzles with these scores; only ratios count."""
        ...

    def words(self, score: float) -> str:
        """Return a score as messages show it."""
        ...


@dataclass(frozen=True)
class Target:
    """A range of scores.

    Parameters
    ----------
    low, high : float
        Bounds of the range.
    judge : Judge
        Scores puzzles.
    aims : tuple of float or None
        Each search aims at a score drawn between these two, which spreads the puzzles of a batch
        over a wide range. None: the middle of the range, or its finite bound.

    Raises
    ------
    ValueError
        For an empty range.
    """

    low: float
    high: float
    judge: Judge
    aims: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"the target's range is empty: {self.low!r} to {self.high!r}")

    @classmethod
    def by(
        cls, score: Any, low: float, high: float, *, aims: tuple[float, float] | None = None
    ) -> Self:
        """Return a target for scores of your own.

        Parameters
        ----------
        score : callable, or model of scikit-learn
            ``score(puzzles)``, or ``score.predict(puzzles)``, returns a number for each puzzle
            that rises with its difficulty.
        low, high, aims
            As for :class:`Target`.

        Examples
        --------
        >>> target = Target.by(lambda puzzles: [-p.n_givens for p in puzzles], -30, -28)
        >>> target.judge.words(-29.0)
        '-29'
        """
        return cls(low, high, _Scores(getattr(score, "predict", score)), aims)

    def aim(self, rng: np.random.Generator) -> float:
        """Draw the score that one search aims at."""
        if self.aims is not None:
            return float(rng.uniform(*self.aims))
        if np.isinf(self.low) or np.isinf(self.high):
            return self.high if np.isinf(self.low) else self.low
        return (self.low + self.high) / 2.0

    def around(self, aim: float) -> tuple[float, float]:
        """Return the part of the range in which a search with this aim accepts a rough score.

        This is the whole range, unless aims are drawn from it to spread the puzzles.
        """
        if self.aims is None or self.aims[0] == self.aims[1]:
            return self.low, self.high
        width = self.high - self.low
        if not np.isfinite(width):
            width = self.aims[1] - self.aims[0]
        return max(self.low, aim - _AROUND * width), min(self.high, aim + _AROUND * width)

    @property
    def margin(self) -> float:
        """The distance from the bounds of the range that an estimate must keep."""
        width = self.high - self.low
        return self.judge.margin * width if np.isfinite(width) else 0.0

    def is_well_inside(self, score: float) -> bool:
        """Return True if an estimate lies in the range and away from its bounds."""
        return self.low + self.margin <= score <= self.high - self.margin

    def estimate(self, puzzle: Puzzle) -> float:
        """Return the first estimate that misses the range by more than its error, or the last."""
        score = math.nan
        for score, error in self.judge.estimates(puzzle):
            if score < self.low - error or score > self.high + error:
                break
        return score

    def decide(self, puzzles: Sequence[Puzzle]) -> tuple[NDArray[np.bool_], Floats]:
        """Return True for each puzzle that is in the range, and the scores that decide."""
        scores, errors = self.judge.checks[-1](puzzles)
        return (self.low <= scores - errors) & (scores + errors <= self.high), scores


@dataclass(frozen=True)
class _Scores:
    """A judge by a function that returns the exact scores of puzzles."""

    score: Callable[[Sequence[Puzzle]], Any]
    margin: float = 0.0

    @property
    def screens(self) -> tuple[Step, ...]:
        return (self.exactly,)

    @property
    def checks(self) -> tuple[Step, ...]:
        return (self.exactly,)

    def exactly(self, puzzles: Sequence[Puzzle]) -> tuple[Floats, Floats]:
        scores = np.asarray(self.score(puzzles), np.float64)
        if scores.shape != (len(puzzles),):
            raise ValueError(
                f"a score returns one number for each of {how_many(len(puzzles), 'puzzle')}, got "
                f"an array of the shape {scores.shape}"
            )
        return scores, np.zeros(len(puzzles))

    def estimates(self, puzzle: Puzzle) -> Iterator[tuple[float, float]]:
        yield float(self.exactly([puzzle])[0][0]), 0.0

    def time(self, scores: Floats) -> Floats:
        return np.ones_like(scores)

    def words(self, score: float) -> str:
        return f"{score:.4g}"


@dataclass
class Effort:
    """The work that a search has spent, and the nearest puzzle it has seen.

    Attributes
    ----------
    most_scored : int
        Puzzles that may be scored before the search ends.
    most_failed : int or None
        Weight of the draws that may fail before the first puzzle; None: as many draws as puzzles
        may be scored.
    most_seconds : float or None
        Seconds from the beginning after which the search ends. They never change which puzzle is
        found, only whether one is.
    begun : float
        Reading of the monotonic clock at the beginning.
    drawn, failed, scored, confirmed : int
        Draws, those that failed, and puzzles scored and confirmed.
    failed_weight : int
    nearest_failed : FailedDraw or None
        The failed draw that came nearest.
    nearest : Puzzle or None
    nearest_score : float
    least_score, greatest_score : float
        Bounds of the scores so far.
    """

    most_scored: int
    most_failed: int | None = None
    most_seconds: float | None = None
    begun: float = field(default_factory=time.monotonic, repr=False, compare=False)
    drawn: int = 0
    failed: int = 0
    failed_weight: int = 0
    scored: int = 0
    confirmed: int = 0
    nearest_failed: FailedDraw | None = None
    nearest: Puzzle | None = None
    nearest_score: float = field(default=float("nan"))
    least_score: float = field(default=float("inf"))
    greatest_score: float = field(default=float("-inf"))

    @property
    def is_spent(self) -> bool:
        """True if the search must end. Failed draws count, too."""
        if self.is_late:
            return True
        if self.drawn == self.failed and self.failed_weight >= (self.most_failed or math.inf):
            return True
        return self.scored >= self.most_scored or self.drawn >= self.most_scored

    @property
    def is_late(self) -> bool:
        """True if the time is up."""
        return time.monotonic() - self.begun >= (self.most_seconds or math.inf)

    def note_failed(self, failed: FailedDraw | None, at_once: int = 1) -> None:
        """Record a failed draw, or several."""
        self.failed += at_once
        self.failed_weight += at_once if failed is None else at_once * failed.weight
        if failed is not None and (self.nearest_failed is None or failed < self.nearest_failed):
            self.nearest_failed = failed

    def note(self, puzzle: Puzzle, score: float, aim: float) -> None:
        """Record a scored puzzle."""
        self.scored += 1
        self.least_score = min(self.least_score, score)
        self.greatest_score = max(self.greatest_score, score)
        if self.nearest is None or abs(score - aim) < abs(self.nearest_score - aim):
            self.nearest, self.nearest_score = puzzle, score

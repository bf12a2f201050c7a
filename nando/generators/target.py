"""The inputs of a search for puzzles: a source of candidates, a range of scores, an effort."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle

MOST_SCORED = 3_000
"""Default number of puzzles scored for one puzzle before its target counts as out of reach. A
source may set a smaller one."""

_MARGIN = 0.15
"""Share of the range, at either end, in which a rough score is not confirmed."""

_AROUND = 0.35
"""Share of the range within which a rough score is near an aim."""


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
    """

    distance: int
    reached: str


class Source(Protocol):
    """Draws new puzzles.

    A source may have the attributes `most_scored` and `most_failed`, the default bounds of
    :class:`Effort`, and `hint`, advice if no draw succeeds.
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

    def draw_many(self, streams: NDArray[np.int64]) -> Sequence[CandidatePuzzle | None]:
        """Draw a puzzle from each stream of :mod:`nando.kernels.streams`; None if that failed.

        The streams, shape (n, 4), are advanced. The puzzle of a stream does not depend on others.
        """
        ...


Judge = Callable[[Sequence[Puzzle]], tuple[NDArray[np.float64], NDArray[np.float64]]]
"""Returns the expected score of each puzzle and the standard deviation of the score around it."""


def _as_number(score: float) -> str:
    return f"{score:.4g}"


@dataclass(frozen=True)
class Target:
    """A range of scores, and how puzzles are scored.

    Parameters
    ----------
    low, high : float
        Bounds of the range.
    score : callable
        ``score(puzzle)`` returns a float that rises with difficulty; cheap, perhaps rough. It
        must give the same puzzle the same score.
    confirm : callable or None
        ``confirm(puzzle)`` returns the least and the largest score that rating the puzzle again
        is likely to give; a puzzle is accepted if both are in the range. None: `score` is exact.
    aims : tuple of float or None
        Each search aims at a score drawn between these two, which spreads the puzzles of a batch
        over a wide range. None: the middle of the range, or its finite bound.
    unit : callable
        Turns a score into words for messages.
    screens, checks : tuple of callable
        For sources that draw many puzzles at once. ``judge(puzzles)`` returns the scores to expect
        of many puzzles and their standard errors. Screens judge all puzzles that are drawn, and
        checks judge the few that remain. Both are sorted with the cheapest first, and drop puzzles
        that are unlikely to be in the range. The last check decides: it accepts puzzles whose
        score is in the range by its error. Without judges, `score` and `confirm` do this singly.
    time : callable or None
        ``time(scores)`` returns how long the checks take for puzzles with these expected scores;
        only ratios count. None: all checks take equally long.

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
    screens: tuple[Judge, ...] = ()
    checks: tuple[Judge, ...] = ()
    time: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"the target's range is empty: {self.low!r} to {self.high!r}")

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
        """The distance from the bounds of the range that a rough score must keep."""
        if self.confirm is None or not np.isfinite(self.high - self.low):
            return 0.0
        return _MARGIN * (self.high - self.low)

    def is_well_inside(self, score: float) -> bool:
        """Return True if a rough score lies in the range and away from its bounds."""
        return self.low + self.margin <= score <= self.high - self.margin

    def confirmed(self, puzzle: Puzzle) -> tuple[float, float]:
        """Return the better score of a puzzle, and how far from it another rating may be."""
        if self.confirm is None:
            return self.score(puzzle), 0.0
        low, high = self.confirm(puzzle)
        return (low + high) / 2.0, (high - low) / 2.0


@dataclass
class Effort:
    """The work that a search has spent, and the nearest puzzle it has seen.

    Attributes
    ----------
    most_scored : int
        Puzzles that may be scored before the search ends.
    most_failed : int or None
        Draws that may fail before the first puzzle; None: as many as puzzles may be scored.
    drawn, failed, scored, confirmed : int
        Draws, those that failed, and puzzles scored and confirmed.
    nearest_failed : FailedDraw or None
        The failed draw that came nearest.
    nearest : Puzzle or None
    nearest_score : float
    least_score, greatest_score : float
        Bounds of the scores so far.
    """

    most_scored: int
    most_failed: int | None = None
    drawn: int = 0
    failed: int = 0
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
        if self.drawn == self.failed == self.most_failed:
            return True
        return self.scored >= self.most_scored or self.drawn >= self.most_scored

    def note_failed(self, failed: FailedDraw | None) -> None:
        """Record a failed draw."""
        self.failed += 1
        if failed is not None and (self.nearest_failed is None or failed < self.nearest_failed):
            self.nearest_failed = failed

    def note(self, puzzle: Puzzle, score: float, aim: float) -> None:
        """Record a scored puzzle."""
        self.scored += 1
        self.least_score = min(self.least_score, score)
        self.greatest_score = max(self.greatest_score, score)
        if self.nearest is None or abs(score - aim) < abs(self.nearest_score - aim):
            self.nearest, self.nearest_score = puzzle, score

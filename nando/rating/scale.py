"""The common scale of difficulty: a hierarchical model of the times and levels of many crowds.

A puzzle's expected time is a sum of parts (:mod:`nando.rating.parts`). For crowd c it is ::

    z_c = log(sum over parts k of part_k * exp(w_k + d_ck))
    log time = a_c + b_c * (z_c - z_0) + noise

The weights w are those of all people, and the deviations d those of a crowd. Priors draw both
towards 0 and the slope b towards 1, so that a crowd with few data is like the others (partial
pooling). The noise of a time is Student's t, so that outliers move little; its variance is
s_c**2, plus q_c**2 / n for a mean over a known number n of players. For a crowd that gives only
levels, thresholds divide the scale into levels (cumulative logit). The fit finds the mode of the
posterior distribution.

Source: Gelman & Hill 2007, chapters 11 to 13 (partial pooling); McCullagh 1980 (cumulative logit).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.arrays import Floats
from nando.rating.parts import PARTS, THOUGHT
from nando.rating.reach import GenreLevels, Reach
from nando.records import Settings, above_zero, between, of_length, setting

OFFSET_SPREAD = 0.7
"""Prior standard deviation of a crowd's offset from that of the typical crowd. Half of all crowds
are slower or faster by a factor of more than 1.6."""

OWN = "own"
"""Name of a crowd that was given without a name."""


@dataclass(frozen=True)
class CrowdTimes:
    """Times of a crowd.

    Attributes
    ----------
    parts : ndarray of float64, shape (n_puzzles, len(PARTS))
    log_seconds : ndarray of float64, shape (n_puzzles,)
    players : ndarray of float64, shape (n_puzzles,), or None
        Number of players behind each time.
    typical : bool
        Whether this crowd is part of the mean that defines the typical crowd. False if the times
        are not those of a whole crowd, for example the best time of each puzzle.
    """

    parts: Floats
    log_seconds: Floats
    players: Floats | None = None
    typical: bool = True

    def subset(self, rows: NDArray[np.intp]) -> "CrowdTimes":
        """Return the times in these rows."""
        players = None if self.players is None else self.players[rows]
        return CrowdTimes(self.parts[rows], self.log_seconds[rows], players, self.typical)


@dataclass(frozen=True)
class CrowdLevels:
    """Levels of a crowd or a publisher.

    Attributes
    ----------
    parts : ndarray of float64, shape (n_puzzles, len(PARTS))
    levels : ndarray of int64, shape (n_puzzles,)
        Levels from 0, the easiest.
    """

    parts: Floats
    levels: NDArray[np.int64]


@dataclass(frozen=True)
class Crowd(Settings):
    """A fitted crowd.

    Attributes
    ----------
    deviations : tuple of float
        Deviations of the logarithm of each part's weight.
    offset, slope : float
        Log seconds at the reference difficulty, and their change per unit of difficulty. For
        levels the offset is 0, and the slope is that of the logit.
    noise, player_noise : float
        Standard deviation of a log time, and its increase for the time of a single player.
    thresholds : tuple of float
        Upper boundaries of the levels on the logit scale; empty for times.
    n_puzzles : int
        Number of puzzles of the fit; ``puzzles`` in a file.
    """

    deviations: tuple[float, ...]
    offset: float
    slope: float
    noise: float
    player_noise: float = 0.0
    thresholds: tuple[float, ...] = ()
    n_puzzles: int = setting(0, between(0), named="puzzles")


@dataclass(frozen=True)
class Line(Settings):
    """A line from a difficulty, or from predicted log seconds, to log seconds.

    Attributes
    ----------
    reference : float
        Where the line has its offset.
    offset, slope : float
        Log seconds at the reference, and their change.
    """

    reference: float
    offset: float
    slope: float

    def at(self, place: Floats) -> Floats:
        """Return the log seconds at a place."""
        return np.asarray(self.offset + self.slope * (place - self.reference))

    def place_of(self, log_seconds: Floats) -> Floats:
        """Return the place with these log seconds."""
        return np.asarray(self.reference + (log_seconds - self.offset) / self.slope)


@dataclass(frozen=True)
class Scale(Settings):
    """The common scale of difficulty.

    Attributes
    ----------
    weights : tuple of float
        Logarithm of each part's weight, relative to the initial weight.
    reference : float
        Difficulty at which the lines of crowds have their offsets.
    offset, slope : float
        Line of the typical crowd: the means over the crowds with times.
    offset_spread, slope_spread : float
        Standard deviations of the crowds' offsets and slopes about these means.
    crowds : dict of str to Crowd
        The crowds by name; none for kinds of puzzle that no crowd was timed on.
    puzzle_spread : float
        Standard deviation of a puzzle's log time about the line, if there are no crowds, whose
        errors are known.
    least : float or None
        Difficulty of the easiest puzzle that anyone was timed on. Below it times are proportional
        to looks, whatever the slope. None: the line has no end.
    """

    weights: tuple[float, ...]
    reference: float
    offset: float
    slope: float
    offset_spread: Annotated[float, above_zero]
    slope_spread: Annotated[float, above_zero]
    crowds: dict[str, Crowd] = field(default_factory=dict)
    puzzle_spread: float = setting(0.0, between(0))
    least: float | None = None

    def difficulty(self, parts: Floats, crowd: str | None = None) -> Floats:
        """Return the log difficulty for all people or for a crowd, shape ``(n_puzzles,)``."""
        return np.asarray(np.log(np.add.reduce(self.weigh(parts, crowd), axis=1)))

    def weigh(self, parts: Floats, crowd: str | None = None) -> Floats:
        """Weigh the parts as all people or a crowd do, shape ``(n_puzzles, n_parts)``."""
        logs = np.array(self.weights)
        if crowd is not None:
            logs = logs + self.crowds[crowd].deviations
        return np.asarray(parts * np.exp(logs))

    def log_seconds(self, parts: Floats, crowd: str | None = None) -> Floats:
        """Return the expected log seconds for the typical crowd or for a named crowd."""
        return self.on_line(self.difficulty(parts, crowd), crowd)

    def line(self, crowd: str | None = None) -> "Scale | Crowd":
        """Return the owner of the offset and slope of the typical crowd or of a named crowd."""
        return self if crowd is None else self.crowds[crowd]

    def on_line(self, difficulty: Floats, crowd: str | None = None) -> Floats:
        """Return the log seconds at a difficulty."""
        line, below = self.line(crowd), np.minimum(difficulty - self._least, 0.0)
        return np.asarray(line.offset + line.slope * (difficulty - below - self.reference) + below)

    def difficulty_at(self, log_seconds: Floats, crowd: str | None = None) -> Floats:
        """Return the difficulty with expected log seconds."""
        line = self.line(crowd)
        difficulty = self.reference + (log_seconds - line.offset) / line.slope
        below = np.minimum(difficulty - self._least, 0.0)
        return np.asarray(np.where(below < 0.0, self._least + line.slope * below, difficulty))

    @property
    def _least(self) -> float:
        return -np.inf if self.least is None else self.least

    def spread(self, difficulty: Floats) -> Floats:
        """Return the standard deviation of log times of an unknown crowd about the line."""
        of_slope = self.slope_spread * (difficulty - self.reference)
        return np.sqrt(self.offset_spread**2 + of_slope**2 + self.puzzle_spread**2)


def check_players(players: ArrayLike | None, n: int) -> Floats | None:
    """Return the numbers of players as floats; ValueError unless each time has one above 0."""
    if players is None:
        return None
    values = np.asarray(players, dtype=np.float64)
    if values.shape != (n,) or not (np.isfinite(values).all() and (values > 0).all()):
        raise ValueError("players must be a number above 0 for each time")
    return values


def check_crowds(crowd: str | Sequence[str] | None, n: int) -> NDArray[np.str_]:
    """Return the crowd of each time; ValueError for other than one name, or one for each time."""
    if crowd is None or isinstance(crowd, str):
        names = np.full(n, OWN if crowd is None else crowd)
    else:
        names = np.array(list(crowd), dtype=np.str_)
    if names.shape != (n,):
        raise ValueError(f"{len(names)} names of crowds for {n} times: give one for each")
    if n > 1 and len(set(names.tolist())) == n:
        raise ValueError("every time is of another crowd: give crowds with several times")
    if "" in names:
        raise ValueError("a crowd must have a name, got ''")
    return names


LEVELS = np.round(np.linspace(0.0, 1.0, 201), 3)
"""Levels at which models keep quantiles of their errors."""


_LEAST = 0.02


@dataclass(frozen=True)
class Missed(Settings):
    """The distribution of the errors of predictions.

    Attributes
    ----------
    base, thought : float
        Spread of log seconds for a puzzle without thought, and its increase for thought alone.
    quantiles : tuple of float
        Quantiles of actual minus predicted log seconds, in spreads, at `LEVELS`.
    """

    base: Annotated[float, above_zero]
    thought: float
    quantiles: Annotated[tuple[float, ...], of_length(len(LEVELS))]

    @classmethod
    def of(cls, missed: Floats, thought: Floats, weight: Floats | None = None) -> Self:
        """Fit to the errors on held-out puzzles and their shares of thought."""
        from scipy.optimize import nnls

        # The mean absolute deviation of a normal variable is 0.8 of its spread.
        design = np.stack([np.ones_like(thought), thought], axis=1)
        weight = np.ones_like(thought) if weight is None else weight
        root = np.sqrt(weight)
        base, slope = nnls(design * root[:, None], np.abs(missed) / 0.8 * root)[0]
        base = max(float(base), _LEAST)
        scaled = missed / (base + slope * thought)
        return cls(_plain(base), _plain(slope), tuple(map(_plain, quantiles(scaled, weight))))

    def spread(self, thought: Floats) -> Floats:
        """Return the spread of log seconds of each puzzle."""
        return np.asarray(self.base + self.thought * thought)

    def ends(self, thought: Floats, coverage: float) -> tuple[Floats, Floats]:
        """Return how far the interval reaches below and above each prediction, in log seconds."""
        tail = (1.0 - coverage) / 2.0
        low, high = np.interp([tail, 1.0 - tail], LEVELS, self.quantiles)
        spread = self.spread(thought)
        return max(-low, 0.0) * spread, max(high, 0.0) * spread


def _plain(value: float) -> float:
    return float(f"{value:.6g}")


_THOUGHT = np.array([part.name in THOUGHT for part in PARTS])


@dataclass(frozen=True)
class CommonScale:
    """A scale with everything that ratings on it need.

    Attributes
    ----------
    scale : Scale
    missed : dict of str to Missed
        The errors of predictions for each crowd; "" stands for an unknown crowd. Empty if no crowd
        was timed: then errors are normal, with the spreads of the scale.
    reach : Reach
        The range of the puzzles behind the scale.
    model_id : str
        Id of the model from which the scale comes.
    timed : int or None
        Number of times to which a line without crowds was fitted; None for a scale of crowds.
    sudoku : Line or None
        The typical crowd's line for Sudoku, by which a variant without rules has a Sudoku's grade.
    levels : mapping of str to GenreLevels
        The levels of each genre of variants of which enough puzzles are known.
    """

    scale: Scale
    missed: dict[str, Missed]
    reach: Reach
    model_id: str = ""
    timed: int | None = None
    sudoku: Line | None = None
    levels: Mapping[str, GenreLevels] = field(default_factory=dict)


def thought_of(scale: Scale, parts: Floats, crowd: str | None = None) -> Floats:
    """Return the share of each puzzle's time spent on steps beyond singles."""
    weighted = scale.weigh(parts, crowd)
    thought: Floats = weighted[:, _THOUGHT].sum(axis=1) / weighted.sum(axis=1)
    return thought


def quantiles(values: Floats, weight: Floats) -> Floats:
    """Return weighted quantiles at `LEVELS`."""
    order = np.argsort(values, kind="stable")
    shares = np.cumsum(weight[order]) - 0.5 * weight[order]
    return np.interp(LEVELS, shares / weight.sum(), values[order])

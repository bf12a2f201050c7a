"""A rater as callables for a single puzzle: what the search for a wanted difficulty is given.

The draws of a score depend on the seed and on the puzzle alone, so the same puzzle always has the
same score, wherever it comes up in a search.
"""

import zlib

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle
from nando.rating.groups import feature_names, find_groups
from nando.rating.rater import DifficultyRater

GUESS_RUNS = 8
"""Runs of each solver behind a guess: its noise is about 3 % of the time."""

_BATCHES = 5
"""Ratings whose mean and spread a confirmation goes by."""

_TYPICAL_NOISE = 0.015
"""Standard deviation of the log seconds of one rating with 30 runs, as a rule."""

_WEIGHT = 3
"""How many ratings that is worth beside those of a puzzle itself."""

_REACH = 4.0
"""A new rating is expected within so many standard deviations."""


class Scorer:
    """Predicted log seconds of single puzzles.

    Parameters
    ----------
    rater : DifficultyRater
    runs : int or None
        Runs of each solver behind a rating; None takes each feature group's own.
    random_state : int
        Seed.
    """

    def __init__(
        self, rater: DifficultyRater, *, runs: int | None = None, random_state: int = 0
    ) -> None:
        self.rater = rater
        self.runs = runs
        self.random_state = random_state
        features = rater.solver_features
        self._groups = find_groups(features.groups)
        names = feature_names(features.groups)
        self._places = [names.index(column) for column in rater.columns]

    def guess(self, puzzle: Puzzle) -> float:
        """Log seconds from few runs."""
        return float(self._log_seconds(puzzle, [0], GUESS_RUNS)[0])

    def confirm(self, puzzle: Puzzle) -> tuple[float, float]:
        """Log seconds within which ratings with other seeds are expected.

        The mean of a few ratings, and on either side 4 standard deviations of the difference
        between it and a new one. Their spread is taken together with what is typical. Where
        nothing is drawn, ratings are all the same.
        """
        first = self._log_seconds(puzzle, [1, 2], self.runs)
        if first[0] == first[1]:
            return float(first[0]), float(first[0])
        rest = self._log_seconds(puzzle, range(3, 1 + _BATCHES), self.runs)
        ratings = np.concatenate([first, rest])
        runs = self.runs or max(group.runs for group in self._groups)
        typical = _TYPICAL_NOISE**2 * 30 / runs
        variance = (ratings.var() * _BATCHES + typical * _WEIGHT) / (_BATCHES - 1 + _WEIGHT)
        reach = _REACH * float(np.sqrt(variance * (1 + 1 / _BATCHES)))
        middle = float(ratings.mean())
        return middle - reach, middle + reach

    def _log_seconds(
        self, puzzle: Puzzle, batches: range | list[int], runs: int | None
    ) -> NDArray[np.float64]:
        name = zlib.crc32(puzzle.text.encode())
        rows = []
        for batch in batches:
            stream = np.random.SeedSequence(self.random_state, spawn_key=(batch, name))
            rng = np.random.default_rng(stream)
            row: list[float] = []
            for group in self._groups:
                row.extend(group.compute(puzzle, runs or group.runs, rng))
            rows.append([row[place] for place in self._places])
        return self.rater.log_seconds(np.array(rows))


def runs_for(tolerance: float) -> int:
    """Runs after which ratings of one puzzle agree well within `tolerance` (a share of the time).

    Examples
    --------
    >>> runs_for(0.10), runs_for(0.02)
    (30, 652)
    """
    room = 0.65 * float(np.log1p(tolerance))
    return max(30, int(np.ceil(30 * (_REACH * _TYPICAL_NOISE / room) ** 2)))

"""A rater as callables for a single puzzle: what the search for a wanted difficulty is given.

The draws of a score depend on the seed and on the puzzle alone, so the same puzzle always has the
same score, wherever it comes up in a search.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from nando.features.feature import FeatureGroup
from nando.features.groups import find_groups
from nando.puzzles import Puzzle
from nando.rating.rater import DifficultyRater

GUESS_RUNS = 8
"""Runs of each solver behind a guess: its noise is about 3 % of the time."""

QUICK_GROUPS = ("givens", "search_time", "digit_sweep")
"""Feature groups that take no longer for a puzzle beyond singles than for an easy one."""

_FAR = 0.15
"""Log seconds by which a puzzle beyond the wanted range is judged by the quick groups alone. What
they say is 0.03 off for easy puzzles and 0.1 for hard ones, as a rule."""

_BATCHES = 3
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
        self._groups = find_groups(rater.solver_features.groups)
        self._quick = [group for group in self._groups if group.name in QUICK_GROUPS]
        self._slow = [group for group in self._groups if group.name not in QUICK_GROUPS]
        self._generators: list[np.random.Generator] = []

    def guess(self, puzzle: Puzzle, wanted: tuple[float, float] | None = None) -> float:
        """Log seconds from few runs.

        Parameters
        ----------
        puzzle : Puzzle
        wanted : tuple of float or None
            Least and largest log seconds wanted. A puzzle far beyond them is judged by
            :data:`QUICK_GROUPS` alone.
        """
        with self._stream(0, puzzle) as rng:
            columns = self._computed(self._quick, puzzle, GUESS_RUNS, rng)
            if wanted is not None and columns:
                rough = self._from_some(columns)
                if rough < wanted[0] - _FAR or rough > wanted[1] + _FAR:
                    return rough
            columns |= self._computed(self._slow, puzzle, GUESS_RUNS, rng)
        return float(self._log_seconds([columns])[0])

    def confirm(self, puzzle: Puzzle) -> tuple[float, float]:
        """Log seconds within which ratings with other seeds are expected.

        The mean of a few ratings, and on either side 4 standard deviations of the difference
        between it and a new one. Their spread is taken together with what is typical. Where
        nothing is drawn, ratings are all the same.
        """
        first = self._ratings(puzzle, [1, 2])
        if first[0] == first[1]:
            return float(first[0]), float(first[0])
        rest = self._ratings(puzzle, range(3, 1 + _BATCHES))
        ratings = np.concatenate([first, rest])
        runs = self.runs or max(group.runs for group in self._groups)
        typical = _TYPICAL_NOISE**2 * 30 / runs
        variance = (ratings.var() * _BATCHES + typical * _WEIGHT) / (_BATCHES - 1 + _WEIGHT)
        reach = _REACH * float(np.sqrt(variance * (1 + 1 / _BATCHES)))
        middle = float(ratings.mean())
        return middle - reach, middle + reach

    def _ratings(self, puzzle: Puzzle, batches: Iterable[int]) -> NDArray[np.float64]:
        """Log seconds of as many ratings, each with its own draws."""
        rows = []
        for batch in batches:
            with self._stream(batch, puzzle) as rng:
                rows.append(self._computed(self._groups, puzzle, self.runs, rng))
        return self._log_seconds(rows)

    @contextmanager
    def _stream(self, batch: int, puzzle: Puzzle) -> Iterator[np.random.Generator]:
        """A generator for a batch of draws.

        One that kernels have met is set anew in a third of the time of a new one; each thread
        takes one for itself.
        """
        name = zlib.crc32(puzzle.text.encode())
        stream = np.random.SeedSequence(self.random_state, spawn_key=(batch, name))
        rng = self._generators.pop() if self._generators else np.random.default_rng(0)
        rng.bit_generator.state = np.random.PCG64(stream).state
        yield rng
        self._generators.append(rng)

    @staticmethod
    def _computed(
        groups: Iterable[FeatureGroup], puzzle: Puzzle, runs: int | None, rng: np.random.Generator
    ) -> dict[str, float]:
        """Columns of the groups."""
        columns: dict[str, float] = {}
        for group in groups:
            row = group.compute(puzzle, runs or group.runs, rng)
            columns |= zip((feature.name for feature in group.features), row, strict=True)
        return columns

    def _log_seconds(self, rows: Sequence[Mapping[str, float]]) -> NDArray[np.float64]:
        names = self.rater.columns
        return self.rater.log_seconds(np.array([[row[name] for name in names] for row in rows]))

    def _from_some(self, columns: Mapping[str, float]) -> float:
        """Log seconds as if the model's other columns were as hard as these."""
        rater = self.rater
        sum_of_known, known, all_of_them = 0.0, 0.0, 0.0
        for i, name in enumerate(rater.columns):
            all_of_them += abs(rater.coef_[i])
            if name in columns:
                known += abs(rater.coef_[i])
                sum_of_known += (columns[name] - rater.mean_[i]) / rater.scale_[i] * rater.coef_[i]
        return float(rater.intercept_ + sum_of_known * (all_of_them / known if known else 0.0))


def runs_for(tolerance: float) -> int:
    """Runs after which ratings of one puzzle agree well within `tolerance` (a share of the time).

    Examples
    --------
    >>> runs_for(0.10), runs_for(0.02)
    (30, 652)
    """
    room = 0.65 * float(np.log1p(tolerance))
    return max(30, int(np.ceil(30 * (_REACH * _TYPICAL_NOISE / room) ** 2)))

"""A rater as callables for a single puzzle: what the search for a wanted difficulty is given.

A guess takes few runs, with draws of its own. What is confirmed is the rating itself, the same
that every later rating of the puzzle, or of an equivalent one, gives.
"""

import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np

from nando.features.feature import FeatureGroup
from nando.features.groups import find_groups
from nando.puzzles import Puzzle
from nando.rating.base import Rater

GUESS_RUNS = 8
"""Runs of each solver behind a guess: its noise is about 3 % of the time."""

QUICK_GROUPS = ("givens", "search_time", "technique_race", "digit_sweep", "exact")
"""Feature groups that take no longer for a puzzle beyond singles than for an easy one."""


class Scorer:
    """Predicted log seconds of single puzzles.

    Parameters
    ----------
    rater : Rater
    random_state : int
        Seed of the guesses; ratings depend on none.
    """

    def __init__(self, rater: Rater, *, random_state: int = 0) -> None:
        self.rater = rater
        self.random_state = random_state
        self._groups = find_groups(rater.extractor.groups)
        self._quick = [group for group in self._groups if group.name in QUICK_GROUPS]
        self._slow = [group for group in self._groups if group.name not in QUICK_GROUPS]
        self._extractor = rater.extractor_for(n_jobs=None, runs=None)
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
        with self._stream(puzzle) as rng:
            columns = self._computed(self._quick, puzzle, rng)
            if wanted is not None and columns:
                rough = self.rater.rough_log_seconds(columns)
                error = self.rater.rough_error
                if rough < wanted[0] - error or rough > wanted[1] + error:
                    return rough
            columns |= self._computed(self._slow, puzzle, rng)
        row = np.array([[columns[name] for name in self.rater.columns]])
        return float(self.rater.log_seconds(row)[0])

    def confirm(self, puzzle: Puzzle) -> tuple[float, float]:
        """Least and largest log seconds of ratings of the puzzle: twice the same."""
        table = self.rater.class_columns([puzzle], self._extractor)
        rated = float(self.rater.log_seconds(table)[0])
        return rated, rated

    @contextmanager
    def _stream(self, puzzle: Puzzle) -> Iterator[np.random.Generator]:
        """A generator for the draws of a guess.

        One that kernels have met is set anew in a third of the time of a new one; each thread
        takes one for itself.
        """
        name = zlib.crc32(puzzle.text.encode())
        stream = np.random.SeedSequence(self.random_state, spawn_key=(0, name))
        rng = self._generators.pop() if self._generators else np.random.default_rng(0)
        rng.bit_generator.state = np.random.PCG64(stream).state
        yield rng
        self._generators.append(rng)

    @staticmethod
    def _computed(
        groups: Iterable[FeatureGroup], puzzle: Puzzle, rng: np.random.Generator
    ) -> dict[str, float]:
        """Columns of the groups."""
        columns: dict[str, float] = {}
        for group in groups:
            row = group.compute(puzzle, min(GUESS_RUNS, group.runs), rng)
            columns |= zip((feature.name for feature in group.features), row, strict=True)
        return columns

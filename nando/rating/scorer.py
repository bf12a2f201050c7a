"""A rater as callables for a single puzzle: what the search for a wanted difficulty is given.

A guess takes few runs, with draws of its own. What is confirmed is the rating itself, the same
that every later rating of the puzzle, or of an equivalent one, gives.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np

from nando.features.feature import FeatureGroup
from nando.features.groups import find_groups
from nando.puzzles import Puzzle, Sudoku
from nando.rating.base import Rater
from nando.solvers.people.sketch import Sketcher

ROUGH_RUNS = 2
"""Runs of each solver behind a guess that is far from the wanted range."""

GUESS_RUNS = 8
"""Runs behind any other guess: its noise is about 3 % of the time."""

QUICK_GROUPS = ("givens", "search_time", "technique_race", "digit_sweep", "exact")
"""Feature groups that take no longer for a puzzle beyond singles than for an easy one."""

_SKETCHED = frozenset({"technique_race", "digit_sweep", "exact"})
"""Those of them that a sketch of a 9x9 Sudoku gives."""


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
        self._sketches = bool(self._quick) and all(g.name in _SKETCHED for g in self._quick)
        self._key = hashlib.blake2b(str(random_state).encode(), digest_size=32).digest()
        self._rooms: list[tuple[np.random.Generator, Sketcher]] = []

    def guess(self, puzzle: Puzzle, wanted: tuple[float, float] | None = None) -> float:
        """Log seconds from few runs.

        Parameters
        ----------
        puzzle : Puzzle
        wanted : tuple of float or None
            Least and largest log seconds wanted. A puzzle far beyond them is judged by
            :data:`QUICK_GROUPS` and :data:`ROUGH_RUNS` alone.
        """
        with self._stream(puzzle) as (rng, sketcher):
            if self._sketches and isinstance(puzzle, Sudoku) and puzzle.order == 3:
                stages = _sketched(puzzle, self._quick, rng, sketcher)
            else:
                stages = (self._computed(self._quick, puzzle, rng) for _ in range(1))
            for columns in stages:
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
    def _stream(self, puzzle: Puzzle) -> Iterator[tuple[np.random.Generator, Sketcher]]:
        """A generator for the draws of a guess, and room for them; each thread takes its own."""
        rng, sketcher = self._rooms.pop() if self._rooms else (np.random.default_rng(0), Sketcher())
        name = hashlib.blake2b(puzzle.text.encode(), digest_size=32, key=self._key).digest()
        # To set a generator takes a tenth of the time of a new one.
        rng.bit_generator.state = {
            "bit_generator": "PCG64",
            "state": {
                "state": int.from_bytes(name[:16], "little"),
                "inc": int.from_bytes(name[16:], "little") | 1,
            },
            "has_uint32": 0,
            "uinteger": 0,
        }
        try:
            yield rng, sketcher
        finally:
            self._rooms.append((rng, sketcher))

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


def _sketched(
    puzzle: Sudoku, groups: Iterable[FeatureGroup], rng: np.random.Generator, sketcher: Sketcher
) -> Iterator[dict[str, float]]:
    """Columns of the groups from few runs, then from all runs of a guess."""
    race, visits, played = np.zeros(8), np.zeros(3), 0
    for runs in (ROUGH_RUNS, GUESS_RUNS):
        sketcher.play(puzzle.givens, runs - played, rng)
        race += sketcher.race
        visits += sketcher.visits
        played = runs
        found = {
            "technique_race": [float(81 - puzzle.n_givens), *(race / played).tolist()],
            "digit_sweep": np.log1p(visits / played).tolist(),
            "exact": [float(np.log1p(sketcher.guesses))],
        }
        yield {
            feature.name: value
            for group in groups
            for feature, value in zip(group.features, found[group.name], strict=True)
        }

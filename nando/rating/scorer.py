"""A rater as callables for a single puzzle: what the search for a wanted difficulty is given.

A guess takes few runs, with draws of its own. What is confirmed is the rating itself, the same
that every later rating of the puzzle, or of an equivalent one, gives.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from nando.features.feature import FeatureGroup
from nando.features.groups import find_groups
from nando.puzzles import Puzzle, Sudoku
from nando.rating.base import Rater
from nando.rating.classes import classes_of, members, stream_of
from nando.solvers.people.sketch import Sketcher

GUESS_RUNS = 8
"""Runs of each solver behind a guess: its noise is about 3 % of the time."""

SKETCH_RUNS = 2
"""The same for 9x9 Sudokus, with a noise of 5 %: what costs most is to confirm, at any noise."""

QUICK_GROUPS = ("givens", "search_time", "technique_race", "digit_sweep", "exact")
"""Feature groups that take no longer for a puzzle beyond singles than for an easy one."""

_SKETCHED = frozenset({"technique_race", "digit_sweep", "exact"})
"""Those of them that a sketch of a 9x9 Sudoku gives."""


_MOST_CLASSES = 64
"""Puzzles whose columns are kept: a puzzle is confirmed soon after it was guessed."""


@dataclass(frozen=True)
class _Class:
    """What is known of a puzzle's class: its member that is rated, and columns."""

    member: Puzzle
    stream: int
    columns: dict[str, float] = field(default_factory=dict)


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
        slow = [group for group in self._groups if group.name not in QUICK_GROUPS]
        # What is run once takes as long in a rating. It is computed as there, and not again.
        self._once = [group for group in slow if group.runs == 1]
        self._often = [group for group in slow if group.runs != 1]
        self._extractor = rater.extractor_for(n_jobs=None, runs=None)
        self._classes: dict[str, _Class] = {}
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
            :data:`QUICK_GROUPS` alone.
        """
        with self._stream(puzzle) as (rng, sketcher):
            if self._sketches and isinstance(puzzle, Sudoku) and puzzle.order == 3:
                columns = self._sketched(puzzle, rng, sketcher)
            else:
                columns = self._computed(self._quick, puzzle, rng)
            if wanted is not None and columns:
                rough = self.rater.rough_log_seconds(columns)
                error = self.rater.rough_error
                if rough < wanted[0] - error or rough > wanted[1] + error:
                    return rough
            columns |= self._computed(self._often, puzzle, rng)
        columns |= self._of_class(puzzle, self._once)
        row = np.array([[columns[name] for name in self.rater.columns]])
        return float(self.rater.log_seconds(row)[0])

    def confirm(self, puzzle: Puzzle) -> tuple[float, float]:
        """Least and largest log seconds of ratings of the puzzle: twice the same."""
        columns = self._of_class(puzzle, self._groups)
        row = np.array([[columns[name] for name in self.rater.columns]])
        rated = float(self.rater.log_seconds(row)[0])
        return rated, rated

    def _of_class(self, puzzle: Puzzle, groups: Sequence[FeatureGroup]) -> dict[str, float]:
        """Columns of the groups, as a rating has them; those of the latest puzzles are kept."""
        known = self._classes.get(puzzle.text)
        if known is None:
            (key,) = classes_of([puzzle])
            stream = stream_of(key)
            (member,) = members([(puzzle, key, stream)])
            known = _Class(member, stream)
            if len(self._classes) >= _MOST_CLASSES:
                self._classes.pop(next(iter(self._classes), ""), None)
            self._classes[puzzle.text] = known
        for group in groups:
            if group.features[0].name not in known.columns:
                # As the extractor does it for many; for one puzzle that takes longer.
                seed = np.random.SeedSequence(
                    self._extractor.random_state, spawn_key=(known.stream, group.number)
                )
                row = group.compute(
                    known.member,
                    self._extractor.runs or group.runs,
                    np.random.default_rng(seed),
                )
                names = (feature.name for feature in group.features)
                known.columns.update(zip(names, row, strict=True))
        return known.columns

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

    def _sketched(
        self, puzzle: Sudoku, rng: np.random.Generator, sketcher: Sketcher
    ) -> dict[str, float]:
        """Columns of the quick groups, in one call."""
        sketcher.play(puzzle.givens, SKETCH_RUNS, rng)
        found = {
            "technique_race": [81.0 - puzzle.n_givens, *(sketcher.race / SKETCH_RUNS).tolist()],
            "digit_sweep": np.log1p(sketcher.visits / SKETCH_RUNS).tolist(),
            "exact": [math.log1p(sketcher.guesses)],
        }
        columns: dict[str, float] = {}
        for group in self._quick:
            columns |= zip(
                (feature.name for feature in group.features), found[group.name], strict=True
            )
        return columns

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

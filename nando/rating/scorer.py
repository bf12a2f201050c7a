"""Judge single puzzles, for the search for a given difficulty.

A guess takes few runs with its own random draws. A confirmation is the rating itself, which equals
every later rating of the puzzle or of an equivalent one.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from nando.arrays import Floats
from nando.checks import whole
from nando.features.classes import classes_of, members, stream_of
from nando.features.extractor import random_streams
from nando.features.feature import FeatureGroup
from nando.features.groups import find_groups
from nando.puzzles import Puzzle, Sudoku
from nando.rating.base import Rater
from nando.solvers.exact.search import unique_solutions
from nando.solvers.people.sketch import Sketcher

GUESS_RUNS = 8
"""Runs of each solver for a guess, whose noise is about 3 % of the time."""

SKETCH_RUNS = 2
"""Runs for 9x9 Sudokus, with a noise of 5 %; the confirmations dominate the cost anyway."""

QUICK_GROUPS = ("givens", "search_time", "technique_race", "digit_sweep", "exact")
"""Feature groups that take no longer for a puzzle beyond singles than for an easy one."""

_SKETCHED = frozenset({"technique_race", "digit_sweep", "exact"})
"""The quick groups that a sketch of a 9x9 Sudoku computes."""


_MOST_CLASSES = 1024
"""Most puzzles whose columns are kept; a puzzle is rated soon after its steps are counted."""

_MOST_SKETCHES = 4096
"""Most puzzles whose sketches are kept until the steps of some of them are counted."""

Judged = tuple[Floats, Floats]
"""Expected log seconds of each puzzle, and the standard deviation of a rating around them."""

Judge = Callable[[Sequence[Puzzle]], Judged]


@dataclass(frozen=True)
class _Class:
    """A puzzle's class: the member that is rated, and the known columns by group."""

    member: Puzzle
    stream: int
    rows: dict[str, Floats] = field(default_factory=dict)


class Scorer:
    """Predicted log seconds of single puzzles.

    Parameters
    ----------
    rater : Rater
    random_state : int
        Seed of the guesses; ratings do not depend on a seed.
    """

    def __init__(self, rater: Rater, *, random_state: int = 0) -> None:
        self.rater = rater
        self.random_state = whole("random_state", random_state, 0)
        self._groups = find_groups(rater.extractor.groups)
        self._quick = [group for group in self._groups if group.name in QUICK_GROUPS]
        slow = [group for group in self._groups if group.name not in QUICK_GROUPS]
        # Groups that run once cost as much in a rating, so a guess uses the rating's columns.
        self._once = [group for group in slow if group.runs == 1]
        self._often = [group for group in slow if group.runs != 1]
        self._extractor = rater.extractor_for(n_jobs=None, runs=None)
        self._classes: dict[str, _Class] = {}
        self._sketches = bool(self._quick) and all(g.name in _SKETCHED for g in self._quick)
        self._key = hashlib.blake2b(str(random_state).encode(), digest_size=32).digest()
        self._sketchers: list[Sketcher] = []
        self._latest: dict[str, Floats] = {}

    def guess(self, puzzle: Puzzle, target: tuple[float, float] | None = None) -> float:
        """Estimate the log seconds from a few runs.

        Parameters
        ----------
        puzzle : Puzzle
        target : tuple of float or None
            Least and largest wanted log seconds. A puzzle far outside is judged by
            :data:`QUICK_GROUPS` alone.
        """
        if self._once and not self._quick:
            return self._guessed_by_once(puzzle, target)
        sketched = self._sketches and _is_9x9(puzzle)
        rng = self._generator(puzzle)
        columns = self._sketched([puzzle]) if sketched else self._computed(self._quick, puzzle, rng)
        if target is not None and columns:
            rough, error = (float(each[0]) for each in self.rater.rough(columns))
            if rough < target[0] - error or rough > target[1] + error:
                return rough
        columns |= self._computed(self._often, puzzle, rng)
        columns |= self._rows_of([puzzle], self._once)
        table = np.stack([columns[name] for name in self.rater.columns], axis=1)
        return float(self.rater.log_seconds(table)[0])

    def _guessed_by_once(self, puzzle: Puzzle, target: tuple[float, float] | None) -> float:
        """Judge by the columns that run once, and by the rating if the target may be reached."""
        if target is not None:
            rough, error = (float(each[0]) for each in self._rough_by_once(puzzle))
            if rough < target[0] - error or rough > target[1] + error:
                return rough
        return float(self.rated([puzzle])[0][0])

    def _rough_by_once(self, puzzle: Puzzle) -> Judged:
        return self.rater.rough(self._rows_of([puzzle], self._once))

    def confirm(self, puzzle: Puzzle) -> tuple[float, float]:
        """Return the least and largest log seconds of the puzzle's rating, which are equal."""
        rated = float(self.rated([puzzle])[0][0])
        return rated, rated

    # ---------------------------------------------------------------- many at once

    @property
    def screens(self) -> tuple[Judge, ...]:
        """The judges of many 9x9 Sudokus, cheapest first; none if the model needs other columns."""
        return (self.by_guesses, self.by_sketch) if self._sketches else ()

    @property
    def checks(self) -> tuple[Judge, ...]:
        """The judges of the few remaining puzzles; the last one computes the rating."""
        return (self.by_steps, self.rated) if self._sketches else ()

    def by_guesses(self, puzzles: Sequence[Puzzle]) -> Judged:
        """Judge by the guesses of the exact search alone, in a microsecond per puzzle."""
        guesses = unique_solutions(tuple(puzzles)).guesses
        return self.rater.rough({"exact_guesses": np.log1p(guesses)})

    def by_sketch(self, puzzles: Sequence[Puzzle]) -> Judged:
        """Judge by :data:`QUICK_GROUPS`, from :data:`SKETCH_RUNS` runs."""
        return self.rater.rough(self._sketched(puzzles))

    def by_steps(self, puzzles: Sequence[Puzzle]) -> Judged:
        """Judge by a sketch and by the columns that run once, for example the solver's steps."""
        return self.rater.rough(self._sketched(puzzles) | self._rows_of(puzzles, self._once))

    def rated(self, puzzles: Sequence[Puzzle]) -> Judged:
        """Judge by the ratings themselves."""
        columns = self._rows_of(puzzles, self._groups)
        table = np.stack([columns[name] for name in self.rater.columns], axis=1)
        return self.rater.log_seconds(table), np.zeros(len(puzzles))

    # ---------------------------------------------------------------- columns

    def _rows_of(
        self, puzzles: Sequence[Puzzle], groups: Sequence[FeatureGroup]
    ) -> dict[str, Floats]:
        """Return the columns of the groups as in a rating, and keep those of the latest puzzles."""
        columns: dict[str, Floats] = {}
        classes = self._classes_of(puzzles)
        for group in groups:
            new = [entry for entry in classes if group.name not in entry.rows]
            if new:
                rows = group.rows(
                    [entry.member for entry in new],
                    self._extractor.runs or group.runs,
                    random_streams(
                        self._extractor.random_state, [entry.stream for entry in new], group.number
                    ),
                )
                for entry, row in zip(new, np.asarray(rows, np.float64), strict=True):
                    entry.rows[group.name] = row
            table = np.array([entry.rows[group.name] for entry in classes])
            columns |= zip((feature.name for feature in group.features), table.T, strict=True)
        return columns

    def _classes_of(self, puzzles: Sequence[Puzzle]) -> list[_Class]:
        known = [self._classes.get(puzzle.text) for puzzle in puzzles]
        new = [puzzle for puzzle, entry in zip(puzzles, known, strict=True) if entry is None]
        if not new:
            return [entry for entry in known if entry is not None]
        if len(self._classes) + len(new) > _MOST_CLASSES:
            self._classes.clear()
        keys = classes_of(new)
        streams = [stream_of(key) for key in keys]
        drawn = members(list(zip(new, keys, streams, strict=True)))
        new_classes = iter(_Class(*each) for each in zip(drawn, streams, strict=True))
        classes = [next(new_classes) if entry is None else entry for entry in known]
        self._classes |= zip((puzzle.text for puzzle in puzzles), classes, strict=True)
        return classes

    def _generator(self, puzzle: Puzzle) -> np.random.Generator:
        """Return a generator for the draws of a guess."""
        name = hashlib.blake2b(puzzle.text.encode(), digest_size=32, key=self._key).digest()
        return np.random.default_rng(np.frombuffer(name, np.uint64))

    @contextmanager
    def _sketcher(self) -> Iterator[Sketcher]:
        """Lend a sketcher to one thread at a time."""
        try:
            sketcher = self._sketchers.pop()
        except IndexError:
            sketcher = Sketcher()
        try:
            yield sketcher
        finally:
            self._sketchers.append(sketcher)

    def _sketched(self, puzzles: Sequence[Puzzle]) -> dict[str, Floats]:
        """Return the columns of the quick groups, each of shape ``(n_puzzles,)``.

        The columns of the latest puzzles are kept.
        """
        fresh: dict[str, Floats] = {}
        known = [self._latest.get(puzzle.text) for puzzle in puzzles]
        new = [puzzle for puzzle, row in zip(puzzles, known, strict=True) if row is None]
        if new:
            fresh = dict(zip((puzzle.text for puzzle in new), self._played(new), strict=True))
            if len(self._latest) + len(new) > _MOST_SKETCHES:
                self._latest.clear()
            self._latest |= fresh
        rows = [
            fresh[puzzle.text] if row is None else row
            for puzzle, row in zip(puzzles, known, strict=True)
        ]
        names = [feature.name for group in self._quick for feature in group.features]
        return dict(zip(names, np.array(rows).T, strict=True))

    def _played(self, puzzles: Sequence[Puzzle]) -> Floats:
        """Return the columns of new sketches, shape ``(n_puzzles, n_columns)``."""
        givens = np.array([puzzle.givens for puzzle in puzzles], np.int8)
        with self._sketcher() as sketcher:
            race, visits, guesses = sketcher.play(givens, SKETCH_RUNS)
        columns = {
            "technique_race": [np.count_nonzero(givens == 0, axis=1), *race.T],
            "digit_sweep": [*np.log1p(visits.T)],
            "exact": [np.log1p(guesses)],
        }
        return np.column_stack([column for group in self._quick for column in columns[group.name]])

    @staticmethod
    def _computed(
        groups: Iterable[FeatureGroup], puzzle: Puzzle, rng: np.random.Generator
    ) -> dict[str, Floats]:
        """Return the columns of the groups, each of shape ``(1,)``."""
        columns: dict[str, Floats] = {}
        for group in groups:
            rows = np.array(group.rows([puzzle], min(GUESS_RUNS, group.runs), [rng]), np.float64)
            columns |= zip((feature.name for feature in group.features), rows.T, strict=True)
        return columns


def _is_9x9(puzzle: Puzzle) -> bool:
    return isinstance(puzzle, Sudoku) and puzzle.order == 3

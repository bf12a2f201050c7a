"""The steps of judging a puzzle for a wanted difficulty, cheapest first; the last is the rating.

A guess takes few runs with its own random draws. The columns of a rating come from a bank, so the
rating of a puzzle that is found is already computed.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from nando.arrays import Floats
from nando.checks import whole
from nando.features.feature import FeatureGroup
from nando.puzzles import Puzzle, Sudoku
from nando.rating.bank import Bank
from nando.rating.result import duration
from nando.solvers.exact.search import unique_solutions
from nando.solvers.people.sketch import Sketcher

GUESS_RUNS = 8
"""Runs of each solver for a guess, whose noise is about 3 % of the time."""

SKETCH_RUNS = 2
"""Runs for 9x9 Sudokus, with a noise of 5 %; the ratings dominate the cost anyway."""

QUICK_GROUPS = ("givens", "search_time", "technique_race", "digit_sweep", "exact")
"""Feature groups that take no longer for a puzzle beyond singles than for an easy one."""

_SKETCHED = frozenset({"technique_race", "digit_sweep", "exact"})
"""The quick groups that a sketch of a 9x9 Sudoku computes."""

_MOST_SKETCHES = 4096
"""Most puzzles whose sketches are kept until the steps of some of them are counted."""

Judged = tuple[Floats, Floats]
"""Expected log seconds of each puzzle, and the standard deviation of its rating around them."""

Judge = Callable[[Sequence[Puzzle]], Judged]


class Ladder:
    """Judges how many log seconds puzzles take, for a :class:`nando.generators.Target`.

    Parameters
    ----------
    bank : Bank
        Computes and keeps the columns of ratings.
    random_state : int
        Seed of the guesses; ratings do not depend on a seed.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> from nando.rating import load_model
    >>> ladder = Ladder(Bank(load_model()))
    >>> puzzle = load_examples().puzzles[0]
    >>> rough, near = (round(score, 1) for score, _ in ladder.estimates(puzzle))
    """

    margin = 0.15
    """Share of a range, at either end, in which an estimate is too near a bound to be rated."""

    def __init__(self, bank: Bank, *, random_state: int = 0) -> None:
        self.bank = bank
        self.rater = bank.rater
        self.random_state = whole("random_state", random_state, 0)
        self._quick = [group for group in bank.groups if group.name in QUICK_GROUPS]
        slow = [group for group in bank.groups if group.name not in QUICK_GROUPS]
        # Groups that run once cost as much in a rating, so a guess uses the rating's columns.
        self._once = [group for group in slow if group.runs == 1]
        self._often = [group for group in slow if group.runs != 1]
        self._sketches = bool(self._quick) and all(g.name in _SKETCHED for g in self._quick)
        self._key = hashlib.blake2b(str(random_state).encode(), digest_size=32).digest()
        self._sketchers: list[Sketcher] = []
        self._latest: dict[str, Floats] = {}

    def estimates(self, puzzle: Puzzle) -> Iterator[tuple[float, float]]:
        """Yield the log seconds to expect of a puzzle and their error, from ever more columns.

        Each estimate is computed when it is requested. The last one counts as exact.
        """
        if self._once and not self._quick:
            yield _single(self.rater.rough(self._columns_of([puzzle], self._once)))
            yield _single(self.by_ratings([puzzle]))
            return
        rng = self._generator(puzzle)
        if self._sketches and isinstance(puzzle, Sudoku) and puzzle.order == 3:
            columns = self._sketch([puzzle])
        else:
            columns = self._guess(self._quick, puzzle, rng)
        if columns:
            yield _single(self.rater.rough(columns))
        columns |= self._guess(self._often, puzzle, rng)
        columns |= self._columns_of([puzzle], self._once)
        table = np.stack([columns[name] for name in self.rater.columns], axis=1)
        yield float(self.rater.log_seconds(table)[0]), 0.0

    # ---------------------------------------------------------------- many at once

    @property
    def screens(self) -> tuple[Judge, ...]:
        """The judges of many 9x9 Sudokus, cheapest first; none if the model needs other columns."""
        return (self.by_guesses, self.by_sketch) if self._sketches else ()

    @property
    def checks(self) -> tuple[Judge, ...]:
        """The judges of the few remaining puzzles; the last one computes the rating."""
        return (self.by_steps, self.by_ratings) if self._sketches else (self.by_ratings,)

    def by_guesses(self, puzzles: Sequence[Puzzle]) -> Judged:
        """Judge by the guesses of the exact search alone, in a microsecond per puzzle."""
        guesses = unique_solutions(tuple(puzzles)).guesses
        return self.rater.rough({"exact_guesses": np.log1p(guesses)})

    def by_sketch(self, puzzles: Sequence[Puzzle]) -> Judged:
        """Judge by :data:`QUICK_GROUPS`, from :data:`SKETCH_RUNS` runs."""
        return self.rater.rough(self._sketch(puzzles))

    def by_steps(self, puzzles: Sequence[Puzzle]) -> Judged:
        """Judge by a sketch and by the columns that run once, for example the solver's steps."""
        return self.rater.rough(self._sketch(puzzles) | self._columns_of(puzzles, self._once))

    def by_ratings(self, puzzles: Sequence[Puzzle]) -> Judged:
        """Judge by the ratings themselves."""
        table = self.bank.columns_of_groups(puzzles, self.bank.groups)
        return self.rater.log_seconds(table), np.zeros(len(puzzles))

    def time(self, log_seconds: Floats) -> Floats:
        """Return the relative time needed to rate puzzles with these expected log seconds."""
        return self.rater.rating_time(log_seconds)

    def words(self, log_seconds: float) -> str:
        """Return log seconds as messages show them."""
        return duration(math.exp(log_seconds))

    # ---------------------------------------------------------------- columns

    def _columns_of(
        self, puzzles: Sequence[Puzzle], groups: Sequence[FeatureGroup]
    ) -> dict[str, Floats]:
        """Return the model's columns of groups as in a rating."""
        table = self.bank.columns_of_groups(puzzles, groups)
        wanted = {feature.name for group in groups for feature in group.features}
        return {
            name: column
            for name, column in zip(self.rater.columns, table.T, strict=True)
            if name in wanted
        }

    def _generator(self, puzzle: Puzzle) -> np.random.Generator:
        """Return a generator for the draws of a guess."""
        name = hashlib.blake2b(puzzle.text.encode(), digest_size=32, key=self._key).digest()
        return np.random.default_rng(np.frombuffer(name, np.uint64))

    @staticmethod
    def _guess(
        groups: Iterable[FeatureGroup], puzzle: Puzzle, rng: np.random.Generator
    ) -> dict[str, Floats]:
        """Return the columns of the groups from few runs, each of shape ``(1,)``."""
        columns: dict[str, Floats] = {}
        for group in groups:
            rows = np.array(group.rows([puzzle], min(GUESS_RUNS, group.runs), [rng]), np.float64)
            columns |= zip((feature.name for feature in group.features), rows.T, strict=True)
        return columns

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

    def _sketch(self, puzzles: Sequence[Puzzle]) -> dict[str, Floats]:
        """Return the columns of the quick groups, each of shape ``(n_puzzles,)``.

        The columns of the latest puzzles are kept.
        """
        fresh: dict[str, Floats] = {}
        known = [self._latest.get(puzzle.text) for puzzle in puzzles]
        new = [puzzle for puzzle, row in zip(puzzles, known, strict=True) if row is None]
        if new:
            fresh = dict(zip((puzzle.text for puzzle in new), self._play(new), strict=True))
            if len(self._latest) + len(new) > _MOST_SKETCHES:
                self._latest.clear()
            self._latest |= fresh
        rows = [
            fresh[puzzle.text] if row is None else row
            for puzzle, row in zip(puzzles, known, strict=True)
        ]
        names = [feature.name for group in self._quick for feature in group.features]
        return dict(zip(names, np.array(rows).T, strict=True))

    def _play(self, puzzles: Sequence[Puzzle]) -> Floats:
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


def _single(judged: Judged) -> tuple[float, float]:
    scores, errors = judged
    return float(scores[0]), float(errors[0])

"""New puzzles with their ratings: where the generator meets the rater."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from nando.rating.rating import amount, plain

if TYPE_CHECKING:
    from nando.generators import Known, Record, Source, Target
    from nando.puzzles import Puzzle
    from nando.rating import Rating
    from nando.rating.base import Rater

TOGETHER = 16
"""Puzzles rated at a time: what a crash may lose, unless they take more than a second."""

INNER = 0.15
"""Searches for a grade aim this share of its width away from its bounds: ratings are noisy."""


@dataclass(frozen=True)
class Wanted:
    """The difficulty asked for: none, a time, a grade, or a percentile of the model's puzzles.

    `time` is in the unit of the model that rates, which must be `unit` where that is not empty.
    """

    time: float | None = None
    grade: str | None = None
    percentile: float | None = None
    tolerance: float = 0.1
    unit: str = ""

    @property
    def is_any(self) -> bool:
        """Whether nothing was asked for."""
        return self.time is None and self.grade is None and self.percentile is None


@dataclass(frozen=True)
class Maker:
    """Makes and describes the puzzles of one seed.

    Parameters
    ----------
    rater : Rater or None
        None leaves puzzles unrated.
    seed : int
    symmetry : str
        What records say of the source, where it has a symmetry.
    jobs : int or None
    """

    rater: "Rater | None"
    seed: int
    symmetry: str = "none"
    jobs: int | None = None

    @property
    def model_id(self) -> str | None:
        """The model that rates; None without one."""
        return None if self.rater is None else self.rater.model_id

    def target(self, wanted: Wanted) -> "Target | None":
        """Return what is wanted, as a range of log seconds; None for anything.

        Raises
        ------
        ValueError
            For an unknown grade, a percentile beyond 0 to 100, or without a model.
        """
        if wanted.is_any:
            return None
        if self.rater is None:
            raise ValueError("a difficulty cannot be asked for without a model to rate by")
        from nando.generators import Target
        from nando.rating import GRADES, Scorer

        unit = self.rater.unit
        if wanted.unit not in ("", unit):
            example = "8min" if unit == "seconds" else "200points"
            raise ValueError(
                f"the model {self.rater.model_id} rates in {unit}: ask for such as {example}"
            )

        population = self.rater.population
        if wanted.grade is not None:
            low, high = population.grade_range(wanted.grade)
            inner = INNER * (high - low)
            aims = low + inner, high - inner
            # The ends of the scale are open: nothing is too easy for the easiest grade.
            low = -math.inf if wanted.grade == GRADES[0] else low
            high = math.inf if wanted.grade == GRADES[-1] else high
        else:
            if wanted.percentile is not None:
                middle = population.log_seconds_at(wanted.percentile)
            else:
                assert wanted.time is not None
                middle = math.log(wanted.time)
            low = middle + math.log1p(-wanted.tolerance)
            high = middle + math.log1p(wanted.tolerance)
            aims = middle, middle
        scorer = Scorer(self.rater, random_state=self.seed)
        guess = partial(scorer.guess, wanted=(low, high))

        def told(score: float) -> str:
            return amount(math.exp(score), unit)

        return Target(
            low,
            high,
            guess,
            scorer.confirm,
            aims,
            told,
            scorer.screens,
            scorer.checks,
            self.rater.rating_time,
        )

    def make(
        self,
        source: "Source",
        wanted: Wanted,
        indices: range,
        known: "Known",
        most_scored: int | None = None,
    ) -> Iterator["Record"]:
        """Make the puzzles with these numbers."""
        from nando.generators import OutOfReachError, generate
        from nando.generators.batch import MOST_SCORED

        target = self.target(wanted)
        made = generate(
            source,
            max(indices.stop, 1),
            target=target,
            seed=self.seed,
            first=indices.start,
            n_jobs=self.jobs,
            known=known,
            most_scored=most_scored or MOST_SCORED,
        )
        # Several are rated at a time, since a table costs more than a row; but none waits long.
        waiting: list[Puzzle] = []
        first, since = indices.start, time.monotonic()
        try:
            for one in made:
                waiting.append(one.puzzle)
                if len(waiting) == TOGETHER or time.monotonic() - since > 1.0:
                    yield from self.describe(waiting, first)
                    first, since = first + len(waiting), time.monotonic()
                    waiting = []
        except OutOfReachError:
            yield from self.describe(waiting, first)
            raise
        yield from self.describe(waiting, first)

    def describe(self, puzzles: Sequence["Puzzle"], first_index: int) -> list["Record"]:
        """Return the records of puzzles that have one solution."""
        from nando.generators import Record
        from nando.rating import Bank
        from nando.solvers import unique_solution
        from nando.solvers.protocol import spawned

        records = [
            Record(
                puzzle,
                puzzle.solution_text(unique_solution(puzzle)),
                seed=self.seed,
                index=index,
                symmetry=self.symmetry,
            )
            for index, puzzle in enumerate(puzzles, first_index)
        ]
        if self.rater is None or not records:
            return records
        records = [
            replace(record, first_cell=_first_cell(record.puzzle, spawned(self.seed, record.index)))
            for record in records
        ]
        bank = Bank(self.rater, n_jobs=self.jobs)
        table = bank.columns(puzzles)
        ratings = self.rater.ratings(table, puzzles)
        return [
            replace(record, **_known_of(rating, dict(zip(self.rater.columns, row, strict=True))))
            for record, rating, row in zip(records, ratings, table.tolist(), strict=True)
        ]


def _first_cell(puzzle: "Puzzle", rng: Any) -> int | None:
    """Return the cell that people are predicted to fill first, or that logic fills first."""
    from nando.solvers import Limit, LogicSolver, SearchTime, UnsupportedError

    try:
        return SearchTime().profile(puzzle, rng=rng).first_cell
    except UnsupportedError:
        trace = LogicSolver().run(puzzle, limit=Limit(steps=1)).trace
        return int(trace["cell"][0]) if len(trace) else None


def _known_of(rating: "Rating", columns: dict[str, float]) -> dict[str, Any]:
    """Return what a record says of its difficulty."""
    names = ("predicted", "low", "high", "grade", "percentile", "model_id", "unit")
    known = {name: getattr(rating, name) for name in names}
    return known | {"features": {name: plain(value) for name, value in columns.items()}}

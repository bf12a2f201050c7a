"""Make puzzles of a given difficulty: the generator proposes them, and the rater rates them."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nando.checks import shape_of
from nando.rating.rating import plain

if TYPE_CHECKING:
    from nando.generators import Known, Record, Source, Target
    from nando.puzzles import Puzzle
    from nando.rating import Bank, Rating
    from nando.rating.base import Rater

TOGETHER = 16
"""Most puzzles rated at a time. A crash loses at most these, or those of the last second."""

_REMEMBERED = 1 << 15
"""Classes of puzzles whose columns are kept until the puzzles found are described: 10 MB."""

INNER = 0.15
"""Share of the width of a grade by which searches stay away from its bounds: ratings are noisy."""


@dataclass(frozen=True)
class Wanted:
    """A requested difficulty: any, a time, a grade, or a percentile of the model's puzzles.

    `time` is in the unit of the model. If `unit` is not empty, the model must rate in this unit.
    """

    time: float | None = None
    grade: str | None = None
    percentile: float | None = None
    tolerance: float = 0.1
    unit: str = ""

    @property
    def is_any(self) -> bool:
        """Whether any difficulty will do."""
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
        Symmetry of the source, for the records.
    jobs : int or None
    """

    rater: "Rater | None"
    seed: int
    symmetry: str = "none"
    jobs: int | None = None

    @property
    def model_id(self) -> str | None:
        """The id of the model, or None without a model."""
        return None if self.rater is None else self.rater.model_id

    @cached_property
    def bank(self) -> "Bank":
        """The columns of the latest puzzles: a puzzle is rated once, by the search or here."""
        from nando.rating import Bank

        assert self.rater is not None
        return Bank(self.rater, n_jobs=self.jobs, remembered=_REMEMBERED)

    def target(self, wanted: Wanted) -> "Target | None":
        """Return the requested difficulty as a range of log seconds; None for any difficulty.

        Raises
        ------
        ValueError
            For an unknown grade, a percentile outside 0 to 100, a unit that is not the
            model's, or if there is no model.
        """
        if wanted.is_any:
            return None
        if self.rater is None:
            raise ValueError(
                "a difficulty needs a model that rates puzzles: leave it out, or have them rated"
            )
        from nando.generators import Target
        from nando.rating import GRADES, Ladder

        unit = self.rater.unit
        if wanted.unit not in ("", unit):
            target = (
                "a time, for example 8min" if unit == "seconds" else "points, for example 200points"
            )
            raise ValueError(f"the model {self.rater.model_id} rates in {unit}: give {target}")

        if wanted.grade is not None:
            low, high = self.rater.grade_range(wanted.grade)
            inner = INNER * (high - low)
            aims = low + inner, high - inner
            # The ends of the scale are open: nothing is too easy for the easiest grade.
            low = -math.inf if wanted.grade == GRADES[0] else low
            high = math.inf if wanted.grade == GRADES[-1] else high
        else:
            if wanted.percentile is not None:
                middle = self.rater.log_seconds_at(wanted.percentile)
            else:
                assert wanted.time is not None
                middle = math.log(wanted.time)
            low = middle + math.log1p(-wanted.tolerance)
            high = middle + math.log1p(wanted.tolerance)
            aims = middle, middle
        return Target(low, high, Ladder(self.bank, random_state=self.seed), aims)

    def make(
        self,
        source: "Source",
        wanted: Wanted,
        indices: range,
        known: "Known",
        most_scored: int | None = None,
    ) -> Iterator["Record"]:
        """Make the puzzles with these indices, and yield their records."""
        from nando.generators import generate

        target = self.target(wanted)
        puzzles = generate(
            source,
            max(indices.stop, 1),
            target=target,
            seed=self.seed,
            first=indices.start,
            n_jobs=self.jobs,
            known=known,
            most_scored=most_scored,
        )
        # Rate several puzzles at a time, which is faster, but do not let any puzzle wait long.
        waiting: list[Puzzle] = []
        first, since = indices.start, time.monotonic()
        try:
            for generated in puzzles:
                waiting.append(generated.puzzle)
                if len(waiting) == TOGETHER or time.monotonic() - since > 1.0:
                    yield from self.describe(waiting, first)
                    first, since = first + len(waiting), time.monotonic()
                    waiting = []
        except ValueError:
            yield from self.describe(waiting, first)
            raise
        yield from self.describe(waiting, first)

    def describe(self, puzzles: Sequence["Puzzle"], first_index: int) -> list["Record"]:
        """Return the records of puzzles, each with exactly one solution."""
        from nando.generators import Record
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
        table = self.bank.columns(puzzles)
        ratings = self.rater.ratings(table, puzzles)
        return [
            replace(record, **_known_of(rating, dict(zip(self.rater.columns, row, strict=True))))
            for record, rating, row in zip(records, ratings, table.tolist(), strict=True)
        ]


def _first_cell(puzzle: "Puzzle", rng: Any) -> int | None:
    """Return the cell that people are predicted to fill first, or else that logic fills first."""
    from nando.solvers import Limit, LogicSolver, SearchTime, UnsupportedError

    try:
        return SearchTime().profile(puzzle, rng=rng).first_cell
    except UnsupportedError:
        trace = LogicSolver().run(puzzle, limit=Limit(steps=1)).trace
        return int(trace["cell"][0]) if len(trace) else None


def _known_of(rating: "Rating", columns: dict[str, float]) -> dict[str, Any]:
    """Return the fields of a record that hold its rating."""
    names = ("predicted", "low", "high", "grade", "percentile", "model_id", "unit")
    known = {name: getattr(rating, name) for name in names} | {"grade": rating.grade or ""}
    return known | {"features": {name: plain(value) for name, value in columns.items()}}


def size_option(kind: str, text: str) -> dict[str, Any]:
    """Return the size in a text as the option of the source of a kind.

    Raises
    ------
    ValueError
        If it is no size, or not that of a square board where one is needed.
    """
    shape = shape_of(text)
    if kind != "variant":
        return {"shape": shape}
    if shape[0] != shape[1]:
        raise ValueError(f"a variant has as many rows as columns, got {text}; ask for 6x6, or 9")
    return {"size": shape[0]}

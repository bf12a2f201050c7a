"""Make puzzles of a given difficulty: the generator proposes them, and the rater rates them."""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nando import generators, rating, solvers
from nando.checks import share
from nando.rating.result import plain

if TYPE_CHECKING:
    from nando.puzzles import Puzzle
    from nando.rating import Bank
    from nando.rating.model import Rater

TOGETHER = 16
"""Most puzzles rated at a time. A crash loses at most these, or those of the last second."""

_REMEMBERED = 1 << 15
"""Classes of puzzles whose columns are kept until the puzzles found are described: 10 MB."""

INNER = 0.15
"""Share of the width of a grade by which searches stay away from its bounds: ratings are noisy."""


@dataclass(frozen=True)
class Maker:
    """Makes and describes the puzzles of one seed.

    Parameters
    ----------
    rater : Rater or None
        None leaves puzzles unrated.
    seed : int
    jobs : int or None
    """

    rater: "Rater | None"
    seed: int
    jobs: int | None = None

    @property
    def model_id(self) -> str | None:
        """The id of the model, or None without a model."""
        return None if self.rater is None else self.rater.model_id

    @cached_property
    def bank(self) -> "Bank":
        """The columns of the latest puzzles: a puzzle is rated once, by the search or here."""
        assert self.rater is not None
        return rating.Bank(self.rater, n_jobs=self.jobs, remembered=_REMEMBERED)

    def target(self, wishes: "generators.Wishes") -> "generators.Target | None":
        """Return the requested difficulty as a range of log seconds; None for any difficulty.

        Raises
        ------
        ValueError
            If there is no model.
        """
        if wishes.is_any_difficulty:
            return None
        if self.rater is None:
            raise ValueError(
                "a difficulty needs a model that rates puzzles: leave it out, or have them rated"
            )

        genre = str(wishes.genre or "")
        if wishes.grade is not None:
            low, high = self.rater.grade_range(wishes.grade, genre)
            inner = INNER * (high - low)
            aims = low + inner, high - inner
            # The ends of the scale are open: nothing is too easy for the easiest grade.
            low = -math.inf if wishes.grade == rating.GRADES[0] else low
            high = math.inf if wishes.grade == rating.GRADES[-1] else high
        else:
            if wishes.minutes is not None:
                middle = math.log(60 * wishes.minutes)
            else:
                assert wishes.percentile is not None
                middle = self.rater.log_seconds_at(wishes.percentile, genre)
            tolerance = share("tolerance", wishes.tolerance)
            low, high = middle + math.log1p(-tolerance), middle + math.log1p(tolerance)
            aims = middle, middle
        return generators.Target(low, high, rating.Ladder(self.bank, random_state=self.seed), aims)

    def make(
        self,
        wishes: "generators.Wishes",
        indices: range,
        known: "generators.Known",
        most_scored: int | None = None,
        *,
        most_seconds: float | None = None,
        target: "generators.Target | None" = None,
    ) -> Iterator["generators.Record"]:
        """Make the puzzles with these indices, and yield their records.

        A `target` of one's own replaces the difficulty of the wishes.
        """
        source, steps = wishes.source(), wishes.steps
        target = target or self.target(wishes)
        symmetry = getattr(source, "symmetry", "none")
        if steps is not None:
            from nando.generators.technique_source import TechniqueSource

            source = TechniqueSource(source, steps, varied=target is not None)
        puzzles = generators.generate(
            source,
            max(indices.stop, 1),
            target=target,
            seed=self.seed,
            first=indices.start,
            n_jobs=self.jobs,
            known=known,
            most_scored=most_scored,
            most_seconds=most_seconds,
            fits=None if steps is None else steps.fits,
        )
        # Rate several puzzles at a time, which is faster, but do not let any puzzle wait long.
        waiting: list[Puzzle] = []
        first, since = indices.start, time.monotonic()
        try:
            for generated in puzzles:
                waiting.append(generated.puzzle)
                if len(waiting) == TOGETHER or time.monotonic() - since > 1.0:
                    yield from self.describe(waiting, first, symmetry)
                    first, since = first + len(waiting), time.monotonic()
                    waiting = []
        except ValueError:
            yield from self.describe(waiting, first, symmetry)
            raise
        yield from self.describe(waiting, first, symmetry)

    def describe(
        self, puzzles: Sequence["Puzzle"], first_index: int, symmetry: str = "unknown"
    ) -> list["generators.Record"]:
        """Return the records of puzzles, each with exactly one solution."""
        known = self._rate(puzzles, first_index) if self.rater is not None else [{}] * len(puzzles)
        return [
            generators.Record(
                puzzle,
                puzzle.solution_text(solvers.unique_solution(puzzle)),
                seed=self.seed,
                index=index,
                symmetry=symmetry,
                **more,
            )
            for index, (puzzle, more) in enumerate(zip(puzzles, known, strict=True), first_index)
        ]

    def _rate(self, puzzles: Sequence["Puzzle"], first_index: int) -> list[dict[str, Any]]:
        """Return the fields of records that depend on a model."""
        from nando.solvers.protocol import spawned

        assert self.rater is not None
        if not puzzles:
            return []
        race = solvers.SearchTime()
        table = self.bank.columns(puzzles)
        ratings = self.rater.rate_columns(table, puzzles)
        copied = ("predicted", "low", "high", "percentile", "model_id")
        return [
            {name: getattr(rating, name) for name in copied}
            | {
                "grade": rating.grade or "",
                "first_cell": _first_cell(rating.puzzle, race, spawned(self.seed, index)),
                "features": dict(zip(self.rater.columns, map(plain, row), strict=True)),
            }
            for index, (rating, row) in enumerate(
                zip(ratings, table.tolist(), strict=True), first_index
            )
        ]


def _first_cell(puzzle: "Puzzle", race: "solvers.SearchTime", rng: Any) -> int | None:
    """Return the cell that people are predicted to fill first, or else that logic fills first."""
    try:
        return race.profile(puzzle, rng=rng).first_cell
    except solvers.UnsupportedError:
        # Steps that only remove candidates come first in many variants.
        steps: Iterable[Any] = solvers.LogicSolver().steps(puzzle)
        filled = (step.cells if puzzle.kind == "nurikabe" else step.placement for step in steps)
        return next((cells[0] for cells in filled if cells), None)

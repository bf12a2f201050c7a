"""The rater of Nurikabe: an expected effort in looks, and the seconds that a look takes.

The effort is a sum of named parts, as for Sudoku (:mod:`nando.rating.parts`), whose weights
are not fitted: each kind of reason on nando's ladder takes twice the looks of the kind below it.
Since nobody was timed on Nurikabe, the seconds of a look come from the standard times of setters,
with a wide interval because these are few. A fit to your own times moves the pace, and the slope a
little, depending on the number of times.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from statistics import NormalDist
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from nando.arrays import Floats
from nando.names import Grade
from nando.rating.base import Features, Rater, extractor_of
from nando.rating.files import SHIPPED_MODELS, above_zero, numbers, plain_floats
from nando.rating.parts import Effort, Part
from nando.rating.reach import Known, Percentiles
from nando.rating.result import Flags, grades_of, looks_of, nobody_timed

FORMAT = "nando difficulty model 3"

PARTS = (
    Part("marking", "marking cells", {"nurikabe_blanks": 0.3}),
    Part("near", "seeing near by", {"nurikabe_near_steps": 2.0}),
    Part("far", "reach and connection", {"nurikabe_far_steps": 4.0}),
    Part("impasses", "looking for a way on", {"nurikabe_stuck_steps": 1.5}),
    Part("ahead", "thinking ahead", {"nurikabe_near_what_ifs": 8.0, "nurikabe_what_ifs": 16.0}),
    Part(
        "far_ahead",
        "thinking far ahead",
        {"nurikabe_dilemmas": 32.0, "nurikabe_deep_what_ifs": 64.0},
    ),
)
"""The parts of the time of a Nurikabe, easiest first, with the looks of each step or cell."""

EFFORT = Effort(PARTS, counted="nurikabe_blanks")
"""The effort, which is the sum of the parts."""

LOOKS_COLUMNS = EFFORT.columns
"""The columns from which the parts are computed."""

RUNS = 2
"""Number of runs in which impasses are counted."""

_STUCK = "nurikabe_stuck_steps"
_STEPS = tuple(name for name in LOOKS_COLUMNS if name not in ("nurikabe_blanks", _STUCK))
_STUCK_PER_STEP = 1.2
"""Typical number of impasses for each step beyond a glance, and ..."""
_ROUGH_ERROR = 0.1
"""... the standard deviation of log looks if impasses are estimated from it."""


_PRIOR_PUZZLES = 10.0
"""Weight of the prior spread about the line, as a number of times."""


@dataclass(frozen=True)
class Line:
    """The line from log looks to log seconds, and its uncertainty.

    Attributes
    ----------
    reference : float
        Log looks at which the line has its offset.
    offset, slope : float
        Log seconds at the reference, and their change per unit of log looks.
    pace_spread, slope_spread : float
        Standard deviations of the offset and the slope.
    puzzle_spread : float
        Standard deviation of a puzzle's log time about the line.
    """

    reference: float
    offset: float
    slope: float
    pace_spread: float
    slope_spread: float
    puzzle_spread: float

    def log_seconds(self, log_looks: Floats) -> Floats:
        """Return the expected log seconds."""
        return np.asarray(self.offset + self.slope * (log_looks - self.reference))

    def log_looks(self, log_seconds: Floats) -> Floats:
        """Return the log looks of expected log seconds."""
        return np.asarray(self.reference + (log_seconds - self.offset) / self.slope)

    def spread(self, log_looks: Floats) -> Floats:
        """Return the standard deviation of log times about their expectation."""
        of_slope = self.slope_spread * (log_looks - self.reference)
        return np.sqrt(self.pace_spread**2 + of_slope**2 + self.puzzle_spread**2)

    def fitted(self, log_looks: Floats, log_seconds: Floats, weight: Floats) -> "Line":
        """Return the line updated by times: the mean of the posterior of a normal model."""
        away = log_looks - self.reference
        design = np.stack([np.ones_like(away), away], axis=1) * np.sqrt(weight)[:, None]
        missed = (log_seconds - self.log_seconds(log_looks)) * np.sqrt(weight)
        prior = np.diag([self.pace_spread**-2.0, self.slope_spread**-2.0])
        covariance = np.linalg.inv(prior + design.T @ design / self.puzzle_spread**2)
        moved = covariance @ design.T @ missed / self.puzzle_spread**2
        left = missed - design @ moved
        variance = (_PRIOR_PUZZLES * self.puzzle_spread**2 + float(left @ left)) / (
            _PRIOR_PUZZLES + len(left)
        )
        return Line(
            self.reference,
            *plain_floats([self.offset + moved[0], self.slope + moved[1]]),
            *plain_floats(np.sqrt([covariance[0, 0], covariance[1, 1], variance])),
        )


class LooksRater(Rater):
    """Predicted human solving time of Nurikabe.

    `X` is a sequence of puzzles or the table of their features, as in :class:`DifficultyRater`.

    Parameters
    ----------
    features : FeatureExtractor, SolverFeatures or None
        Computes the columns of puzzles; None takes the groups that are needed.
    coverage : float
        Share of human mean times that the interval should contain.

    Attributes
    ----------
    line_ : Line
        The line from log looks to log seconds, and its uncertainty.
    timed_ : int
        Number of times to which the line was fitted; 0 if nobody was timed.
    sudoku_ : tuple of float
        Reference, offset and slope of the typical crowd's line for Sudoku, which turn minutes into
        grades.
    known_ : Known
        The range of the puzzles in the collection.
    provenance_ : dict
        Data, settings and scores, as a model file states them.
    """

    file_format = FORMAT
    columns = LOOKS_COLUMNS
    effort: ClassVar[Effort] = EFFORT
    shipped_file: ClassVar[str] = "nurikabe_looks.json"
    untimed: ClassVar[Flags] = nobody_timed("Nurikabe")
    line_: Line
    timed_: int
    sudoku_: tuple[float, float, float]
    known_: Known

    def __init__(self, *, features: Features | None = None, coverage: float = 0.8) -> None:
        self.features = features
        self.coverage = coverage

    # ---------------------------------------------------------------- fitting

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: Sequence[str] | None = None,
    ) -> Self:
        """Move the shipped line towards other times.

        Parameters
        ----------
        X : sequence of Puzzle, or feature table
        y : array_like of float, shape (n_puzzles,)
            Seconds, above 0.
        sample_weight : array_like of float or None
            Weight of each puzzle, for example the number of players behind its mean.
        groups : sequence of str or None
            Not used, because a fit of two numbers leaves no puzzle out.

        Raises
        ------
        ValueError
            For times that are not above 0.
        """
        del groups
        table, _, seconds = self.timed_table(X, y)
        weight = np.ones_like(seconds) if sample_weight is None else np.asarray(sample_weight)
        self.fit_quickly(table, np.log(seconds), weight)
        self.provenance_ = {"puzzles": len(seconds), "scale": self.shipped().model_id}
        return self

    def fit_quickly(self, table: Floats, log_seconds: Floats, weight: Floats) -> None:
        """Fit the prediction."""
        start = self.shipped()
        log_looks = self.difficulty(table)
        self.line_ = start.line_.fitted(log_looks, log_seconds, weight / weight.mean())
        self.sudoku_, self.known_ = start.sudoku_, start.known_
        self.timed_, self.n_features_in_ = len(log_seconds), len(self.columns)

    # ---------------------------------------------------------------- predicting

    def difficulty(self, table: Floats) -> Floats:
        """Return the logarithm of the looks that puzzles take."""
        return np.asarray(np.log(np.add.reduce(self.effort.by_part(table), axis=1)))

    def log_seconds(self, table: Floats) -> Floats:
        """Predict log seconds from the model's columns, shape ``(n_puzzles, n_columns)``."""
        return self.line_.log_seconds(self.difficulty(table))

    def interval_of(
        self, table: Floats, orders: list[int | None], coverage: float
    ) -> tuple[Floats, list[Flags]]:
        """Return the log seconds of the interval's ends, and the flags of each puzzle."""
        del orders
        log_looks = self.difficulty(table)
        excess, flags = self.known_.excess(self.effort.names, self.effort.by_part(table))
        width = NormalDist().inv_cdf(0.5 + coverage / 2) * self.line_.spread(log_looks)
        width = width * (1.0 + excess)
        log_seconds = self.line_.log_seconds(log_looks)
        ends = np.stack([log_seconds - width, log_seconds + width], axis=1)
        return ends, flags if self.timed_ else [self.untimed.and_also(each) for each in flags]

    def grades(self, table: Floats) -> list[Grade]:
        """Return the grade of each puzzle: that of a Sudoku with the same time."""
        reference, offset, slope = self.sudoku_
        typical = self.shipped().line_.log_seconds(self.difficulty(table))
        return grades_of(reference + (typical - offset) / slope)

    def percentiles(self, table: Floats) -> Floats:
        """Return the percentage of the collection's puzzles that are easier, 0 to 100."""
        return self.known_.log_looks.below(self.difficulty(table))

    def named_parts(
        self, table: Floats, log_seconds: Floats
    ) -> list[tuple[tuple[str, float], ...]]:
        """Return the named parts of each time in seconds, easiest first; their sum is the time."""
        return self.effort.named(self._seconds(table, log_seconds))

    def reasons(self, table: Floats, log_seconds: Floats) -> list[str]:
        """Describe the larger parts of each time: what a person does and for how long."""
        return [
            self.effort.reasons(row) for row in (self._seconds(table, log_seconds) / 60).tolist()
        ]

    def _seconds(self, table: Floats, log_seconds: Floats) -> Floats:
        """Return the seconds of each part, shape ``(n_puzzles, n_parts)``."""
        shares = self.effort.shares(self.effort.by_part(table))
        return np.asarray(shares * np.exp(log_seconds)[:, None])

    def log_seconds_at(self, percentile: float) -> float:
        """Return a percentile, 0 to 100, of the predicted log seconds of the collection."""
        log_looks = np.array([self.known_.log_looks.at(percentile)])
        return float(self.line_.log_seconds(log_looks)[0])

    def grade_range(self, grade: str) -> tuple[float, float]:
        """Return the least and largest log seconds of a grade."""
        reference, offset, slope = self.sudoku_
        typical = offset + slope * (np.log(looks_of(grade)) - reference)
        log_looks = self.shipped().line_.log_looks(typical)
        least, most = self.line_.log_seconds(log_looks).tolist()
        return least, most

    def rough(self, known: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """Estimate the prediction without the impasses, from the steps of the ladder alone."""
        columns = dict(known)
        if _STUCK not in columns:
            columns[_STUCK] = _STUCK_PER_STEP * np.sum([known[name] for name in _STEPS], axis=0)
        log_seconds = self.log_seconds(np.stack([columns[name] for name in self.columns], axis=1))
        return log_seconds, np.full_like(log_seconds, _ROUGH_ERROR * self.line_.slope)

    # ---------------------------------------------------------------- the model as a file

    def record(self) -> dict[str, Any]:
        """Return everything that moves a rating, as plain values."""
        return {
            "parts": {part.name: dict(part.columns) for part in self.effort.parts},
            "line": asdict(self.line_),
            "timed": self.timed_,
            "sudoku": dict(zip(_SUDOKU, self.sudoku_, strict=True)),
            "known": {
                "most": dict(zip(self.effort.names, self.known_.most, strict=True)),
                "log_looks": list(self.known_.log_looks),
            },
            "features": self.feature_record(),
            "settings": {"coverage": self.coverage},
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the rater of a record, without its provenance."""
        if record["parts"] != {part.name: part.columns for part in cls.effort.parts}:
            raise ValueError("its parts are not those of this version of nando")
        rater = cls(features=extractor_of(record["features"]), **record["settings"])
        line = {name: float(numbers(value, name)) for name, value in record["line"].items()}
        for name in ("slope", "pace_spread", "slope_spread", "puzzle_spread"):
            above_zero(line[name], name)
        rater.line_ = Line(**line)
        reference, offset, slope = (
            float(numbers(record["sudoku"][name], name)) for name in _SUDOKU
        )
        rater.sudoku_ = reference, offset, float(above_zero(slope, "slope"))
        rater.timed_ = int(record["timed"])
        rater.known_ = _known_of(record["known"], cls.effort.names)
        rater.n_features_in_ = len(cls.columns)
        rater.check_settings()
        return rater

    @classmethod
    def shipped(cls) -> Self:
        """Return the shipped model."""
        model: Self = _shipped(cls)  # type: ignore[arg-type]  # models are not hashable, but classes
        return model


_SUDOKU = ("reference", "offset", "slope")


def _known_of(record: Mapping[str, Any], names: Sequence[str]) -> Known:
    most = numbers([record["most"][name] for name in names], "known most", len(names))
    return Known(tuple(most.tolist()), Percentiles.read(record, "known", "log_looks"))


@cache
def _shipped(rater: Any) -> Any:
    path = SHIPPED_MODELS / rater.shipped_file
    return rater.from_json(path.read_text(encoding="utf-8"))

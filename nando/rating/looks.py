"""The rater of Nurikabe: an expected effort in looks, and the seconds that a look takes.

The effort is a sum of named parts, as for Sudoku (:mod:`nando.rating.scale.parts`), whose weights
follow from what is done: each kind of reason on nando's ladder takes twice the looks of the kind
below it. No regression sets them. Since nobody was timed on Nurikabe, the seconds of a look come
from the times that setters publish as a standard, with an interval that says how little this is.
A fit to times of one's own moves the pace, and a little the slope, as far as the times warrant.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from nando.arrays import Floats
from nando.rating.base import Features, Rater, checked_seconds, extractor_of
from nando.rating.flags import NOBODY_TIMED, Flags
from nando.rating.grades import grades_of, looks_of
from nando.rating.records import (
    above_zero,
    check_identity,
    numbers,
    parsed,
    plain_floats,
    told_as,
)
from nando.rating.scale.parts import Part
from nando.rating.scale.rater import reasons_of

FORMAT = "nando difficulty model 3"

SHIPPED = Path(__file__).parent / "models" / "nurikabe_looks.json"
"""The model that is shipped."""

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

LOOKS_COLUMNS = tuple(column for part in PARTS for column in part.columns)
"""The columns that the parts are computed from."""

RUNS = 2
"""Runs in which impasses are counted."""

_WEIGHTS = np.array([[part.columns.get(column, 0.0) for column in LOOKS_COLUMNS] for part in PARTS])
_NAMES = [part.name for part in PARTS]
_WORDS = [part.words for part in PARTS]

_STUCK = "nurikabe_stuck_steps"
_STEPS = tuple(name for name in LOOKS_COLUMNS if name not in ("nurikabe_blanks", _STUCK))
_STUCK_PER_STEP = 1.2
"""Typical number of impasses for each step beyond a glance, and ..."""
_ROUGH_ERROR = 0.1
"""... the standard deviation of log looks where impasses are estimated by it."""

_PRIOR_PUZZLES = 10.0
"""The spread about the line counts as much as these many times in a fit."""


@dataclass(frozen=True)
class Line:
    """How log seconds follow from log looks, and how well that is known.

    Attributes
    ----------
    reference : float
        Log looks at which the offset is taken.
    offset, slope : float
        Log seconds there, and their change with the log looks.
    pace_spread, slope_spread : float
        Standard deviations of what is known of the two.
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
        """Return the standard deviation of log times about what is expected."""
        of_slope = self.slope_spread * (log_looks - self.reference)
        return np.sqrt(self.pace_spread**2 + of_slope**2 + self.puzzle_spread**2)

    def fitted(self, log_looks: Floats, log_seconds: Floats, weight: Floats) -> "Line":
        """Return the line after these times: the mean of the posterior of a normal model."""
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


@dataclass(frozen=True)
class Known:
    """What the puzzles of the collection cover.

    Attributes
    ----------
    most : tuple of float
        The most looks of each part.
    log_looks : tuple of float
        At the percentiles 0, 1, ..., 100.
    """

    most: tuple[float, ...]
    log_looks: tuple[float, ...]

    @classmethod
    def of(cls, parts: Floats) -> Self:
        """Summarise the parts of puzzles, shape ``(n_puzzles, n_parts)``."""
        at = np.quantile(np.log(parts.sum(axis=1)), np.linspace(0, 1, 101))
        return cls(plain_floats(parts.max(axis=0)), plain_floats(at))

    def excess(self, parts: Floats) -> tuple[Floats, list[Flags]]:
        """Return the share of each puzzle's looks beyond what is known, and its flags."""
        whole = parts.sum(axis=1)
        beyond = np.maximum(parts - np.array(self.most), 0.0)
        flags = [
            Flags.outside(
                [
                    ("beyond_known", f"{name} {looks:.0f}, at most {most:.0f} known")
                    for name, looks, most, more in zip(_NAMES, row, self.most, excess, strict=True)
                    if more > 0.005 * total
                ]
            )
            for row, excess, total in zip(parts, beyond, whole, strict=True)
        ]
        return beyond.sum(axis=1) / whole, flags


class LooksRater(Rater):
    """Predicted human solving time of Nurikabe.

    `X` is a sequence of puzzles or the table of their features, as in :class:`DifficultyRater`.

    Parameters
    ----------
    features : FeatureExtractor, SolverFeatures or None
        How puzzles become columns; None takes the groups that are needed.
    coverage : float
        Wanted share of human mean times inside the interval.

    Attributes
    ----------
    line_ : Line
        Log seconds by log looks, and how well that is known.
    timed_ : int
        Times that the line was fitted to; 0 where nobody was timed.
    sudoku_ : tuple of float
        Reference, offset and slope of the typical crowd's line for Sudoku: grades are by minutes.
    known_ : Known
        What the puzzles of the collection cover.
    provenance_ : dict
        Data, settings and scores, as a model file states them.
    """

    file_format = FORMAT
    columns = LOOKS_COLUMNS
    unit = "seconds"
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
        """Move the shipped line to times of one's own.

        Parameters
        ----------
        X : sequence of Puzzle, or feature table
        y : array_like of float, shape (n_puzzles,)
            Seconds, above 0.
        sample_weight : array_like of float or None
            Weight of each puzzle, for example the number of players behind its mean.
        groups : sequence of str or None
            Not used: no puzzle is left out of a fit of two numbers.

        Raises
        ------
        ValueError
            For times that are not above 0.
        """
        del groups
        seconds = checked_seconds(y)
        table, _ = self.table_of(X)
        if len(seconds) != len(table):
            raise ValueError(f"{len(seconds)} times for {len(table)} puzzles: bring one for each")
        weight = np.ones_like(seconds) if sample_weight is None else np.asarray(sample_weight)
        self.fit_quickly(table, np.log(seconds), weight)
        self.provenance_ = {"puzzles": len(seconds), "scale": shipped().model_id}
        return self

    def fit_quickly(self, table: Floats, log_seconds: Floats, weight: Floats) -> None:
        """Fit what a prediction needs."""
        start = shipped()
        log_looks = self.difficulty(table)
        self.line_ = start.line_.fitted(log_looks, log_seconds, weight / weight.mean())
        self.sudoku_, self.known_ = start.sudoku_, start.known_
        self.timed_, self.n_features_in_ = len(log_seconds), len(LOOKS_COLUMNS)

    # ---------------------------------------------------------------- predicting

    def difficulty(self, table: Floats) -> Floats:
        """Return the logarithm of the looks that puzzles take."""
        return np.asarray(np.log(np.add.reduce(looks_by_part(table), axis=1)))

    def log_seconds(self, table: Floats) -> Floats:
        """Predict log seconds from the model's columns, shape ``(n_puzzles, n_columns)``."""
        return self.line_.log_seconds(self.difficulty(table))

    def interval_of(
        self, table: Floats, orders: list[int | None], coverage: float
    ) -> tuple[Floats, list[Flags]]:
        """Return the log seconds of the interval's ends, and the flags of each puzzle."""
        del orders
        log_looks = self.difficulty(table)
        excess, flags = self.known_.excess(looks_by_part(table))
        width = NormalDist().inv_cdf(0.5 + coverage / 2) * self.line_.spread(log_looks)
        width = width * (1.0 + excess)
        log_seconds = self.line_.log_seconds(log_looks)
        ends = np.stack([log_seconds - width, log_seconds + width], axis=1)
        return ends, flags if self.timed_ else [NOBODY_TIMED.and_also(each) for each in flags]

    def grades(self, table: Floats) -> list[str]:
        """Return the grade of each puzzle: that of a Sudoku which takes as long."""
        reference, offset, slope = self.sudoku_
        typical = shipped().line_.log_seconds(self.difficulty(table))
        return grades_of(reference + (typical - offset) / slope)

    def percentiles(self, table: Floats) -> Floats:
        """Return the share of the collection's puzzles that are easier, 0 to 100."""
        at = np.interp(self.difficulty(table), self.known_.log_looks, np.arange(101.0))
        return np.asarray(at)

    def named_parts(self, table: Floats) -> list[tuple[tuple[str, float], ...]]:
        """Return the parts of each time by name, in seconds, easiest first; they add up to it."""
        return [tuple(zip(_NAMES, row, strict=True)) for row in self._seconds(table).tolist()]

    def reasons(self, table: Floats) -> list[str]:
        """Describe the larger parts of each time: what a person does and for how long."""
        return [reasons_of(row, _WORDS) for row in (self._seconds(table) / 60).tolist()]

    def _seconds(self, table: Floats) -> Floats:
        """Return the seconds of each part, shape ``(n_puzzles, len(PARTS))``."""
        looks = looks_by_part(table)
        shares = looks / looks.sum(axis=1, keepdims=True)
        return np.asarray(shares * np.exp(self.log_seconds(table))[:, None])

    @property
    def population(self) -> "_OfCollection":
        """What the puzzles of the collection cover."""
        return _OfCollection(self)

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
            "parts": {part.name: dict(part.columns) for part in PARTS},
            "line": asdict(self.line_),
            "timed": self.timed_,
            "sudoku": dict(zip(_SUDOKU, self.sudoku_, strict=True)),
            "known": {
                "most": dict(zip(_NAMES, self.known_.most, strict=True)),
                "log_looks": list(self.known_.log_looks),
            },
            "features": self.feature_record(),
            "settings": {"coverage": self.coverage},
        }

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the rater in the text of a model file.

        Raises
        ------
        ValueError
            Where the text is not a model, is of another format or of other parts, or was changed
            by hand so that its `model_id` no longer fits.
        """
        record = parsed(text, FORMAT, "a model file")
        with told_as("a model file"):
            if record["parts"] != {part.name: part.columns for part in PARTS}:
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
            rater.known_ = _known_of(record["known"])
            rater.provenance_ = dict(record["provenance"])
            rater.n_features_in_ = len(LOOKS_COLUMNS)
            rater.check_settings()
        check_identity(record, rater.model_id)
        return rater


_SUDOKU = ("reference", "offset", "slope")


def _known_of(record: Mapping[str, Any]) -> Known:
    scale = numbers(record["log_looks"], "known log_looks", 101)
    if (np.diff(scale) < 0).any():
        raise ValueError("known log_looks must not fall")
    most = numbers([record["most"][name] for name in _NAMES], "known most", len(_NAMES))
    return Known(tuple(most.tolist()), tuple(scale.tolist()))


def looks_by_part(table: Floats) -> Floats:
    """Return the looks of the parts of puzzles.

    Parameters
    ----------
    table : ndarray of float64, shape (n_puzzles, len(LOOKS_COLUMNS))

    Returns
    -------
    ndarray of float64, shape (n_puzzles, len(PARTS))
        At least 0, and above 0 for the marking.
    """
    counted = np.array(table, dtype=np.float64)
    # A full board takes no time; marking one cell stands for it.
    blanks = LOOKS_COLUMNS.index("nurikabe_blanks")
    counted[:, blanks] = np.maximum(counted[:, blanks], 1.0)
    # Sums row by row: a matrix product may add in another order for another number of rows.
    return np.asarray(np.add.reduce(counted[:, None, :] * _WEIGHTS, axis=2))


class _OfCollection:
    """The range of the collection in the seconds of a model."""

    def __init__(self, rater: LooksRater) -> None:
        self._rater = rater

    def log_seconds_at(self, percentile: float) -> float:
        """Return the log seconds below which a share of the puzzles, 0 to 100, is predicted.

        Raises
        ------
        ValueError
            For a percentile that is not between 0 and 100.
        """
        if not 0.0 <= percentile <= 100.0:
            raise ValueError(f"percentile must be between 0 and 100, got {percentile:g}")
        at = np.interp([percentile], np.arange(101.0), self._rater.known_.log_looks)
        return float(self._rater.line_.log_seconds(at)[0])

    def grade_range(self, grade: str) -> tuple[float, float]:
        """Return the least and largest log seconds of a grade."""
        reference, offset, slope = self._rater.sudoku_
        typical = offset + slope * (np.log(looks_of(grade)) - reference)
        least, most = self._rater.line_.log_seconds(shipped().line_.log_looks(typical)).tolist()
        return least, most


@cache
def shipped() -> LooksRater:
    """Return the shipped model."""
    return LooksRater.from_json(SHIPPED.read_text(encoding="utf-8"))

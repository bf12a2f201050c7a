"""The rater on the common scale of difficulty, which nando ships for Sudoku.

The expected time of a puzzle is a sum of parts (:mod:`nando.rating.scale.parts`), whose weights
differ a little between crowds (:mod:`nando.rating.scale.crowds`). A rating is the time of the
typical crowd, unless a crowd is named. It does not depend on a seed, because all random draws
follow from the class of equivalent puzzles.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from statistics import NormalDist
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.arrays import Floats
from nando.puzzles import as_puzzles
from nando.rating.base import (
    Features,
    Rater,
    are_puzzles,
    extractor_of,
)
from nando.rating.rating import Flags, grades_of, looks_of
from nando.rating.records import SHIPPED_MODELS, numbers
from nando.rating.scale.common import CommonScale, Missed, thought_of
from nando.rating.scale.crowds import OFFSET_SPREAD, Crowd, CrowdTimes, Scale, by_part
from nando.rating.scale.fitting import fit_crowd
from nando.rating.scale.parts import EFFORT, PART_COLUMNS, PARTS, parts_of
from nando.rating.scale.reach import Reach
from nando.rating.scale.rough import rating_time, rough_difficulty

FORMAT = "nando difficulty model 2"

SHIPPED = SHIPPED_MODELS / "crowds.json"
"""The shipped model."""

OWN = "own"
"""Name of a crowd that was given without a name."""


class DifficultyRater(Rater):
    """Predicted human solving time of Sudokus, for the typical crowd or for one of several.

    `X` everywhere is a sequence of puzzles, or their table from :class:`SolverFeatures` (a
    DataFrame with the columns of ``PART_COLUMNS``).

    Parameters
    ----------
    scale : CommonScale or None
        The scale from which a fit starts; None takes that of the shipped model.
    features : FeatureExtractor, SolverFeatures or None
        Computes the columns of puzzles; None takes the groups that are needed.
    n_splits : int
        Folds of the out-of-fold predictions behind a crowd's interval.
    coverage : float
        Share of human mean times that the interval should contain.

    Attributes
    ----------
    scale_ : Scale
        The common scale, and the crowds on it.
    crowd_ : str or None
        The crowd whose times are predicted; None is the typical crowd.
    missed_ : dict of str to Missed
        The errors of predictions for each crowd; "" stands for an unknown crowd.
    reach_ : Reach
        The range of the puzzles behind the scale.
    provenance_ : dict
        Data, settings and scores, as a model file states them.

    Notes
    -----
    A fit adds a crowd to the scale without changing it, so a few times are enough. Without times
    the new crowd equals the typical one. The interval for the typical crowd is for the mean time in
    an unknown crowd, which may be slow or fast. The interval for a known crowd uses its pace.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> puzzles = load_examples().puzzles
    >>> rater = DifficultyRater().fit(puzzles[:5], [260, 300, 390, 300, 350])
    >>> rater.crowd_
    'own'
    """

    file_format = FORMAT
    columns = PART_COLUMNS
    unit = "seconds"
    scale_: Scale
    missed_: dict[str, Missed]
    reach_: Reach
    crowd_: str | None

    def __init__(
        self,
        *,
        scale: CommonScale | None = None,
        features: Features | None = None,
        n_splits: int = 10,
        coverage: float = 0.8,
    ) -> None:
        self.scale = scale
        self.features = features
        self.n_splits = n_splits
        self.coverage = coverage

    # ---------------------------------------------------------------- fitting

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: Sequence[str] | None = None,
        crowd: str | Sequence[str] | None = None,
    ) -> Self:
        """Add a crowd, or several, to the scale.

        Parameters
        ----------
        X : sequence of Puzzle, or feature table
        y : array_like of float, shape (n_puzzles,)
            Seconds, above 0.
        sample_weight : array_like of float or None
            Number of players behind each time.
        groups : sequence of str or None
            Puzzles of one group are never split between folds. None uses the equivalence keys of
            puzzles; for a table each row is its own group.
        crowd : str, sequence of str or None
            Name of the crowd of all times or of each time; None means "own". After a fit to one
            crowd the rater predicts its times; after several, those of the typical crowd.

        Raises
        ------
        ValueError
            If times are not above 0, players are below 1, or every time is of another crowd.
        """
        table, orders, seconds = self.timed_table(X, y)
        players = _checked_players(sample_weight, len(seconds))
        names = _checked_crowds(crowd, len(seconds))
        if groups is None and are_puzzles(X):
            groups = [puzzle.equivalence_key() for puzzle in as_puzzles(X)]
        known = self._start()
        fitted = known.with_crowds(
            CrowdTimes(parts_of(table), np.log(seconds), players),
            names,
            orders=orders,
            groups=groups,
            n_splits=self.n_splits,
        )
        self.scale_, self.missed_, self.reach_ = fitted.scale, fitted.missed, fitted.reach
        only = set(names.tolist())
        self.crowd_ = only.pop() if len(only) == 1 else None
        self.provenance_ = {
            "name": self.crowd_ or "crowds",
            "puzzles": len(seconds),
            "scale": known.model_id,
        }
        self.n_features_in_ = len(PART_COLUMNS)
        return self

    def fit_quickly(self, table: Floats, log_seconds: Floats, weight: Floats) -> None:
        """Fit the prediction, without its interval."""
        known = self._start()
        fitted = fit_crowd(known.scale, CrowdTimes(parts_of(table), log_seconds, weight))
        self.scale_ = replace(known.scale, crowds={**known.scale.crowds, OWN: fitted})
        self.crowd_ = OWN

    def _start(self) -> CommonScale:
        return self.scale if self.scale is not None else shipped()

    @property
    def common_scale(self) -> CommonScale:
        """The scale with everything that ratings on it need, from which another model can start."""
        self.check_fitted()
        return CommonScale(self.scale_, self.missed_, self.reach_, self.model_id)

    def for_crowd(self, crowd: str | None) -> Self:
        """Return a copy that predicts the times of a crowd, or of the typical crowd.

        Raises
        ------
        ValueError
            For an unknown crowd.
        """
        self.check_fitted()
        crowds = self.scale_.crowds
        times = [name for name in crowds if not np.isnan(crowds[name].offset)]
        if crowd is not None and crowd not in times:
            raise ValueError(
                f"the model {self.model_id} knows no crowd {crowd!r}; known: {', '.join(times)}; "
                "'nando fit' makes a model of your own times"
            )
        other = deepcopy(self)
        other.crowd_ = crowd
        return other

    # ---------------------------------------------------------------- predicting

    def log_seconds(self, table: Floats) -> Floats:
        """Predict log seconds from the model's columns, shape ``(n_puzzles, n_columns)``."""
        return self.scale_.log_seconds(parts_of(table), self.crowd_)

    def difficulty(self, table: Floats) -> Floats:
        """Return the logarithm of the looks that puzzles take, on the common scale."""
        return self.scale_.difficulty(parts_of(table))

    def interval_of(
        self, table: Floats, orders: list[int | None], coverage: float
    ) -> tuple[Floats, list[Flags]]:
        """Return the log seconds of the interval's ends, and the flags of each puzzle."""
        return self.interval_of_parts(parts_of(table), orders, coverage)

    def interval_of_parts(
        self,
        parts: Floats,
        orders: Sequence[int | None],
        coverage: float,
        *,
        pace_known: bool = False,
    ) -> tuple[Floats, list[Flags]]:
        """Return the interval's ends and the flags of puzzles whose parts are known.

        With `pace_known`, the interval of the typical crowd assumes that the crowd has its pace.
        """
        missed = self.missed_[self.crowd_ or ""]
        ends = np.stack(missed.ends(thought_of(self.scale_, parts, self.crowd_), coverage))
        if pace_known:
            pass
        elif self.crowd_ is None:
            pace = NormalDist().inv_cdf(0.5 + coverage / 2) * self.scale_.offset_spread
            ends = np.hypot(ends, pace)
        elif n := self.scale_.crowds[self.crowd_].n_puzzles:
            ends = ends * np.sqrt(1.0 + 1.0 / n)
        else:
            ends = np.hypot(ends, OFFSET_SPREAD)
        factor, flags = self.reach_.widening(parts, orders)
        log_seconds = self.scale_.log_seconds(parts, self.crowd_)
        low, high = log_seconds - ends[0] * factor, log_seconds + ends[1] * factor
        return np.stack([low, high], axis=1), flags

    def grades(self, table: Floats) -> list[str]:
        """Return the grade of each puzzle on the common scale, which is the same for all crowds."""
        return grades_of(self.difficulty(table))

    def percentiles(self, table: Floats) -> Floats:
        """Return the percentage of the puzzles behind the scale that are easier, 0 to 100."""
        return self.reach_.log_difficulty.below(self.difficulty(table))

    def minutes_of_parts(self, table: Floats) -> Floats:
        """Return the parts of the predicted time in minutes, shape ``(n_puzzles, len(PARTS))``."""
        shares = EFFORT.shares(self.scale_.weighted(parts_of(table), self.crowd_))
        return np.asarray(shares * (np.exp(self.log_seconds(table)) / 60)[:, None])

    def named_parts(self, table: Floats) -> list[tuple[tuple[str, float], ...]]:
        """Return the named parts of each time in seconds, easiest first; their sum is the time."""
        return EFFORT.named(60 * self.minutes_of_parts(table))

    def reasons(self, table: Floats) -> list[str]:
        """Describe the larger parts of each time: what a person does and for how long."""
        return [EFFORT.reasons(row) for row in self.minutes_of_parts(table).tolist()]

    def log_seconds_at(self, percentile: float) -> float:
        """Return a percentile, 0 to 100, of the predicted log seconds of the puzzles."""
        return self._log_seconds(self.reach_.log_difficulty.at(percentile))

    def grade_range(self, grade: str) -> tuple[float, float]:
        """Return the least and largest log seconds of a grade."""
        least, most = np.log(looks_of(grade))
        return self._log_seconds(float(least)), self._log_seconds(float(most))

    def _log_seconds(self, difficulty: float) -> float:
        line = self._line
        return line.offset + line.slope * (difficulty - self.scale_.reference)

    def rough(self, known: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """Estimate the prediction when only some columns are known.

        The known columns are the guesses of the exact search alone, or all columns from a few
        games with or without the steps of the human-style solver.
        """
        line = self._line
        difficulty, error = rough_difficulty(self.scale_, self.crowd_, known)
        return line.offset + line.slope * (difficulty - self.scale_.reference), line.slope * error

    def rating_time(self, log_seconds: Floats) -> Floats:
        """Return the relative time needed to rate puzzles with these expected log seconds.

        Chains take longest to find.
        """
        line = self._line
        return rating_time(self.scale_.reference + (log_seconds - line.offset) / line.slope)

    @property
    def _line(self) -> Scale | Crowd:
        """The line from difficulties to log seconds."""
        return self.scale_ if self.crowd_ is None else self.scale_.crowds[self.crowd_]

    # ---------------------------------------------------------------- the model as a file

    def record(self) -> dict[str, Any]:
        """Return everything that moves a rating, as plain values."""
        scale = self.scale_
        return {
            "crowd": self.crowd_,
            "parts": {part.name: dict(part.columns) for part in PARTS},
            "scale": {
                "weights": dict(zip(EFFORT.names, scale.weights, strict=True)),
                "reference": scale.reference,
                "offset": scale.offset,
                "slope": scale.slope,
                "offset_spread": scale.offset_spread,
                "slope_spread": scale.slope_spread,
            },
            "crowds": {name: crowd.to_dict() for name, crowd in scale.crowds.items()},
            "missed": {name: missed.to_dict() for name, missed in self.missed_.items()},
            "reach": self.reach_.to_dict(),
            "features": self.feature_record(),
            "settings": {"n_splits": self.n_splits, "coverage": self.coverage},
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the model of a record, without its provenance."""
        if record["parts"] != {part.name: part.columns for part in PARTS}:
            raise ValueError("its parts are not those of this version of nando")
        scale = record["scale"]
        singles = {
            name: float(numbers(scale[name], name))
            for name in ("reference", "offset", "slope", "offset_spread", "slope_spread")
        }
        crowds = {name: Crowd.from_dict(values) for name, values in record["crowds"].items()}
        missed = {name: Missed.from_dict(values) for name, values in record["missed"].items()}
        crowd = record["crowd"]
        if (crowd or "") not in missed:
            raise ValueError(f"it has no errors for the crowd {crowd!r}")
        if crowd is not None and crowd not in crowds:
            raise ValueError(f"it has no crowd {crowd!r}")
        rater = cls(features=extractor_of(record["features"]), **record["settings"])
        rater.scale_ = Scale(by_part(scale["weights"], "weights"), **singles, crowds=crowds)
        rater.missed_, rater.reach_ = missed, Reach.from_dict(record["reach"])
        rater.crowd_ = crowd
        rater.n_features_in_ = len(PART_COLUMNS)
        rater.check_settings()
        return rater


@cache
def shipped() -> CommonScale:
    """Return the scale of the shipped model."""
    return DifficultyRater.from_json(SHIPPED.read_text(encoding="utf-8")).common_scale


def _checked_players(players: ArrayLike | None, n: int) -> Floats | None:
    if players is None:
        return None
    values = np.asarray(players, dtype=np.float64)
    if values.shape != (n,) or not (np.isfinite(values).all() and (values > 0).all()):
        raise ValueError("players must be a number above 0 for each time")
    return values


def _checked_crowds(crowd: str | Sequence[str] | None, n: int) -> NDArray[np.str_]:
    if crowd is None or isinstance(crowd, str):
        names = np.full(n, OWN if crowd is None else crowd)
    else:
        names = np.array(list(crowd), dtype=np.str_)
    if names.shape != (n,):
        raise ValueError(f"{len(names)} names of crowds for {n} times: give one for each")
    if n > 1 and len(set(names.tolist())) == n:
        raise ValueError("every time is of another crowd: give crowds with several times")
    if "" in names:
        raise ValueError("a crowd must have a name, got ''")
    return names

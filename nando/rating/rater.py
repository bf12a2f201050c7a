"""The rater on the common scale of difficulty, which nando ships for Sudoku.

The expected time of a puzzle is a sum of parts (:mod:`nando.rating.parts`), whose weights
differ a little between crowds (:mod:`nando.rating.scale`). A rating is the time of the
typical crowd, unless a crowd is named. It does not depend on a seed, because all random draws
follow from the class of equivalent puzzles.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from nando.arrays import Floats
from nando.names import Grade
from nando.puzzles import as_puzzles
from nando.rating.base import (
    Features,
    Rater,
    are_puzzles,
    extractor_of,
)
from nando.rating.fit import fit_crowd, fit_new, fit_scale, fit_with
from nando.rating.parts import EFFORT, PART_COLUMNS, PARTS, parts_of
from nando.rating.reach import Reach
from nando.rating.result import Flags, grades_of, looks_of
from nando.rating.rough import rating_time, rough_difficulty
from nando.rating.scale import (
    OFFSET_SPREAD,
    OWN,
    CommonScale,
    Crowd,
    CrowdTimes,
    Missed,
    Scale,
    checked_crowds,
    checked_players,
    thought_of,
)
from nando.rating.shipped import FILES, shipped, warn_of_seen

FORMAT = "nando difficulty model 2"


class DifficultyRater(Rater):
    """Predicted human solving time of Sudokus, for the typical crowd or for one of several.

    `X` everywhere is a sequence of puzzles, or their table from :class:`SolverFeatures` (a
    DataFrame with the columns of ``PART_COLUMNS``).

    Parameters
    ----------
    scale : CommonScale, "new" or None
        The scale from which a fit starts; None takes that of the shipped model. "new" fits a scale
        to the given times alone, of one crowd or several.
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

    The shipped scale was fitted to all published times, so scores on their puzzles are too good,
    also by cross-validation. A fit to such puzzles warns. Start from a scale without them, which
    is ``load_model().without("cloud-sudoku").common_scale``. A table of features does not say
    which puzzles are its rows, so a fit to a table cannot warn.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> puzzles = load_examples().puzzles
    >>> rater = DifficultyRater().fit(puzzles[:4], [260, 300, 390, 300])
    >>> rater.crowd_
    'own'
    """

    file_format = FORMAT
    columns = PART_COLUMNS
    scale_: Scale
    missed_: dict[str, Missed]
    reach_: Reach
    crowd_: str | None

    def __init__(
        self,
        *,
        scale: CommonScale | Literal["new"] | None = None,
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

        Warns
        -----
        UserWarning
            If the scale from which the fit starts was fitted to times of some of these puzzles.
        """
        table, orders, seconds = self.timed_table(X, y)
        players = checked_players(sample_weight, len(seconds))
        names = checked_crowds(crowd, len(seconds))
        start = self._start()
        if are_puzzles(X):
            keys = [puzzle.equivalence_key() for puzzle in as_puzzles(X)]
            groups = keys if groups is None else groups
            if start is not None:
                warn_of_seen(start.scale, keys)
        times = CrowdTimes(parts_of(table), np.log(seconds), players)
        fit = fit_new if start is None else partial(fit_with, start)
        self._set(fit(times, names, orders=orders, groups=groups, n_splits=self.n_splits))
        only = set(names.tolist())
        self.crowd_ = only.pop() if len(only) == 1 else None
        self.provenance_ = {"name": self.crowd_ or "crowds", "puzzles": len(seconds)}
        if start is not None:
            self.provenance_["scale"] = start.model_id
        return self

    @classmethod
    def on_scale(cls, scale: CommonScale) -> Self:
        """Return the rater of a scale, for its typical crowd; it has no provenance yet."""
        rater = cls()
        rater._set(scale)
        rater.crowd_ = None
        return rater

    def _set(self, fitted: CommonScale) -> None:
        self.scale_, self.missed_, self.reach_ = fitted.scale, fitted.missed, fitted.reach
        self.n_features_in_ = len(PART_COLUMNS)

    def fit_quickly(self, table: Floats, log_seconds: Floats, weight: Floats) -> None:
        """Fit the prediction, without its interval."""
        start, times = self._start(), CrowdTimes(parts_of(table), log_seconds, weight)
        scale = fit_scale({OWN: times}) if start is None else start.scale
        self.scale_ = replace(scale, crowds={**scale.crowds, OWN: fit_crowd(scale, times)})
        self.crowd_ = OWN

    def _start(self) -> CommonScale | None:
        """Return the scale from which a fit starts; None for a new one."""
        if isinstance(self.scale, str):
            if self.scale != "new":
                raise ValueError(f"scale must be a CommonScale, 'new' or None, got {self.scale!r}")
            return None
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

    def without(self, *crowds: str) -> Self:
        """Return the shipped model as fitted without the data sets of these crowds.

        Use it to score nando on the crowd's times, or start a fit to them from its `common_scale`.

        Raises
        ------
        ValueError
            If this is not the shipped model, for an unknown crowd, or for crowds of several data
            sets.
        """
        whole = shipped()
        if self.for_crowd(None).model_id != whole.model_id:
            raise ValueError(
                f"{self.model_id} is not the shipped model, which alone is also shipped without "
                "crowds: take load_model().without(...), and fit your times again"
            )
        for name in crowds:
            if name not in whole.scale.crowds:
                known = ", ".join(whole.scale.crowds)
                raise ValueError(f"the shipped model has no crowd {name!r}; known: {known}")
        for file in FILES:
            rater = type(self).from_json(file.read_text(encoding="utf-8"))
            if not rater.scale_.crowds.keys() & set(crowds):
                return rater.for_crowd(self.crowd_)
        raise ValueError(
            f"{' and '.join(crowds)} are of several data sets, and the shipped model comes without "
            "one at a time: fit it by nando.rating.fit_shipped(without=[...])"
        )

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

    def grades(self, table: Floats) -> list[Grade]:
        """Return the grade of each puzzle on the common scale, which is the same for all crowds."""
        return grades_of(self.difficulty(table))

    def percentiles(self, table: Floats) -> Floats:
        """Return the percentage of the puzzles behind the scale that are easier, 0 to 100."""
        return self.reach_.log_difficulty.below(self.difficulty(table))

    def _minutes(self, table: Floats, log_seconds: Floats) -> Floats:
        """Return the parts of the predicted time in minutes, shape ``(n_puzzles, len(PARTS))``."""
        shares = EFFORT.shares(self.scale_.weighted(parts_of(table), self.crowd_))
        return np.asarray(shares * (np.exp(log_seconds) / 60)[:, None])

    def named_parts(
        self, table: Floats, log_seconds: Floats
    ) -> list[tuple[tuple[str, float], ...]]:
        """Return the named parts of each time in seconds, easiest first; their sum is the time."""
        return EFFORT.named(60 * self._minutes(table, log_seconds))

    def reasons(self, table: Floats, log_seconds: Floats) -> list[str]:
        """Describe the larger parts of each time: what a person does and for how long."""
        return [EFFORT.reasons(row) for row in self._minutes(table, log_seconds).tolist()]

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
        return {
            "crowd": self.crowd_,
            "parts": {part.name: dict(part.columns) for part in PARTS},
            **CommonScale(self.scale_, self.missed_, self.reach_).record(),
            "features": self.feature_record(),
            "settings": {"n_splits": self.n_splits, "coverage": self.coverage},
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the model of a record, without its provenance."""
        if record["parts"] != {part.name: part.columns for part in PARTS}:
            raise ValueError("its parts are not those of this version of nando")
        fitted = CommonScale.of_record(record)
        crowd = record["crowd"]
        if (crowd or "") not in fitted.missed:
            raise ValueError(f"it has no errors for the crowd {crowd!r}")
        if crowd is not None and crowd not in fitted.scale.crowds:
            raise ValueError(f"it has no crowd {crowd!r}")
        rater = cls(features=extractor_of(record["features"]), **record["settings"])
        rater._set(fitted)
        rater.crowd_ = crowd
        rater.check_settings()
        return rater

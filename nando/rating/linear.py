"""A robust linear model of log time with its interval, for any columns and one crowd.

The model is a weighted Huber regression of log seconds on a few standardised columns, so every
coefficient can be interpreted. Its interval is cross-conformal: quantiles of the signed residuals
of predictions for puzzles (and all their symmetric copies) that were left out of the fit. It is the
model for single metrics and for Nurikabe, and was nando's only model before the common scale.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from nando.arrays import Floats
from nando.checks import how_many
from nando.features.groups import find_feature
from nando.names import Grade
from nando.puzzles import as_puzzles
from nando.rating.base import (
    LEVELS,
    UNITS,
    Features,
    Rater,
    are_puzzles,
    checked_seconds,
    extractor_of,
    quantiles,
    rounded,
)
from nando.rating.estimator import grouped_folds
from nando.rating.population import Population
from nando.rating.rating import Flags
from nando.rating.records import above_zero, numbers

FORMAT = "nando difficulty model 1"

_ROUGH_ERROR = 0.15
"""Standard deviation of the error when most columns are known."""


class LinearRater(Rater):
    """Predicted human solving time of puzzles, by a line in some columns.

    `X` is a sequence of puzzles or the table of their features, as in :class:`DifficultyRater`.

    Parameters
    ----------
    columns : sequence of str
        Feature columns of the model.
    features : FeatureExtractor, SolverFeatures or None
        Computes the columns of puzzles; None takes the groups that `columns` need.
    alpha : float
        Strength of the ridge penalty on standardised columns.
    epsilon : float
        Residuals beyond this many robust standard deviations count linearly, not squared.
    n_splits : int
        Folds of the out-of-fold predictions behind the interval.
    coverage : float
        Share of human mean times that the interval should contain.
    unit : {"seconds", "points"}
        Unit of the prediction. Points are for puzzles without known times. A model of points uses
        points wherever this class mentions seconds.

    Attributes
    ----------
    coef_ : ndarray of float64, shape (n_columns,)
        Change of log seconds per standard deviation of the column.
    intercept_ : float
        Log seconds of a puzzle that is average in every column.
    mean_, scale_ : ndarray of float64, shape (n_columns,)
    residuals_ : ndarray of float64, shape (201,)
        Quantiles, at 0, 0.005, ..., 1, of the out-of-fold residuals of log seconds.
    population_ : Population
        Range, grade scale and percentiles of the training puzzles.
    provenance_ : dict
        Data, settings and scores, as a model file states them.

    Notes
    -----
    A prediction is the exponential of the predicted log time, so it is nearer to a typical time
    than to a mean time. The documentation describes the limits of the data.
    """

    file_format = FORMAT
    coef_: Floats
    intercept_: float
    mean_: Floats
    scale_: Floats
    residuals_: Floats
    population_: Population

    def __init__(
        self,
        columns: Sequence[str],
        *,
        features: Features | None = None,
        alpha: float = 0.01,
        epsilon: float = 1.35,
        n_splits: int = 10,
        coverage: float = 0.8,
        unit: str = "seconds",
    ) -> None:
        self.columns = columns
        self.features = features
        self.alpha = alpha
        self.epsilon = epsilon
        self.n_splits = n_splits
        self.coverage = coverage
        self.unit = unit

    # ---------------------------------------------------------------- fitting

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: Sequence[str] | None = None,
    ) -> Self:
        """Fit to human solving times.

        Parameters
        ----------
        X : sequence of Puzzle, or feature table
        y : array_like of float, shape (n_puzzles,)
            Seconds, above 0.
        sample_weight : array_like of float or None
            Weight of each puzzle, for example the number of players behind its mean.
        groups : sequence of str or None
            Puzzles of one group are never split between folds. None uses the equivalence keys of
            puzzles; for a table each row is its own group.

        Raises
        ------
        ValueError
            For times that are not above 0, or fewer puzzles than folds.
        """
        if self.unit not in UNITS:
            raise ValueError(f"unit must be one of {', '.join(UNITS)}, got {self.unit!r}")
        seconds = checked_seconds(y, self.unit)
        if len(seconds) < 2 * self.n_splits:
            raise ValueError(
                f"{how_many(len(seconds), 'puzzle is', 'puzzles are')} too few for "
                f"{self.n_splits} folds; give {2 * self.n_splits} or set n_splits"
            )
        table, orders = self.table_of(X)
        log_seconds = np.log(seconds)
        weight = np.ones_like(seconds) if sample_weight is None else np.asarray(sample_weight)
        self.fit_quickly(table, log_seconds, weight)

        if groups is None:
            groups = [p.equivalence_key() for p in as_puzzles(X)] if are_puzzles(X) else None
        held_out = self._held_out(table, log_seconds, weight, groups)
        self.residuals_ = rounded(quantiles(log_seconds - held_out, weight))
        seen = {order for order in orders if order is not None}
        self.population_ = Population.of(table, list(self.columns), self.log_seconds(table), seen)
        self.provenance_ = {"puzzles": len(seconds)}
        return self

    def fit_quickly(self, table: Floats, log_seconds: Floats, weight: Floats) -> None:
        """Fit the line without the interval."""
        from sklearn.linear_model import HuberRegressor
        from sklearn.preprocessing import StandardScaler

        scaler = StandardScaler().fit(table)
        self.mean_ = rounded(scaler.mean_)
        self.scale_ = rounded(scaler.scale_)
        line = HuberRegressor(
            alpha=self.alpha, epsilon=self.epsilon, max_iter=10_000, tol=1e-8
        ).fit((table - self.mean_) / self.scale_, log_seconds, sample_weight=weight)
        self.coef_ = rounded(line.coef_)
        self.intercept_ = float(rounded(line.intercept_))
        self.n_features_in_ = table.shape[1]

    def _held_out(
        self, table: Floats, log_seconds: Floats, weight: Floats, groups: Sequence[str] | None
    ) -> Floats:
        """Predict the log seconds of each puzzle by fits that exclude its group."""
        held_out = np.empty_like(log_seconds)
        for train, test in grouped_folds(groups, len(log_seconds), self.n_splits, seed=0):
            part = type(self)(**self.get_params(deep=False))
            part.fit_quickly(table[train], log_seconds[train], weight[train])
            held_out[test] = part.log_seconds(table[test])
        return held_out

    # ---------------------------------------------------------------- predicting

    def log_seconds(self, table: Floats) -> Floats:
        """Predict log seconds from the model's columns, shape ``(n_puzzles, n_columns)``."""
        # Sum row by row: a matrix product may add in a different order for each batch size.
        parts = (table - self.mean_) / self.scale_ * self.coef_
        return np.asarray(self.intercept_ + np.add.reduce(parts, axis=1))

    def interval_of(
        self, table: Floats, orders: list[int | None], coverage: float
    ) -> tuple[Floats, list[Flags]]:
        """Return the log seconds of the interval's ends, and the flags of each puzzle."""
        tail = (1.0 - coverage) / 2.0
        low, high = np.interp([tail, 1.0 - tail], LEVELS, self.residuals_)
        factor, flags = self.population_.widening(table, orders)
        log_seconds = self.log_seconds(table)
        ends = [log_seconds + min(low, 0.0) * factor, log_seconds + max(high, 0.0) * factor]
        return np.stack(ends, axis=1), flags

    def grades(self, table: Floats) -> list[Grade]:
        """Return the grade of each puzzle; a sixth of the training puzzles have each grade."""
        return self.population_.grade(self.log_seconds(table))

    def percentiles(self, table: Floats) -> Floats:
        """Return the percentage of the training puzzles that are easier, 0 to 100."""
        return self.population_.log_seconds.below(self.log_seconds(table))

    def reasons(self, table: Floats) -> list[str]:
        """Describe in players' words what moved each time most, compared with an average puzzle."""
        return [self._reasons(row) for row in table]

    def _reasons(self, row: Floats) -> str:
        parts = (row - self.mean_) / self.scale_ * self.coef_
        chosen = np.argsort(-np.abs(parts), kind="stable")[:3]
        sentences = []
        for i in chosen:
            feature = find_feature(self.columns[i])
            large = bool(row[i] > self.mean_[i])
            words = self.columns[i] if feature is None else feature.in_words(large=large)
            sentences.append(f"{words} {np.expm1(parts[i]):+.0%}")
        return ", ".join(sentences)

    def log_seconds_at(self, percentile: float) -> float:
        """Return a percentile, 0 to 100, of the predicted log seconds of the training puzzles."""
        return self.population_.log_seconds.at(percentile)

    def grade_range(self, grade: str) -> tuple[float, float]:
        """Return the least and largest log seconds of a grade among the training puzzles."""
        return self.population_.grade_range(grade)

    def rough(self, known: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """Predict log seconds as if the model's other columns were as hard as the known ones."""
        sum_of_known = np.zeros(len(next(iter(known.values()))))
        weight_of_known = all_of_them = 0.0
        for i, name in enumerate(self.columns):
            all_of_them += abs(self.coef_[i])
            if name in known:
                weight_of_known += abs(self.coef_[i])
                sum_of_known += (known[name] - self.mean_[i]) / self.scale_[i] * self.coef_[i]
        if not weight_of_known:
            return sum_of_known + self.intercept_, np.full_like(sum_of_known, np.inf)
        share = all_of_them / weight_of_known
        log_seconds = self.intercept_ + sum_of_known * share
        return log_seconds, np.full_like(log_seconds, share * _ROUGH_ERROR)

    # ---------------------------------------------------------------- the model as a file

    def record(self) -> dict[str, Any]:
        """Return everything that moves a rating, as plain values."""
        # Seconds are left out, so that models from before points keep their ids.
        unit = {} if self.unit == "seconds" else {"unit": self.unit}
        return {
            **unit,
            "columns": list(self.columns),
            "mean": self.mean_.tolist(),
            "scale": self.scale_.tolist(),
            "coefficients": self.coef_.tolist(),
            "intercept": self.intercept_,
            "features": self.feature_record(),
            "settings": {
                "alpha": self.alpha,
                "epsilon": self.epsilon,
                "n_splits": self.n_splits,
                "coverage": self.coverage,
            },
            "residual_quantiles": self.residuals_.tolist(),
            "population": self.population_.to_dict(),
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the model of a record, without its provenance."""
        rater = cls(
            tuple(record["columns"]),
            features=extractor_of(record["features"]),
            unit=record.get("unit", "seconds"),
            **record["settings"],
        )
        rater.check_settings()
        n = rater.n_features_in_ = len(rater.columns)
        rater.mean_ = numbers(record["mean"], "mean", n)
        rater.scale_ = above_zero(record["scale"], "scale", n)
        rater.coef_ = numbers(record["coefficients"], "coefficients", n)
        rater.intercept_ = float(numbers(record["intercept"], "intercept"))
        rater.residuals_ = numbers(record["residual_quantiles"], "residual_quantiles", len(LEVELS))
        rater.population_ = Population.from_dict(record["population"])
        return rater

"""A robust linear model on log time, with its interval: any columns, one crowd.

The model is a weighted Huber regression of log seconds on a few standardised columns, so every
coefficient can be read. Its interval is cross-conformal: quantiles of the signed residuals of
predictions made for puzzles (and all their symmetric copies) that were left out of the fit. It is
the model of single metrics, of Nurikabe, and of all the ratings that nando made before there was a
common scale of crowds.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nando.features.extractor import FeatureExtractor
from nando.features.groups import find_feature
from nando.rating.base import LEVELS, Rater, extractor_of
from nando.rating.linear.population import Population
from nando.rating.records import above_zero, check_identity, numbers, parsed, told_as

FORMAT = "nando difficulty model 1"

_ROUGH_ERROR = 0.15
"""Standard deviation of what is missed where most columns are known."""


class LinearModel(Rater):
    """Predicted human solving time of puzzles, by a line in some columns.

    `X` everywhere is a sequence of puzzles or a table of their features. What was fitted is named
    as scikit-learn names it: :class:`nando.rating.LinearRater` fits it, and predicts by the same
    methods.

    Parameters
    ----------
    columns : sequence of str
        Feature columns of the model.
    extractor : FeatureExtractor
        How puzzles become columns.
    alpha, epsilon, n_splits, coverage, unit
        As of :class:`nando.rating.LinearRater`.

    Attributes
    ----------
    coef_ : ndarray of float64, shape (n_columns,)
        Change of log seconds per standard deviation of the column.
    intercept_ : float
        Log seconds of a puzzle average in every column.
    mean_, scale_ : ndarray of float64, shape (n_columns,)
    residuals_ : ndarray of float64, shape (201,)
        Quantiles, at 0, 0.005, ..., 1, of the out-of-fold residuals of log seconds.
    population_ : Population
        What the training puzzles covered; its grade scale and percentiles.
    provenance_ : dict
        Data, settings and scores, as a model file states them.
    """

    alpha: float
    epsilon: float
    n_splits: int
    coef_: NDArray[np.float64]
    intercept_: float
    mean_: NDArray[np.float64]
    scale_: NDArray[np.float64]
    residuals_: NDArray[np.float64]
    population_: Population

    def __init__(
        self,
        columns: Sequence[str],
        *,
        extractor: FeatureExtractor,
        alpha: float,
        epsilon: float,
        n_splits: int,
        coverage: float,
        unit: str,
    ) -> None:
        self.columns = columns
        self.alpha = alpha
        self.epsilon = epsilon
        self.n_splits = n_splits
        self.coverage = coverage
        self.unit = unit
        self._extractor = extractor

    @property
    def extractor(self) -> FeatureExtractor:
        """How puzzles become columns."""
        return self._extractor

    # ---------------------------------------------------------------- predicting

    def log_seconds(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Predicted log seconds from the model's columns, shape ``(n_puzzles, n_columns)``."""
        # Row by row sums: a matrix product may add in another order for another batch size.
        parts = (table - self.mean_) / self.scale_ * self.coef_
        return np.asarray(self.intercept_ + np.add.reduce(parts, axis=1))

    def interval_of(
        self, table: NDArray[np.float64], orders: list[int | None], coverage: float
    ) -> tuple[NDArray[np.float64], list[str]]:
        """Log seconds of the interval's ends, and a flag for each puzzle unlike those known."""
        tail = (1.0 - coverage) / 2.0
        low, high = np.interp([tail, 1.0 - tail], LEVELS, self.residuals_)
        factor, flags = self.population_.widening(table, orders)
        log_seconds = self.log_seconds(table)
        ends = [log_seconds + min(low, 0.0) * factor, log_seconds + max(high, 0.0) * factor]
        return np.stack(ends, axis=1), flags

    def grades(self, table: NDArray[np.float64]) -> list[str]:
        """Grade of each puzzle: a sixth of the training puzzles each."""
        return self.population_.grade(self.log_seconds(table))

    def percentiles(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Share of the training puzzles that are easier, 0 to 100."""
        return self.population_.percentile(self.log_seconds(table))

    def reasons(self, table: NDArray[np.float64]) -> list[str]:
        """What moved each time most, in a player's words, against a puzzle average in it."""
        return [self._reasons(row) for row in table]

    def _reasons(self, row: NDArray[np.float64]) -> str:
        parts = (row - self.mean_) / self.scale_ * self.coef_
        chosen = np.argsort(-np.abs(parts), kind="stable")[:3]
        told = []
        for i in chosen:
            feature = find_feature(self.columns[i])
            large = bool(row[i] > self.mean_[i])
            words = self.columns[i] if feature is None else feature.told(large=large)
            told.append(f"{words} {np.expm1(parts[i]):+.0%}")
        return ", ".join(told)

    @property
    def population(self) -> Population:
        """What the training puzzles covered."""
        return self.population_

    def rough(
        self, known: Mapping[str, NDArray[np.float64]]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Predicted log seconds as if the model's other columns were as hard as these."""
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

    @property
    def file_format(self) -> str:
        """Name and version of the model's file."""
        return FORMAT

    def record(self) -> dict[str, Any]:
        """Everything that moves a rating."""
        # Left out for seconds, as it was before there were points: their names stay the same.
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
    def from_json(cls, text: str) -> Self:
        """The model in the text of a file.

        Raises
        ------
        ValueError
            Where the text is not a model, is of another format, or was changed by hand so that
            its `model_id` no longer fits.
        """
        record = parsed(text, FORMAT, "a model file")
        with told_as("a model file"):
            model = cls(
                tuple(record["columns"]),
                extractor=extractor_of(record["features"]),
                unit=record.get("unit", "seconds"),
                **record["settings"],
            )
            model.check_settings()
            n = len(model.columns)
            model.mean_ = numbers(record["mean"], "mean", n)
            model.scale_ = above_zero(record["scale"], "scale", n)
            model.coef_ = numbers(record["coefficients"], "coefficients", n)
            model.intercept_ = float(numbers(record["intercept"], "intercept"))
            model.residuals_ = numbers(
                record["residual_quantiles"], "residual_quantiles", len(LEVELS)
            )
            model.population_ = Population.from_dict(record["population"])
            model.provenance_ = dict(record["provenance"])
        check_identity(record, model.model_id)
        return model

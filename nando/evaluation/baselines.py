"""The baselines of an evaluation: robust regressions of log seconds on chosen columns."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import HuberRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from nando.arrays import Floats
from nando.features.extractor import chosen_columns


class LogLinear(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A robust regression of log seconds on some columns of features.

    Parameters
    ----------
    columns : sequence of str
    alpha : float
        Strength of the ridge penalty on standardised columns.
    """

    pipeline_: Pipeline

    def __init__(self, columns: Sequence[str], alpha: float = 0.01) -> None:
        self.columns = columns
        self.alpha = alpha

    def fit(self, X: Any, y: ArrayLike, sample_weight: Floats | None = None) -> Self:
        """Fit to a DataFrame of features and times `y` in seconds."""
        log_seconds = np.log(np.asarray(y, dtype=np.float64))
        weight = np.ones_like(log_seconds) if sample_weight is None else sample_weight
        self.fit_quickly(self.table_of(X)[0], log_seconds, weight)
        return self

    def predict(self, X: Any) -> Floats:
        """Predict seconds from a DataFrame of features."""
        return np.exp(self.log_seconds(self.table_of(X)[0]))

    def table_of(self, table: Any) -> tuple[Floats, None]:
        """Return its own columns of a DataFrame."""
        values = np.asarray(table, dtype=np.float64)
        return chosen_columns(values, table.columns, self.columns), None

    def fit_quickly(self, table: Floats, log_seconds: Floats, weight: Floats) -> None:
        """Fit to its own columns, shape ``(n_puzzles, n_columns)``."""
        line = HuberRegressor(alpha=self.alpha, max_iter=10_000, tol=1e-8)
        self.pipeline_ = make_pipeline(StandardScaler(), line)
        self.pipeline_.fit(table, log_seconds, huberregressor__sample_weight=weight)

    def log_seconds(self, table: Floats) -> Floats:
        """Predict log seconds from its own columns."""
        return np.asarray(self.pipeline_.predict(table))

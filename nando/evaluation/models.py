"""The models that are evaluated: nando's own, and robust regressions on columns of features."""

from collections.abc import Mapping, Sequence
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.linear_model import HuberRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from nando.arrays import Floats
from nando.features.extractor import chosen_columns
from nando.features.groups import GROUPS, feature_names
from nando.rating.files import plain_floats
from nando.rating.kinds import BASELINES
from nando.rating.model import Rater
from nando.rating.parts import PART_COLUMNS
from nando.rating.record import least_seen


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
        """Fit to its own columns, shape ``(n_puzzles, n_columns)``.

        Numbers are rounded to ten digits, which makes ties of puzzles that differ by less.
        """
        scaler = StandardScaler().fit(table)
        line = HuberRegressor(alpha=self.alpha, max_iter=10_000, tol=1e-8)
        scaler.mean_, scaler.scale_ = map(_round, (scaler.mean_, scaler.scale_))
        line.fit(scaler.transform(table), log_seconds, sample_weight=weight)
        line.coef_, line.intercept_ = _round(line.coef_), _round([line.intercept_])[0]
        self.pipeline_ = make_pipeline(scaler, line)

    def log_seconds(self, table: Floats) -> Floats:
        """Predict log seconds from its own columns."""
        scaler, line = self.pipeline_[0], self.pipeline_[1]
        # Sum row by row: a matrix product may add in a different order for each batch size.
        parts = scaler.transform(table) * line.coef_
        return np.asarray(line.intercept_ + np.add.reduce(parts, axis=1))


def _round(values: ArrayLike) -> Floats:
    return np.array(plain_floats(values))


Model: TypeAlias = Rater | LogLinear

_MANY, _MANY_ALPHA = 20, 30.0
"""A regression on more columns than this has a stronger ridge penalty."""

_CHEAP = (
    *("givens", "spread", "refutation", "dependency", "search_time", "digit_sweep"),
    *("ladder_race", "logic", "exact"),
)

COMPARED: dict[str, tuple[str, ...]] = {
    "nando": PART_COLUMNS,
    "log-linear": BASELINES["log-linear"],
    "givens": ("givens",),
    "dependency": ("dependency_25",),
    "refutation sum": ("log_refutation_sum",),
    "relaxation, solutions": ("relaxation_extra_solutions",),
    "relaxation, fixedness": ("relaxation_fixed_blanks",),
    "Serate": ("se_rating",),
    "Serate LM": tuple(f.name for f in GROUPS["logic"].features if f.name.startswith("uses_")),
    "RD": ("log_refutation_sum", "dependency_25"),
    "SRD": ("se_rating", "log_refutation_sum", "dependency_25"),
    "search-time race": ("search_time",),
    "digit sweep": ("sweep_easy_visits",),
    "mechanistic": ("mechanistic_seconds",),
    "every cheap feature": tuple(feature_names(_CHEAP)),
}
"""Columns of each model. SRD is the published SFRD without Fowler's rating, whose formula is lost;
Serate LM is a line in the number of uses of each technique. The model uses the logarithm of 1 + the
refutation sum, because it predicts the logarithm of a time; the sum itself predicts far worse."""


def models_of(
    chosen: Mapping[str, Model | Sequence[str]], keys: Sequence[str], n_splits: int
) -> dict[str, Model]:
    """Return the models, with those of which only the columns are given.

    The columns of the common scale are the model on the shipped scale that saw the fewest of the
    puzzles with these keys. Others are a regression.
    """
    models: dict[str, Model] = {}
    for name, model in chosen.items():
        if isinstance(model, Rater | LogLinear):
            models[name] = model
        elif tuple(model) == PART_COLUMNS:
            models[name] = Rater(scale=least_seen(keys), n_splits=n_splits)
        else:
            alpha = _MANY_ALPHA if len(model) > _MANY else 0.01
            models[name] = LogLinear(tuple(model), alpha)
    return models


def unseeing(rater: Rater, keys: Sequence[str]) -> Rater:
    """Return an unfitted rater for scores on puzzles with these equivalence keys.

    The common scale from which it starts is the shipped one that was fitted to the fewest of them.
    """
    rater = clone(rater)
    if rater.kind == "sudoku" and rater.scale is None:
        rater.scale = least_seen(keys)
    return rater

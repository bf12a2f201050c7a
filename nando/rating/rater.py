"""From features to a person's seconds: a robust linear model on log time, with its interval.

The model is a weighted Huber regression of log seconds on a few standardised columns, so every
coefficient can be read. Its interval is cross-conformal: quantiles of the signed residuals of
predictions made for puzzles (and all their symmetric copies) that were left out of the fit.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.utils.validation import check_is_fitted

from nando.features.groups import DEFAULT_GROUPS, feature_names, groups_of
from nando.features.transformer import SolverFeatures
from nando.puzzles import Puzzle
from nando.rating.columns import DEFAULT_COLUMNS
from nando.rating.folds import grouped_folds
from nando.rating.population import Population
from nando.rating.records import (
    above_zero,
    check_identity,
    numbers,
    parsed,
    told_as,
)

UNITS = ("seconds", "points")
"""What a model predicts: a person's time, or points where no times are known."""

FORMAT = "nando difficulty model 1"
_DIGITS = 10
_LEVELS = np.round(np.linspace(0.0, 1.0, 201), 3)


class DifficultyRater(RegressorMixin, BaseEstimator):
    """Predicted human solving time of puzzles.

    `X` everywhere is a sequence of puzzles, or the table that `features` makes of them (a
    DataFrame, or an array with its columns), so the rater also ends a Pipeline that begins
    with :class:`SolverFeatures`.

    Parameters
    ----------
    columns : sequence of str
        Feature columns of the model.
    features : SolverFeatures or None
        How puzzles become columns; None takes the groups that `columns` need.
    alpha : float
        Strength of the ridge penalty on standardised columns.
    epsilon : float
        Residuals beyond this many robust standard deviations count linearly, not squared.
    n_splits : int
        Folds of the out-of-fold predictions behind the interval.
    coverage : float
        Wanted share of human mean times inside the interval.
    unit : {"seconds", "points"}
        What is predicted. Points are for puzzles of which no times are known; wherever seconds
        are spoken of here, read points then.

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
    model_id : str
        Name and hash of everything that moves a rating.

    Notes
    -----
    A prediction is the exponential of the predicted log time: nearer a typical time than a
    mean one. See the documentation for what the data can and cannot show.
    """

    def __init__(
        self,
        columns: Sequence[str] = DEFAULT_COLUMNS,
        *,
        features: SolverFeatures | None = None,
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
            Weight of each puzzle, such as the number of players behind its mean.
        groups : sequence of str or None
            Puzzles of one group never straddle a fold; None takes the equivalence keys of
            puzzles, or for a table each row by itself.

        Raises
        ------
        ValueError
            For times that are not above 0, or fewer puzzles than folds.
        """
        if self.unit not in UNITS:
            raise ValueError(f"unit must be one of {', '.join(UNITS)}, got {self.unit!r}")
        seconds = np.asarray(y, dtype=np.float64)
        if not (np.isfinite(seconds).all() and (seconds > 0).all()):
            bad = int(np.flatnonzero(~(np.isfinite(seconds) & (seconds > 0)))[0])
            raise ValueError(
                f"{self.unit} must be above 0, got {seconds[bad]} for puzzle {bad + 1}"
            )
        if len(seconds) < 2 * self.n_splits:
            raise ValueError(
                f"{len(seconds)} puzzles are too few for {self.n_splits} folds; "
                f"bring {2 * self.n_splits} or set n_splits"
            )
        table, orders = self._table(X)
        log_seconds = np.log(seconds)
        weight = np.ones_like(seconds) if sample_weight is None else np.asarray(sample_weight)
        self._fit_line(table, log_seconds, weight)

        if groups is None:
            groups = [p.equivalence_key() for p in X] if _are_puzzles(X) else None
        held_out = self._held_out(table, log_seconds, weight, groups)
        self.residuals_ = _rounded(_quantiles(log_seconds - held_out, weight))
        seen = {order for order in orders if order is not None}
        self.population_ = Population.of(table, list(self.columns), self.log_seconds(table), seen)
        self.provenance_: dict[str, Any] = {"puzzles": len(seconds)}
        return self

    def _fit_line(
        self, table: NDArray[np.float64], log_seconds: NDArray[np.float64], weight: Any
    ) -> None:
        from sklearn.linear_model import HuberRegressor
        from sklearn.preprocessing import StandardScaler

        scaler = StandardScaler().fit(table)
        self.mean_ = _rounded(scaler.mean_)
        self.scale_ = _rounded(scaler.scale_)
        line = HuberRegressor(
            alpha=self.alpha, epsilon=self.epsilon, max_iter=10_000, tol=1e-8
        ).fit((table - self.mean_) / self.scale_, log_seconds, sample_weight=weight)
        self.coef_ = _rounded(line.coef_)
        self.intercept_ = float(_rounded(line.intercept_))
        self.n_features_in_ = table.shape[1]

    def _held_out(
        self,
        table: NDArray[np.float64],
        log_seconds: NDArray[np.float64],
        weight: NDArray[np.float64],
        groups: Sequence[str] | None,
    ) -> NDArray[np.float64]:
        """Log seconds of each puzzle as predicted by fits that saw none of its group."""
        held_out = np.empty_like(log_seconds)
        for train, test in grouped_folds(groups, len(log_seconds), self.n_splits, seed=0):
            part = clone(self)
            part._fit_line(table[train], log_seconds[train], weight[train])
            held_out[test] = part.log_seconds(table[test])
        return held_out

    # ---------------------------------------------------------------- predicting

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predicted seconds, shape ``(n_puzzles,)``."""
        check_is_fitted(self, "coef_")
        return np.exp(self.log_seconds(self._table(X)[0]))

    def predict_interval(self, X: Any, coverage: float | None = None) -> NDArray[np.float64]:
        """Seconds within which a share `coverage` of human mean times is expected.

        Returns
        -------
        ndarray of float64, shape (n_puzzles, 2)

        Raises
        ------
        ValueError
            For a coverage that is not between 0 and 1.
        """
        check_is_fitted(self, "coef_")
        table, orders = self._table(X)
        return self._interval(table, orders, coverage)[0]

    def rate(
        self,
        puzzles: Sequence[Puzzle],
        *,
        first_index: int = 0,
        n_jobs: int | None = None,
        random_state: int | None = None,
        runs: int | None = None,
        coverage: float | None = None,
        with_columns: bool = False,
    ) -> Any:
        """Rate puzzles.

        Parameters
        ----------
        puzzles : sequence of Puzzle, each with exactly one solution
        first_index : int
            Number of the first puzzle within its batch, for a batch that comes in parts.
        n_jobs, random_state, runs : int or None
            As in :class:`SolverFeatures`; None keeps the model's.
        coverage : float or None
            Of the interval; None keeps the model's.
        with_columns : bool
            Add the model's columns to the table.

        Returns
        -------
        pandas.DataFrame
            One row a puzzle: ``predicted_seconds, low_seconds, high_seconds, grade, percentile,
            model_id, flags, reasons``, with the model's unit for seconds. `flags` is empty for a
            puzzle like those the model was fitted to; `reasons` names the three columns that
            moved the time most, as a change against a puzzle average in that column.
        """
        features = self.features_for(n_jobs=n_jobs, random_state=random_state, runs=runs)
        streams = range(first_index, first_index + len(puzzles))
        table = self.columns_of(features, puzzles, streams=streams)
        rated = self.rate_columns(table, puzzles, coverage=coverage)
        if with_columns:
            rated[list(self.columns)] = table
        return rated

    def features_for(
        self, *, n_jobs: int | None, random_state: int | None, runs: int | None
    ) -> SolverFeatures:
        """The model's features with other settings; None keeps the model's."""
        features: SolverFeatures = clone(self.solver_features)
        features.set_params(n_jobs=n_jobs)
        if random_state is not None:
            features.set_params(random_state=random_state)
        if runs is not None:
            features.set_params(runs=runs)
        return features

    def columns_of(
        self, features: SolverFeatures, puzzles: Sequence[Puzzle], *, streams: Sequence[int]
    ) -> NDArray[np.float64]:
        """The model's columns, shape ``(n_puzzles, n_columns)``, from numbered random streams."""
        names = features.get_feature_names_out()
        return self._columns_of(features.transform(puzzles, streams=streams), names)

    def rate_columns(
        self, table: NDArray[np.float64], puzzles: Sequence[Puzzle], *, coverage: float | None
    ) -> Any:
        """Ratings of puzzles whose columns are known; see :meth:`rate`."""
        import pandas as pd

        check_is_fitted(self, "coef_")
        orders = [_order(puzzle) for puzzle in puzzles]
        log_seconds = self.log_seconds(table)
        interval, flags = self._interval(table, orders, coverage)
        return pd.DataFrame(
            {
                f"predicted_{self.unit}": np.exp(log_seconds),
                f"low_{self.unit}": interval[:, 0],
                f"high_{self.unit}": interval[:, 1],
                "grade": self.population_.grade(log_seconds),
                "percentile": self.population_.percentile(log_seconds),
                "model_id": self.model_id,
                "flags": flags,
                "reasons": [self._reasons(row) for row in table],
            }
        )

    def log_seconds(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Predicted log seconds from the model's columns, shape ``(n_puzzles, n_columns)``."""
        # Row by row sums: a matrix product may add in another order for another batch size.
        parts = (table - self.mean_) / self.scale_ * self.coef_
        return np.asarray(self.intercept_ + np.add.reduce(parts, axis=1))

    def _interval(
        self, table: NDArray[np.float64], orders: list[int | None], coverage: float | None
    ) -> tuple[NDArray[np.float64], list[str]]:
        coverage = self.coverage if coverage is None else coverage
        if not 0.0 < coverage < 1.0:
            raise ValueError(f"coverage must be between 0 and 1, got {coverage!r}")
        tail = (1.0 - coverage) / 2.0
        low, high = np.interp([tail, 1.0 - tail], _LEVELS, self.residuals_)
        factor, flags = self.population_.widening(table, orders)
        log_seconds = self.log_seconds(table)
        bounds = np.stack(
            [log_seconds + min(low, 0.0) * factor, log_seconds + max(high, 0.0) * factor], axis=1
        )
        return np.exp(bounds), flags

    def _reasons(self, row: NDArray[np.float64], most: int = 3) -> str:
        parts = (row - self.mean_) / self.scale_ * self.coef_
        chosen = np.argsort(-np.abs(parts), kind="stable")[:most]
        return ", ".join(f"{self.columns[i]} {np.expm1(parts[i]):+.0%}" for i in chosen)

    # ---------------------------------------------------------------- columns

    @property
    def solver_features(self) -> SolverFeatures:
        """How puzzles become columns."""
        if self.features is not None:
            return self.features
        return SolverFeatures(groups=groups_of(self.columns))

    def _table(self, X: Any) -> tuple[NDArray[np.float64], list[int | None]]:
        """The model's columns of `X`, shape (n_puzzles, n_columns), and the puzzles' orders."""
        if _are_puzzles(X):
            features = self.solver_features
            table = self._columns_of(features.transform(X), features.get_feature_names_out())
            return table, [_order(puzzle) for puzzle in X]
        names = getattr(X, "columns", None)
        array = np.asarray(X, dtype=np.float64)
        if array.ndim != 2:
            raise TypeError("X must be a sequence of puzzles or a table of their features")
        if names is None:
            names = feature_names(self.features.groups if self.features else DEFAULT_GROUPS)
            if array.shape[1] != len(names):
                raise ValueError(
                    f"X has {array.shape[1]} columns without names; wanted the {len(names)} of "
                    "SolverFeatures, or a DataFrame"
                )
        return self._columns_of(array, names), [None] * len(array)

    def _columns_of(self, table: Any, names: Any) -> NDArray[np.float64]:
        place = {name: i for i, name in enumerate(names)}
        absent = [name for name in self.columns if name not in place]
        if absent:
            raise ValueError(f"the features lack column {absent[0]!r} of the model")
        return np.asarray(table, dtype=np.float64)[:, [place[name] for name in self.columns]]

    # ---------------------------------------------------------------- the model as a file

    def _check_settings(self) -> None:
        """Refuse what a file may say and a rating would stumble over later."""
        known = feature_names(self.solver_features.fit([]).groups)
        for name in self.columns:
            if name not in known:
                raise ValueError(f"its features have no column {name!r}")
        if self.unit not in UNITS:
            raise ValueError(f"unit must be one of {', '.join(UNITS)}, got {self.unit!r}")
        if not 0.0 < self.coverage < 1.0:
            raise ValueError(f"coverage must be between 0 and 1, got {self.coverage!r}")
        seed = self.solver_features.random_state
        if not (isinstance(seed, int) and seed >= 0):
            raise ValueError(f"random_state must be a whole number from 0, got {seed!r}")

    def _record(self) -> dict[str, Any]:
        """Everything that moves a rating."""
        features = self.solver_features
        # Left out for seconds, as it was before there were points: their names stay the same.
        unit = {} if self.unit == "seconds" else {"unit": self.unit}
        return {
            **unit,
            "columns": list(self.columns),
            "mean": self.mean_.tolist(),
            "scale": self.scale_.tolist(),
            "coefficients": self.coef_.tolist(),
            "intercept": self.intercept_,
            "features": {
                "groups": list(features.groups),
                "runs": features.runs,
                "random_state": features.random_state,
            },
            "settings": {
                "alpha": self.alpha,
                "epsilon": self.epsilon,
                "n_splits": self.n_splits,
                "coverage": self.coverage,
            },
            "residual_quantiles": self.residuals_.tolist(),
            "population": self.population_.to_dict(),
        }

    @property
    def model_id(self) -> str:
        """Name of the model's data and a hash of everything that moves a rating."""
        check_is_fitted(self, "coef_")
        text = json.dumps(self._record(), sort_keys=True)
        name = self.provenance_.get("name", "model")
        return f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    def to_json(self, path: str | Path | None = None) -> str:
        """The model as readable JSON; also written to `path` where one is given."""
        record = {
            "format": FORMAT,
            "model_id": self.model_id,
            "provenance": self.provenance_,
            **self._record(),
        }
        text = json.dumps(record, indent=1) + "\n"
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild a model from the text of its file.

        Raises
        ------
        ValueError
            Where the text is not a model, is of another format, or was changed by hand so that
            its `model_id` no longer fits.
        """
        record = parsed(text, FORMAT, "a model file")
        with told_as("a model file"):
            settings, source = record["settings"], record["features"]
            rater = cls(
                tuple(record["columns"]),
                features=SolverFeatures(
                    groups=tuple(source["groups"]),
                    runs=source["runs"],
                    random_state=source["random_state"],
                ),
                unit=record.get("unit", "seconds"),
                **settings,
            )
            rater._check_settings()
            n = len(rater.columns)
            rater.mean_ = numbers(record["mean"], "mean", n)
            rater.scale_ = above_zero(record["scale"], "scale", n)
            rater.coef_ = numbers(record["coefficients"], "coefficients", n)
            rater.intercept_ = float(numbers(record["intercept"], "intercept"))
            rater.n_features_in_ = n
            rater.residuals_ = numbers(
                record["residual_quantiles"], "residual_quantiles", len(_LEVELS)
            )
            rater.population_ = Population.from_dict(record["population"])
            rater.provenance_ = dict(record["provenance"])
        check_identity(record, rater.model_id)
        return rater


def _are_puzzles(X: Any) -> bool:
    return not hasattr(X, "shape") and len(X) > 0 and isinstance(X[0], Puzzle)


def _order(puzzle: Puzzle) -> int | None:
    return getattr(puzzle, "order", None)


def _rounded(values: Any) -> NDArray[np.float64]:
    """Ten significant digits: what a file keeps, and no more than a sum's order can change."""
    return np.asarray(np.vectorize(lambda value: float(f"{value:.10g}"))(values), dtype=np.float64)


def _quantiles(values: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weighted quantiles at `_LEVELS`."""
    order = np.argsort(values, kind="stable")
    shares = np.cumsum(weight[order]) - 0.5 * weight[order]
    return np.interp(_LEVELS, shares / weight.sum(), values[order])

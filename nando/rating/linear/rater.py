"""The estimator of the linear model: it learns the line and its interval from times."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from nando.features.transformer import SolverFeatures
from nando.rating.base import UNITS, are_puzzles, checked_seconds, quantiles, rounded
from nando.rating.estimator import RatingEstimator
from nando.rating.folds import grouped_folds
from nando.rating.linear.model import LinearModel
from nando.rating.linear.population import Population


class LinearRater(RatingEstimator, LinearModel):
    """Predicted human solving time of puzzles, by a line in some columns.

    `X` is a sequence of puzzles or the table of their features, as in :class:`DifficultyRater`.

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

    Notes
    -----
    A prediction is the exponential of the predicted log time: nearer a typical time than a
    mean one. See the documentation for what the data can and cannot show.
    """

    def __init__(
        self,
        columns: Sequence[str],
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
        seconds = checked_seconds(y, self.unit)
        if len(seconds) < 2 * self.n_splits:
            raise ValueError(
                f"{len(seconds)} puzzles are too few for {self.n_splits} folds; "
                f"bring {2 * self.n_splits} or set n_splits"
            )
        table, orders = self.table_of(X)
        log_seconds = np.log(seconds)
        weight = np.ones_like(seconds) if sample_weight is None else np.asarray(sample_weight)
        self.fit_quickly(table, log_seconds, weight)

        if groups is None:
            groups = [p.equivalence_key() for p in X] if are_puzzles(X) else None
        held_out = self._held_out(table, log_seconds, weight, groups)
        self.residuals_ = rounded(quantiles(log_seconds - held_out, weight))
        seen = {order for order in orders if order is not None}
        self.population_ = Population.of(table, list(self.columns), self.log_seconds(table), seen)
        self.provenance_: dict[str, Any] = {"puzzles": len(seconds)}
        return self

    def fit_quickly(
        self,
        table: NDArray[np.float64],
        log_seconds: NDArray[np.float64],
        weight: NDArray[np.float64],
    ) -> None:
        """Fit the line, and nothing of the interval."""
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
            part.fit_quickly(table[train], log_seconds[train], weight[train])
            held_out[test] = part.log_seconds(table[test])
        return held_out

    def check_fitted(self) -> None:
        """Raise where nothing was fitted yet."""
        check_is_fitted(self, "coef_")

    @classmethod
    def of(cls, model: LinearModel) -> Self:
        """The estimator with the settings of a model, fitted as it is."""
        rater = cls(
            model.columns,
            features=SolverFeatures.of(model.extractor),
            alpha=model.alpha,
            epsilon=model.epsilon,
            n_splits=model.n_splits,
            coverage=model.coverage,
            unit=model.unit,
        )
        rater.mean_, rater.scale_ = model.mean_, model.scale_
        rater.coef_, rater.intercept_ = model.coef_, model.intercept_
        rater.residuals_, rater.population_ = model.residuals_, model.population_
        rater.provenance_ = dict(model.provenance_)
        rater.n_features_in_ = len(model.columns)
        return rater

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild an estimator from the text of a model file.

        Raises
        ------
        ValueError
            As of :meth:`LinearModel.from_json`.
        """
        return cls.of(LinearModel.from_json(text))

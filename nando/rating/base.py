"""The base of all rating models: they turn columns of solver runs into a time and its interval.

A rater predicts with numpy alone; only its `fit` imports further libraries.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from nando.arrays import Floats
from nando.checks import how_many, share
from nando.features.classes import classes_of
from nando.features.extractor import FeatureExtractor, chosen_columns
from nando.features.groups import DEFAULT_GROUPS, feature_names, groups_of
from nando.names import Grade
from nando.puzzles import Puzzle, PuzzleLike, as_puzzles
from nando.rating.estimator import Regressor
from nando.rating.files import ModelFile
from nando.rating.result import Flags, Rating, Ratings, already_solved


class HasExtractor(Protocol):
    """A transformer of puzzles, for example :class:`nando.features.SolverFeatures`."""

    @property
    def extractor(self) -> FeatureExtractor:
        """The extractor that computes the features."""
        ...


Features = FeatureExtractor | HasExtractor
"""Computes the columns of puzzles."""


class Rater(Regressor, ModelFile):
    """A model of how long puzzles take, which learns from times and rates puzzles.

    `X` everywhere is a sequence of puzzles, or the table of their features (a DataFrame, or an
    array with the columns of the model's `extractor`). A rater can therefore be the last step of a
    Pipeline that begins with :class:`nando.features.SolverFeatures`.
    """

    columns: Sequence[str]
    features: Features | None
    coverage: float
    provenance_: dict[str, Any]
    n_features_in_: int

    # ---------------------------------------------------------------- what each model defines

    @abstractmethod
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: Sequence[str] | None = None,
    ) -> Self:
        """Learn from times `y` in seconds, shape ``(n_puzzles,)``."""

    @abstractmethod
    def fit_quickly(self, table: Floats, log_seconds: Floats, weight: Floats) -> None:
        """Fit the prediction, without its interval."""

    @abstractmethod
    def log_seconds(self, table: Floats) -> Floats:
        """Predict log seconds from the model's columns, shape ``(n_puzzles, n_columns)``."""

    @abstractmethod
    def interval_of(
        self, table: Floats, orders: list[int | None], coverage: float
    ) -> tuple[Floats, list[Flags]]:
        """Return the log seconds of the interval's ends, and the flags of each puzzle."""

    @abstractmethod
    def grades(self, table: Floats) -> list[Grade]:
        """Return the grade of each puzzle."""

    @abstractmethod
    def percentiles(self, table: Floats) -> Floats:
        """Return the percentage of the puzzles behind the model that are easier, 0 to 100."""

    @abstractmethod
    def reasons(self, table: Floats, log_seconds: Floats) -> list[str]:
        """Explain in words what makes up the time of each puzzle, of `log_seconds`."""

    @abstractmethod
    def log_seconds_at(self, percentile: float) -> float:
        """Return a percentile, 0 to 100, of the log seconds of the puzzles behind the model."""

    @abstractmethod
    def grade_range(self, grade: str) -> tuple[float, float]:
        """Return the least and largest log seconds of a grade.

        Raises
        ------
        ValueError
            For an unknown grade.
        """

    @abstractmethod
    def rough(self, known: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """Estimate the prediction when only some columns are known.

        Parameters
        ----------
        known : mapping of str to ndarray of float64, shape (n_puzzles,)

        Returns
        -------
        log_seconds : ndarray of float64, shape (n_puzzles,)
        error : ndarray of float64, shape (n_puzzles,)
            Standard deviation of the full prediction around `log_seconds`.
        """

    @abstractmethod
    def named_parts(
        self, table: Floats, log_seconds: Floats
    ) -> list[tuple[tuple[str, float], ...]]:
        """Return the named parts of each time, of `log_seconds`, in seconds, easiest first."""

    def rating_time(self, log_seconds: Floats) -> Floats:
        """Return the relative time needed to rate puzzles with these expected log seconds."""
        return np.ones_like(log_seconds)

    # ---------------------------------------------------------------- predicting

    def predict(self, X: Any) -> Floats:
        """Return the predicted seconds, shape ``(n_puzzles,)``."""
        self.check_fitted()
        return np.exp(self.log_seconds(self.table_of(X)[0]))

    def predict_interval(self, X: Any, coverage: float | None = None) -> Floats:
        """Return the seconds within which a share `coverage` of human mean times is expected.

        Returns
        -------
        ndarray of float64, shape (n_puzzles, 2)

        Raises
        ------
        ValueError
            For a coverage that is not between 0 and 1.
        """
        self.check_fitted()
        table, orders = self.table_of(X)
        return np.exp(self.interval_of(table, orders, self._coverage(coverage))[0])

    def rate(
        self,
        puzzles: Iterable[PuzzleLike],
        *,
        n_jobs: int | None = None,
        runs: int | None = None,
        coverage: float | None = None,
    ) -> Ratings[Rating]:
        """Rate puzzles; equivalent puzzles get the same rating, whatever their order.

        Parameters
        ----------
        puzzles : iterable of Puzzle, or of anything that :func:`nando.puzzles.as_puzzle` takes
            Each with exactly one solution.
        n_jobs, runs : int or None
            As in :class:`nando.features.FeatureExtractor`; None keeps the model's.
        coverage : float or None
            Coverage of the interval; None keeps the model's.

        Returns
        -------
        Ratings of Rating
            A list, whose `to_frame` is a DataFrame with a row for each puzzle.
        """
        read = as_puzzles(puzzles)
        extractor = self.extractor_for(n_jobs=n_jobs, runs=runs)
        table = extractor.class_table(read, classes_of(read), self.columns)
        return self.rate_columns(table, read, coverage=coverage)

    def rate_columns(
        self, table: Floats, puzzles: Sequence[Puzzle], *, coverage: float | None = None
    ) -> Ratings[Rating]:
        """Rate puzzles whose columns are known.

        Parameters
        ----------
        table : ndarray of float64, shape (n_puzzles, n_columns)
        puzzles : sequence of Puzzle
        coverage : float or None
            Coverage of the interval; None keeps the model's.
        """
        self.check_fitted()
        orders = [order_of(puzzle) for puzzle in puzzles]
        ends, flags = self.interval_of(table, orders, self._coverage(coverage))
        log_seconds = self.log_seconds(table)
        model_id = self.model_id
        columns = zip(
            puzzles,
            np.exp(log_seconds).tolist(),
            *np.exp(ends.T).tolist(),
            self.grades(table),
            self.percentiles(table).tolist(),
            flags,
            self.reasons(table, log_seconds),
            self.named_parts(table, log_seconds),
            strict=True,
        )
        return Ratings(
            already_solved(puzzle, model_id)
            if puzzle.givens.all()
            else Rating(
                puzzle,
                *(predicted, low, high, grade, percentile, model_id),
                flags=unlike.words,
                flag_codes=unlike.codes,
                reasons=self.in_words_of(reasons, puzzle),
                parts=parts,
            )
            for puzzle, predicted, low, high, grade, percentile, unlike, reasons, parts in columns
        )

    def in_words_of(self, reasons: str, puzzle: Puzzle) -> str:
        """Return reasons in the words of a puzzle."""
        del puzzle
        return reasons

    def _coverage(self, coverage: float | None) -> float:
        return share("coverage", self.coverage if coverage is None else coverage)

    # ---------------------------------------------------------------- columns

    @property
    def extractor(self) -> FeatureExtractor:
        """The extractor that computes the columns of puzzles."""
        if self.features is None:
            return FeatureExtractor(groups_of(self.columns))
        if isinstance(self.features, FeatureExtractor):
            return self.features
        return self.features.extractor

    def extractor_for(self, *, n_jobs: int | None, runs: int | None) -> FeatureExtractor:
        """Return the model's extractor with other settings; None keeps the model's runs."""
        own = self.extractor
        return replace(own, n_jobs=n_jobs, runs=own.runs if runs is None else runs)

    def table_of(self, X: Any) -> tuple[Floats, list[int | None]]:
        """Return the model's columns of `X`, shape (n_puzzles, n_columns), and the orders."""
        if are_puzzles(X):
            extractor = self.extractor
            puzzles = as_puzzles(X)
            table = chosen_columns(extractor.table(puzzles), extractor.columns, self.columns)
            return table, [order_of(puzzle) for puzzle in puzzles]
        names = getattr(X, "columns", None)
        array = np.asarray(X, dtype=np.float64)
        if array.ndim != 2:
            raise TypeError("X must be a sequence of puzzles or a table of their features")
        if names is None:
            names = feature_names(self.unnamed_groups)
            if array.shape[1] != len(names):
                raise ValueError(
                    f"X has {array.shape[1]} columns without names; wanted the {len(names)} of "
                    "SolverFeatures, or a DataFrame"
                )
        return chosen_columns(array, names, self.columns), [None] * len(array)

    def timed_table(self, X: Any, y: ArrayLike) -> tuple[Floats, list[int | None], Floats]:
        """Return the model's columns of `X` and the orders, and the seconds `y`, one for each.

        Raises
        ------
        ValueError
            If a time is not above 0, or the number of times is not that of the puzzles.
        """
        seconds = checked_seconds(y)
        table, orders = self.table_of(X)
        if len(seconds) != len(table):
            of = how_many(len(table), "puzzle")
            raise ValueError(f"{how_many(len(seconds), 'time')} for {of}: give one for each")
        return table, orders, seconds

    @property
    def unnamed_groups(self) -> Sequence[str]:
        """The feature groups whose columns an unnamed table contains."""
        return DEFAULT_GROUPS if self.features is None else self.extractor.groups

    # ---------------------------------------------------------------- the model as a file

    def feature_record(self) -> dict[str, Any]:
        """Return the settings of the features as a model file stores them."""
        extractor = self.extractor
        return {
            "groups": list(extractor.groups),
            "runs": extractor.runs,
            "random_state": extractor.random_state,
        }

    def check_settings(self) -> None:
        """Raise ValueError for settings in a file that would make a rating fail later."""
        self.extractor.checked()
        known = self.extractor.columns
        for name in self.columns:
            if name not in known:
                raise ValueError(f"its features have no column {name!r}")
        if not 0.0 < self.coverage < 1.0:
            raise ValueError(f"coverage must be between 0 and 1, got {self.coverage!r}")


def extractor_of(record: Mapping[str, Any]) -> FeatureExtractor:
    """Return the extractor described by a record of :meth:`Rater.feature_record`."""
    return FeatureExtractor(
        groups=tuple(record["groups"]), runs=record["runs"], random_state=record["random_state"]
    )


def are_puzzles(X: Any) -> bool:
    """Return True if `X` is a sequence of puzzles or of their texts rather than a table."""
    return not hasattr(X, "shape") and len(X) > 0 and isinstance(X[0], Puzzle | str)


def order_of(puzzle: Puzzle) -> int | None:
    """Return the order of a Sudoku; None for puzzles that have none."""
    return getattr(puzzle, "order", None)


def checked_seconds(y: Any) -> Floats:
    """Return the times as floats.

    Raises
    ------
    ValueError
        If a time is not above 0; the message names the first.
    """
    seconds = np.asarray(y, dtype=np.float64)
    good = np.isfinite(seconds) & (seconds > 0)
    if not good.all():
        bad = int(np.flatnonzero(~good)[0])
        raise ValueError(f"seconds must be above 0, got {seconds[bad]} for puzzles[{bad}]")
    return seconds

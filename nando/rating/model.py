"""The rating model: it turns columns of solver runs into a time and its interval.

The expected time of a puzzle is a sum of parts (:mod:`nando.rating.parts`), which a line turns
into the seconds of the typical crowd, of another crowd or of one person. What differs between the
kinds of puzzle is a row of :data:`nando.rating.kinds.KINDS`. A rating does not depend on a seed,
because all random draws follow from the class of equivalent puzzles.

A rater predicts with numpy alone; only its `fit` imports further libraries.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from nando.arrays import Floats
from nando.checks import how_many, share
from nando.features.classes import classes_of
from nando.features.extractor import FeatureExtractor, chosen_columns
from nando.features.groups import DEFAULT_GROUPS, feature_names, groups_of
from nando.names import Grade
from nando.puzzles import Puzzle, PuzzleLike, as_puzzles
from nando.rating import result
from nando.rating import scale as scales
from nando.rating.files import ModelFile
from nando.rating.fitting.estimator import Regressor
from nando.rating.fitting.fit import fit_crowd, fit_line, fit_new, fit_scale, fit_with
from nando.rating.kinds import RatingKind, kind_of
from nando.rating.pace import Pace
from nando.rating.reach import (
    GenreLevels,
    Population,
    Reach,
    genre_of,
    grade_at,
    is_plain,
    percentiles_of_grade,
)
from nando.rating.record import (
    FILES,
    FORMAT,
    ColumnSettings,
    FitSettings,
    ModelRecord,
    shipped,
    warn_of_seen,
)
from nando.records import plain, read_record


class HasExtractor(Protocol):
    """A transformer of puzzles, for example :class:`nando.features.SolverFeatures`."""

    @property
    def extractor(self) -> FeatureExtractor:
        """The extractor that computes the features."""
        ...


Features = FeatureExtractor | HasExtractor
"""Computes the columns of puzzles."""


class Rater(Regressor, ModelFile):
    """Predicted human solving time of one kind of puzzle, for a crowd or for one person.

    `X` everywhere is a sequence of puzzles, or the table of their features (a DataFrame, or an
    array with the columns of the model's `extractor`). A rater can therefore be the last step of a
    Pipeline that begins with :class:`nando.features.SolverFeatures`.

    Parameters
    ----------
    kind : str
        Kind of the puzzles.
    scale : CommonScale, "new" or None
        The scale from which a fit starts; None takes that of the shipped model. "new" fits a scale
        to the given times alone, of one crowd or several.
    features : FeatureExtractor, SolverFeatures or None
        Computes the columns of puzzles; None takes the groups that are needed.
    n_splits : int
        Folds of the out-of-fold predictions behind a crowd's interval.
    coverage : float
        Share of human mean times, or of the games of a person, that the interval should contain.

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
    timed_ : int or None
        Number of times to which a line without crowds was fitted, 0 if nobody was timed; None on a
        scale of crowds.
    sudoku_ : Line or None
        The typical crowd's line for Sudoku, by which a variant without rules has a Sudoku's grade.
    levels_ : dict of str to GenreLevels
        The levels of each genre of variants of which enough puzzles are known.
    pace_ : Pace or None
        The pace of the person whose times are predicted, if any.
    provenance_ : dict
        Data, settings and scores, as a model file states them. The file of a person holds the pace,
        but no games.

    Notes
    -----
    A fit for Sudoku adds a crowd to the scale without changing it, so a few times are enough.
    Without times the new crowd equals the typical one. The interval for the typical crowd is for
    the mean time in an unknown crowd, which may be slow or fast. The interval for a known crowd
    uses its pace. For other kinds, a fit moves the pace of the shipped line, and its slope a
    little, depending on the number of times.

    The shipped scale was fitted to all published times, so scores on their puzzles are too good,
    also by cross-validation. A fit to such puzzles warns. Start from a scale without them, which
    is ``load_model().without("cloud-sudoku").common_scale``. A table of features does not say
    which puzzles are its rows, so a fit to a table cannot warn.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> puzzles = load_examples().puzzles
    >>> rater = Rater().fit(puzzles[:4], [260, 300, 390, 300])
    >>> rater.crowd_
    'own'
    """

    file_format = FORMAT
    provenance_: dict[str, Any]
    n_features_in_: int
    scale_: scales.Scale
    missed_: dict[str, scales.Missed]
    reach_: Reach
    timed_: int | None
    sudoku_: scales.Line | None
    levels_: Mapping[str, GenreLevels]
    crowd_: str | None
    pace_: Pace | None

    def __init__(
        self,
        kind: str = "sudoku",
        *,
        scale: scales.CommonScale | Literal["new"] | None = None,
        features: Features | None = None,
        n_splits: int = 10,
        coverage: float = 0.8,
    ) -> None:
        self.kind = kind
        self.scale = scale
        self.features = features
        self.n_splits = n_splits
        self.coverage = coverage

    @property
    def _kind(self) -> RatingKind:
        return kind_of(self.kind)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns from which a rating is computed."""
        return self._kind.columns

    # ---------------------------------------------------------------- fitting

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: Sequence[str] | None = None,
        crowd: str | Sequence[str] | None = None,
    ) -> Self:
        """Add a crowd, or several, to the scale; without crowds, move the line.

        Parameters
        ----------
        X : sequence of Puzzle, or feature table
        y : array_like of float, shape (n_puzzles,)
            Seconds, above 0.
        sample_weight : array_like of float or None
            Number of players behind each time, or another weight for kinds without crowds.
        groups : sequence of str or None
            Puzzles of one group are never split between folds. None uses the equivalence keys of
            puzzles; for a table each row is its own group. Not used for kinds without crowds.
        crowd : str, sequence of str or None
            Name of the crowd of all times or of each time; None means "own". After a fit to one
            crowd the rater predicts its times; after several, those of the typical crowd.

        Raises
        ------
        ValueError
            If times are not above 0, players are below 1, every time is of another crowd, or the
            kind of puzzle has no crowds.

        Warns
        -----
        UserWarning
            If the scale from which the fit starts was fitted to times of some of these puzzles.
        """
        table, orders, seconds = self.timed_table(X, y)
        start = self._start()
        if not self._kind.has_crowds:
            if crowd is not None:
                raise ValueError(f"models of {self.kind!r} puzzles have no crowds; leave it out")
            weight = np.ones_like(seconds) if sample_weight is None else np.asarray(sample_weight)
            self.fit_quickly(table, np.log(seconds), weight)
            self.provenance_ = {"puzzles": len(seconds)}
        else:
            players = scales.check_players(sample_weight, len(seconds))
            names = scales.check_crowds(crowd, len(seconds))
            if are_puzzles(X):
                keys = [puzzle.equivalence_key() for puzzle in as_puzzles(X)]
                groups = keys if groups is None else groups
                if start is not None:
                    warn_of_seen(start.scale, keys)
            times = scales.CrowdTimes(self._parts(table), np.log(seconds), players)
            fit = fit_new if start is None else partial(fit_with, start)
            only = set(names.tolist())
            self._set(
                fit(times, names, orders=orders, groups=groups, n_splits=self.n_splits),
                crowd=only.pop() if len(only) == 1 else None,
            )
            self.provenance_ = {"name": self.crowd_ or "crowds", "puzzles": len(seconds)}
        if start is not None:
            self.provenance_["scale"] = start.model_id
        return self

    def fit_quickly(self, table: Floats, log_seconds: Floats, weight: Floats) -> None:
        """Fit the prediction, for a crowd without its interval."""
        start, parts = self._start(), self._parts(table)
        if start is not None and not self._kind.has_crowds:
            difficulty = start.scale.difficulty(parts)
            line = fit_line(start.scale, difficulty, log_seconds, weight / weight.mean())
            self._set(replace(start, scale=line, timed=len(log_seconds)))
            return
        times = scales.CrowdTimes(parts, log_seconds, weight)
        scale = fit_scale({scales.OWN: times}) if start is None else start.scale
        self.scale_ = replace(scale, crowds={**scale.crowds, scales.OWN: fit_crowd(scale, times)})
        self.crowd_, self.pace_ = scales.OWN, None

    @classmethod
    def on_scale(cls, scale: scales.CommonScale, kind: str = "sudoku", **parameters: Any) -> Self:
        """Return the rater of a scale, for its typical crowd; it has no provenance yet."""
        rater = cls(kind, **parameters)
        rater._set(scale)
        return rater

    def _set(self, fitted: scales.CommonScale, crowd: str | None = None) -> None:
        self.scale_, self.missed_, self.reach_ = fitted.scale, fitted.missed, fitted.reach
        self.timed_, self.sudoku_, self.levels_ = fitted.timed, fitted.sudoku, fitted.levels
        self.crowd_, self.pace_ = crowd, None
        self.n_features_in_ = len(self.columns)

    def _start(self) -> scales.CommonScale | None:
        """Return the scale from which a fit starts; None for a new one."""
        if not isinstance(self.scale, str):
            return self.scale if self.scale is not None else shipped(self.kind)
        if self.scale != "new":
            raise ValueError(f"scale must be a CommonScale, 'new' or None, got {self.scale!r}")
        if not self._kind.has_crowds:
            raise ValueError(f"a new scale has crowds, but models of {self.kind!r} puzzles do not")
        return None

    @property
    def common_scale(self) -> scales.CommonScale:
        """The scale with everything that ratings on it need, from which another model can start."""
        return replace(self._as_scale(), model_id=self.model_id)

    def _as_scale(self) -> scales.CommonScale:
        self.check_fitted()
        return scales.CommonScale(
            self.scale_,
            self.missed_,
            self.reach_,
            timed=self.timed_,
            sudoku=self.sudoku_,
            levels=self.levels_,
        )

    # ---------------------------------------------------------------- crowds and persons

    @property
    def crowds(self) -> list[str]:
        """The crowds whose times can be predicted; none for a person or a kind without crowds."""
        self.check_fitted()
        if self.pace_ is not None:
            return []
        return [name for name, own in self.scale_.crowds.items() if not own.thresholds]

    def for_crowd(self, crowd: str | None) -> Self:
        """Return a copy that predicts the times of a crowd, or of the typical crowd.

        Raises
        ------
        ValueError
            For an unknown crowd.
        """
        if crowd is not None and crowd not in self.crowds:
            known = f"crowd {crowd!r}; known: {', '.join(self.crowds)}; 'nando fit' makes a model"
            raise ValueError(
                f"the model {self.model_id} knows no {known} of your own times"
                if self.crowds
                else f"the model {self.model_id} knows no crowds; leave out the crowd {crowd!r}"
            )
        self.check_fitted()
        other = copy(self)
        other.crowd_ = crowd
        return other

    def for_person(self, pace: Pace, *, coverage: float = 0.8) -> Self:
        """Return a copy that predicts the times of one person, whose pace is known.

        The interval is for a single game. A flagged puzzle has the wider interval of this model,
        moved to the person's time, and so does every puzzle if only the pace carries over. Grades
        and percentiles are those of this model.

        Parameters
        ----------
        pace : Pace
        coverage : float
            Share of the person's games that the interval should contain.

        Raises
        ------
        ValueError
            If this is already the model of a person.
        """
        self.check_fitted()
        if self.pace_ is not None:
            raise ValueError(f"{self.model_id} is the model of a person; give one of a crowd")
        other = copy(self)
        other.pace_, other.coverage = pace, coverage
        other.provenance_ = {"name": "person", "games": pace.games, "base": self.model_id}
        return other

    def fit_person(self, X: Any, y: ArrayLike, *, coverage: float = 0.8) -> Self:
        """Return a copy that predicts the times of one person, learnt from the person's own times.

        Parameters
        ----------
        X : sequence of Puzzle, or feature table
        y : array_like of float, shape (n_games,)
            Seconds, above 0. Every game counts the same.
        coverage : float
            As in :meth:`for_person`.

        Examples
        --------
        >>> from nando.datasets import load_examples
        >>> from nando.rating import load_model
        >>> puzzles, model = load_examples().puzzles[:6], load_model()
        >>> slow = model.fit_person(puzzles, 2 * model.predict(puzzles))
        >>> bool(slow.predict(puzzles[:1])[0] > 1.5 * model.predict(puzzles[:1])[0])
        True
        """
        table, _, seconds = self.timed_table(X, y)
        return self.for_person(Pace.learn(self.log_seconds(table), seconds), coverage=coverage)

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
    ) -> result.Ratings[result.Rating]:
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
    ) -> result.Ratings[result.Rating]:
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
        genres = [genre_of(puzzle) for puzzle in puzzles]
        if self.levels_:
            flags = [
                each
                if genre in self.levels_ or is_plain(genre)
                else each.and_also(result.AMONG_ALL)
                for each, genre in zip(flags, genres, strict=True)
            ]
        log_seconds = self.log_seconds(table)
        weighted = self.scale_.weigh(self._parts(table), self.crowd_)
        shares = weighted / weighted.sum(axis=1, keepdims=True)
        # Parts of a time in the unit of the kind: another order would change their last digits.
        unit, effort, said = self._kind.unit, self._kind.effort, self._kind.said
        times = shares * (np.exp(log_seconds) / unit)[:, None]
        model_id = self.model_id
        columns = zip(
            puzzles,
            np.exp(log_seconds).tolist(),
            *np.exp(ends.T).tolist(),
            self.grades(table, genres),
            self.percentiles(table, genres).tolist(),
            flags,
            map(effort.reasons, (times / (60.0 / unit)).tolist()),
            (unit * times).tolist(),
            strict=True,
        )
        return result.Ratings(
            result.already_solved(puzzle, model_id)
            if puzzle.givens.all()
            else result.Rating(
                puzzle,
                *(predicted, low, high, grade, percentile, model_id),
                flags=unlike.words,
                flag_codes=unlike.codes,
                reasons=said(reasons, puzzle) if said is not None else reasons,
                parts=tuple(zip(effort.names, seconds, strict=True)),
            )
            for puzzle, predicted, low, high, grade, percentile, unlike, reasons, seconds in columns
        )

    def _coverage(self, coverage: float | None) -> float:
        return share("coverage", self.coverage if coverage is None else coverage)

    def log_seconds(self, table: Floats) -> Floats:
        """Predict log seconds from the model's columns, shape ``(n_puzzles, n_columns)``."""
        return self._move_to_pace(self.scale_.log_seconds(self._parts(table), self.crowd_))

    def difficulty(self, table: Floats) -> Floats:
        """Return the logarithm of the looks that puzzles take, on the common scale."""
        return self.scale_.difficulty(self._parts(table))

    def interval_of(
        self, table: Floats, orders: Sequence[int | None], coverage: float
    ) -> tuple[Floats, list[result.Flags]]:
        """Return the log seconds of the interval's ends, and the flags of each puzzle."""
        parts = self._parts(table)
        ends, flags = self.interval_of_parts(parts, orders, coverage)
        if self.timed_ == 0:
            flags = [self._kind.untimed.and_also(each) for each in flags]
        if self.pace_ is None:
            return ends, flags
        predicted = self.scale_.log_seconds(parts, self.crowd_)
        middle = self.pace_.at(predicted)
        half = self.pace_.half_width(predicted, coverage)
        is_wide = [self.pace_.carried or bool({*each.codes} - result.USUAL) for each in flags]
        own = np.stack([middle - half, middle + half], axis=1)
        moved = ends + (middle - predicted)[:, None]
        return np.where(np.array(is_wide, bool)[:, None], moved, own), flags

    def interval_of_parts(
        self,
        parts: Floats,
        orders: Sequence[int | None],
        coverage: float,
        *,
        pace_known: bool = False,
    ) -> tuple[Floats, list[result.Flags]]:
        """Return a crowd's interval and the flags of puzzles whose parts are known.

        With `pace_known`, the interval of the typical crowd assumes that the crowd has its pace.
        """
        log_seconds = self.scale_.log_seconds(parts, self.crowd_)
        factor, flags = self.reach_.widening(self._kind.effort.names, parts, orders)
        below, above = self._errors(parts, coverage, pace_known) * factor
        return np.stack([log_seconds - below, log_seconds + above], axis=1), flags

    def _errors(self, parts: Floats, coverage: float, pace_known: bool) -> Floats:
        """Return how far the interval reaches below and above, shape ``(2, n_puzzles)``."""
        deviations = NormalDist().inv_cdf(0.5 + coverage / 2)
        if not self._kind.has_crowds:
            width = deviations * self.scale_.spread(self.scale_.difficulty(parts))
            return np.stack([width, width])
        missed = self.missed_[self.crowd_ or ""]
        ends = np.stack(missed.ends(scales.thought_of(self.scale_, parts, self.crowd_), coverage))
        if pace_known:
            return ends
        if self.crowd_ is None:
            return np.hypot(ends, deviations * self.scale_.offset_spread)
        if n := self.scale_.crowds[self.crowd_].n_puzzles:
            return np.asarray(ends * np.sqrt(1.0 + 1.0 / n))
        return np.hypot(ends, scales.OFFSET_SPREAD)

    def grades(self, table: Floats, genres: Sequence[str] | None = None) -> list[Grade]:
        """Return the grade of each puzzle, the same for all crowds and for everybody.

        A Sudoku's grade is that of its looks. Any other puzzle's is its sixth among the known
        puzzles of its genre, or without genres among all that are behind the model.
        """
        difficulty = self.difficulty(table)
        if self.sudoku_ is None:
            return result.grades_of(difficulty)
        genres = [""] * len(table) if genres is None else genres
        by_looks = result.grades_of(self._as_sudoku(difficulty))
        percentiles = self.percentiles(table, genres).tolist()
        return [
            own if is_plain(genre) else grade_at(percentile)
            for genre, own, percentile in zip(genres, by_looks, percentiles, strict=True)
        ]

    def _as_sudoku(self, difficulty: Floats) -> Floats:
        """Return the difficulty of Sudokus with the same typical times."""
        assert self.sudoku_ is not None
        return self.sudoku_.place_of(shipped(self.kind).scale.on_line(difficulty))

    def population(self, genre: str = "") -> Population:
        """Return the puzzles among which one of a genre has its place.

        These are the known puzzles of the genre, if there are enough, else those of its size, or
        if none are known all behind the model.
        """
        return self.levels_.get(genre) or GenreLevels.of_size(genre, self.levels_) or self.reach_

    def grade_range(self, grade: str, genre: str = "") -> tuple[float, float]:
        """Return the least and largest log seconds of a grade.

        Raises
        ------
        ValueError
            For an unknown grade.
        """
        if self.sudoku_ is None:
            difficulty = np.log(result.looks_of(grade))
        elif is_plain(genre):
            log_seconds = self.sudoku_.at(np.log(result.looks_of(grade)))
            difficulty = shipped(self.kind).scale.difficulty_at(log_seconds)
        else:
            known = self.population(genre)
            difficulty = np.array([known.at_percentile(p) for p in percentiles_of_grade(grade)])
        least, most = self._at(difficulty).tolist()
        return least, most

    def percentiles(self, table: Floats, genres: Sequence[str] | None = None) -> Floats:
        """Return the percentage of the known puzzles that are easier, 0 to 100."""
        difficulty = self.difficulty(table)
        own = np.array([""] * len(table) if genres is None else genres)
        below = np.empty(len(table))
        for genre in set(own.tolist()):
            rows = own == genre
            below[rows] = self.population(genre).percentiles_below(difficulty[rows])
        return below

    def log_seconds_at(self, percentile: float, genre: str = "") -> float:
        """Return a percentile, 0 to 100, of the log seconds of the known puzzles."""
        return float(self._at(np.array(self.population(genre).at_percentile(percentile))))

    def rough(self, known: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """Estimate the prediction when only some columns are known.

        Parameters
        ----------
        known : mapping of str to ndarray of float64, shape (n_puzzles,)
            The columns that :mod:`nando.rating.kinds` needs for the kind of puzzle.

        Returns
        -------
        log_seconds : ndarray of float64, shape (n_puzzles,)
        error : ndarray of float64, shape (n_puzzles,)
            Standard deviation of the full prediction around `log_seconds`.
        """
        difficulty, error = self._kind.rough(self.scale_, self.crowd_, known)
        error = self.scale_.line(self.crowd_).slope * error
        return self._at(difficulty), error if self.pace_ is None else self.pace_.slope * error

    def rating_time(self, log_seconds: Floats) -> Floats:
        """Return the relative time needed to rate puzzles with these expected log seconds."""
        if self._kind.rating_time is None:
            return np.ones_like(log_seconds)
        if self.pace_ is not None:
            log_seconds = self.pace_.place_of(log_seconds)
        return self._kind.rating_time(self.scale_.difficulty_at(log_seconds, self.crowd_))

    def _parts(self, table: Floats) -> Floats:
        """Return the parts of puzzles in looks, shape ``(n_puzzles, n_parts)``."""
        return self._kind.effort.by_part(table)

    def _at(self, difficulty: Floats) -> Floats:
        """Return the log seconds at a difficulty."""
        return self._move_to_pace(self.scale_.on_line(difficulty, self.crowd_))

    def _move_to_pace(self, log_seconds: Floats) -> Floats:
        """Return the person's log seconds for those of the crowd, or these for a crowd."""
        return log_seconds if self.pace_ is None else self.pace_.at(log_seconds)

    # ---------------------------------------------------------------- columns

    @property
    def extractor(self) -> FeatureExtractor:
        """The extractor that computes the columns of puzzles."""
        if self.features is None:
            return FeatureExtractor(groups_of(self.columns))
        features = self.features
        return features if isinstance(features, FeatureExtractor) else features.extractor

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
            names = feature_names(
                DEFAULT_GROUPS if self.features is None else self.extractor.groups
            )
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
        seconds = check_seconds(y)
        table, orders = self.table_of(X)
        if len(seconds) != len(table):
            of = how_many(len(table), "puzzle")
            raise ValueError(f"{how_many(len(seconds), 'time')} for {of}: give one for each")
        return table, orders, seconds

    # ---------------------------------------------------------------- the model as a file

    def record(self) -> dict[str, Any]:
        """Return everything that moves a rating, as plain values."""
        self.check_fitted()
        extractor = self.extractor
        record = ModelRecord(
            self.kind,
            self._kind.effort.weights,
            self.scale_,
            self.reach_,
            ColumnSettings(tuple(extractor.groups), extractor.random_state, extractor.runs),
            FitSettings(self.n_splits, self.coverage),
            *(self.missed_, self.timed_, self.sudoku_, dict(self.levels_), self.crowd_, self.pace_),
            compound=self._kind.effort.compound,
        )
        return dict(plain(record))

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the model of a record, without its provenance."""
        read = read_record(ModelRecord, record, noun="a model")
        extractor = FeatureExtractor(**vars(read.features))
        extractor.checked()
        rater = cls(read.kind, features=extractor, **vars(read.settings))
        for name in rater.columns:
            if name not in extractor.columns:
                raise ValueError(f"its features have no column {name!r}")
        rater._set(read.common_scale(), read.crowd)
        rater.pace_ = read.pace
        return rater


def are_puzzles(X: Any) -> bool:
    """Return True if `X` is a sequence of puzzles or of their texts rather than a table."""
    return not hasattr(X, "shape") and len(X) > 0 and isinstance(X[0], Puzzle | str)


def order_of(puzzle: Puzzle) -> int | None:
    """Return the order of a Sudoku; None for puzzles that have none."""
    return getattr(puzzle, "order", None)


def check_seconds(y: Any) -> Floats:
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

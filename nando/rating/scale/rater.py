"""The estimator of the common scale: it learns a crowd from its times.

A fit leaves the scale of :mod:`nando.rating.scale.model` as it is and adds a crowd to it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from nando.features.transformer import SolverFeatures
from nando.rating.base import are_puzzles, checked_seconds
from nando.rating.estimator import RatingEstimator
from nando.rating.folds import grouped_folds
from nando.rating.scale.crowds import CrowdTimes, Scale
from nando.rating.scale.fitting import fit_crowd
from nando.rating.scale.missed import Missed
from nando.rating.scale.model import CommonScale, DifficultyModel, shipped, thought_of
from nando.rating.scale.parts import PART_COLUMNS, parts_of

OWN = "own"
"""Name of a crowd that was given without one."""

FEW = 40
"""Puzzles of a crowd below which what its model misses is taken from the others."""


class DifficultyRater(RatingEstimator, DifficultyModel):
    """Predicted human solving time of Sudokus, for the typical crowd or for one of several.

    `X` everywhere is a sequence of puzzles, or the table that :class:`SolverFeatures` makes of
    them (a DataFrame with the columns of ``PART_COLUMNS``).

    Parameters
    ----------
    scale : CommonScale or None
        The scale that a fit starts from; None takes the shipped model's.
    features : SolverFeatures or None
        How puzzles become columns; None takes the groups that are needed.
    n_splits : int
        Folds of the out-of-fold predictions behind a crowd's interval.
    coverage : float
        Wanted share of human mean times inside the interval.

    Attributes
    ----------
    scale_ : Scale
        The common scale, and the crowds on it.
    crowd_ : str or None
        The crowd whose times are predicted; None is the typical one.
    missed_ : dict of str to Missed
        What is missed of each crowd's times; "" for a crowd that is not known.
    reach_ : Reach
        What the puzzles behind the scale covered.
    provenance_ : dict
        Data, settings and scores, as a model file states them.

    Notes
    -----
    A fit leaves the scale as it is and adds a crowd to it, so a few times are enough: with none the
    new crowd is the typical one. The interval for the typical crowd holds the mean time of a
    puzzle in a crowd that is not known, which may be slow or fast; that for a crowd knows its pace.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> puzzles = load_examples().puzzles
    >>> rater = DifficultyRater().fit(puzzles[:5], [260, 300, 390, 300, 350])
    >>> rater.crowd_
    'own'
    """

    def __init__(
        self,
        *,
        scale: CommonScale | None = None,
        features: SolverFeatures | None = None,
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
            How many players stand behind each time.
        groups : sequence of str or None
            Puzzles of one group never straddle a fold; None takes the equivalence keys of
            puzzles, or for a table each row by itself.
        crowd : str, sequence of str or None
            Name of the crowd of all times or of each; None calls it "own". With one crowd,
            its times are what is predicted then; with several, those of the typical one.

        Raises
        ------
        ValueError
            For times that are not above 0, players below 1, or as many crowds as there are times.
        """
        seconds = checked_seconds(y)
        table, orders = self.table_of(X)
        if len(seconds) != len(table):
            raise ValueError(f"{len(seconds)} times for {len(table)} puzzles: bring one for each")
        players = _checked_players(sample_weight, len(seconds))
        names = _checked_crowds(crowd, len(seconds))
        if groups is None and are_puzzles(X):
            groups = [puzzle.equivalence_key() for puzzle in X]
        known = self._start()
        parts, logs = parts_of(table), np.log(seconds)
        crowds, missed = dict(known.scale.crowds), dict(known.missed)
        for name in dict.fromkeys(names.tolist()):
            here = np.flatnonzero(names == name)
            times = CrowdTimes(parts[here], logs[here], None if players is None else players[here])
            crowds[name] = fit_crowd(known.scale, times)
            keys = None if groups is None else [groups[i] for i in here.tolist()]
            missed[name] = _missed(known, times, keys, self.n_splits)
        self.scale_ = replace(known.scale, crowds=crowds)
        self.missed_ = missed
        seen = {order for order in orders if order is not None}
        reach = known.reach
        self.reach_ = replace(
            reach,
            most=tuple(np.maximum(reach.most, parts.max(axis=0)).tolist()),
            orders=tuple(sorted({*reach.orders, *seen})),
        )
        only = set(names.tolist())
        self.crowd_ = only.pop() if len(only) == 1 else None
        self.provenance_ = {
            "name": self.crowd_ or "crowds",
            "puzzles": len(seconds),
            "scale": known.model_id,
        }
        self.n_features_in_ = len(PART_COLUMNS)
        return self

    def fit_quickly(
        self,
        table: NDArray[np.float64],
        log_seconds: NDArray[np.float64],
        weight: NDArray[np.float64],
    ) -> None:
        """Fit what a prediction needs, and nothing of the interval."""
        known = self._start()
        one = fit_crowd(known.scale, CrowdTimes(parts_of(table), log_seconds, weight))
        self.scale_ = replace(known.scale, crowds={**known.scale.crowds, OWN: one})
        self.crowd_ = OWN

    def _start(self) -> CommonScale:
        return self.scale if self.scale is not None else shipped()

    def check_fitted(self) -> None:
        """Raise where nothing was fitted yet."""
        check_is_fitted(self, "scale_")

    @classmethod
    def of(cls, model: DifficultyModel) -> Self:
        """The estimator with the settings of a model, fitted as it is."""
        rater = cls(
            features=SolverFeatures.of(model.extractor),
            n_splits=model.n_splits,
            coverage=model.coverage,
        )
        rater.scale_, rater.reach_, rater.crowd_ = model.scale_, model.reach_, model.crowd_
        rater.missed_ = dict(model.missed_)
        rater.provenance_ = dict(model.provenance_)
        rater.n_features_in_ = len(PART_COLUMNS)
        return rater

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild an estimator from the text of a model file.

        Raises
        ------
        ValueError
            As of :meth:`DifficultyModel.from_json`.
        """
        return cls.of(DifficultyModel.from_json(text))


def held_out(
    scale: Scale, times: CrowdTimes, groups: Sequence[str] | None, n_splits: int, seed: int = 0
) -> NDArray[np.float64]:
    """Log seconds of a crowd's puzzles as predicted by fits on a scale that saw none of a group."""
    predicted = np.empty_like(times.log_seconds)
    for train, test in grouped_folds(groups, len(predicted), n_splits, seed):
        players = None if times.players is None else times.players[train]
        one = fit_crowd(scale, CrowdTimes(times.parts[train], times.log_seconds[train], players))
        of_fold = replace(scale, crowds={"": one})
        predicted[test] = of_fold.log_seconds(times.parts[test], "")
    return predicted


def _missed(
    known: CommonScale, times: CrowdTimes, groups: Sequence[str] | None, n_splits: int
) -> Missed:
    """What is missed of a crowd's times; that of others where there are few."""
    n_groups = len(set(groups)) if groups is not None else len(times.log_seconds)
    if n_groups < max(FEW, n_splits):
        return known.missed[""]
    missed = times.log_seconds - held_out(known.scale, times, groups, n_splits)
    return Missed.of(missed, thought_of(known.scale, times.parts))


def _checked_players(players: ArrayLike | None, n: int) -> NDArray[np.float64] | None:
    if players is None:
        return None
    found = np.asarray(players, dtype=np.float64)
    if found.shape != (n,) or not (np.isfinite(found).all() and (found > 0).all()):
        raise ValueError("players must be a number above 0 for each time")
    return found


def _checked_crowds(crowd: str | Sequence[str] | None, n: int) -> NDArray[np.str_]:
    if crowd is None or isinstance(crowd, str):
        names = np.full(n, OWN if crowd is None else crowd)
    else:
        names = np.array(list(crowd), dtype=np.str_)
    if names.shape != (n,):
        raise ValueError(f"{len(names)} names of crowds for {n} times: bring one for each")
    if n > 1 and len(set(names.tolist())) == n:
        raise ValueError("every time is of another crowd: no crowd can be told from its puzzles")
    if "" in names:
        raise ValueError("a crowd must have a name, got ''")
    return names

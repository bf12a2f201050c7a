"""Ratings on one scale for all people, or for a crowd: the model that nando ships for Sudoku.

The expected time of a puzzle is a sum of parts (:mod:`nando.rating.scale.parts`), whose weights are
those of all people and a little different for each crowd (:mod:`nando.rating.scale.crowds`). A
rating is the time of the typical crowd, unless a crowd is named. Nothing in it depends on a seed:
what is drawn is drawn from the class of equivalent puzzles alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from nando.features.transformer import SolverFeatures
from nando.rating.amounts import duration
from nando.rating.base import Population, Rater, are_puzzles, checked_seconds
from nando.rating.folds import grouped_folds
from nando.rating.grades import grades_of, looks_of
from nando.rating.records import check_identity, numbers, parsed, told_as
from nando.rating.scale.crowds import (
    OFFSET_SPREAD,
    Crowd,
    CrowdTimes,
    Scale,
    by_part,
    fit_crowd,
)
from nando.rating.scale.missed import Missed
from nando.rating.scale.parts import PART_COLUMNS, PARTS, THOUGHT, parts_of
from nando.rating.scale.reach import Reach

FORMAT = "nando difficulty model 2"

SHIPPED = Path(__file__).parent.parent / "models" / "crowds.json"
"""The model that is shipped."""

OWN = "own"
"""Name of a crowd that was given without one."""

FEW = 40
"""Puzzles of a crowd below which what its model misses is taken from the others."""

_THOUGHT = np.array([part.name in THOUGHT for part in PARTS])
_ROUGHLY = np.array(
    [{"locked": 2.6, "pairs": 1.9, "larger": 2.5, "chains": 2.0}.get(p.name, 1.0) for p in PARTS]
)
"""How much larger parts are, as a rule, than what the race alone says of them."""

_LEAST_SHARE = 0.05
"""Parts of a smaller share are not among the reasons."""


@dataclass(frozen=True)
class CommonScale:
    """A scale with all that a rating on it needs.

    Attributes
    ----------
    scale : Scale
    missed : dict of str to Missed
        What is missed of each crowd's times; "" for a crowd that is not known.
    reach : Reach
        What the puzzles behind the scale covered.
    model_id : str
        Of the model that it comes from.
    """

    scale: Scale
    missed: dict[str, Missed]
    reach: Reach
    model_id: str


class DifficultyRater(Rater):
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

    columns = PART_COLUMNS
    unit = "seconds"
    scale_: Scale
    missed_: dict[str, Missed]
    reach_: Reach
    crowd_: str | None

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

    @property
    def common_scale(self) -> CommonScale:
        """The scale with all that a rating on it needs, for another model to start from."""
        self.check_fitted()
        return CommonScale(self.scale_, self.missed_, self.reach_, self.model_id)

    def for_crowd(self, crowd: str | None) -> "DifficultyRater":
        """The same model, for the times of a crowd or of the typical one.

        Raises
        ------
        ValueError
            For a crowd that it does not know.
        """
        self.check_fitted()
        times = [name for name, one in self.scale_.crowds.items() if not np.isnan(one.offset)]
        if crowd is not None and crowd not in times:
            raise ValueError(
                f"the model {self.model_id} knows no crowd {crowd!r}; known: {', '.join(times)}; "
                "'nando fit' makes a model of your own times"
            )
        other: DifficultyRater = clone(self)
        other.scale_, other.missed_, other.reach_ = self.scale_, self.missed_, self.reach_
        other.provenance_ = dict(self.provenance_)
        other.n_features_in_ = self.n_features_in_
        other.crowd_ = crowd
        return other

    # ---------------------------------------------------------------- predicting

    def check_fitted(self) -> None:
        """Raise where the model was not fitted."""
        check_is_fitted(self, "scale_")

    def log_seconds(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Predicted log seconds from the model's columns, shape ``(n_puzzles, n_columns)``."""
        return self.scale_.log_seconds(parts_of(table), self.crowd_)

    def difficulty(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Logarithm of the looks that puzzles take, on the common scale, by their columns."""
        return self.scale_.difficulty(parts_of(table))

    def interval_of(
        self, table: NDArray[np.float64], orders: list[int | None], coverage: float
    ) -> tuple[NDArray[np.float64], list[str]]:
        """Log seconds of the interval's ends, and a flag for each puzzle unlike those known."""
        return self.interval_of_parts(parts_of(table), orders, coverage)

    def interval_of_parts(
        self,
        parts: NDArray[np.float64],
        orders: Sequence[int | None],
        coverage: float,
        *,
        pace_known: bool = False,
    ) -> tuple[NDArray[np.float64], list[str]]:
        """The same for puzzles whose parts are known.

        With `pace_known` the interval of the typical crowd is that of a crowd which is as fast.
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

    def grades(self, table: NDArray[np.float64]) -> list[str]:
        """Grade of each puzzle on the common scale, whatever the crowd."""
        return grades_of(self.difficulty(table))

    def percentiles(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Share of the puzzles behind the scale that are easier, 0 to 100, whatever the crowd."""
        return self.reach_.percentile(self.difficulty(table))

    def minutes_of_parts(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """The parts of the predicted time in minutes, shape ``(n_puzzles, len(PARTS))``."""
        weighted = self.scale_.weighted(parts_of(table), self.crowd_)
        shares = weighted / weighted.sum(axis=1, keepdims=True)
        return np.asarray(shares * (np.exp(self.log_seconds(table)) / 60)[:, None])

    def reasons(self, row: NDArray[np.float64]) -> str:
        """The larger parts of the time, each in what a person does and how long."""
        told: dict[str, float] = {}
        for part, minutes in zip(PARTS, self.minutes_of_parts(row[None])[0].tolist(), strict=True):
            told[part.words] = told.get(part.words, 0.0) + minutes
        least = _LEAST_SHARE * sum(told.values())
        return ", ".join(
            f"{words} {duration(60 * minutes)}"
            for words, minutes in sorted(told.items(), key=lambda one: -one[1])
            if minutes >= least
        )

    @property
    def population(self) -> Population:
        """What the puzzles behind the scale covered."""
        return _OfCrowd(self)

    rough_error = 0.3

    def rough_log_seconds(self, known: dict[str, float]) -> float:
        """Predicted log seconds where only the columns of quick groups are known.

        The steps of the human-style solver are guessed from the fills of the race.
        """
        table = np.array([[known.get(name, 0.0) for name in PART_COLUMNS]])
        parts = parts_of(table) * _ROUGHLY
        return float(self.scale_.log_seconds(parts, self.crowd_)[0])

    # ---------------------------------------------------------------- the model as a file

    @property
    def file_format(self) -> str:
        """Name and version of the model's file."""
        return FORMAT

    def record(self) -> dict[str, Any]:
        """Everything that moves a rating, as plain values."""
        names = [part.name for part in PARTS]
        scale = self.scale_
        return {
            "crowd": self.crowd_,
            "parts": {part.name: dict(part.columns) for part in PARTS},
            "scale": {
                "weights": dict(zip(names, scale.weights, strict=True)),
                "reference": scale.reference,
                "offset": scale.offset,
                "slope": scale.slope,
                "offset_spread": scale.offset_spread,
                "slope_spread": scale.slope_spread,
            },
            "crowds": {name: crowd.to_dict() for name, crowd in scale.crowds.items()},
            "missed": {name: missed.to_dict() for name, missed in self.missed_.items()},
            "reach": self.reach_.to_dict(),
            "features": self.feature_record(),
            "settings": {"n_splits": self.n_splits, "coverage": self.coverage},
        }

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild a model from the text of its file.

        Raises
        ------
        ValueError
            Where the text is not a model, is of another format or of other parts, or was changed
            by hand so that its `model_id` no longer fits.
        """
        record = parsed(text, FORMAT, "a model file")
        with told_as("a model file"):
            source = record["features"]
            rater = cls(
                features=SolverFeatures(
                    groups=tuple(source["groups"]),
                    runs=source["runs"],
                    random_state=source["random_state"],
                ),
                **record["settings"],
            )
            rater.check_settings()
            if record["parts"] != {part.name: part.columns for part in PARTS}:
                raise ValueError("its parts are not those of this version of nando")
            scale = record["scale"]
            singles = {
                name: float(numbers(scale[name], name))
                for name in ("reference", "offset", "slope", "offset_spread", "slope_spread")
            }
            crowds = {name: Crowd.from_dict(one) for name, one in record["crowds"].items()}
            rater.scale_ = Scale(by_part(scale["weights"], "weights"), **singles, crowds=crowds)
            rater.missed_ = {name: Missed.from_dict(one) for name, one in record["missed"].items()}
            rater.reach_ = Reach.from_dict(record["reach"])
            rater.crowd_ = record["crowd"]
            if (rater.crowd_ or "") not in rater.missed_:
                raise ValueError(f"it says nothing of the crowd {rater.crowd_!r}")
            if rater.crowd_ is not None and rater.crowd_ not in crowds:
                raise ValueError(f"it has no crowd {rater.crowd_!r}")
            rater.n_features_in_ = len(PART_COLUMNS)
            rater.provenance_ = dict(record["provenance"])
        check_identity(record, rater.model_id)
        return rater


class _OfCrowd:
    """The reach of a model in the seconds of its crowd."""

    def __init__(self, rater: DifficultyRater) -> None:
        self._rater = rater
        scale = rater.scale_
        one = scale if rater.crowd_ is None else scale.crowds[rater.crowd_]
        self._offset, self._slope, self._reference = one.offset, one.slope, scale.reference

    def log_seconds_at(self, percentile: float) -> float:
        """Log seconds below which a share of the puzzles, 0 to 100, is predicted."""
        return self._log_seconds(self._rater.reach_.at(percentile))

    def grade_range(self, grade: str) -> tuple[float, float]:
        """Least and largest log seconds of a grade."""
        least, most = np.log(looks_of(grade))
        return self._log_seconds(float(least)), self._log_seconds(float(most))

    def _log_seconds(self, difficulty: float) -> float:
        return self._offset + self._slope * (difficulty - self._reference)


def thought_of(
    scale: Scale, parts: NDArray[np.float64], crowd: str | None = None
) -> NDArray[np.float64]:
    """Share of each puzzle's time that is thought beyond singles."""
    weighted = scale.weighted(parts, crowd)
    thought: NDArray[np.float64] = weighted[:, _THOUGHT].sum(axis=1) / weighted.sum(axis=1)
    return thought


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


@cache
def shipped() -> CommonScale:
    """The scale of the shipped model."""
    return DifficultyRater.from_json(SHIPPED.read_text(encoding="utf-8")).common_scale

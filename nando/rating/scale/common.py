"""The common scale with its errors and its range, and the fit of new crowds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.rating.base import LEVELS, quantiles
from nando.rating.estimator import grouped_folds
from nando.rating.records import above_zero, numbers
from nando.rating.scale.crowds import Crowd, CrowdLevels, CrowdTimes, Scale, by_part
from nando.rating.scale.fitting import fit_crowd, fit_scale
from nando.rating.scale.parts import EFFORT, PARTS, THOUGHT
from nando.rating.scale.reach import Reach
from nando.stages import counted

_LEAST = 0.02


@dataclass(frozen=True)
class Missed:
    """The distribution of the errors of predictions.

    Attributes
    ----------
    base, thought : float
        Spread of log seconds for a puzzle without thought, and its increase for thought alone.
    quantiles : tuple of float
        Quantiles of actual minus predicted log seconds, in spreads, at `LEVELS`.
    """

    base: float
    thought: float
    quantiles: tuple[float, ...]

    @classmethod
    def of(cls, missed: Floats, thought: Floats, weight: Floats | None = None) -> Self:
        """Fit to the errors on held-out puzzles and their shares of thought."""
        from scipy.optimize import nnls

        # The mean absolute deviation of a normal variable is 0.8 of its spread.
        design = np.stack([np.ones_like(thought), thought], axis=1)
        weight = np.ones_like(thought) if weight is None else weight
        root = np.sqrt(weight)
        base, slope = nnls(design * root[:, None], np.abs(missed) / 0.8 * root)[0]
        base = max(float(base), _LEAST)
        scaled = missed / (base + slope * thought)
        return cls(_plain(base), _plain(slope), tuple(map(_plain, quantiles(scaled, weight))))

    def spread(self, thought: Floats) -> Floats:
        """Return the spread of log seconds of each puzzle."""
        return np.asarray(self.base + self.thought * thought)

    def ends(self, thought: Floats, coverage: float) -> tuple[Floats, Floats]:
        """Return how far the interval reaches below and above each prediction, in log seconds."""
        tail = (1.0 - coverage) / 2.0
        low, high = np.interp([tail, 1.0 - tail], LEVELS, self.quantiles)
        spread = self.spread(thought)
        return max(-low, 0.0) * spread, max(high, 0.0) * spread

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"base": self.base, "thought": self.thought, "quantiles": list(self.quantiles)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild from :meth:`to_dict`."""
        return cls(
            float(above_zero(record["base"], "missed base")),
            float(numbers(record["thought"], "missed thought")),
            tuple(numbers(record["quantiles"], "missed quantiles", len(LEVELS)).tolist()),
        )


def _plain(value: float) -> float:
    return float(f"{value:.6g}")


FEW = 40
"""A crowd with fewer puzzles uses the errors of unknown crowds instead of its own."""

_SINGLE = ("reference", "offset", "slope", "offset_spread", "slope_spread")
"""Fields of a scale that are single numbers."""

_THOUGHT = np.array([part.name in THOUGHT for part in PARTS])


@dataclass(frozen=True)
class CommonScale:
    """A scale with everything that ratings on it need.

    Attributes
    ----------
    scale : Scale
    missed : dict of str to Missed
        The errors of predictions for each crowd; "" stands for an unknown crowd.
    reach : Reach
        The range of the puzzles behind the scale.
    model_id : str
        Id of the model from which the scale comes.
    """

    scale: Scale
    missed: dict[str, Missed]
    reach: Reach
    model_id: str = ""

    @classmethod
    def of(
        cls,
        crowds: Mapping[str, CrowdTimes | CrowdLevels],
        sources: Mapping[str, str],
        groups: Mapping[str, Sequence[str] | None],
        *,
        orders: Sequence[int | None],
        n_splits: int,
    ) -> "CommonScale":
        """Fit a scale to crowds, with the errors for unknown crowds and for each crowd with times.

        Parameters
        ----------
        crowds : mapping of str to CrowdTimes or CrowdLevels
        sources : mapping of str to str
            Data set of each crowd; the crowds of one are left out together.
        groups : mapping of str to sequence of str or None
            Puzzles of one group are never split between folds, by crowd.
        orders : sequence of int or None
            Orders of the puzzles; None for a puzzle without an order.
        n_splits : int
            Folds of the predictions behind a crowd's interval.
        """
        scale = fit_scale(crowds)
        reach = Reach.of(
            [crowd.parts for crowd in crowds.values()],
            [scale.difficulty(crowd.parts) for crowd in crowds.values()],
            {*filter(None, orders)},
        )
        start = cls(scale, {"": missed_of_strangers(scale, crowds, sources)}, reach)
        missed = dict(start.missed)
        for name, crowd in counted(crowds.items(), "crowds checked", len(crowds)):
            if isinstance(crowd, CrowdTimes):
                missed[name] = start._missed(crowd, groups[name], n_splits, name)
        return replace(start, missed=missed)

    @classmethod
    def fitted(
        cls,
        times: CrowdTimes,
        names: NDArray[np.str_],
        *,
        orders: Sequence[int | None],
        groups: Sequence[str] | None,
        n_splits: int,
    ) -> "CommonScale":
        """Return a scale fitted to the named crowds alone; see :meth:`with_crowds`."""
        rows = {name: np.flatnonzero(names == name) for name in dict.fromkeys(names.tolist())}
        return cls.of(
            {name: times.subset(own) for name, own in rows.items()},
            {name: name for name in rows},
            {
                name: None if groups is None else [groups[i] for i in own.tolist()]
                for name, own in rows.items()
            },
            orders=orders,
            n_splits=n_splits,
        )

    def with_crowds(
        self,
        times: CrowdTimes,
        names: NDArray[np.str_],
        *,
        orders: Sequence[int | None],
        groups: Sequence[str] | None,
        n_splits: int,
    ) -> "CommonScale":
        """Return this scale with each named crowd fitted to its times.

        Parameters
        ----------
        times : CrowdTimes
            The times of all crowds together.
        names : ndarray of str, shape (n_times,)
            The crowd of each time.
        orders : sequence of int or None
            Order of each puzzle; None for a puzzle without an order.
        groups : sequence of str or None
            Puzzles of one group are never split between folds.
        n_splits : int
            Folds of the predictions behind a crowd's interval.
        """
        crowds, missed = dict(self.scale.crowds), dict(self.missed)
        for name in dict.fromkeys(names.tolist()):
            rows = np.flatnonzero(names == name)
            own = times.subset(rows)
            crowds[name] = fit_crowd(self.scale, own)
            own_groups = None if groups is None else [groups[i] for i in rows.tolist()]
            missed[name] = self._missed(own, own_groups, n_splits)
        reach = replace(
            self.reach,
            most=tuple(np.maximum(self.reach.most, times.parts.max(axis=0)).tolist()),
            orders=tuple(sorted({*self.reach.orders, *filter(None, orders)})),
        )
        scale = replace(self.scale, crowds=crowds)
        return CommonScale(scale, missed, reach, self.model_id)

    def record(self) -> dict[str, Any]:
        """Return everything except the id as plain values."""
        scale = self.scale
        return {
            "scale": {
                "weights": dict(zip(EFFORT.names, scale.weights, strict=True)),
                **{name: getattr(scale, name) for name in _SINGLE},
            },
            "crowds": {name: crowd.to_dict() for name, crowd in scale.crowds.items()},
            "missed": {name: missed.to_dict() for name, missed in self.missed.items()},
            "reach": self.reach.to_dict(),
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any], model_id: str = "") -> Self:
        """Rebuild from :meth:`record`."""
        scale = record["scale"]
        return cls(
            Scale(
                by_part(scale["weights"], "weights"),
                **{name: float(numbers(scale[name], name)) for name in _SINGLE},
                crowds={name: Crowd.from_dict(each) for name, each in record["crowds"].items()},
            ),
            {name: Missed.from_dict(each) for name, each in record["missed"].items()},
            Reach.from_dict(record["reach"]),
            model_id,
        )

    def _missed(
        self,
        times: CrowdTimes,
        groups: Sequence[str] | None,
        n_splits: int,
        name: str | None = None,
    ) -> Missed:
        """Return the errors for a crowd, or those for an unknown crowd if it has few puzzles.

        Thought is shared as all people do, or as the crowd `name` of the scale does.
        """
        n_groups = len(set(groups)) if groups is not None else len(times.log_seconds)
        if n_groups < max(FEW, n_splits):
            return self.missed[""]
        errors = times.log_seconds - held_out(self.scale, times, groups, n_splits)
        return Missed.of(errors, thought_of(self.scale, times.parts, name))


def held_out(
    scale: Scale, times: CrowdTimes, groups: Sequence[str] | None, n_splits: int, seed: int = 0
) -> Floats:
    """Predict a crowd's log seconds by fits that saw no puzzle of the same group.

    Returns
    -------
    ndarray of float64, shape (n_times,)
    """
    predicted = np.empty_like(times.log_seconds)
    for train, test in grouped_folds(groups, len(predicted), n_splits, seed):
        fold = replace(scale, crowds={"": fit_crowd(scale, times.subset(train))})
        predicted[test] = fold.log_seconds(times.parts[test], "")
    return predicted


def missed_of_strangers(
    scale: Scale, crowds: Mapping[str, CrowdTimes | CrowdLevels], sources: Mapping[str, str]
) -> Missed:
    """Return the errors of a scale, apart from the pace, for crowds to which it was not fitted.

    Each data set of a typical crowd is left out of the scale in turn.
    """
    missed, thought, weight = [], [], []
    typical = {
        name: crowd
        for name, crowd in crowds.items()
        if isinstance(crowd, CrowdTimes) and crowd.typical
    }
    # With a single crowd, no other crowd remains to fit the scale to.
    alone = len({sources[name] for name in typical}) == 1
    for name, times in counted(typical.items(), "strangers", len(typical)):
        rest = {other: crowds[other] for other in crowds if sources[other] != sources[name]}
        used = scale if alone else fit_scale(rest)
        away = times.log_seconds - used.log_seconds(times.parts)
        missed.append(away - np.median(away))
        thought.append(thought_of(used, times.parts))
        weight.append(np.full(len(away), 1.0 / len(away)))
    return Missed.of(np.concatenate(missed), np.concatenate(thought), np.concatenate(weight))


def thought_of(scale: Scale, parts: Floats, crowd: str | None = None) -> Floats:
    """Return the share of each puzzle's time spent on steps beyond singles."""
    weighted = scale.weighted(parts, crowd)
    thought: Floats = weighted[:, _THOUGHT].sum(axis=1) / weighted.sum(axis=1)
    return thought

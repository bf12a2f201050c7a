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
from nando.rating.scale.crowds import CrowdTimes, Scale
from nando.rating.scale.fitting import fit_crowd
from nando.rating.scale.parts import PARTS, THOUGHT
from nando.rating.scale.reach import Reach

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
    model_id: str

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

    def _missed(self, times: CrowdTimes, groups: Sequence[str] | None, n_splits: int) -> Missed:
        """Return the errors for a crowd, or those for an unknown crowd if it has few puzzles."""
        n_groups = len(set(groups)) if groups is not None else len(times.log_seconds)
        if n_groups < max(FEW, n_splits):
            return self.missed[""]
        errors = times.log_seconds - held_out(self.scale, times, groups, n_splits)
        return Missed.of(errors, thought_of(self.scale, times.parts))


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


def thought_of(scale: Scale, parts: Floats, crowd: str | None = None) -> Floats:
    """Return the share of each puzzle's time spent on steps beyond singles."""
    weighted = scale.weighted(parts, crowd)
    thought: Floats = weighted[:, _THOUGHT].sum(axis=1) / weighted.sum(axis=1)
    return thought

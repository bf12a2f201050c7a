"""The common scale with everything that a rating needs, and the fit of new crowds to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.rating.estimator import grouped_folds
from nando.rating.scale.crowds import CrowdTimes, Scale
from nando.rating.scale.fitting import fit_crowd
from nando.rating.scale.missed import Missed
from nando.rating.scale.parts import PARTS, THOUGHT
from nando.rating.scale.reach import Reach

FEW = 40
"""A crowd with fewer puzzles uses the errors of unknown crowds instead of its own."""

_THOUGHT = np.array([part.name in THOUGHT for part in PARTS])


@dataclass(frozen=True)
class CommonScale:
    """A scale with everything that a rating on it needs.

    Attributes
    ----------
    scale : Scale
    missed : dict of str to Missed
        The errors of predictions for each crowd; "" stands for an unknown crowd.
    reach : Reach
        The range of the puzzles behind the scale.
    model_id : str
        Id of the model that the scale comes from.
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
            Of all crowds together.
        names : ndarray of str, shape (n_times,)
            The crowd of each time.
        orders : sequence of int or None
            Order of each puzzle, None where it has none.
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

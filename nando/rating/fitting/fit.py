"""Fit the common scale to several crowds, or new crowds to a scale, by the mode of the posterior.

The model is that of :mod:`nando.rating.scale`. Its errors for unknown crowds are those of
scales that leave crowds out, and its errors for a crowd are those of puzzles held out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.rating.files import plain_floats
from nando.rating.fitting.estimator import grouped_folds
from nando.rating.parts import PARTS
from nando.rating.reach import Reach
from nando.rating.scale import (
    OFFSET_SPREAD,
    CommonScale,
    Crowd,
    CrowdLevels,
    CrowdTimes,
    Missed,
    Scale,
    thought_of,
)
from nando.stages import counted

WEIGHT_SPREAD = 0.05
"""Prior standard deviation of the logarithm of a part's weight about its initial weight."""
DEVIATION_SPREAD = 0.25
"""The same for a crowd's weight about that of all people."""
SLOPE_SPREAD = 0.15
"""The same for a crowd's slope about 1."""
FREEDOM = 4.0
"""Degrees of freedom of Student's t."""

AnyCrowd: TypeAlias = CrowdTimes | CrowdLevels

_LEAST_NOISE = 0.02
_K = len(PARTS)


def fit_scale(crowds: Mapping[str, AnyCrowd]) -> Scale:
    """Return the common scale of several crowds.

    Raises
    ------
    ValueError
        If no crowd has times, or levels are not whole numbers from 0 that all occur.
    """
    typical = {
        name: crowd
        for name, crowd in crowds.items()
        if isinstance(crowd, CrowdTimes) and crowd.typical
    }
    if not typical:
        raise ValueError(
            "at least one crowd must have times: levels alone do not determine minutes"
        )
    for name, crowd in crowds.items():
        if isinstance(crowd, CrowdLevels):
            check_levels(name, crowd.levels)
    reference = float(
        np.mean([np.log(crowd.parts.sum(axis=1)).mean() for crowd in crowds.values()])
    )
    offset = float(np.mean([crowd.log_seconds.mean() for crowd in typical.values()]))
    weights, fitted = _mode(crowds, np.zeros(_K), reference, (offset, 1.0), shared=True)
    offsets = np.array([fitted[name].offset for name in typical])
    slopes = np.array([fitted[name].slope for name in typical])
    middle, offset, slope = plain_floats([reference, offsets.mean(), slopes.mean()])
    offset_spread, slope_spread = plain_floats(
        [_spread(offsets, OFFSET_SPREAD), _spread(slopes, SLOPE_SPREAD)]
    )
    return Scale(plain_floats(weights), middle, offset, slope, offset_spread, slope_spread, fitted)


_SPREAD_WEIGHT = 3
"""Weight of the prior spread, as a number of crowds."""


def _spread(values: Floats, before: float) -> float:
    """Estimate the standard deviation of crowds from a few crowds and a prior."""
    squares = float(np.square(values - values.mean()).sum())
    known = _SPREAD_WEIGHT + len(values) - 1
    return float(np.sqrt((_SPREAD_WEIGHT * before**2 + squares) / known))


def fit_crowd(scale: Scale, crowd: AnyCrowd) -> Crowd:
    """Fit a new crowd to a scale, which is not changed.

    Without puzzles the result is the typical crowd; with few puzzles it is close to it.
    """
    if isinstance(crowd, CrowdLevels):
        check_levels("levels", crowd.levels)
    typical = (scale.offset, scale.slope)
    _, fitted = _mode(
        {"new": crowd}, np.array(scale.weights), scale.reference, typical, shared=False
    )
    return fitted["new"]


_PRIOR_PUZZLES = 10.0
"""Weight of the prior spread about a line, as a number of times."""


def fit_line(scale: Scale, difficulty: Floats, log_seconds: Floats, weight: Floats) -> Scale:
    """Return a scale without crowds whose line is moved by times.

    The line is the mean of the posterior of a normal model: few times move the pace, and the slope
    a little.
    """
    away = difficulty - scale.reference
    spread = scale.puzzle_spread
    design = np.stack([np.ones_like(away), away], axis=1) * np.sqrt(weight)[:, None]
    missed = (log_seconds - scale.on_line(difficulty)) * np.sqrt(weight)
    prior = np.diag([scale.offset_spread**-2.0, scale.slope_spread**-2.0])
    covariance = np.linalg.inv(prior + design.T @ design / spread**2)
    moved = covariance @ design.T @ missed / spread**2
    left = missed - design @ moved
    variance = (_PRIOR_PUZZLES * spread**2 + float(left @ left)) / (_PRIOR_PUZZLES + len(left))
    offset, slope = plain_floats([scale.offset + moved[0], scale.slope + moved[1]])
    offset_spread, slope_spread, puzzle_spread = plain_floats(
        np.sqrt([covariance[0, 0], covariance[1, 1], variance])
    )
    return replace(
        scale,
        offset=offset,
        slope=slope,
        offset_spread=offset_spread,
        slope_spread=slope_spread,
        puzzle_spread=puzzle_spread,
    )


FEW = 40
"""A crowd with fewer puzzles uses the errors of unknown crowds instead of its own."""


@dataclass(frozen=True)
class LeftOut:
    """The scales of crowds without some data sets, each fitted once.

    Attributes
    ----------
    crowds : mapping of str to CrowdTimes or CrowdLevels
    sources : mapping of str to str
        Data set of each crowd; the crowds of one are left out together.
    """

    crowds: Mapping[str, AnyCrowd]
    sources: Mapping[str, str]
    _scales: dict[frozenset[str], Scale] = field(default_factory=dict, repr=False)

    def scale(self, *data_sets: str) -> Scale:
        """Return the scale of all crowds but those of some data sets."""
        key = frozenset(data_sets)
        if key not in self._scales:
            self._scales[key] = fit_scale(self.rest(*data_sets))
        return self._scales[key]

    def rest(self, *data_sets: str) -> dict[str, AnyCrowd]:
        """Return the crowds of the other data sets."""
        return {
            name: crowd
            for name, crowd in self.crowds.items()
            if self.sources[name] not in data_sets
        }

    def missed(self, *data_sets: str) -> Missed:
        """Return the errors of :meth:`scale`, apart from the pace, for crowds that it never saw.

        Each data set of a typical crowd is left out as well, in turn.
        """
        missed, thought, weight = [], [], []
        typical = {
            name: crowd
            for name, crowd in self.rest(*data_sets).items()
            if isinstance(crowd, CrowdTimes) and crowd.typical
        }
        # With a single crowd, no other crowd remains to fit the scale to.
        alone = len({self.sources[name] for name in typical}) == 1
        for name, times in counted(typical.items(), "strangers", len(typical)):
            used = self.scale(*data_sets, *(() if alone else (self.sources[name],)))
            away = times.log_seconds - used.log_seconds(times.parts)
            missed.append(away - np.median(away))
            thought.append(thought_of(used, times.parts))
            weight.append(np.full(len(away), 1.0 / len(away)))
        return Missed.of(np.concatenate(missed), np.concatenate(thought), np.concatenate(weight))

    def common_scale(
        self,
        *data_sets: str,
        orders: Sequence[int | None],
        groups: Mapping[str, Sequence[str] | None] | None = None,
        n_splits: int = 10,
    ) -> CommonScale:
        """Return :meth:`scale` with the errors for unknown crowds and for each crowd with times.

        Parameters
        ----------
        *data_sets : str
        orders : sequence of int or None
            Orders of the puzzles; None for a puzzle without an order.
        groups : mapping of str to sequence of str or None
            Puzzles of one group are never split between folds, by crowd. None leaves out the
            errors for known crowds.
        n_splits : int
            Folds of the predictions behind a crowd's interval.
        """
        scale, crowds = self.scale(*data_sets), self.rest(*data_sets)
        missed = {"": self.missed(*data_sets)}
        if groups is not None:
            for name, crowd in counted(crowds.items(), "crowds checked", len(crowds)):
                if isinstance(crowd, CrowdTimes):
                    missed[name] = _missed_of(
                        scale, missed[""], crowd, groups[name], n_splits, name
                    )
        reach = Reach.of(
            [crowd.parts for crowd in crowds.values()],
            [scale.difficulty(crowd.parts) for crowd in crowds.values()],
            {*filter(None, orders)},
        )
        return CommonScale(scale, missed, reach)


def fit_new(
    times: CrowdTimes,
    names: NDArray[np.str_],
    *,
    orders: Sequence[int | None],
    groups: Sequence[str] | None,
    n_splits: int,
) -> CommonScale:
    """Return a scale fitted to the named crowds alone; see :func:`fit_with`."""
    rows = {name: np.flatnonzero(names == name) for name in dict.fromkeys(names.tolist())}
    left_out = LeftOut(
        {name: times.subset(own) for name, own in rows.items()}, {name: name for name in rows}
    )
    return left_out.common_scale(
        orders=orders,
        groups={name: _choose(groups, own) for name, own in rows.items()},
        n_splits=n_splits,
    )


def fit_with(
    start: CommonScale,
    times: CrowdTimes,
    names: NDArray[np.str_],
    *,
    orders: Sequence[int | None],
    groups: Sequence[str] | None,
    n_splits: int,
) -> CommonScale:
    """Return a scale with each named crowd fitted to its times.

    Parameters
    ----------
    start : CommonScale
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
    crowds, missed = dict(start.scale.crowds), dict(start.missed)
    for name in dict.fromkeys(names.tolist()):
        rows = np.flatnonzero(names == name)
        own = times.subset(rows)
        crowds[name] = fit_crowd(start.scale, own)
        missed[name] = _missed_of(
            start.scale, start.missed[""], own, _choose(groups, rows), n_splits
        )
    reach = replace(
        start.reach,
        most=tuple(np.maximum(start.reach.most, times.parts.max(axis=0)).tolist()),
        orders=tuple(sorted({*start.reach.orders, *filter(None, orders)})),
    )
    return CommonScale(replace(start.scale, crowds=crowds), missed, reach, start.model_id)


def _choose(groups: Sequence[str] | None, rows: NDArray[np.intp]) -> list[str] | None:
    return None if groups is None else [groups[i] for i in rows.tolist()]


def _missed_of(
    scale: Scale,
    unknown: Missed,
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
        return unknown
    errors = times.log_seconds - predict_held_out(scale, times, groups, n_splits)
    return Missed.of(errors, thought_of(scale, times.parts, name))


def predict_held_out(
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


def check_levels(name: str, levels: NDArray[Any]) -> None:
    """Check that the levels are 0, 1, 2, ... and that each of them occurs.

    Raises
    ------
    ValueError
        If they are not.
    """
    distinct = np.unique(levels)
    if len(distinct) < 2 or not np.array_equal(distinct, np.arange(len(distinct))):
        shown = ", ".join(map(str, distinct[:8].tolist()))
        raise ValueError(
            f"levels of {name} must be the whole numbers from 0 in order of difficulty, at least "
            f"two, with none left out; got {shown}"
        )


def _mode(
    crowds: Mapping[str, AnyCrowd],
    weights: Floats,
    reference: float,
    typical: tuple[float, float],
    *,
    shared: bool,
) -> tuple[Floats, dict[str, Crowd]]:
    """Return the weights and every crowd at the mode of the posterior.

    The weights are those given unless `shared` is true, which fits them too.
    """
    from scipy.optimize import minimize

    ends = np.cumsum([_K if shared else 0, *map(_n_numbers, crowds.values())]).tolist()
    places = {name: slice(*part) for name, part in zip(crowds, pairwise(ends), strict=True)}
    posterior = _Posterior(crowds, places, weights, reference, typical, shared)
    start = np.zeros(ends[-1])
    for name, crowd in crowds.items():
        start[places[name]] = _first_guess(crowd, weights, reference, typical)
    # The search takes few steps if the uncertainty of each number is about one unit.
    units = np.full(len(start), 0.05)
    for first in ([0] if shared else []) + ends[:-1]:
        units[first : first + _K] = 0.1

    def scaled(vector: Floats) -> tuple[float, Floats]:
        value, gradient = posterior.loss(vector * units)
        return value, gradient * units

    options = {"maxiter": 2000, "ftol": 1e-11}
    search = minimize(scaled, start / units, jac=True, method="L-BFGS-B", options=options)
    mode = units * search.x
    fitted = {name: _crowd(crowd, mode[places[name]]) for name, crowd in crowds.items()}
    return (mode[:_K] if shared else weights), fitted


@dataclass(frozen=True)
class _Posterior:
    """Minus the log posterior of crowds, as a function of a vector of numbers.

    Attributes
    ----------
    crowds : mapping of str to CrowdTimes or CrowdLevels
    places : mapping of str to slice
        The part of the vector for the numbers of each crowd.
    weights : ndarray of float64, shape (n_parts,)
        Logarithms of the parts' weights, unless the vector begins with them.
    reference : float
    typical : tuple of float
        Offset and slope of the typical crowd.
    shared : bool
        Whether the vector begins with the weights.
    """

    crowds: Mapping[str, AnyCrowd]
    places: Mapping[str, slice]
    weights: Floats
    reference: float
    typical: tuple[float, float]
    shared: bool

    def loss(self, vector: Floats) -> tuple[float, Floats]:
        """Return minus the log posterior, and its gradient."""
        gradient = np.zeros_like(vector)
        logs = vector[:_K] if self.shared else self.weights
        value = 0.0
        if self.shared:
            value += 0.5 * float(logs @ logs) / WEIGHT_SPREAD**2
            gradient[:_K] += logs / WEIGHT_SPREAD**2
        for name, crowd in self.crowds.items():
            numbers_of = vector[self.places[name]]
            if isinstance(crowd, CrowdTimes):
                loss = _times_loss(crowd, numbers_of, logs, self.reference, self.typical)
            else:
                loss = _levels_loss(crowd, numbers_of, logs, self.reference)
            more, slopes, of_weights = loss
            value += more
            gradient[self.places[name]] += slopes
            if self.shared:
                gradient[:_K] += of_weights
        return value, gradient


def _first_guess(
    crowd: AnyCrowd,
    weights: Floats,
    reference: float,
    typical: tuple[float, float],
) -> Floats:
    """Return the numbers of a crowd from which the search for the mode starts."""
    numbers_of = np.zeros(_n_numbers(crowd))
    if isinstance(crowd, CrowdTimes):
        middle = crowd.log_seconds.mean() if len(crowd.log_seconds) else typical[0]
        numbers_of[_K:] = middle, typical[1], np.log(0.3), np.log(0.3)
    else:
        z = np.log((crowd.parts * np.exp(weights)).sum(axis=1)) - reference
        counts = np.bincount(crowd.levels)
        cuts = np.quantile(z, np.cumsum(counts)[:-1] / counts.sum()) * 3.0
        numbers_of[_K] = np.log(3.0)
        numbers_of[_K + 1] = cuts[0]
        numbers_of[_K + 2 :] = np.log(np.maximum(np.diff(cuts), 0.05))
    return numbers_of


def _n_numbers(crowd: AnyCrowd) -> int:
    """Count a crowd's numbers.

    A crowd has deviations, and either offset, slope and two noises or log slope and thresholds.
    """
    return _K + (4 if isinstance(crowd, CrowdTimes) else int(crowd.levels.max()) + 1)


def _crowd(crowd: AnyCrowd, numbers_of: Floats) -> Crowd:
    deviations = plain_floats(numbers_of[:_K])
    if isinstance(crowd, CrowdTimes):
        offset, slope, noise, player_noise = plain_floats(
            [*numbers_of[_K : _K + 2], *np.exp(numbers_of[_K + 2 :])]
        )
        if crowd.players is None:
            player_noise = 0.0
        return Crowd(
            deviations, offset, slope, noise, player_noise, n_puzzles=len(crowd.log_seconds)
        )
    (slope,) = plain_floats(np.exp(numbers_of[_K : _K + 1]))
    return Crowd(
        deviations,
        0.0,
        slope,
        0.0,
        thresholds=plain_floats(_thresholds(numbers_of[_K + 1 :])),
        n_puzzles=len(crowd.levels),
    )


def _difficulty(parts: Floats, logs: Floats) -> tuple[Floats, Floats]:
    """Return the log difficulty and its gradient, which is the share of each part."""
    weighted = parts * np.exp(logs)
    total = weighted.sum(axis=1)
    return np.log(total), weighted / total[:, None]


_Loss = tuple[float, Floats, Floats]


def _times_loss(
    crowd: CrowdTimes, vector: Floats, logs: Floats, reference: float, typical: tuple[float, float]
) -> _Loss:
    """Return minus the log posterior of a crowd's times, with gradients by the numbers and by w."""
    deviations = vector[:_K]
    offset, slope, log_noise, log_player_noise = vector[_K:]
    value = 0.5 * float(deviations @ deviations) / DEVIATION_SPREAD**2
    value += 0.5 * (offset - typical[0]) ** 2 / OFFSET_SPREAD**2
    value += 0.5 * (slope - typical[1]) ** 2 / SLOPE_SPREAD**2
    # A weak prior: the noise is 0.3 within a factor of three.
    value += 0.5 * ((log_noise - np.log(0.3)) ** 2 + (log_player_noise - np.log(0.3)) ** 2)
    gradient = np.concatenate(
        [
            deviations / DEVIATION_SPREAD**2,
            [
                (offset - typical[0]) / OFFSET_SPREAD**2,
                (slope - typical[1]) / SLOPE_SPREAD**2,
                log_noise - np.log(0.3),
                log_player_noise - np.log(0.3),
            ],
        ]
    )
    if not len(crowd.log_seconds):
        return value, gradient, np.zeros(_K)
    z, shares = _difficulty(crowd.parts, logs + deviations)
    noise = np.exp(2 * log_noise) + _LEAST_NOISE**2
    variance = np.full(len(z), noise)
    by_player = np.zeros(len(z))
    if crowd.players is not None:
        by_player = np.exp(2 * log_player_noise) / crowd.players
        variance = variance + by_player
    missed = crowd.log_seconds - offset - slope * (z - reference)
    ratio = missed**2 / (FREEDOM * variance)
    value += float(np.sum(0.5 * np.log(variance) + 0.5 * (FREEDOM + 1) * np.log1p(ratio)))
    pull = (
        -(FREEDOM + 1) * missed / (FREEDOM * variance * (1 + ratio))
    )  # gradient by the prediction
    by_variance = 0.5 / variance - 0.5 * (FREEDOM + 1) * ratio / (1 + ratio) / variance
    of_weights = (pull * slope) @ shares
    gradient[:_K] += of_weights
    gradient[_K] += pull.sum()
    gradient[_K + 1] += pull @ (z - reference)
    gradient[_K + 2] += by_variance.sum() * 2 * np.exp(2 * log_noise)
    gradient[_K + 3] += 2 * by_variance @ by_player
    return value, gradient, of_weights


def _levels_loss(crowd: CrowdLevels, vector: Floats, logs: Floats, reference: float) -> _Loss:
    """Return the same for levels: the probability of each by the cumulative logit."""
    deviations, slope = vector[:_K], np.exp(vector[_K])
    thresholds = _thresholds(vector[_K + 1 :])
    z, shares = _difficulty(crowd.parts, logs + deviations)
    ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
    upper = _logistic(ends[crowd.levels + 1] - slope * (z - reference))
    lower = _logistic(ends[crowd.levels] - slope * (z - reference))
    chance = np.maximum(upper - lower, 1e-12)
    value = 0.5 * float(deviations @ deviations) / DEVIATION_SPREAD**2 - float(np.log(chance).sum())
    steep_up, steep_low = upper * (1 - upper), lower * (1 - lower)
    pull = (steep_up - steep_low) / chance  # gradient by slope * z
    of_weights = (pull * slope) @ shares
    gradient = np.zeros_like(vector)
    gradient[:_K] = deviations / DEVIATION_SPREAD**2 + of_weights
    gradient[_K] = (pull @ (z - reference)) * slope
    by_end = np.zeros(len(ends))
    np.add.at(by_end, crowd.levels + 1, -steep_up / chance)
    np.add.at(by_end, crowd.levels, steep_low / chance)
    by_threshold = by_end[1:-1]
    # The first threshold is a number; the others add exponentials to it.
    later = np.cumsum(by_threshold[::-1])[::-1]
    gradient[_K + 1] = later[0]
    gradient[_K + 2 :] = later[1:] * np.exp(vector[_K + 2 :])
    return value, gradient, of_weights


def _thresholds(numbers_of: Floats) -> Floats:
    """Map unrestricted numbers to increasing thresholds."""
    return np.cumsum(np.concatenate([numbers_of[:1], np.exp(numbers_of[1:])]))


def _logistic(x: Floats) -> Floats:
    from scipy.special import expit

    return np.asarray(expit(x), dtype=np.float64)

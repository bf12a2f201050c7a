"""The person of a population who learns from each fill of a game.

An :class:`Acquaintance` begins with the belief about the player after all games so far: a normal
distribution of the player's coefficients. A stranger is assumed to be one of the persons of a
population, so the belief begins with their mean and covariance. Each fill adds its information and
moves the mean by a Newton step for the log probability of the fill, which is Laplace's
approximation fill by fill. Only the least variance of a coefficient is set by hand.

A :class:`Learning` begins each game with the habits that all sources share, and adapts to the
habits of that game, which players of variants change with the rules.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.blas import one_blas_thread
from nando.checks import whole
from nando.games import fill_order
from nando.games.game import Game
from nando.games.people.persons import Person, Persons
from nando.rating.files import above_zero, numbers
from nando.solvers.people.fills.choices import Replay, learning_chances

_LEAST_VARIANCE = 0.01
"""Added to the variance of each coefficient, because no player equals a person exactly."""


class Belief(NamedTuple):
    """A normal distribution of a player's coefficients.

    Attributes
    ----------
    mean : ndarray of float64, shape (n_features,)
    precision : ndarray of float64, shape (n_features, n_features)
        Inverse of the covariance.
    """

    mean: Floats
    precision: Floats

    @classmethod
    def of(cls, persons: Persons) -> Self:
        """Return the belief about a stranger from a population."""
        weights = persons.weights / persons.weights.sum()
        mean = weights @ persons.coefficients
        away = persons.coefficients - mean
        covariance = (away * weights[:, None]).T @ away + _LEAST_VARIANCE * np.eye(len(mean))
        return cls(mean, np.linalg.inv(covariance))

    @one_blas_thread()
    def follow(self, replay: Replay) -> tuple[Floats, Self]:
        """Follow a game fill by fill.

        Parameters
        ----------
        replay : Replay

        Returns
        -------
        chances : ndarray of float64, shape (n_rows,)
            Probability of every open cell before every fill, under the mean at that fill.
        belief : Belief
            The belief after the last fill.
        """
        mean, precision = self.mean.copy(), self.precision.copy()
        chances = np.empty(len(replay.table))
        for k, chosen in enumerate(replay.chosen):
            rows = slice(int(replay.starts[k]), int(replay.starts[k + 1]))
            table = replay.table[rows].astype(np.float64)
            rates = table @ mean
            rates = np.exp(rates - rates.max())
            chances[rows] = rates / rates.sum()
            expected = chances[rows] @ table
            away = table - expected
            precision += (away * chances[rows, None]).T @ away
            mean += np.linalg.solve(precision, replay.table[chosen] - expected)
        return chances, self._replace(mean=mean, precision=precision)


_OWN_SLIPS = ((0.02, 0.01), (0.05, 0.03))
_OWN_RIDGE = 1e-3
"""Strength of the pull from a player's own fit to the population's mean."""
_OWN_GAMES = 3.0
"""Number of games after which the fit to the player's own games has half of the weight."""
_FIRST_SHARE = 0.2
"""Weight of an acquaintance in the first game of a stranger."""
_SLIPS = 0.005
_SHARE = 0.8
"""Weight of the learner before the first fill; the other persons share the rest."""
_RIDGE = 1e-3
_RATE = 0.002
_LEAST_SPREAD = 0.02
"""Added to the variance of each column, so that a single fill does not teach a rare column."""
_DIGITS = 6


class Learning(NamedTuple):
    """The person who learns during a game.

    Attributes
    ----------
    share : float
        Weight of the learner before the first fill; the other persons share the rest.
    coefficients : ndarray of float64, shape (n_features,)
        Before the first fill.
    rates : ndarray of float64, shape (n_features,)
        Step of each coefficient along the gradient of the log probability of a fill.
    """

    share: float
    coefficients: Floats
    rates: Floats

    @classmethod
    def fit(cls, games: Sequence[Game]) -> Self:
        """Fit the learner to games of several sources; errors as in :func:`fit_coefficients`."""
        table = fill_order.ChoiceTable.of(games)
        coefficients = fill_order.fit_to_choices(table, ridge=_RIDGE)
        rates = _RATE / (_LEAST_SPREAD + table.spread(coefficients))
        return cls(_SHARE, np.round(coefficients, _DIGITS), np.round(rates, _DIGITS))

    def chances(self, replay: Replay) -> NDArray[np.float32]:
        """Return the probability of every open cell before every fill."""
        return _slipping(learning_chances(replay, self.coefficients, self.rates), replay)

    def nearer(self, persons: Persons, share: float) -> "Learning":
        """Return a learner whose start is moved towards the mean of some persons by a share."""
        mean = persons.weights @ persons.coefficients
        return self._replace(coefficients=(1 - share) * self.coefficients + share * mean)

    def to_record(self, kind: str) -> dict[str, Any]:
        """Return the learner as plain values, without zeros."""
        return {
            "share": self.share,
            "coefficients": fill_order.without_zeros(self.coefficients, kind),
            "rates": fill_order.without_zeros(self.rates, kind),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], kind: str) -> Self:
        """Rebuild the person from a record; ValueError if the record is invalid."""
        share = float(above_zero(record["share"], "share"))
        if share >= 1:
            raise ValueError(f"share must be below 1, got {share}")
        rates = fill_order.place_coefficients(record["rates"], kind)
        if (rates < 0).any():
            raise ValueError(f"rates must be at least 0, got {rates.min()}")
        return cls(share, fill_order.place_coefficients(record["coefficients"], kind), rates)


class Acquaintance(NamedTuple):
    """A person who begins with the belief about the player.

    Attributes
    ----------
    games : int
        Number of the player's known games.
    belief : Belief
        Before the first fill.
    """

    games: int
    belief: Belief

    @classmethod
    def of(cls, persons: Persons) -> Self:
        """Return the acquaintance of a stranger from a population."""
        return cls(0, Belief.of(persons))

    @property
    def share(self) -> float:
        """The weight before the first fill."""
        return _FIRST_SHARE + (1 - _FIRST_SHARE) * share_of_own(self.games)

    def chances(self, replay: Replay) -> NDArray[np.float32]:
        """Return the probability of every open cell before every fill."""
        return _slipping(self.belief.follow(replay)[0], replay)

    def after(self, replay: Replay) -> "Acquaintance":
        """Return the acquaintance after one more game."""
        return Acquaintance(self.games + 1, self.belief.follow(replay)[1])

    def to_record(self) -> dict[str, Any]:
        """Return the acquaintance as plain values."""
        mean, precision = (array.tolist() for array in self.belief)
        return {"games": self.games, "mean": mean, "precision": precision}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], kind: str) -> Self:
        """Rebuild the person from a record; ValueError if the record is invalid."""
        n = len(fill_order.choices_of(kind).FEATURES)
        mean = numbers(record["mean"], "mean", n)
        precision = numbers(record["precision"], "precision", n, n)
        return cls(whole("games", record["games"], 0), Belief(mean, precision))


def own_persons(games: Sequence[Game], known: Persons) -> Persons:
    """Fit persons to a player's own games, regularised towards the mean of the known persons."""
    import scipy.optimize  # noqa: F401  # loads the BLAS of the fit

    centre = known.weights @ known.coefficients
    with one_blas_thread():
        fit = fill_order.fit_coefficients(games, ridge=_OWN_RIDGE, towards=centre)
    return Persons.of(Person("own games", fit, slips) for slips in _OWN_SLIPS)


def share_of_own(n_games: int) -> float:
    """Return the weight of the persons fitted to a player's own games."""
    return n_games / (n_games + _OWN_GAMES)


def _slipping(chances: Floats, replay: Replay) -> NDArray[np.float32]:
    """Spread a small share of the probability over all open cells."""
    lengths = np.diff(replay.starts)
    return ((1 - _SLIPS) * chances + _SLIPS / np.repeat(lengths, lengths)).astype(np.float32)

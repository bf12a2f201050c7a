"""The belief about a player's coefficients: a normal distribution that each fill updates.

A stranger is assumed to be one of the persons of a population, so the belief begins with their mean
and covariance. Each fill adds its information and moves the mean by a Newton step for the log
probability of the fill, which is Laplace's approximation fill by fill. The belief carries over from
one game of the player to the next. Only the least variance of a coefficient is set by hand.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from nando.arrays import Floats
from nando.blas import one_blas_thread
from nando.games.people.persons import Persons
from nando.rating.records import numbers
from nando.solvers.people.fills.choices import Replay

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
    def followed(self, replay: Replay) -> tuple[Floats, Self]:
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

    def to_record(self) -> dict[str, Any]:
        """Return the belief as plain values."""
        return {"mean": self.mean.tolist(), "precision": self.precision.tolist()}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], n_features: int) -> Self:
        """Rebuild a belief from its record; ValueError if the record is invalid."""
        mean = numbers(record["mean"], "mean", n_features)
        precision = np.array([numbers(row, "precision", n_features) for row in record["precision"]])
        if precision.shape != (n_features, n_features):
            raise ValueError(f"precision must have {n_features} rows, got {len(precision)}")
        return cls(mean, precision)

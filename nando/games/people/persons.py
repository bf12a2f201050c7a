"""Persons, who choose cells by coefficients of their features, with slips."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.games.fill_order import named_coefficients, without_zeros
from nando.rating.records import above_zero, numbers
from nando.solvers.people.fills.choices import Replay, add_slips, row_chances

_DIGITS = 3
_ROUNDING = 1e-4
"""Tolerance of the sum of the weights in a file, each of which is rounded separately. The weights
are not normalised, since normalised weights would be written differently."""


class Person(NamedTuple):
    """A way to choose cells.

    Attributes
    ----------
    name : str
        Origin of the person.
    coefficients : ndarray of float64, shape (n_features,)
    slips : tuple of float
        Shares of the fills that do not follow the coefficients: a random cell among those at hand,
        and a random open cell (a guess, a what-if, an intuition).
    weight : float
        Weight in the population, before weights are normalised.
    """

    name: str
    coefficients: Floats
    slips: tuple[float, float]
    weight: float = 1.0


def drawn_slips(rng: np.random.Generator) -> tuple[float, float]:
    """Return plausible slips of a person."""
    return rng.uniform(0.005, 0.08), evenly_in_logs(rng, 0.005, 0.1)


def evenly_in_logs(rng: np.random.Generator, low: float, high: float) -> float:
    """Draw a number whose logarithm is uniform."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


class Persons(NamedTuple):
    """The persons of a population as arrays.

    Attributes
    ----------
    names : tuple of str
    coefficients : ndarray of float64, shape (n_persons, n_features)
    slips : ndarray of float64, shape (n_persons, 2)
    weights : ndarray of float64, shape (n_persons,)
        They sum to 1, except for rounding in a file.
    """

    names: tuple[str, ...]
    coefficients: Floats
    slips: Floats
    weights: Floats

    @classmethod
    def of(cls, persons: Iterable[Person]) -> Self:
        """Combine persons, with numbers rounded as in a file."""
        persons = list(persons)
        weights = np.array([person.weight for person in persons])
        if abs(weights.sum() - 1) > _ROUNDING:
            weights = weights / weights.sum()
        return cls(
            tuple(person.name for person in persons),
            np.round(np.array([person.coefficients for person in persons]), _DIGITS),
            np.round(np.array([person.slips for person in persons]), _DIGITS + 1),
            weights,
        )

    def row_chances(self, replay: Replay, at_hand: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the probability of every open cell before every fill under each person.

        Parameters
        ----------
        replay : Replay
        at_hand : ndarray of bool, shape (n_rows,)
            Whether the simplest rules fill a cell.

        Returns
        -------
        ndarray of float32, shape (n_rows, n_persons)
        """
        chances = row_chances(replay, self.coefficients)
        add_slips(chances, replay.starts, at_hand, self.slips.astype(np.float32))
        return chances

    def reweighted(self, weights: Floats) -> "Persons":
        """Return the same persons with other weights, normalised to sum to 1."""
        return self._replace(weights=weights / weights.sum())

    def joined(self, other: "Persons", share: float) -> "Persons":
        """Return these persons together with others, who get `share` of the weight."""
        return Persons(
            (*self.names, *other.names),
            np.concatenate([self.coefficients, other.coefficients]),
            np.concatenate([self.slips, other.slips]),
            np.concatenate([(1 - share) * self.weights, share * other.weights]),
        )

    def chosen(self, mask: Sequence[bool] | NDArray[np.bool_]) -> "Persons":
        """Return the persons in a mask."""
        kept = np.flatnonzero(mask)
        return Persons(
            tuple(self.names[i] for i in kept),
            self.coefficients[kept],
            self.slips[kept],
            self.weights[kept] / self.weights[kept].sum(),
        )

    def to_records(self, kind: str) -> list[dict[str, Any]]:
        """Return a record for each person, for JSON, without zeros."""
        return [
            {
                "name": name,
                "weight": float(f"{weight:.6g}"),
                "slips": slips.tolist(),
                "coefficients": without_zeros(row, kind),
            }
            for name, weight, slips, row in zip(
                self.names, self.weights, self.slips, self.coefficients, strict=True
            )
        ]

    @classmethod
    def from_records(cls, records: Sequence[Mapping[str, Any]], kind: str) -> Self:
        """Rebuild persons from their records; raise ValueError for invalid records."""
        persons = []
        for record in records:
            slips = numbers(record["slips"], "slips", 2)
            if not ((slips >= 0).all() and slips.sum() < 1):
                raise ValueError(f"slips must be shares, got {slips.tolist()}")
            coefficients = named_coefficients(record["coefficients"], kind)
            persons.append(
                Person(
                    str(record["name"]),
                    numbers(coefficients, "coefficients", -1),
                    (float(slips[0]), float(slips[1])),
                    float(above_zero(record["weight"], "weight")),
                )
            )
        if not persons:
            raise ValueError("no persons")
        return cls.of(persons)

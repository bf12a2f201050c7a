"""What a population learns of a player, from each fill of a game and from earlier games.

The learner is one more person of a population, who begins as the mean of all.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.games.fill_order import fit_coefficients
from nando.games.game import Game
from nando.games.people.persons import Person, Persons
from nando.rating.records import above_zero
from nando.solvers.people.fills.choices import Replay, learning_chances

_OWN_SLIPS = ((0.02, 0.01), (0.05, 0.03))
_OWN_RIDGE = 1e-3
"""Strength of the pull from a player's own fit to the population's mean."""
_SLIPS = 0.005
_MOST_VARIANCE = 2.0
"""Of a coefficient among the persons, as far as it sets how fast the learner changes it."""


class Learning(NamedTuple):
    """How the learner weighs and learns.

    Attributes
    ----------
    share : float
        Of the weight before the first fill.
    rate : float
        How far a fill moves a coefficient, by its variance among the persons.
    """

    share: float
    rate: float

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild it from its record; raise ValueError for an invalid one."""
        share, rate = (float(above_zero(record[name], name)) for name in cls._fields)
        if share >= 1:
            raise ValueError(f"share must be below 1, got {share}")
        return cls(share, rate)


def learner_chances(persons: Persons, replay: Replay, rate: float) -> NDArray[np.float32]:
    """Return the chance of every open cell before every fill, under the learner."""
    mean = persons.weights @ persons.coefficients
    variance = persons.weights @ (persons.coefficients - mean) ** 2
    chances = learning_chances(replay, mean, rate * np.minimum(variance, _MOST_VARIANCE))
    lengths = np.diff(replay.starts)
    chances = (1 - _SLIPS) * chances + _SLIPS / np.repeat(lengths, lengths)
    return chances.astype(np.float32)


def own_persons(games: Sequence[Game], known: Persons) -> Persons:
    """Fit persons to a player's own games, regularised towards the mean of the known persons."""
    centre = known.weights @ known.coefficients
    fit = fit_coefficients(games, ridge=_OWN_RIDGE, towards=centre)
    return Persons.of(Person("own games", fit, slips) for slips in _OWN_SLIPS)

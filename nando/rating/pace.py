"""The pace of one person, to which the ratings of a model for typical people are moved."""

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np

from nando.arrays import Floats
from nando.rating.files import plain_floats
from nando.rating.fitting.crossed import half_width
from nando.rating.fitting.fit import SLOPE_SPREAD
from nando.rating.persons import FOUR_IN_FIVE, PersonModel
from nando.rating.scale import OFFSET_SPREAD, Line
from nando.records import above_zero, between, of_length

LINE_SPREAD = (OFFSET_SPREAD, SLOPE_SPREAD)
"""Prior spread of the line of a person's crowd about that of the typical crowd."""


@dataclass(frozen=True)
class Pace(Line):
    """The line from predicted log seconds to those of a person, and its uncertainty.

    Attributes
    ----------
    reference : float
        Predicted log seconds of a typical game of the history.
    offset, slope : float
        The person's log seconds at the reference, and their change per predicted log second.
    games : int
        Number of the person's own games.
    variances : tuple of float
        The constant, linear and quadratic terms of the variance of the person's log seconds in the
        distance of the prediction from `reference`.
    noise, dof : float
        Squared scale of the noise of a game, a Student t, and its degrees of freedom.
    puzzle : float
        Variance of the puzzles' effects, which is part of `variances`.
    carried : bool
        Whether the games are of other kinds of puzzle than those to be rated. Then only the pace
        is used.
    """

    games: Annotated[int, between(0)]
    variances: Annotated[tuple[float, ...], of_length(3)]
    noise: Annotated[float, above_zero]
    dof: Annotated[float, above_zero]
    puzzle: Annotated[float, above_zero]
    carried: bool = False

    @classmethod
    def of(cls, model: PersonModel, player: str, *, carried: bool = False) -> Self:
        """Return the pace of a player of a fitted model; an unknown player is the typical one."""
        centre, spread = model.z_mean_, model.variances_
        means, variances = model.log_seconds(player, centre + np.array([-1.0, 0.0, 1.0]))
        below, middle, above = variances.tolist()
        numbers_of = [
            *(centre, means[1], 1.0 if carried else means[2] - means[1]),
            *(middle, (above - below) / 2, (above + below) / 2 - middle),
            *(spread.noise, model.dof, spread.puzzle),
        ]
        reference, offset, slope, *terms, noise, dof, puzzle = plain_floats(numbers_of)
        games = model.n_games(player)
        return cls(
            *(reference, offset, slope, games, tuple(terms), noise, dof, puzzle), carried=carried
        )

    @classmethod
    def learn(cls, predicted: Floats, seconds: Floats) -> Self:
        """Return the pace of a person from their own times and the predicted log seconds."""
        rows = {
            "puzzle": [str(i) for i in range(len(seconds))],
            "player": ["own"] * len(seconds),
            "seconds": seconds,
        }
        return cls.of(PersonModel(line_spread=LINE_SPREAD).fit(rows, predicted), "own")

    def half_width(self, predicted: Floats, coverage: float) -> Floats:
        """Return half the width of the interval of log seconds of a game."""
        x = predicted - self.reference
        constant, linear, quadratic = self.variances
        variance = np.maximum(constant + linear * x + quadratic * x**2, 0.0)
        return half_width(variance, self.noise, self.dof, coverage)

    def factor(self) -> tuple[float, float, float]:
        """Return the person's time as a share of the predicted time, and its 80 % interval."""
        spread = FOUR_IN_FIVE * max(self.variances[0] - self.puzzle, 0.0) ** 0.5
        middle, low, high = np.exp(
            self.offset - self.reference + spread * np.array([0, -1, 1])
        ).tolist()
        return middle, low, high

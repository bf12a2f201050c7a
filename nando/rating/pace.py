"""The rater for one person, which moves the ratings of any model to the pace of the person."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from nando.arrays import Floats
from nando.names import Grade
from nando.rating.base import Rater
from nando.rating.crossed import half_width
from nando.rating.files import numbers, plain_floats, read_model
from nando.rating.fit import SLOPE_SPREAD
from nando.rating.kinds import FORMATS
from nando.rating.persons import FOUR_IN_FIVE, PersonModel
from nando.rating.rater import DifficultyRater
from nando.rating.result import Flags
from nando.rating.scale import OFFSET_SPREAD
from nando.rating.shipped import FILES

FORMAT = "nando model of one person 1"

LINE_SPREAD = (OFFSET_SPREAD, SLOPE_SPREAD)
"""Prior spread of the line of a person's crowd about that of the typical crowd."""


@dataclass(frozen=True)
class Pace:
    """The line from predicted log seconds to those of a person, and its uncertainty.

    Attributes
    ----------
    games : int
        Number of the person's own games.
    reference : float
        Predicted log seconds of a typical game of the history.
    offset, slope : float
        The person's log seconds at the reference, and their change per predicted log second.
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

    games: int
    reference: float
    offset: float
    slope: float
    variances: tuple[float, float, float]
    noise: float
    dof: float
    puzzle: float
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
        return cls(
            model.n_games(player),
            *(reference, offset, slope),
            (terms[0], terms[1], terms[2]),
            *(noise, dof, puzzle),
            carried=carried,
        )

    def log_seconds(self, predicted: Floats) -> Floats:
        """Return the person's log seconds for predicted log seconds."""
        return np.asarray(self.offset + self.slope * (predicted - self.reference))

    def predicted(self, log_seconds: Floats) -> Floats:
        """Return the predicted log seconds for which the person takes `log_seconds`."""
        return np.asarray(self.reference + (log_seconds - self.offset) / self.slope)

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

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the pace of a record with its fields.

        Raises
        ------
        ValueError
            For numbers that are not finite, or a slope or spread that is not above 0.
        """
        single = {
            name: float(numbers(record[name], name))
            for name in ("reference", "offset", "slope", "noise", "dof", "puzzle")
        }
        if min(single["slope"], single["noise"], single["dof"], single["puzzle"]) <= 0.0:
            raise ValueError("slope, noise, dof and puzzle of a pace must be above 0")
        constant, linear, quadratic = numbers(record["variances"], "variances", 3).tolist()
        return cls(
            int(record["games"]),
            **single,
            variances=(constant, linear, quadratic),
            carried=bool(record["carried"]),
        )


class PersonalRater(Rater):
    """Predicted solving times of one person.

    The interval is for a single game. A flagged puzzle has the wider interval of the base, moved
    to the person's time, and so does every puzzle if only the pace carries over. Grades and
    percentiles are those of the base.

    Parameters
    ----------
    base : Rater or None
        The model that rates for typical people; None takes the shipped model for Sudoku.
    coverage : float
        Share of the person's games that the interval should contain.

    Attributes
    ----------
    base_ : Rater
    pace_ : Pace
    provenance_ : dict
        Description of the data in a model file. The file holds the pace, but no games.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> from nando.rating import load_model
    >>> puzzles = load_examples().puzzles[:6]
    >>> twice = 2 * load_model().predict(puzzles)
    >>> slow = PersonalRater().fit(puzzles, twice)
    >>> bool(slow.predict(puzzles[:1])[0] > 1.5 * load_model().predict(puzzles[:1])[0])
    True
    """

    file_format = FORMAT
    base_: Rater
    pace_: Pace

    def __init__(self, *, base: Rater | None = None, coverage: float = 0.8) -> None:
        self.base = base
        self.coverage = coverage

    @classmethod
    def of(cls, base: Rater, pace: Pace, *, coverage: float = 0.8) -> Self:
        """Return the rater of a person whose pace is known."""
        rater = cls(base=base, coverage=coverage)
        rater._settle(pace)
        return rater

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: Sequence[str] | None = None,
    ) -> Self:
        """Learn the pace from the person's own times.

        Parameters
        ----------
        X : sequence of Puzzle, or feature table
        y : array_like of float, shape (n_games,)
            Seconds, above 0.
        sample_weight, groups : None
            Not used.
        """
        del sample_weight, groups
        table, _, seconds = self._base().timed_table(X, y)
        self.fit_quickly(table, np.log(seconds), np.ones_like(seconds))
        return self

    def fit_quickly(self, table: Floats, log_seconds: Floats, weight: Floats) -> None:
        """Fit the prediction; every game counts the same."""
        del weight
        rows = {
            "puzzle": [str(i) for i in range(len(table))],
            "player": ["own"] * len(table),
            "seconds": np.exp(log_seconds),
        }
        model = PersonModel(line_spread=LINE_SPREAD)
        model.fit(rows, self._base().log_seconds(table))
        self._settle(Pace.of(model, "own"))

    def _base(self) -> Rater:
        return read_model(FILES[0], DifficultyRater.from_json) if self.base is None else self.base

    def _settle(self, pace: Pace) -> None:
        base = self._base()
        self.base_, self.pace_ = base, pace
        self.columns, self.features = base.columns, base.extractor
        self.n_features_in_ = len(base.columns)
        self.provenance_ = {"name": "person", "games": pace.games, "base": base.model_id}

    # ---------------------------------------------------------------- predicting

    def log_seconds(self, table: Floats) -> Floats:
        """Predict log seconds from the model's columns, shape ``(n_puzzles, n_columns)``."""
        return self.pace_.log_seconds(self.base_.log_seconds(table))

    def interval_of(
        self, table: Floats, orders: list[int | None], coverage: float
    ) -> tuple[Floats, list[Flags]]:
        """Return the log seconds of the interval's ends, and the flags of each puzzle."""
        predicted = self.base_.log_seconds(table)
        middle = self.pace_.log_seconds(predicted)
        half = self.pace_.half_width(predicted, coverage)
        ends, flags = self.base_.interval_of(table, orders, coverage)
        is_wide = [self.pace_.carried or bool({*each.codes} - {"nobody_timed"}) for each in flags]
        own = np.stack([middle - half, middle + half], axis=1)
        moved = ends + (middle - predicted)[:, None]
        return np.where(np.array(is_wide, bool)[:, None], moved, own), flags

    def grades(self, table: Floats) -> list[Grade]:
        """Return the grade of each puzzle, which is the same for everybody."""
        return self.base_.grades(table)

    def percentiles(self, table: Floats) -> Floats:
        """Return the percentage of the puzzles behind the base that are easier, 0 to 100."""
        return self.base_.percentiles(table)

    def named_parts(
        self, table: Floats, log_seconds: Floats
    ) -> list[tuple[tuple[str, float], ...]]:
        """Return the named parts of each time, in seconds; empty if the base has none."""
        return self.base_.named_parts(table, log_seconds)

    def reasons(self, table: Floats, log_seconds: Floats) -> list[str]:
        """Explain in words what makes up the prediction of each puzzle."""
        return self.base_.reasons(table, log_seconds)

    def log_seconds_at(self, percentile: float) -> float:
        """Return a percentile, 0 to 100, of the log seconds of the puzzles behind the base."""
        return self._own(self.base_.log_seconds_at(percentile))

    def grade_range(self, grade: str) -> tuple[float, float]:
        """Return the least and largest log seconds of a grade."""
        low, high = self.base_.grade_range(grade)
        return self._own(low), self._own(high)

    def _own(self, log_seconds: float) -> float:
        return float(self.pace_.log_seconds(np.array(log_seconds)))

    def rough(self, known: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """Estimate the prediction when only some columns are known."""
        log_seconds, error = self.base_.rough(known)
        return self.pace_.log_seconds(log_seconds), self.pace_.slope * error

    def rating_time(self, log_seconds: Floats) -> Floats:
        """Return the relative time needed to rate puzzles with these expected log seconds."""
        return self.base_.rating_time(self.pace_.predicted(log_seconds))

    # ---------------------------------------------------------------- the model as a file

    def record(self) -> dict[str, Any]:
        """Return everything that moves a rating, as plain values."""
        return {
            "base": json.loads(self.base_.to_json()),
            "pace": asdict(self.pace_) | {"variances": list(self.pace_.variances)},
            "settings": {"coverage": self.coverage},
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the model of a record, without its provenance."""
        base = FORMATS[record["base"]["format"]].from_json(json.dumps(record["base"]))
        rater = cls.of(base, Pace.of_record(record["pace"]), **record["settings"])
        rater.check_settings()
        return rater

"""How long a person takes for a fill: a line on log time, and how unlike it copied digits are.

The race says that a fill takes long where few cells catch the eye; a person's own speed is taken
out, so that only the shape counts: thinking is slow where the puzzle is hard, typing is not.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nando.rating.records import above_zero, numbers
from nando.solvers.people.choices import FIRST_FEATURE, LOG_RATE, SINGLES, SUPPORT, Moves
from nando.solvers.people.sudoku.moment_features import Feature
from nando.solvers.people.sudoku.moments import LOCKED, SUBSET, UNSUPPORTED

COLUMNS = (
    "log_rate",
    "log_chance",
    "log_singles",
    "no_single",
    "locked",
    "subset",
    "unsupported",
    "same_digit",
    "distance",
    "fresh",
    "first_move",
    "phase",
    "late_log_chance",
    "after_slow",
)
"""Columns of the line, a row a move."""

LEAST_SECONDS = 0.2
"""Shorter delays count as this: clocks and trails give zeros."""
_LEAST_SPREAD = 0.05
_FREEDOM = 4.0
"""Degrees of freedom of the t distribution of residuals: people pause."""


class StepTimeModel:
    """Log seconds of each fill, as a line on what the moment offered.

    Attributes
    ----------
    coef_, mean_, scale_ : ndarray of float64, shape (n_columns,)
    intercept_ : float
        Log seconds of a move average in every column.
    spread_ : float
        Spread of the residuals.
    """

    def fit(self, moves: Sequence[Moves], delays: Sequence[NDArray[np.float64]]) -> Self:
        """Fit to the moves of games and the seconds before each."""
        from sklearn.linear_model import HuberRegressor

        table = np.concatenate([step_table(part) for part in moves])
        logs = np.concatenate([log_delays(part) for part in delays])
        self.mean_ = np.round(table.mean(axis=0), 6)
        self.scale_ = np.round(np.maximum(table.std(axis=0), 1e-6), 6)
        line = HuberRegressor(alpha=1e-3, max_iter=1000).fit(
            (table - self.mean_) / self.scale_, logs
        )
        self.coef_ = np.round(line.coef_, 6)
        self.intercept_ = round(float(line.intercept_), 6)
        self.spread_ = round(float(np.median(np.abs(logs - self._of_table(table)))), 6)
        return self

    def log_seconds(self, moves: Moves) -> NDArray[np.float64]:
        """Predicted log seconds of each fill of a game."""
        return self._of_table(step_table(moves))

    def _of_table(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.intercept_ + (table - self.mean_) / self.scale_ @ self.coef_)

    def evidence(
        self, predicted: NDArray[np.float64], delays: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Log likelihood ratio of each delay: shaped by difficulty, against not shaped at all.

        Both sides know the game's own median speed; the second also its own spread.
        """
        logs = log_delays(delays)
        shaped = logs - predicted
        shaped = shaped - np.median(shaped)
        flat = logs - np.median(logs)
        spread = max(float(np.median(np.abs(flat))), _LEAST_SPREAD)
        return _log_t(shaped, self.spread_) - _log_t(flat, spread)

    def to_record(self) -> dict[str, Any]:
        """The line, for JSON."""
        return {
            "columns": list(COLUMNS),
            "mean": self.mean_.tolist(),
            "scale": self.scale_.tolist(),
            "coefficients": self.coef_.tolist(),
            "intercept": self.intercept_,
            "spread": self.spread_,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild the line; ValueError where it knows other columns."""
        if tuple(record["columns"]) != COLUMNS:
            raise ValueError("its columns of step times are not those of this version")
        line = cls()
        n = len(COLUMNS)
        line.mean_ = numbers(record["mean"], "mean", n)
        line.scale_ = above_zero(record["scale"], "scale", n)
        line.coef_ = numbers(record["coefficients"], "coefficients", n)
        line.intercept_ = float(numbers(record["intercept"], "intercept"))
        line.spread_ = float(above_zero(record["spread"], "spread"))
        return line


def log_delays(delays: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log seconds, short ones cut."""
    return np.log(np.maximum(delays, LEAST_SECONDS))


def step_table(moves: Moves) -> NDArray[np.float64]:
    """Columns of each move of a game, shape ``(n_moves, n_columns)``."""
    facts = moves.facts
    n = len(facts)
    support = facts[:, SUPPORT]
    chance = moves.log_chances[:, 0]
    phase = np.arange(n) / max(n - 1, 1)

    def feature(which: Feature) -> NDArray[np.float64]:
        return np.asarray(facts[:, FIRST_FEATURE + which])

    return np.stack(
        [
            facts[:, LOG_RATE],
            chance,
            np.log1p(facts[:, SINGLES]),
            facts[:, SINGLES] == 0,
            support == LOCKED,
            support == SUBSET,
            support == UNSUPPORTED,
            feature(Feature.SAME_DIGIT),
            feature(Feature.DISTANCE),
            feature(Feature.FRESH),
            np.arange(n) == 0,
            phase,
            phase * chance,
            np.concatenate([[0.0], support > 0])[:n],
        ],
        axis=1,
    ).astype(np.float64)


def _log_t(residuals: NDArray[np.float64], spread: float) -> NDArray[np.float64]:
    """Log density of a t distribution, up to a constant."""
    scaled = residuals / spread
    return np.asarray(-np.log(spread) - (_FREEDOM + 1) / 2 * np.log1p(scaled**2 / _FREEDOM))

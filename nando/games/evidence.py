"""Evidence that a game is a person's or a program's, and what of it is usual.

Five statistics are taken of a game. Each is large for games unlike a person's:

- *order*: log likelihood ratio of the likeliest program to the model of people, per fill;
- *passage*: the same in the passage of twelve fills in which it is largest;
- *typicality*: how far the game's likelihood is from those the model of people gives to its own
  games on the same puzzle, on either side, so that hard puzzles are not punished;
- *timing*: log likelihood ratio of delays that do not follow difficulty to delays that do;
- *support*: share of fills that no technique supports although a single was at hand.

They are standardised on honest games and joined into one score, and the score becomes a p-value by
its rank among those of honest games: conformal, so the error rate holds for games like these.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nando.games.log import Game
from nando.games.orders import PROGRAMS
from nando.games.step_times import StepTimeModel
from nando.rating.records import above_zero, numbers

STATISTICS = ("order", "passage", "typicality", "timing", "support")
LENGTHS = (10, 20, 30, 40)
"""An unfinished game is judged by its first 10, 20, 30 or 40 fills, as many as it has."""
WHOLE = 0
"""Stands for the length of a finished game."""

_PASSAGE = 12
_TYPICALITY = STATISTICS.index("typicality")
_LEAST_SCALE = np.array([0.05, 0.05, 0.1, 0.02, 0.02])
_TAIL = 0.98
_TAIL_OF_NORMAL = 2.0537


@dataclass(frozen=True)
class Reading:
    """A game under the model of people and under every program.

    Attributes
    ----------
    game : Game
    order : ndarray of float64, shape (n_moves, 1 + n_programs)
        Log chance of each fill: people first, then `PROGRAMS` in their order.
    timing : ndarray of float64, shape (n_moves,)
        Predicted log seconds.
    premature : ndarray of bool, shape (n_moves,)
        Whether no technique supports the fill although a single was at hand.
    simulated : ndarray of float64, shape (runs, n_blanks)
        Log likelihood of the first 1, 2, ... fills of simulated games on the puzzle.
    expected : ndarray of float64, shape (n_cells,)
        Mean rank of each cell in them, from 1.
    """

    game: Game
    order: NDArray[np.float64]
    timing: NDArray[np.float64]
    premature: NDArray[np.bool_]
    simulated: NDArray[np.float64]
    expected: NDArray[np.float64]

    def weights(self, programs: Collection[str] | None = None) -> NDArray[np.float64]:
        """How far each fill speaks for the likeliest program and against a person."""
        columns = _columns(programs)
        best = columns[int(self.order[:, columns].sum(axis=0).argmax())]
        return np.asarray(self.order[:, best] - self.order[:, 0])


@dataclass(frozen=True)
class Calibration:
    """Honest games at one length: what is usual, and their scores in ascending order."""

    centre: NDArray[np.float64]
    middle: NDArray[np.float64]
    scale: NDArray[np.float64]
    scores: NDArray[np.float64]

    @classmethod
    def of(cls, statistics: NDArray[np.float64]) -> Self:
        """Calibrate on the statistics of honest games, shape ``(n_games, n_statistics)``."""
        centre = np.median(statistics, axis=0)
        centre[np.arange(len(STATISTICS)) != _TYPICALITY] = 0.0
        folded = _folded(statistics, centre)
        middle = np.median(folded, axis=0)
        scale = (np.quantile(folded, _TAIL, axis=0) - middle) / _TAIL_OF_NORMAL
        made = cls(centre, middle, np.maximum(scale, _LEAST_SCALE), np.empty(0))
        scores = np.sort(made.score(statistics))
        return cls(*(np.round(part, 5) for part in (centre, middle, made.scale, scores)))

    def to_record(self) -> dict[str, Any]:
        """The calibration, for JSON."""
        return {field.name: getattr(self, field.name).tolist() for field in fields(self)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild a calibration; ValueError where its numbers are not such."""
        n = len(STATISTICS)
        return cls(
            numbers(record["centre"], "centre", n),
            numbers(record["middle"], "middle", n),
            above_zero(record["scale"], "scale", n),
            numbers(record["scores"], "scores", -1),
        )

    def standardised(self, statistics: NDArray[np.float64]) -> NDArray[np.float64]:
        """Statistics in standard deviations above the middle of honest games."""
        return (_folded(statistics, self.centre) - self.middle) / self.scale

    def score(self, statistics: NDArray[np.float64]) -> NDArray[np.float64]:
        """One number for each row: the length of the vector of what is above the middle."""
        # log(1 + exp(z)), and not max(z, 0), which would make all the most human games equal.
        above = np.logaddexp(0.0, self.standardised(np.atleast_2d(statistics)))
        return np.asarray(np.sqrt((above**2).sum(axis=1)))

    def p_value(self, score: NDArray[np.float64]) -> NDArray[np.float64]:
        """Share of honest games, the game itself among them, with a score as large."""
        below = np.searchsorted(self.scores, np.round(score, 5), side="left")
        return np.asarray((1 + len(self.scores) - below) / (1 + len(self.scores)))


def _folded(statistics: NDArray[np.float64], centre: NDArray[np.float64]) -> NDArray[np.float64]:
    folded = np.array(statistics, dtype=np.float64)
    folded[..., _TYPICALITY] = np.abs(folded[..., _TYPICALITY] - centre[_TYPICALITY])
    return folded


def delays_of(game: Game) -> NDArray[np.float64]:
    """Seconds before each fill."""
    return np.diff(game.seconds, prepend=0.0)


def length_of(game: Game) -> int | None:
    """Fills by which a game is judged; None where it has too few."""
    if game.finished and len(game.cells) >= LENGTHS[0]:
        return WHOLE
    return max((length for length in LENGTHS if length <= len(game.cells)), default=None)


def calibrated(
    readings: Sequence[Reading],
    times: StepTimeModel,
    programs: Collection[str] | None = None,
    lengths: Sequence[int] = (*LENGTHS, WHOLE),
) -> dict[int, Calibration]:
    """Calibrations on honest games at every length."""
    made = {}
    for length in lengths:
        fitting = [r for r in readings if len(r.game.cells) >= max(length, LENGTHS[0])]
        found = [statistics_of(reading, times, length, programs) for reading in fitting]
        if found:
            made[length] = Calibration.of(np.array(found))
    return made


def statistics_of(
    reading: Reading,
    times: StepTimeModel,
    length: int,
    programs: Collection[str] | None = None,
) -> NDArray[np.float64]:
    """The five statistics of the first fills of a game.

    Parameters
    ----------
    reading : Reading
    times : StepTimeModel
    length : int
        Fills; `WHOLE` for all.
    programs : collection of str or None
        Programs to compare with; None for all.
    """
    n = length or len(reading.game.cells)
    order = reading.order[:n]
    rivals = order[:, _columns(programs)]
    people = order[:, :1]
    passage = min(_PASSAGE, n)
    sums = np.cumsum(np.concatenate([np.zeros((1, rivals.shape[1])), rivals - people]), axis=0)
    own = float(people.sum())
    own_simulated = reading.simulated[:, n - 1]
    spread = max(float(own_simulated.std()), 0.5)
    evidence = times.evidence(reading.timing[:n], delays_of(reading.game)[:n])
    return np.array(
        [
            sums[-1].max() / n,
            (sums[passage:] - sums[:-passage]).max() / passage,
            (own - float(own_simulated.mean())) / spread,
            -evidence.mean(),
            reading.premature[:n].mean(),
        ]
    )


def _columns(programs: Collection[str] | None) -> list[int]:
    """Columns of programs in `Reading.order`."""
    return [i for i, name in enumerate(PROGRAMS, 1) if programs is None or name in programs]

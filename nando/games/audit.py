"""Person or program: what the order and the times of a game say, with a stated error rate.

An auditor has a model of people, calibrated on honest games: their evidence comes from periods of
the log that were left out of the fit, one at a time, because a person changes from one month to
the next and a random split would hide that.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nando.games.evidence import (
    LENGTHS,
    STATISTICS,
    WHOLE,
    Calibration,
    Reading,
    calibrated,
    delays_of,
    length_of,
    statistics_of,
)
from nando.games.fill_order import (
    FORMAT,
    FillOrderModel,
    file_of,
    identity,
    mean_ranks,
    read_record,
    written,
)
from nando.games.log import Game, with_replays_noted
from nando.games.orders import PROGRAMS
from nando.games.step_times import StepTimeModel
from nando.puzzles import Sudoku, Values
from nando.rating.records import check_identity, read_model, told_as
from nando.solvers.people.choices import SINGLES, SUPPORT, Moves
from nando.solvers.people.sudoku.choices import FEATURES, follow, sample
from nando.solvers.people.sudoku.moments import UNSUPPORTED
from nando.solvers.protocol import spawned

CONSISTENT = "consistent with a person"

_RUNS = 24
_PERIODS = 5


@dataclass(frozen=True)
class GameAudit:
    """What an audit says about a game.

    Attributes
    ----------
    game : Game
    n_moves : int
        Fills that were judged.
    p_value : float
        Share of honest games that look as little like a person's.
    scores : dict of str to float
        Each statistic in standard deviations above the middle of honest games.
    verdict : str
    moves : list of (str, float)
        The fills that weigh most against a person: cell, and log likelihood ratio.
    reading : Reading
    """

    game: Game
    n_moves: int
    p_value: float
    scores: dict[str, float]
    verdict: str
    moves: list[tuple[str, float]]
    reading: Reading = field(repr=False)

    @property
    def order_score(self) -> float:
        """The largest score of the statistics of the order."""
        return max(self.scores[name] for name in STATISTICS if name != "timing")

    def row(self) -> dict[str, Any]:
        """The audit as a row of a table."""
        return {
            "game": self.game.name,
            "player": self.game.player,
            "puzzle": self.game.puzzle.text,
            "moves": self.n_moves,
            "p_value": self.p_value,
            "order_score": round(self.order_score, 3),
            "timing_score": round(self.scores["timing"], 3),
            "verdict": self.verdict,
            "weighty_moves": " ".join(f"{cell}:{weight:+.1f}" for cell, weight in self.moves),
            "notes": "; ".join(self.game.notes),
        }


class Auditor:
    """Tells games of a person from games of a program.

    Attributes
    ----------
    order : FillOrderModel
    times : StepTimeModel
    calibrations : dict of int to Calibration
        By number of fills; `WHOLE` for finished games.
    provenance_ : dict
    model_id : str
    """

    def __init__(
        self,
        order: FillOrderModel,
        times: StepTimeModel,
        calibrations: Mapping[int, Calibration] | None = None,
    ) -> None:
        self.order = order
        self.times = times
        self.calibrations = dict(calibrations or {})
        self.provenance_: dict[str, Any] = {}

    @classmethod
    def fitted(cls, games: Sequence[Game]) -> Self:
        """Models of these games, not yet calibrated."""
        order = FillOrderModel().fit(games)
        moves = [_follow_all(order, game) for game in games]
        times = StepTimeModel().fit(moves, [delays_of(game) for game in games])
        return cls(order, times)

    @classmethod
    def fit(
        cls, games: Sequence[Game], *, n_periods: int = _PERIODS, n_jobs: int | None = None
    ) -> Self:
        """Fit to honest games in the order in which they were played, and calibrate.

        Parameters
        ----------
        games : sequence of Game
        n_periods : int
            Parts of the log, one after the other; the honest scores of each come from models
            fitted to the others.
        n_jobs : int or None
            Threads; never changes a result.

        Raises
        ------
        ValueError
            For fewer than 20 games a period, or fewer than 2 periods.
        """
        readings = cls.held_out_readings(games, n_periods=n_periods, n_jobs=n_jobs)
        auditor = cls.fitted(games)
        auditor.calibrations = calibrated(readings, auditor.times)
        auditor.provenance_ = {"games": len(games)}
        return auditor

    @classmethod
    def held_out_readings(
        cls, games: Sequence[Game], *, n_periods: int = _PERIODS, n_jobs: int | None = None
    ) -> list[Reading]:
        """Each game as models see it that were fitted to the other periods; errors as above."""
        if n_periods < 2:
            raise ValueError(f"n_periods must be at least 2, got {n_periods}")
        if len(games) < 20 * n_periods:
            raise ValueError(
                f"{len(games)} games are too few for {n_periods} periods; bring "
                f"{20 * n_periods} or more, or fewer periods"
            )
        readings: list[Reading] = []
        for held_out in periods(len(games), n_periods):
            rest = [game for i, game in enumerate(games) if i not in held_out]
            readings += cls.fitted(rest).read([games[i] for i in held_out], n_jobs=n_jobs)
        return readings

    # ---------------------------------------------------------------- using

    def read(self, games: Iterable[Game], *, n_jobs: int | None = None) -> list[Reading]:
        """Games under the model of people and every program."""
        from joblib import Parallel, delayed

        games = list(games)
        puzzles = {game.puzzle: game.solution for game in games}
        work = Parallel(n_jobs=n_jobs or 1, prefer="threads")
        simulated = work(delayed(self._simulate)(*item) for item in puzzles.items())
        of_puzzle = dict(zip(puzzles, simulated, strict=True))
        read: list[Reading] = work(
            delayed(partial(self._read, of_puzzle[game.puzzle]))(game) for game in games
        )
        return read

    def _simulate(
        self, puzzle: Sudoku, solution: Values
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Log likelihoods of simulated games, and the mean rank of each cell in them."""
        cells, chances = sample(puzzle, solution, self.order.coef_, _RUNS, spawned(0, 0))
        return np.cumsum(chances, axis=1), mean_ranks(cells, len(solution))

    def _read(
        self, simulated: tuple[NDArray[np.float64], NDArray[np.float64]], game: Game
    ) -> Reading:
        moves = _follow_all(self.order, game)
        return Reading(
            game,
            moves.log_chances,
            self.times.log_seconds(moves),
            (moves.facts[:, SUPPORT] == UNSUPPORTED) & (moves.facts[:, SINGLES] > 0),
            *simulated,
        )

    def audit(
        self, games: Iterable[Game], *, level: float = 0.01, n_jobs: int | None = None
    ) -> list[GameAudit]:
        """Judge games.

        Parameters
        ----------
        games : iterable of Game
            Those with fewer than ten fills are consistent with anybody, at a p-value of 1.
        level : float
            Wanted share of honest games that are called unlike a person.
        n_jobs : int or None
            Threads; never changes a result.

        Raises
        ------
        ValueError
            For a level that is not between 0 and 1, or too small for the honest games known.
        """
        if not 0.0 < level < 1.0:
            raise ValueError(f"level must be between 0 and 1, got {level!r}")
        if not self.calibrations:
            raise ValueError("the auditor is not calibrated: use Auditor.fit or load_auditor")
        least = 1 / (1 + min(len(part.scores) for part in self.calibrations.values()))
        if level < least:
            raise ValueError(
                f"level must be at least {least:.2g}, got {level!r}: the honest games that this "
                "audit was calibrated on can show no smaller one"
            )
        readings = self.read(with_replays_noted(games), n_jobs=n_jobs)
        return [self._judge(reading, level) for reading in readings]

    def _judge(self, reading: Reading, level: float) -> GameAudit:
        game = reading.game
        length = length_of(game)
        if length is None:
            scores = dict.fromkeys(STATISTICS, 0.0)
            return GameAudit(game, 0, 1.0, scores, CONSISTENT, [], reading)
        calibration = self.calibrations[length]
        found = statistics_of(reading, self.times, length)
        p_value = float(calibration.p_value(calibration.score(found))[0])
        standardised = calibration.standardised(found)
        n_moves = length or len(game.cells)
        weights = reading.weights()[:n_moves]
        heaviest = np.argsort(-weights, kind="stable")[:5]
        return GameAudit(
            game,
            n_moves,
            p_value,
            {name: float(z) for name, z in zip(STATISTICS, standardised, strict=True)},
            verdict_of(p_value, level),
            [
                (game.puzzle.cell_name(int(game.cells[i])), float(weights[i]))
                for i in heaviest
                if weights[i] > 0
            ],
            reading,
        )

    # ---------------------------------------------------------------- the auditor as a file

    def to_record(self) -> dict[str, Any]:
        """Everything that moves a verdict, for JSON."""
        return {
            "order": self.order.to_record(),
            "step_times": self.times.to_record(),
            "audit": {
                "statistics": list(STATISTICS),
                "programs": list(PROGRAMS),
                "calibrations": {
                    str(length): part.to_record() for length, part in self.calibrations.items()
                },
            },
        }

    @property
    def model_id(self) -> str:
        """Name of the data and a hash of everything that moves a verdict."""
        return identity(self.to_record(), self.provenance_)

    def to_json(self, path: str | Path | None = None) -> str:
        """The auditor as readable JSON; also written to `path` where one is given."""
        record = {
            "format": FORMAT,
            "model_id": self.model_id,
            "provenance": self.provenance_,
            **self.to_record(),
        }
        return written(record, path)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild an auditor from the text of its file; ValueError where it is none."""
        return cls.from_record(read_record(text))

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild an auditor from the contents of its file."""
        if "audit" not in record:
            raise ValueError("a model of fill orders without an audit: fit it again")
        with told_as("a file of an audit"):
            audit = record["audit"]
            if tuple(audit["statistics"]) != STATISTICS or list(audit["programs"]) != list(
                PROGRAMS
            ):
                raise ValueError("its statistics or programs are not those of this version")
            auditor = cls(
                FillOrderModel.from_record(record),
                StepTimeModel.from_record(record["step_times"]),
                {
                    int(length): Calibration.from_record(part)
                    for length, part in audit["calibrations"].items()
                },
            )
            if set(auditor.calibrations) != {*LENGTHS, WHOLE}:
                raise ValueError("its calibrations are not those of this version")
            auditor.provenance_ = dict(record["provenance"])
        check_identity(record, auditor.model_id)
        return auditor


def load_auditor(path: str | Path | None = None) -> Auditor:
    """An auditor from its file, or the one shipped with nando.

    Raises
    ------
    OSError
        Where the file cannot be read.
    ValueError
        Where it is not one.
    """
    return read_model(file_of(path), Auditor.from_json)


def verdict_of(p_value: float, level: float) -> str:
    """The verdict in words; it never goes further than these."""
    if p_value > level:
        return CONSISTENT
    return f"unlike a person at the 1 in {int(1 / p_value + 1e-9)} level"


def combined_p_value(p_values: Sequence[float] | NDArray[np.float64]) -> float:
    """One p-value of several games of a player, by Fisher's method: as if they were independent.

    Raises
    ------
    ValueError
        Where there is none.
    """
    from scipy.stats import chi2

    if not len(p_values):
        raise ValueError("no p-values to combine")
    return float(chi2.sf(-2.0 * np.log(p_values).sum(), 2 * len(p_values)))


def periods(n_games: int, n_periods: int) -> list[range]:
    """Parts of a log, one after the other, as equal as can be."""
    edges = np.linspace(0, n_games, n_periods + 1).round().astype(int).tolist()
    return [range(*edge) for edge in pairwise(edges)]


def _follow_all(order: FillOrderModel, game: Game) -> Moves:
    """The moves of a game under the model of people and all programs."""
    coefficients = np.zeros((1 + len(PROGRAMS), len(FEATURES)))
    coefficients[0, : len(order.coef_)] = order.coef_
    for i, program in enumerate(PROGRAMS.values(), 1):
        for name, value in program.coefficients.items():
            coefficients[i, FEATURES.index(name)] = value
    assert isinstance(game.puzzle, Sudoku)
    return follow(game.puzzle, game.solution, game.cells, coefficients)

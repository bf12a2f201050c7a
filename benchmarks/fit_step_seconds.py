"""Fit the seconds of the ladder race to the logged moves, and write their file.

It prints how well simulated solves predict the length of games on puzzles outside the fit.

Run: python benchmarks/fit_step_seconds.py (needs the Sudoku Insight logs)
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from nando import __version__, features
from nando.datasets import DATASETS
from nando.features.further import STEP_SECONDS_FORMAT
from nando.games.game import Game
from nando.games.log import read_games
from nando.puzzles import Sudoku
from nando.rating.fitting.estimator import grouped_folds
from nando.solvers import LadderRace
from nando.solvers.people.ladder_race import N_CLASSES, follow
from nando.solvers.protocol import spawned

FILE = Path(features.__file__).parent / "step_seconds.json"

LEAST_SECONDS = 0.2
"""Shorter delays count as this: clocks and trails give zeros."""

MOST_PER_SECOND = 20.0
"""Nobody finds more cells a second than this, however many are open."""

_FIRST_GUESS = LadderRace()
_EPSILON = 1.35
"""Log residuals beyond this count linearly, not squared."""


class FillTable(NamedTuple):
    """Fills of games, a row each.

    Attributes
    ----------
    singles : ndarray of float64, shape (n_fills, 12)
        As in :class:`nando.solvers.people.ladder_race.Following`.
    others : ndarray of float64, shape (n_fills, 4)
        What each of the four seconds of :class:`LadderRace` is multiplied with.
    seconds : ndarray of float64, shape (n_fills,)
        Since the fill before, or the start.
    """

    singles: NDArray[np.float64]
    others: NDArray[np.float64]
    seconds: NDArray[np.float64]


def fill_table(games: Sequence[Game]) -> FillTable:
    """Return the singles and steps available before each fill, and the fill's seconds."""
    singles, others, seconds = [], [], []
    for game in games:
        if not isinstance(game.puzzle, Sudoku):
            raise TypeError(f"the ladder race knows Sudoku only, got {game.puzzle.kind!r}")
        offered = follow(game.puzzle, game.solution, game.cells)
        n = len(game.cells)
        singles.append(offered.singles.astype(np.float64))
        others.append(
            np.stack(
                [
                    np.ones(n),
                    offered.n_steps > 0,
                    offered.n_steps,
                    offered.ratings,
                ],
                axis=1,
            ).astype(np.float64)
        )
        seconds.append(np.diff(game.seconds, prepend=0.0))
    return FillTable(np.concatenate(singles), np.concatenate(others), np.concatenate(seconds))


def fit_ladder_race(
    fills: FillTable, games: Sequence[Game] = (), *, runs: int = 10, seed: int = 0
) -> LadderRace:
    """Fit the rates and seconds that best explain the times of fills.

    A fill should take the sum of its seconds, and 1 over the summed rates of its singles. The
    logarithms of both sides are compared, with Huber's loss: that fits a typical fill, as people
    pause.

    Parameters
    ----------
    fills : FillTable
    games : sequence of Game
        If given, all seconds are scaled by one factor, so that simulated solves of their puzzles
        take as long in total as the games.
    runs, seed : int
        Of these simulated solves.

    Raises
    ------
    ValueError
        For fewer than 100 fills.
    """
    from scipy.optimize import least_squares

    if len(fills.seconds) < 100:
        raise ValueError(f"{len(fills.seconds)} fills are too few to fit to, wanted 100 or more")
    logs = np.log(np.maximum(fills.seconds, LEAST_SECONDS))

    def residuals(parameters: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.log(expected_seconds(fills, np.exp(parameters))) - logs)

    def slopes(parameters: NDArray[np.float64]) -> NDArray[np.float64]:
        values = np.exp(parameters)
        total = expected_seconds(fills, values)[:, None]
        rates = fills.singles @ values[:N_CLASSES]
        inverse = np.divide(1.0, rates**2, out=np.zeros_like(rates), where=rates > 0)[:, None]
        by_rate = -fills.singles * values[:N_CLASSES] * inverse
        return np.asarray(np.hstack([by_rate, fills.others * values[N_CLASSES:]]) / total)

    start = np.log(_FIRST_GUESS.parameters)
    most = np.where(np.arange(len(start)) < N_CLASSES, np.log(MOST_PER_SECOND), np.log(1e4))
    values = np.exp(
        least_squares(
            residuals, start, slopes, bounds=(-12.0, most), loss="huber", f_scale=_EPSILON
        ).x
    )
    if games:
        race = LadderRace.of_parameters(values)
        simulated = [
            race.profile(game.puzzle, runs=runs, rng=spawned(seed, index)).total
            for index, game in enumerate(games)
        ]
        stretch = sum(game.seconds[-1] for game in games) / sum(simulated)
        values[:N_CLASSES] /= stretch
        values[N_CLASSES:] *= stretch
    return LadderRace.of_parameters(np.array([float(f"{value:.3g}") for value in values]))


def expected_seconds(fills: FillTable, parameters: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the seconds of each fill under :attr:`LadderRace.parameters`."""
    rates = fills.singles @ parameters[:N_CLASSES]
    searched = np.divide(1.0, rates, out=np.zeros_like(rates), where=rates > 0)
    return np.asarray(fills.others @ parameters[N_CLASSES:] + searched)


def to_record(race: LadderRace, provenance: dict[str, Any]) -> dict[str, Any]:
    """Return a fitted race as a record for JSON."""
    names = ("entry_seconds", "stuck_seconds", "step_seconds", "rating_seconds")
    return {
        "format": STEP_SECONDS_FORMAT,
        "provenance": provenance,
        "rates": list(race.rates),
        "seconds": {name: getattr(race, name) for name in names},
    }


def together(tables):
    """One table of several."""
    return FillTable(*(np.concatenate(columns) for columns in zip(*tables, strict=True)))


def main():
    """Fit, cross-validate and write."""
    data = DATASETS["sudoku_insight"][0]
    log = read_games(data.path(data.files[0].name))
    games = [game for game in log.games if game.finished]
    tables = [fill_table([game]) for game in games]
    keys = [game.puzzle.equivalence_key() for game in games]
    logs = np.log([game.seconds[-1] for game in games])
    held_out = np.empty_like(logs)
    for train, test in grouped_folds(keys, len(games), 10, seed=0):
        race = fit_ladder_race(together([tables[i] for i in train]))
        for i in test:
            profile = race.profile(games[i].puzzle, rng=spawned(0, int(i)))
            held_out[i] = np.log(profile.total)
    scores = {
        "Pearson on log": round(float(np.corrcoef(held_out, logs)[0, 1]), 4),
        "Spearman": round(float(spearmanr(held_out, logs).statistic), 4),
    }
    print(f"{len(games):,} games, held out by puzzle: {scores}")
    race = fit_ladder_race(together(tables), games)
    provenance = {
        "data": data.provenance(),
        "games": len(games),
        "fills": int(sum(len(game.cells) for game in games)),
        "nando": __version__,
        "scores": scores,
    }
    FILE.write_text(json.dumps(to_record(race, provenance), indent=1) + "\n", encoding="utf-8")
    print(race)


if __name__ == "__main__":
    main()

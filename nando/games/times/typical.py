"""Times of puzzles from games of several players, freed from who played.

A puzzle that only fast players finished would look easy. The model of persons tells how fast each
player is; every time is turned into that of the typical player of the log.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.games.times.solving import SolvingTime
from nando.puzzles import Puzzle
from nando.rating import PersonModel, load_model


class PlayerPace(NamedTuple):
    """What games tell of a player.

    Attributes
    ----------
    player : str
    games : int
    factor : float
        Time for a puzzle, as a share of the typical player's.
    low, high : float
        Between which it lies, four times in five.
    """

    player: str
    games: int
    factor: float
    low: float
    high: float


class TypicalTimes(NamedTuple):
    """Times of the typical player.

    Attributes
    ----------
    seconds : list of float
        Of each game.
    players : list of PlayerPace
        The fastest first; empty where the games cannot tell players from puzzles.
    """

    seconds: list[float]
    players: list[PlayerPace]


_FOUR_IN_FIVE = 1.2816
"""Standard deviations on either side of the mean of a normal distribution."""


def typical_times(times: Sequence[SolvingTime], kind: str) -> TypicalTimes:
    """The times that the typical player would have had.

    Parameters
    ----------
    times : sequence of SolvingTime
        Of puzzles of one kind.
    kind : str

    Returns
    -------
    TypicalTimes
        The times as they are where there is one player only, or nobody has two games.
    """
    given = TypicalTimes([time.seconds for time in times], [])
    games: dict[str, int] = {}
    for time in times:
        games[time.player] = games.get(time.player, 0) + 1
    if len(games) < 2 or max(games.values()) < 2:
        return given
    z = _predictions([time.puzzle for time in times], kind)
    rows = {
        "puzzle": [time.puzzle.text for time in times],
        "player": [time.player for time in times],
        "seconds": given.seconds,
    }
    model = PersonModel().fit(rows, z)
    known = model.players().set_index("player")
    speed = known["speed"].to_dict()
    slope = known["slope"].to_dict()
    seconds = [
        float(time.seconds * np.exp(speed[time.player] - slope[time.player] * (at - model.z_mean_)))
        for time, at in zip(times, z.tolist(), strict=True)
    ]
    paces = [
        PlayerPace(
            str(row.player),
            int(row.games),
            *np.exp(-row.speed + row.speed_sd * _FOUR_IN_FIVE * np.array([0, -1, 1])).tolist(),
        )
        for row in model.players().itertuples()
    ]
    return TypicalTimes(seconds, sorted(paces, key=lambda pace: pace.factor))


def _predictions(puzzles: Sequence[Puzzle], kind: str) -> NDArray[np.float64]:
    """Log of the shipped model's prediction for each puzzle."""
    different = list(dict.fromkeys(puzzles))
    predicted = load_model(None, kind).predict(different)
    known = dict(zip(different, np.log(predicted).tolist(), strict=True))
    return np.array([known[puzzle] for puzzle in puzzles])

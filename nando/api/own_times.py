"""Statistics of a player's own times."""

import statistics
from pathlib import Path
from typing import NamedTuple

from nando.api.rating import rate
from nando.puzzles import Puzzle
from nando.rating import GRADES, Rating

_LAST = 5


class OwnTimes(NamedTuple):
    """The times of a player for the puzzles of a grade.

    Attributes
    ----------
    grade : str
    games : int
        Finished without hints, each puzzle for the first time; only these have a time.
    best, median, last : float
        Shortest and median time in seconds, and the median of the last five.
    pace : float
        Median of the time as a share of that predicted for the typical player.
    left_out : int
        Games that were not finished, or with hints, or of a puzzle tried before.
    """

    grade: str
    games: int
    best: float
    median: float
    last: float
    pace: float
    left_out: int


def own_times(log: str | Path, player: str | None = None) -> list[OwnTimes]:
    """Return the times of a player by the grade of the puzzles.

    Parameters
    ----------
    log : str or Path
        A log of games, or a folder of them, as :func:`nando.games.read_games` reads it.
    player : str or None
        None takes the only player of the log.

    Returns
    -------
    list of OwnTimes
        The easiest grade first; those without a time are left out.

    Raises
    ------
    OSError, ValueError
        Where there is no such log or player, or several players and none is named.

    Examples
    --------
    >>> rows = own_times("examples/games.csv", "ada")
    >>> rows[0].best <= rows[0].median
    True
    """
    from nando.games import read_games, solving_times

    games = read_games(log).games
    players = sorted({game.player for game in games})
    some = ", ".join(map(repr, players[:5]))
    if player is None and len(players) > 1:
        raise ValueError(f"{log}: games of {len(players)} players ({some}); name one")
    own = [game for game in games if player is None or game.player == player]
    if not own:
        known = f"; it has games of {some}" if players else ""
        raise ValueError(f"{log}: no games of {player!r}{known}")
    puzzles = dict.fromkeys(game.puzzle for game in own)
    ratings: dict[Puzzle, Rating] = {}
    for kind in dict.fromkeys(puzzle.kind for puzzle in puzzles):
        alike = [puzzle for puzzle in puzzles if puzzle.kind == kind]
        ratings |= zip(alike, rate(alike), strict=True)
    found = solving_times(own).times
    rows = []
    for grade in GRADES:
        times = [time for time in found if ratings[time.puzzle].grade == grade]
        if not times:
            continue
        seconds = [time.seconds for time in times]
        paces = [time.seconds / ratings[time.puzzle].predicted for time in times]
        n_games = sum(ratings[game.puzzle].grade == grade for game in own)
        rows.append(
            OwnTimes(
                grade,
                len(seconds),
                min(seconds),
                statistics.median(seconds),
                statistics.median(seconds[-_LAST:]),
                statistics.median(paces),
                n_games - len(seconds),
            )
        )
    return rows

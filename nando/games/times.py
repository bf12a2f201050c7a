"""Solving times of players from the games of a log.

A puzzle that only fast players finished would look easy. The model of persons therefore estimates
each player's speed, and every time is converted to that of the typical player of the log.
"""

import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nando.arrays import Floats
from nando.games.game import Game
from nando.games.log import SUFFIXES, Key, read_games
from nando.puzzles import Puzzle
from nando.rating import PersonModel, load_model
from nando.rating.persons.model import FOUR_IN_FIVE
from nando.rating.training import Training


class SolvingTime(NamedTuple):
    """The time of a player for a puzzle.

    Attributes
    ----------
    puzzle : Puzzle
    player : str
        Name of the player, or of the game if the log names no player.
    seconds : float
    """

    puzzle: Puzzle
    player: str
    seconds: float


class SolvingTimes(NamedTuple):
    """The times of games, and the reasons why other games have none.

    Attributes
    ----------
    times : list of SolvingTime
        Times in the order of the games, as rows for :class:`nando.rating.PersonModel`.
    problems : list of str
        A sentence for each game that was left out.
    """

    times: list[SolvingTime]
    problems: list[str]


def solving_times(games: Iterable[Game]) -> SolvingTimes:
    """Return the times of games that show how hard a puzzle is.

    A game counts if it is finished without a hint, took some time, and the player had not tried the
    same puzzle in an earlier game.

    Parameters
    ----------
    games : iterable of Game
        Games of any players, those of each player in the order in which they were played.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> from nando.solvers import unique_solution
    >>> puzzle = load_examples().puzzles[0]
    >>> blanks = [cell for cell in range(81) if not puzzle.givens[cell]]
    >>> moves = [(1000 * k, cell, unique_solution(puzzle)[cell]) for k, cell in enumerate(blanks)]
    >>> found = solving_times([Game.from_moves(puzzle, moves, name="1", player="ada")])
    >>> found.times[0].player, found.times[0].seconds == len(blanks) - 1
    ('ada', True)
    """
    result = SolvingTimes([], [])
    tried: set[tuple[Puzzle, str]] = set()
    for game in games:
        player = game.player or game.name
        problem = _no_time(game, (game.puzzle, player) in tried)
        tried.add((game.puzzle, player))
        if problem:
            of = f" of {game.player}" if game.player else ""
            result.problems.append(f"game {game.name}{of}: {problem}")
        else:
            result.times.append(SolvingTime(game.puzzle, player, float(game.seconds[-1])))
    return result


def _no_time(game: Game, is_tried: bool) -> str:
    """Return why the time of a game cannot be used; empty if it can."""
    if not game.finished:
        return "not finished"
    if is_tried:
        return "the player tried the puzzle before"
    if game.n_hints:
        return f"hints taken: {game.n_hints}"
    return "" if game.seconds[-1] > 0 else "no time went by"


class PlayerPace(NamedTuple):
    """The pace of a player.

    Attributes
    ----------
    player : str
    games : int
    factor : float
        Ratio of the player's time to that of the typical player.
    low, high : float
        The interval that contains the factor with a chance of 80 %.
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
        Time of each game.
    players : list of PlayerPace
        Paces, the fastest first; empty if the games cannot separate players from puzzles.
    """

    seconds: list[float]
    players: list[PlayerPace]


def typical_times(times: Sequence[SolvingTime], kind: str) -> TypicalTimes:
    """Return the times that the typical player would have had.

    Parameters
    ----------
    times : sequence of SolvingTime
        Times for puzzles of one kind.
    kind : str

    Returns
    -------
    TypicalTimes
        The original times if there is only one player, or nobody has two games.
    """
    given = TypicalTimes([time.seconds for time in times], [])
    games = Counter(time.player for time in times)
    if len(games) < 2 or max(games.values()) < 2:
        return given
    z = _predictions([time.puzzle for time in times], kind)
    rows = {
        "puzzle": [time.puzzle.text for time in times],
        "player": [time.player for time in times],
        "seconds": given.seconds,
    }
    model = PersonModel().fit(rows, z)
    players = model.players()
    own = players.set_index("player").loc[rows["player"]]
    faster = own["speed"].to_numpy() - own["slope"].to_numpy() * (z - model.z_mean_)
    paces = [
        PlayerPace(
            str(row.player),
            int(row.games),
            *np.exp(-row.speed + row.speed_sd * FOUR_IN_FIVE * np.array([0, -1, 1])).tolist(),
        )
        for row in players.itertuples()
    ]
    seconds = given.seconds * np.exp(faster)
    return TypicalTimes(seconds.tolist(), sorted(paces, key=lambda pace: pace.factor))


def _predictions(puzzles: Sequence[Puzzle], kind: str) -> Floats:
    """Return the log of the shipped model's prediction for each puzzle."""
    different = list(dict.fromkeys(puzzles))
    predicted = load_model(None, kind).predict(different)
    known = dict(zip(different, np.log(predicted).tolist(), strict=True))
    return np.array([known[puzzle] for puzzle in puzzles])


class LogTimes(NamedTuple):
    """Times of the puzzles and paces of the players of a log.

    Attributes
    ----------
    training : Training
        The median time of each puzzle for the typical player, weighted by its games.
    players : list of PlayerPace
        Paces, the fastest first; empty if the games cannot separate players from puzzles.
    problems : list of str
        A sentence for each line or game that was left out.
    """

    training: Training
    players: list[PlayerPace]
    problems: list[str]


def is_log(path: Path) -> bool:
    """Return True if a path is a log, or a folder of logs, rather than a table of times."""
    if path.suffix.lower() != ".csv":
        return path.is_dir() or path.suffix.lower() in SUFFIXES
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        names = file.readline(10_000).casefold()
    return "t_ms" in names and "seconds" not in names


def times_of_log(log: Path, kind: str, *, without: Collection[Key] = ()) -> LogTimes:
    """Return the times of a log's puzzles of a kind, adjusted for the players' speed.

    The games `without` are left out, for example those that an audit doubts.

    Raises
    ------
    OSError, ValueError
        If the path is not a log, or no game of the kind has a time.
    """
    read = read_games(log).without(without)
    past = solving_times(game for game in read.games if game.puzzle.kind == kind)
    problems = [f"{log}: {problem}" for problem in (*read.problems, *past.problems)]
    if not past.times:
        first_problem = f", the first left out: {problems[0]}" if problems else ""
        raise ValueError(f"{log}: no game of {kind} with a usable time{first_problem}")
    typical = typical_times(past.times, kind)
    seconds: dict[Puzzle, list[float]] = {}
    for time, typically in zip(past.times, typical.seconds, strict=True):
        seconds.setdefault(time.puzzle, []).append(typically)
    training = Training(
        list(seconds),
        [statistics.median(times) for times in seconds.values()],
        [float(len(times)) for times in seconds.values()],
        log.name.split(".")[0],
        {"file": log.name},
    )
    return LogTimes(training, typical.players, problems)

"""Times to fit a model to, from a log of games."""

import statistics
from pathlib import Path
from typing import NamedTuple

from nando.games.log import read_games
from nando.games.times.solving import solving_times
from nando.games.times.typical import PlayerPace, typical_times
from nando.puzzles import Puzzle
from nando.rating.training import Training


class LogTimes(NamedTuple):
    """What a log tells of its puzzles and players.

    Attributes
    ----------
    training : Training
        The median time of each puzzle for the typical player, weighted by its games.
    players : list of PlayerPace
        The fastest first; empty where the games cannot tell players from puzzles.
    problems : list of str
        What was left out.
    """

    training: Training
    players: list[PlayerPace]
    problems: list[str]


def is_log(path: Path) -> bool:
    """Whether a file is a log of games rather than a table of times."""
    if path.suffix.lower() != ".csv":
        return path.suffix.lower() in (".json", ".jsonl", ".tsv")
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        names = file.readline(10_000).casefold()
    return "t_ms" in names and "seconds" not in names


def times_of_log(log: Path, kind: str) -> LogTimes:
    """The times of the puzzles of a kind in a log, freed from who played.

    Raises
    ------
    OSError, ValueError
        Where it is no log, or no game of the kind has a time.
    """
    read = read_games(log)
    found = solving_times(game for game in read.games if game.puzzle.kind == kind)
    problems = [f"{log}: {problem}" for problem in (*read.problems, *found.problems)]
    if not found.times:
        told = f", the first left out: {problems[0]}" if problems else ""
        raise ValueError(f"{log}: no game of {kind} that tells a time{told}")
    typical = typical_times(found.times, kind)
    seconds: dict[Puzzle, list[float]] = {}
    for time, typically in zip(found.times, typical.seconds, strict=True):
        seconds.setdefault(time.puzzle, []).append(typically)
    training = Training(
        list(seconds),
        [statistics.median(times) for times in seconds.values()],
        [float(len(times)) for times in seconds.values()],
        log.name.split(".")[0],
        {"file": log.name},
    )
    return LogTimes(training, typical.players, problems)

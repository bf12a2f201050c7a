"""Solving times of players from the games of a log, and raters for one of these players.

A puzzle that only fast players finished would look easy. The model of persons therefore estimates
each player's speed, and every time is converted to that of the typical player of the log.
"""

import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nando import features
from nando.games.game import Game
from nando.games.log import SUFFIXES, GameLog, Key, read_games
from nando.puzzles import Puzzle
from nando.rating import Pace, PersonModel, Rater, has_model, load_model
from nando.rating.fitting.training import Training, timed_puzzles
from nando.rating.pace import LINE_SPREAD
from nando.rating.persons import FOUR_IN_FIVE


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
    of_puzzle = _log_seconds(load_model(None, kind), [time.puzzle for time in times])
    z = np.array([of_puzzle[time.puzzle] for time in times])
    model = _fit_persons(PersonModel(), times, of_puzzle)
    players = model.players()
    own = players.set_index("player").loc[[time.player for time in times]]
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


def _log_seconds(rater: Rater, puzzles: Iterable[Puzzle]) -> dict[Puzzle, float]:
    """Return the log of a rater's prediction for each puzzle."""
    different = list(dict.fromkeys(puzzles))
    return dict(zip(different, np.log(rater.predict(different)).tolist(), strict=True))


def _fit_persons(
    model: PersonModel, times: Sequence[SolvingTime], z: Mapping[Puzzle, float]
) -> PersonModel:
    """Fit a model of persons to times, given the predicted log seconds of each puzzle."""
    rows = {
        "puzzle": [time.puzzle.text for time in times],
        "player": [time.player for time in times],
        "seconds": [time.seconds for time in times],
    }
    return model.fit(rows, [z[time.puzzle] for time in times])


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
    games : list of Game
        All games that were read, of every kind.
    """

    training: Training
    players: list[PlayerPace]
    problems: list[str]
    games: list[Game]


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
    return LogTimes(training, typical.players, problems, read.games)


_NAMED = 5
"""Most players that a message names."""

_OWN = "nameless"
"""The player of rows without a name."""


def rater_for_player(base: Rater, history: str | Path, player: str | None = None) -> Rater:
    """Return a model that rates for one player.

    The games of all players in the history count, because those of others show how hard the
    puzzles are for a typical person. If the player has no game of the kinds that `base` rates, only
    the pace of the other games carries over.

    Parameters
    ----------
    base : Rater
        The model that rates for typical people.
    history : str or Path
        Earlier games: a log that :func:`read_games` reads, or a table of times with the columns
        puzzle and seconds, and player if there are several.
    player : str or None
        None takes the only player of the history.

    Raises
    ------
    OSError, ValueError
        If the file cannot be read, the player has no game with a time in it, or the base does not
        rate in seconds.

    Examples
    --------
    >>> model = rater_for_player(load_model(), "examples/games.csv", "ada")
    >>> model.pace_.games
    5
    """
    history = Path(history)
    past = read_history(history)
    player = choose_player([time.player for time in past.times], player, history, past.problems)
    kinds = {kind for kind in _kinds(past.times) if _rates(base, kind)}
    carried = not any(t.player == player and t.puzzle.kind in kinds for t in past.times)
    raters = dict.fromkeys(kinds, base)
    if carried:
        kinds = {kind for kind in _kinds(past.times) if has_model(kind)}
        raters = {kind: load_model(None, kind) for kind in kinds}
    times = [time for time in past.times if time.puzzle.kind in raters]
    if not any(time.player == player for time in times):
        raise ValueError(f"{history}: no game of {player!r} is of a kind that is rated")
    z: dict[Puzzle, float] = {}
    for kind, rater in raters.items():
        z |= _log_seconds(rater, (time.puzzle for time in times if time.puzzle.kind == kind))
    model = _fit_persons(PersonModel(line_spread=LINE_SPREAD), times, z)
    return base.for_person(Pace.of(model, player, carried=carried))


def read_history(path: Path) -> SolvingTimes:
    """Return the times in a log or a table, and the games that were left out.

    Raises
    ------
    OSError, ValueError
        If the file is neither a log nor a table of times.
    """
    if is_log(path):
        log = read_games(path)
        # In a log without names, all games are those of one player.
        nameless = not any(game.player for game in log.games)
        games = [replace(game, player=_OWN) for game in log.games] if nameless else log.games
        past = solving_times(games)
        return SolvingTimes(past.times, [*log.problems, *past.problems])
    rows = timed_puzzles(path)
    return SolvingTimes(
        [SolvingTime(row.puzzle, row.player or _OWN, row.seconds) for row in rows], []
    )


def own_games(log: GameLog, player: str | None, path: Path) -> list[Game]:
    """Return the games of a player, by default of the only player in a log.

    Raises
    ------
    ValueError
        If there are no such games, or the log has several players and `player` is None.
    """
    player = choose_player([game.player for game in log.games], player, path, log.problems)
    return [game for game in log.games if game.player == player]


def choose_player(
    players: Sequence[str], player: str | None, history: Path, problems: Sequence[str] = ()
) -> str:
    """Return the requested player, or the only player of a history.

    Raises
    ------
    ValueError
        If the history has no such player, no game, or several players and `player` is None.
    """
    names = sorted(set(players))
    some = ", ".join(map(repr, names[:_NAMED]))
    if len(names) > _NAMED:
        some += f" and {len(names) - _NAMED:,} more"
    if not names:
        why = f"; the first of {len(problems):,} left out: {problems[0]}" if problems else ""
        raise ValueError(f"{history}: no game with a time{why}")
    if player is None:
        if len(names) > 1:
            raise ValueError(f"{history}: games of {len(names)} players ({some}); name the player")
        return names[0]
    if names == [_OWN]:
        return _OWN  # rows without names belong to any requested player
    if player not in names:
        raise ValueError(f"{history}: no games of {player!r}; it has games of {some}")
    return player


def _kinds(times: Iterable[SolvingTime]) -> set[str]:
    return {time.puzzle.kind for time in times}


def _rates(base: Rater, kind: str) -> bool:
    """Return True if a model rates puzzles of a kind."""
    return kind in features.kinds_of(base.extractor.groups)

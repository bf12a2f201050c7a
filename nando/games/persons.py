"""Raters for one player of a log or of a table of times."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from nando.games.game import Game
from nando.games.log import GameLog, read_games
from nando.games.times import SolvingTime, SolvingTimes, is_log, solving_times
from nando.puzzles import Puzzle
from nando.rating import Pace, PersonalRater, PersonModel, has_model, load_model
from nando.rating.base import Rater
from nando.rating.persons.rater import LINE_SPREAD
from nando.rating.training import timed_puzzles

_NAMED = 5
"""Most players that a message names."""

_OWN = "nameless"
"""The player of rows without a name."""


def rater_for_player(base: Rater, history: str | Path, player: str | None = None) -> PersonalRater:
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
    player = chosen_player([time.player for time in past.times], player, history, past.problems)
    kinds = {kind for kind in _kinds(past.times) if _rates(base, kind)}
    carried = not any(t.player == player and t.puzzle.kind in kinds for t in past.times)
    raters = dict.fromkeys(kinds, base)
    if carried:
        kinds = {kind for kind in _kinds(past.times) if has_model(kind)}
        raters = {kind: load_model(None, kind) for kind in kinds}
        raters = {kind: rater for kind, rater in raters.items() if rater.unit == "seconds"}
    times = [time for time in past.times if time.puzzle.kind in raters]
    if not any(time.player == player for time in times):
        raise ValueError(f"{history}: no game of {player!r} is of a kind that is rated in seconds")
    z: dict[Puzzle, float] = {}
    for kind, rater in raters.items():
        puzzles = [p for p in dict.fromkeys(time.puzzle for time in times) if p.kind == kind]
        z |= zip(puzzles, np.log(rater.predict(puzzles)).tolist(), strict=True)
    rows = {
        "puzzle": [time.puzzle.text for time in times],
        "player": [time.player for time in times],
        "seconds": [time.seconds for time in times],
    }
    model = PersonModel(line_spread=LINE_SPREAD).fit(rows, [z[time.puzzle] for time in times])
    return PersonalRater.of(base, Pace.of(model, player, carried=carried))


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
    player = chosen_player([game.player for game in log.games], player, path, log.problems)
    return [game for game in log.games if game.player == player]


def chosen_player(
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
    from nando.features.groups import kinds_of

    return kind in kinds_of(base.extractor.groups)

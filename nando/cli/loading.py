"""Load the models and the games that a command's options name."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nando.checks import how_many
from nando.cli.reading import report_bad

if TYPE_CHECKING:
    from nando.games.log import GameLog
    from nando.games.training import HonestGames
    from nando.rating import PersonalRater
    from nando.rating.base import Rater

_FEW = 5
"""A pace from fewer games is called uncertain."""


def loaded_model(
    model: Path | None,
    kind: str | None,
    *,
    crowd: str | None = None,
    player: str | None = None,
    history: Path | None = None,
) -> "Rater":
    """Return the model, for the crowd or the player that is named.

    Raises
    ------
    OSError, ValueError
        As :func:`nando.load_model`.
    """
    from nando import api

    if history is None and player is not None:
        raise ValueError(f"--player {player} needs the earlier games: give --history FILE")
    if history is not None and crowd is not None:
        raise ValueError("--crowd and --history contradict each other: leave one out")
    return api.load_model(model, kind, crowd=crowd, player=player, history=history)


def print_pace(model: "Rater", player: str | None) -> None:
    """Print what a model knows about its player on standard error; nothing without a player."""
    from nando.rating import PersonalRater

    if isinstance(model, PersonalRater):
        print(_known(model, player), file=sys.stderr)


def _known(model: "PersonalRater", player: str | None) -> str:
    pace = model.pace_
    share, low, high = pace.factor()
    line = (
        f"{player or 'the player'}: {how_many(pace.games, 'game')}, "
        f"{share:.0%} of the typical person's time ({low:.0%} to {high:.0%})"
    )
    if pace.carried:
        return f"{line}; none of this kind of puzzle, so only the pace carries over"
    return f"{line}; a few games say little about a pace" if pace.games < _FEW else line


def report_games(problems: Sequence[str]) -> int:
    """Report bad lines on standard error, and return the exit status, 0 or 1."""
    if not problems:
        return 0
    n_problems = len(problems)
    counted = how_many(n_problems, "line or game", "lines or games")
    return report_bad(f"{counted} cannot be used", problems, n_problems)


def finished_games(kind: str, log: Path | None) -> "HonestGames":
    """Return the games to fit or evaluate a model on.

    Raises
    ------
    ValueError
        If there are no finished games of this kind.
    """
    from nando.games.training import honest_games

    honest = honest_games(kind, log)
    report_games(honest.problems)
    if not honest.games:
        name = log or honest.provenance["name"]
        raise ValueError(f"no finished games of {kind} found in {name}")
    return honest


def games_of(history: Path, player: str | None) -> "GameLog":
    """Return the earlier games of a player, by default of the only player in a log.

    The result lists the lines that could not be read.

    Raises
    ------
    ValueError
        If there are no such games, or the log has several players and `player` is None.
    """
    from nando.games.log import GameLog, read_games
    from nando.games.persons import own_games

    log = read_games(history)
    problems = [f"{history}: {problem}" for problem in log.problems]
    return GameLog(own_games(log, player, history), problems, log.notes)

"""Logs of games for a command, and the report of bad lines."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nando.cli.reading import report_bad

if TYPE_CHECKING:
    from nando.games.log import GameLog
    from nando.games.training import HonestGames


def report_games(problems: Sequence[str]) -> int:
    """Report bad lines on standard error; the exit status, 0 or 1."""
    if not problems:
        return 0
    n_problems = len(problems)
    told = "1 line or game" if n_problems == 1 else f"{n_problems:,} lines or games"
    return report_bad(f"{told} cannot be used", problems, n_problems)


def finished_games(kind: str, log: Path | None) -> "HonestGames":
    """Return the games that a model is fitted to or checked on.

    Raises
    ------
    ValueError
        If there are none.
    """
    from nando.games.training import honest_games

    found = honest_games(kind, log)
    report_games(found.problems)
    if not found.games:
        raise ValueError(f"no finished games of {kind} found in {log or found.provenance['name']}")
    return found


def games_of(history: Path, player: str | None) -> "GameLog":
    """Earlier games of a player, or of the only one in a log, with what could not be read.

    Raises
    ------
    ValueError
        Where there are none, or it is not said of whom.
    """
    from nando.games.log import GameLog, read_games

    log = read_games(history)
    names = sorted({game.player for game in log.games})
    some = ", ".join(map(repr, names[:5]))
    if player is None and len(names) > 1:
        raise ValueError(f"{history}: games of {len(names)} players ({some}); name one by --player")
    games = [game for game in log.games if player is None or game.player == player]
    if not games:
        known = f"; it has games of {some}" if names else ""
        raise ValueError(f"{history}: no games of {player!r}{known}")
    return GameLog(games, [f"{history}: {problem}" for problem in log.problems], log.notes)

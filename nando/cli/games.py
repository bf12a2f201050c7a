"""Read logs of games for a command, and report bad lines."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nando.cli.reading import report_bad

if TYPE_CHECKING:
    from nando.games.log import GameLog
    from nando.games.training import HonestGames


def report_games(problems: Sequence[str]) -> int:
    """Report bad lines on standard error, and return the exit status, 0 or 1."""
    if not problems:
        return 0
    n_problems = len(problems)
    counted = "1 line or game" if n_problems == 1 else f"{n_problems:,} lines or games"
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
    from nando.games.persons import chosen_player

    log = read_games(history)
    names = [game.player for game in log.games]
    if player is not None or len(set(names)) != 1:
        player = chosen_player(names, player, history, log.problems)
    games = [game for game in log.games if player is None or game.player == player]
    return GameLog(games, [f"{history}: {problem}" for problem in log.problems], log.notes)

"""Load the models and the games that a command's options name."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nando.checks import how_many
from nando.cli.reading import report_bad

if TYPE_CHECKING:
    from nando.games.log import GameLog, Key
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


_DOUBTS = ("entered", "off screen", "unlike")
"""Findings of an audit on games that show nothing about how people solve."""


def doubted(audit: Path) -> "set[Key]":
    """Return the games that an audit doubts, from the file that `nando audit` wrote.

    Raises
    ------
    OSError, ValueError
        If the file cannot be read, or is no audit of games.
    """
    import pandas as pd

    suffix = audit.suffix.lower()
    try:
        if suffix == ".parquet":
            rows = pd.read_parquet(audit)
        elif suffix in (".json", ".jsonl"):
            rows = pd.read_json(audit, lines=suffix == ".jsonl", dtype=False)
        else:
            rows = pd.read_csv(audit, dtype=str, keep_default_na=False)
    except ValueError as error:
        raise ValueError(f"{audit}: not a table: {error}") from None
    absent = [name for name in ("game", "player", "puzzle", "finding") if name not in rows]
    if absent:
        raise ValueError(
            f"{audit}: no column {absent[0]!r}; wanted what nando audit writes of each game"
        )
    findings = rows["finding"].isin(_DOUBTS)
    if "player_finding" in rows:
        findings |= rows["player_finding"].isin(_DOUBTS[1:])
    keys = rows.loc[findings, ["game", "player", "puzzle"]].astype(str)
    return set(keys.itertuples(index=False, name=None))


def finished_games(kind: str, log: Path | None, audit: Path | None = None) -> "HonestGames":
    """Return the games to fit or evaluate a model on, without those that an audit doubts.

    Raises
    ------
    ValueError
        If there are no finished games of this kind.
    """
    from nando.games.training import honest_games

    honest = honest_games(kind, log, without=() if audit is None else doubted(audit))
    report_games(honest.problems)
    if not honest.games:
        name = log or honest.provenance["name"]
        raise ValueError(f"no finished games of {kind} found in {name}")
    return honest


def games_of(history: Path, player: str | None, audit: Path | None = None) -> "GameLog":
    """Return the earlier games of a player, by default of the only player in a log.

    Games that an audit doubts are left out. The result lists the lines that could not be read.

    Raises
    ------
    ValueError
        If there are no such games, or the log has several players and `player` is None.
    """
    from nando.games.log import GameLog, read_games
    from nando.games.times import own_games

    log = read_games(history).without(() if audit is None else doubted(audit))
    problems = [f"{history}: {problem}" for problem in log.problems]
    return GameLog(own_games(log, player, history), problems, log.notes)

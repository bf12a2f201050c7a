"""Load the model that a command's options name."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nando.rating import PersonalRater
    from nando.rating.base import Rater

_FEW = 5
"""A pace from fewer games is called uncertain."""


def load_model(
    model: Path | None,
    kind: str | None,
    *,
    crowd: str | None = None,
    player: str | None = None,
    history: Path | None = None,
) -> "Rater":
    """Return the model, for the crowd or the player that is named.

    What is known of the player is printed on standard error.

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
    loaded = api.load_model(model, kind, crowd=crowd, player=player, history=history)
    print_pace(loaded, player)
    return loaded


def print_pace(model: "Rater", player: str | None) -> None:
    """Print what a model knows of its player on standard error; nothing if it has none."""
    from nando.rating import PersonalRater

    if isinstance(model, PersonalRater):
        print(_known(model, player), file=sys.stderr)


def _known(model: "PersonalRater", player: str | None) -> str:
    pace = model.pace_
    share, low, high = pace.factor()
    games = "1 game" if pace.games == 1 else f"{pace.games:,} games"
    line = (
        f"{player or 'the player'}: {games}, {share:.0%} of the typical person's time "
        f"({low:.0%} to {high:.0%})"
    )
    if pace.carried:
        return f"{line}; none of this kind of puzzle, so only the pace carries over"
    return f"{line}; few games say little of a pace" if pace.games < _FEW else line

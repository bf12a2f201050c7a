"""Load the model that a command's options name."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nando.checks import how_many

if TYPE_CHECKING:
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

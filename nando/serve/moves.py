"""Moves as a page sends them, when they were made, and why they are not taken."""

from collections.abc import Sequence
from typing import Any, NamedTuple


def placed(received_ms: int, age_ms: int, earliest_ms: int) -> int:
    """Return when a move was made, on the server's clock.

    The page sends how long a move waited for its connection. The time is neither before that of the
    move before or the time at which the player first had the puzzle, nor after the arrival, so that
    a player's clock can decide nothing but the time within these bounds.

    Examples
    --------
    >>> placed(5_000, 0, 1_000), placed(5_000, 3_000, 1_000), placed(5_000, 90_000, 1_000)
    (5000, 2000, 1000)
    """
    return min(max(received_ms - age_ms, earliest_ms), received_ms)


MOST_ATTEMPTS = 1_000
"""How often a player may begin a puzzle again."""


class Move(NamedTuple):
    """An event of a player, as the page sends it.

    Attributes
    ----------
    seq : int
        Number of the event among those of the player, from 1.
    puzzle, attempt : int
    age_ms : int
        Milliseconds for which the event waited in the browser before it was sent.
    event : dict
        Plain values, from which the game can be restored.
    changes : sequence of sequence of int
        What the event changes according to the page: layer, cell, and the values before and after.
    """

    seq: int
    puzzle: int
    attempt: int
    age_ms: int
    event: dict[str, Any]
    changes: Sequence[Sequence[int]]


class Acknowledged(NamedTuple):
    """The server's record of a player.

    Attributes
    ----------
    seq : int
        All events up to this number are stored.
    solved : list of int
        Numbers of the solved puzzles.
    """

    seq: int
    solved: list[int]


class GapError(Exception):
    """Events before the received ones are missing; `seq` numbers the last stored event."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class ElsewhereError(Exception):
    """Another page of the player has sent different events with these numbers."""


class NotStartedError(Exception):
    """The contest has not begun."""


class PausedError(Exception):
    """The organiser has stopped the contest for a while."""


class RemovedError(Exception):
    """The organiser has removed the player."""

"""What an audit of many games has to say: what a report shows, and nothing of its look."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nando.games.audit import GameAudit, combined_p_value
from nando.games.evidence import delays_of
from nando.games.step_times import LEAST_SECONDS

DETAILED = 30
"""Games whose fills are told one by one, those with the smallest p-values."""


class PlayerAudit(NamedTuple):
    """A player with several games, and their combined p-value."""

    player: str
    n_games: int
    p_value: float


class Fills(NamedTuple):
    """The fills of a game that were judged, in the order in which they were made."""

    number: list[float]
    expected_rank: list[float]
    seconds: list[float]
    predicted_seconds: list[float]


@dataclass(frozen=True)
class AuditReport:
    """An audit of many games.

    Attributes
    ----------
    audits : tuple of GameAudit
        The smallest p-value first.
    level : float
        Share of honest games that are called unlike a person.
    model_id : str
    problems : tuple of str
        What of the logs could not be read.
    sources : tuple of str
        Names of the logs.
    date : datetime.date
    """

    audits: tuple[GameAudit, ...]
    level: float
    model_id: str
    problems: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    date: datetime.date = datetime.date.min

    @property
    def n_unlike(self) -> int:
        """Games that are unlike a person at the level."""
        return sum(map(self.is_unlike, self.audits))

    @property
    def n_by_chance(self) -> float:
        """Games that would be called so if honest people had played all of them."""
        return self.level * len(self.audits)

    @property
    def players(self) -> list[PlayerAudit]:
        """Players with several games, the smallest p-value first."""
        return players_of(self.audits)

    @property
    def detailed(self) -> list[GameAudit]:
        """The games whose fills are shown."""
        return [audit for audit in self.audits[:DETAILED] if audit.n_moves]

    def is_unlike(self, audit: GameAudit) -> bool:
        """Whether a game is unlike a person at the level."""
        return audit.p_value <= self.level


def report_of(
    audits: Sequence[GameAudit],
    *,
    level: float,
    model_id: str,
    problems: Sequence[str] = (),
    sources: Sequence[str] = (),
) -> AuditReport:
    """The report of an audit that was made today."""
    return AuditReport(
        tuple(sorted(audits, key=lambda audit: audit.p_value)),
        level,
        model_id,
        tuple(problems),
        tuple(sources),
        datetime.date.today(),
    )


def players_of(audits: Sequence[GameAudit]) -> list[PlayerAudit]:
    """Players with several games, the smallest p-value first."""
    games: dict[str, list[float]] = {}
    for audit in audits:
        if audit.game.player and audit.n_moves:
            games.setdefault(audit.game.player, []).append(audit.p_value)
    found = [
        PlayerAudit(player, len(values), combined_p_value(values))
        for player, values in games.items()
        if len(values) > 1
    ]
    return sorted(found, key=lambda item: item.p_value)


def fills_of(audit: GameAudit) -> Fills:
    """The fills of a game beside what the model of people expects."""
    game, n = audit.game, audit.n_moves
    return Fills(
        np.arange(1.0, n + 1).tolist(),
        audit.reading.expected[game.cells[:n]].tolist(),
        np.maximum(delays_of(game)[:n], LEAST_SECONDS).tolist(),
        np.exp(audit.reading.timing[:n]).tolist(),
    )

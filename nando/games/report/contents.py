"""What an audit of many games has to say: what a report shows, and nothing of its look."""

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nando.games.evidence.standards import name_of
from nando.games.evidence.verdicts import GameAudit, PlayerAudit, players_of
from nando.games.said import Said, figure, said

DETAILED = 30
"""Games whose fills are told one by one, those with the strongest evidence."""

_LEAST_SECONDS = 0.05


class Fills(NamedTuple):
    """The fills of a game that were judged, in the order in which they were made.

    Attributes
    ----------
    number : list of float
        From 1.
    at_work : list of float
        Chance that a program was at work.
    timed : list of float
        Numbers of the fills whose delays are known.
    seconds, typical_seconds : list of float
        Of these: taken, and what a person of this player's pace takes.
    """

    number: list[float]
    at_work: list[float]
    timed: list[float]
    seconds: list[float]
    typical_seconds: list[float]


@dataclass(frozen=True)
class AuditReport:
    """An audit of many games.

    Attributes
    ----------
    audits : tuple of GameAudit
        The strongest evidence first.
    level : float
        Wanted share of honest games among those that are called unlike a person.
    model_id : str
    problems : tuple of str
        What of the logs could not be read.
    sources : tuple of str
        Names of the logs.
    notes : tuple of str
        What is odd about the logs and was mended.
    date : datetime.date
    """

    audits: tuple[GameAudit, ...]
    level: float
    model_id: str
    problems: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    date: datetime.date = datetime.date.min

    @property
    def n_unlike(self) -> int:
        """Games that are unlike a person at the level."""
        return sum(audit.unlike for audit in self.audits)

    @property
    def standards(self) -> list[Said]:
        """What verdicts rest on, and for how many games."""
        counts = Counter(name_of(audit.standard) for audit in self.audits if audit.n_moves)
        return [
            said("standard.for_games", standard=standard, n=figure(count, ","))
            for standard, count in counts.most_common()
        ]

    @property
    def players(self) -> list[PlayerAudit]:
        """Players with several games, the strongest evidence first."""
        return players_of(self.audits, level=self.level)

    @property
    def detailed(self) -> list[GameAudit]:
        """The games whose fills are shown."""
        return [audit for audit in self.audits[:DETAILED] if audit.n_moves]


def report_of(
    audits: Sequence[GameAudit],
    *,
    level: float,
    model_id: str,
    problems: Sequence[str] = (),
    sources: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> AuditReport:
    """The report of an audit that was made today."""
    return AuditReport(
        tuple(by_evidence(audits)),
        level,
        model_id,
        tuple(problems),
        tuple(sources),
        tuple(notes),
        datetime.date.today(),
    )


def by_evidence(audits: Sequence[GameAudit]) -> list[GameAudit]:
    """The audits sorted by evidence against a person, the strongest first."""
    return sorted(audits, key=lambda audit: (not audit.n_moves, not audit.unlike, -audit.log_odds))


def fills_of(audit: GameAudit) -> Fills:
    """The fills of a game that was judged."""
    reading = audit.reading
    assert reading is not None
    number = np.arange(1.0, len(audit.game.cells) + 1)
    delays = audit.game.delays
    known = np.isfinite(delays) & (reading.typical is not None)
    typical = delays if reading.typical is None else reading.typical
    return Fills(
        number.tolist(),
        reading.suspects.passages().at_work.tolist(),
        number[known].tolist(),
        np.maximum(delays[known], _LEAST_SECONDS).tolist(),
        np.maximum(typical[known], _LEAST_SECONDS).tolist(),
    )

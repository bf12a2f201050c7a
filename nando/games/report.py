"""The report of an audit and its self-contained HTML page."""

import datetime
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from nando.drawing.pages import page
from nando.drawing.plot import scatter
from nando.drawing.shapes import Picture
from nando.games.evidence.standards import name_of
from nando.games.evidence.verdicts import GameAudit, PlayerAudit, players_of
from nando.games.said import Said, figure, said, translated, words_in
from nando.solvers.logic.language import Words

DETAILED = 30
"""Number of games whose fills are listed, those with the strongest evidence."""

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
    audits : sequence of GameAudit
        The strongest evidence first.
    level : float
        Wanted share of honest games among those that are called unlike a person.
    model_id : str
    problems : sequence of str
        What of the logs could not be read.
    sources : sequence of str
        Names of the logs.
    notes : sequence of str
        What is odd about the logs and was mended.
    date : datetime.date
        When the audit was made.
    """

    audits: Sequence[GameAudit]
    level: float
    model_id: str
    problems: Sequence[str] = ()
    sources: Sequence[str] = ()
    notes: Sequence[str] = ()
    date: datetime.date = field(default_factory=datetime.date.today)

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


def by_evidence(audits: Sequence[GameAudit]) -> list[GameAudit]:
    """Return the audits sorted by evidence against a person, the strongest first."""
    return sorted(audits, key=lambda audit: (not audit.n_moves, not audit.unlike, -audit.log_odds))


def fills_of(audit: GameAudit) -> Fills:
    """Return the fills of a game that was judged."""
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


# ---------------------------------------------------------------- the page

_CHANCES = (0.0, 0.5, 1.0)
_SECONDS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Where the axes of plots may have ticks."""
_TENS = (0.1, 1, 10, 100)
_MOST_TICKS = 6


class Plots(NamedTuple):
    """The fills of a game: where a program was at work, and their times where they are known."""

    at_work: Picture
    times: Picture | None


def audit_html(
    audits: Sequence[GameAudit],
    *,
    level: float,
    model_id: str,
    problems: Sequence[str] = (),
    sources: Sequence[str] = (),
    notes: Sequence[str] = (),
    language: str = "en",
) -> str:
    """Return a report on audited games.

    Parameters
    ----------
    audits : sequence of GameAudit
    level : float
        Wanted share of honest games among those that are called unlike a person.
    model_id : str
    problems : sequence of str
        What of the logs could not be read.
    sources : sequence of str
        Names of the logs.
    notes : sequence of str
        What is odd about the logs and was mended.
    language : str
        "en" or "de".

    Raises
    ------
    ValueError
        For an unknown language.
    """
    words = words_in(language)
    report = AuditReport(by_evidence(audits), level, model_id, problems, sources, notes)
    details = [(audit, plots_of(audit, words)) for audit in report.detailed]

    def say(key: str, **fields: object) -> str:
        return translated(said(f"report.{key}", **fields), language)

    return "".join(
        page(
            "nando.games",
            "audit.html",
            title=say("title"),
            report=report,
            details=details,
            language=language,
            say=say,
            translated=lambda text: translated(text, language),
            translated_all=lambda texts: "; ".join(translated(text, language) for text in texts),
            figure=figure,
        )
    )


def plots_of(audit: GameAudit, words: Words) -> Plots:
    """Plot the chance that a program was at work, and the actual and typical seconds."""
    fill = words("report.fill")
    fills = fills_of(audit)

    def number(value: float) -> str:
        return translated(figure(value, "g"), words.language)

    at_work = scatter(
        fills.number,
        fills.at_work,
        names=(fill, words("report.at_work")),
        ticks=[(chance, number(chance)) for chance in _CHANCES],
    )
    if not fills.timed:
        return Plots(at_work, None)
    seconds, typical = fills.seconds, fills.typical_seconds
    times = scatter(
        fills.timed,
        [math.log(s) for s in seconds],
        names=(fill, words("report.seconds")),
        ticks=[(math.log(s), number(s)) for s in second_ticks([*seconds, *typical])],
        line=[math.log(s) for s in typical],
        line_name=words("report.typical"),
    )
    return Plots(at_work, times)


def second_ticks(seconds: Sequence[float]) -> list[float]:
    """Return round numbers of seconds within a range; only powers of ten for a wide range.

    Examples
    --------
    >>> second_ticks([0.4, 7.0]), second_ticks([0.05, 600.0])
    ([0.5, 1, 2, 5], [0.1, 1, 10, 100])
    """
    low, high = min(seconds), max(seconds)
    ticks = [tick for tick in _SECONDS if low <= tick <= high]
    return ticks if len(ticks) <= _MOST_TICKS else [tick for tick in ticks if tick in _TENS]

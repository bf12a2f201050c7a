"""The report of an audit and its self-contained HTML page."""

import datetime
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from nando.drawing.pages import page
from nando.drawing.plot import scatter
from nando.drawing.shapes import Picture
from nando.games.evidence.standards import name_of
from nando.games.evidence.verdicts import GameAudit, players_of
from nando.games.said import figure, said, translated, words_in
from nando.solvers.logic.language import Words

DETAILED = 30
"""Number of games whose fills are listed, those with the strongest evidence."""

_LEAST_SECONDS = 0.05


def by_evidence(audits: Sequence[GameAudit]) -> list[GameAudit]:
    """Return the audits sorted by evidence against a person, the strongest first."""
    return sorted(audits, key=lambda audit: (not audit.n_moves, not audit.unlike, -audit.log_odds))


# ---------------------------------------------------------------- the page

_CHANCES = (0.0, 0.5, 1.0)
_SECONDS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Possible ticks on the axes of plots."""
_TENS = (0.1, 1, 10, 100)
_MOST_TICKS = 6


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
    """Return the report of an audit as an HTML page.

    Parameters
    ----------
    audits : sequence of GameAudit
    level : float
        Largest expected share of honest games among those called unlike a person.
    model_id : str
    problems : sequence of str
        The lines or games that could not be read.
    sources : sequence of str
        Names of the logs.
    notes : sequence of str
        Irregularities of the logs that were repaired.
    language : str
        "en" or "de".

    Raises
    ------
    ValueError
        For an unknown language.
    """
    words = words_in(language)
    audits = by_evidence(audits)
    detailed = [audit for audit in audits[:DETAILED] if audit.n_moves]
    standards = Counter(name_of(audit.standard) for audit in audits if audit.n_moves)

    def say(key: str, **fields: object) -> str:
        return translated(said(f"report.{key}", **fields), language)

    return "".join(
        page(
            "nando.games",
            "audit.html",
            title=say("title"),
            audits=audits,
            players=players_of(audits, level=level),
            level=level,
            model_id=model_id,
            problems=problems,
            sources=sources,
            notes=notes,
            standards=[
                said("standard.for_games", standard=standard, n=figure(count, ","))
                for standard, count in standards.most_common()
            ],
            details=[(audit, plots_of(audit, words)) for audit in detailed],
            date=datetime.date.today(),
            language=language,
            say=say,
            translated=lambda text: translated(text, language),
            translated_all=lambda texts: "; ".join(translated(text, language) for text in texts),
            figure=figure,
        )
    )


def plots_of(audit: GameAudit, words: Words) -> list[Picture]:
    """Plot the probability that a program was at work, and the seconds of fills if they are known.

    Actual seconds are points; the seconds of a person of this player's pace are a line.
    """
    reading, fill = audit.reading, words("report.fill")
    assert reading is not None
    number = np.arange(1.0, len(audit.game.cells) + 1)

    def shown(value: float) -> str:
        return translated(figure(value, "g"), words.language)

    at_work = scatter(
        number.tolist(),
        reading.suspects.passages().at_work.tolist(),
        names=(fill, words("report.at_work")),
        ticks=[(chance, shown(chance)) for chance in _CHANCES],
    )
    delays = audit.game.delays
    timed = np.isfinite(delays)
    if reading.typical is None or not timed.any():
        return [at_work]
    seconds, typical = (
        np.maximum(those[timed], _LEAST_SECONDS).tolist() for those in (delays, reading.typical)
    )
    times = scatter(
        number[timed].tolist(),
        [math.log(s) for s in seconds],
        names=(fill, words("report.seconds")),
        ticks=[(math.log(s), shown(s)) for s in second_ticks([*seconds, *typical])],
        line=[math.log(s) for s in typical],
        line_name=words("report.typical"),
    )
    return [at_work, times]


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

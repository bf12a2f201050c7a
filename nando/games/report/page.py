"""The report of an audit as one HTML page without outside parts."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from nando.drawing.pages import page
from nando.drawing.plot import scatter
from nando.drawing.shapes import Picture
from nando.games.evidence.verdicts import GameAudit
from nando.games.report.contents import fills_of, report_of
from nando.games.said import figure, said, told, words_in
from nando.solvers.logic.language import Words

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
    """A report on audited games.

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
        One of :data:`nando.solvers.logic.LANGUAGES`.

    Raises
    ------
    ValueError
        For an unknown language.
    """
    words = words_in(language)
    report = report_of(
        audits, level=level, model_id=model_id, problems=problems, sources=sources, notes=notes
    )
    details = [(audit, plots_of(audit, words)) for audit in report.detailed]

    def say(key: str, **fields: object) -> str:
        return told(said(f"report.{key}", **fields), language)

    return "".join(
        page(
            "nando.games",
            "audit.html",
            title=say("title"),
            report=report,
            details=details,
            language=language,
            say=say,
            told=lambda text: told(text, language),
            told_all=lambda texts: "; ".join(told(text, language) for text in texts),
            figure=figure,
        )
    )


def plots_of(audit: GameAudit, words: Words) -> Plots:
    """The chance that a program was at work, and seconds beside the typical ones."""
    fill = words("report.fill")
    fills = fills_of(audit)

    def number(value: float) -> str:
        return told(figure(value, "g"), words.language)

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
    """Round numbers of seconds within a range; powers of ten alone where it is wide.

    Examples
    --------
    >>> second_ticks([0.4, 7.0]), second_ticks([0.05, 600.0])
    ([0.5, 1, 2, 5], [0.1, 1, 10, 100])
    """
    low, high = min(seconds), max(seconds)
    ticks = [tick for tick in _SECONDS if low <= tick <= high]
    return ticks if len(ticks) <= _MOST_TICKS else [tick for tick in ticks if tick in _TENS]

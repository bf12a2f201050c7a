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
    fill, at_work_named = words("report.fill"), words("report.at_work")
    fills = fills_of(audit)
    at_work = scatter(
        fills.number,
        fills.at_work,
        names=(fill, at_work_named),
        ends=(f"{min(fills.at_work):.2g}", f"{max(fills.at_work):.2g}"),
    )
    if not fills.timed:
        return Plots(at_work, None)
    logs = [[math.log10(s) for s in row] for row in (fills.seconds, fills.typical_seconds)]
    low, high = min(map(min, logs)), max(map(max, logs))
    times = scatter(
        fills.timed,
        logs[0],
        names=(fill, words("report.seconds")),
        ends=(f"{10**low:.3g}", f"{10**high:.3g}"),
        line=logs[1],
    )
    return Plots(at_work, times)

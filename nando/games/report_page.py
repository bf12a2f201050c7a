"""The report of an audit as one HTML page without outside parts."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from nando.drawing.pages import page
from nando.drawing.plot import scatter
from nando.drawing.shapes import Picture
from nando.games.audit import GameAudit
from nando.games.report import fills_of, report_of


class Plots(NamedTuple):
    """The fills of a game: their order, and their times."""

    order: Picture
    times: Picture


def audit_html(
    audits: Sequence[GameAudit],
    *,
    level: float,
    model_id: str,
    problems: Sequence[str] = (),
    sources: Sequence[str] = (),
) -> str:
    """A report on audited games.

    Parameters
    ----------
    audits : sequence of GameAudit
    level : float
        Share of honest games that are called unlike a person.
    model_id : str
    problems : sequence of str
        What of the logs could not be read.
    sources : sequence of str
        Names of the logs.
    """
    report = report_of(audits, level=level, model_id=model_id, problems=problems, sources=sources)
    details = [(audit, plots_of(audit)) for audit in report.detailed]
    return "".join(page("nando.games", "audit.html", title="Audit", report=report, details=details))


def plots_of(audit: GameAudit) -> Plots:
    """Ranks beside the expected ones, and seconds beside the predicted ones."""
    fills = fills_of(audit)
    logs = [[math.log10(s) for s in row] for row in (fills.seconds, fills.predicted_seconds)]
    low, high = min(map(min, logs)), max(map(max, logs))
    return Plots(
        scatter(
            fills.expected_rank,
            fills.number,
            names=("rank expected", "rank"),
            ends=(f"{fills.number[0]:.0f}", f"{fills.number[-1]:.0f}"),
        ),
        scatter(
            fills.number,
            logs[0],
            names=("fill", "seconds"),
            ends=(f"{10**low:.3g}", f"{10**high:.3g}"),
            line=logs[1],
        ),
    )

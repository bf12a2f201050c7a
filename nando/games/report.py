"""The report of an audit and its self-contained HTML page."""

import datetime
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from nando.arrays import Floats
from nando.drawing.pages import page, scatter
from nando.drawing.shapes import Picture
from nando.games.evidence.program import ENTERED, STEPS
from nando.games.evidence.standards import name_of
from nando.games.evidence.verdicts import GameAudit, players_of
from nando.games.said import figure, said, translated, words_in
from nando.solvers.logic.language import Words

DETAILED = 30
"""Number of games whose fills are listed, those with the strongest evidence."""

_LEAST_SECONDS = 0.05


def by_evidence(audits: Sequence[GameAudit]) -> list[GameAudit]:
    """Return the accused games first, then those entered from a solution, then by evidence."""

    def place(audit: GameAudit) -> tuple[bool, bool, bool, float]:
        entered = audit.finding.is_entered
        odds = audit.entered_odds if entered else audit.log_odds
        return not audit.n_moves, not audit.finding.accuses, not entered, -odds

    return sorted(audits, key=place)


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
    on_screen: bool = False,
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
    on_screen : bool
        Whether the rules say that puzzles are solved on the screen.
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
            players=players_of(audits, level=level, on_screen=on_screen),
            on_screen=on_screen,
            n_entered=sum(audit.finding.is_entered for audit in audits),
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


def plots_of(audit: GameAudit, words: Words) -> list[tuple[str, Picture]]:
    """Plot the probability of what was found at each fill, and the seconds if they are known.

    Each plot follows its description. Actual seconds are points; the seconds of a person of this
    player's pace are a line.
    """
    reading, fill = audit.reading, words("report.fill")
    assert reading is not None
    entered = audit.finding.is_entered
    claim, name = (ENTERED, "report.is_entered") if entered else (STEPS, "report.at_work")
    number = np.arange(1.0, len(audit.game.cells) + 1)

    def shown(value: float) -> str:
        return translated(figure(value, "g"), words.language)

    def described(template: str, name: str, values: Floats) -> str:
        ends = {"low": values.min(), "middle": np.median(values), "high": values.max()}
        fields = {end: shown(float(f"{value:.2g}")) for end, value in ends.items()}
        return words(f"report.{template}", name=words(name), **fields)

    chances = reading.suspects.passages(claim).at_work
    at_work = scatter(
        number.tolist(),
        chances.tolist(),
        names=(fill, words(name)),
        ticks=[(chance, shown(chance)) for chance in _CHANCES],
    )
    plots = [(described("plot", name, chances), at_work)]
    delays = audit.game.delays
    timed = np.isfinite(delays)
    if reading.typical is None or not timed.any():
        return plots
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
    title = "; ".join(
        (
            described("plot", "report.seconds", delays[timed]),
            described("plot_typical", "report.typical", reading.typical[timed]),
        )
    )
    return [*plots, (title, times)]


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

"""The report of an audit, as rows of tables, as sentences and as a self-contained HTML page."""

import datetime
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from nando.arrays import Floats
from nando.drawing.pages import page, scatter
from nando.drawing.shapes import Picture
from nando.games.audit import Auditor
from nando.games.evidence.reading import ENTERED, STEPS
from nando.games.evidence.results import ResultAudit
from nando.games.evidence.verdicts import (
    Finding,
    GameAudit,
    PlayerAudit,
    name_of,
    notes_on_kinds,
    players_of,
)
from nando.games.game import Game
from nando.games.log import GameLog
from nando.games.said import Said, figure, join, say, translate, words_in
from nando.solvers.logic.language import Words

DETAILED = 30
"""Number of games whose fills are listed, those with the strongest evidence."""

_LEAST_SECONDS = 0.05

_OF_PLAYER = ("games", "finding", "log10_odds", "entered_log10_odds", "verdict")
"""Columns of a player's audit that the rows of the games have, too."""


@dataclass(frozen=True)
class AuditReport:
    """The report of an audit of some logs.

    Attributes
    ----------
    found : sequence of GameAudit
        In the order of the logs.
    level : float
        Largest expected share of honest games among those called unlike a person.
    model_id : str
    on_screen : bool
        Whether the rules say that puzzles are solved on the screen.
    problems : sequence of str
        The lines or games that could not be read.
    notes : sequence of str
        Irregularities of the logs that were repaired, and kinds that are judged by the order.
    sources : sequence of str
        Names of the logs.
    files : sequence of str
        Name of the log of each game; may be empty.
    """

    found: Sequence[GameAudit]
    level: float = 0.01
    model_id: str = ""
    on_screen: bool = False
    problems: Sequence[str] = ()
    notes: Sequence[str] = ()
    sources: Sequence[str] = ()
    files: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        logs: Sequence[tuple[str, GameLog]],
        auditor: Auditor,
        *,
        level: float = 0.01,
        history: Sequence[tuple[str, GameLog]] = (),
        on_screen: bool = False,
        n_jobs: int | None = None,
    ) -> Self:
        """Audit the games of logs together.

        Parameters
        ----------
        logs : sequence of (str, GameLog)
            Logs and their names, which problems and notes begin with unless they are empty.
        auditor : Auditor
        history : sequence of (str, GameLog)
            Logs of earlier honest games of the same players.
        level, on_screen, n_jobs
            As in :meth:`Auditor.audit`, which raises the same errors.
        """
        games = [game for _, log in logs for game in log.games]
        notes = [
            say("note.of_log", log=name, note=note) if name else note
            for name, log in logs
            for note in log.notes
        ]
        return cls(
            auditor.audit(
                games,
                level=level,
                history=[game for _, log in history for game in log.games],
                on_screen=on_screen,
                n_jobs=n_jobs,
            ),
            level,
            auditor.models_of(games),
            on_screen,
            problems_of([*logs, *history]),
            [*notes, *notes_on_kinds(games), *_notes_on_players(games)],
            [name for name, _ in logs if name],
            [name for name, log in logs for _ in log.games],
        )

    @cached_property
    def audits(self) -> list[GameAudit]:
        """The accused games, then those entered from a solution, then the others by evidence."""
        return sorted(self.found, key=_place)

    @cached_property
    def players(self) -> list[PlayerAudit]:
        """The players with several games, the strongest evidence first."""
        return players_of(self.found, level=self.level, on_screen=self.on_screen)

    def rows(self, language: str = "en") -> list[dict[str, Any]]:
        """Return a row for each game, with what is known of its player, sentences in a language.

        The strongest evidence comes first.
        """
        players = {player.player: player.row(language) for player in self.players}
        files = {id(audit): file for audit, file in zip(self.found, self.files, strict=False)}
        rows = []
        for audit in self.audits:
            player = players.get(audit.game.player, {})
            of_player = {f"player_{name}": player.get(name) for name in _OF_PLAYER}
            rows.append({**audit.row(language), **of_player, "file": files.get(id(audit), "")})
        return rows

    def tables(self, language: str = "en") -> dict[str, Any]:
        """Return the rows of players and of games, and the notes, in a language."""
        return {
            "players": [player.row(language) for player in self.players],
            "games": [audit.row(language) for audit in self.audits],
            "notes": [translate(note, language) for note in self.notes],
        }

    def page(self, language: str = "en") -> str:
        """Return the report as an HTML page in a language of pages.

        Raises
        ------
        ValueError
            For an unknown language.
        """
        words = words_in(language)
        detailed = [audit for audit in self.audits[:DETAILED] if audit.n_moves]
        standards = Counter(name_of(audit.standard) for audit in self.audits if audit.n_moves)

        def speak(key: str, **fields: object) -> str:
            return translate(say(f"report.{key}", **fields), language)

        return "".join(
            page(
                "nando.games",
                "audit.html",
                title=speak("title"),
                report=self,
                n_entered=sum(audit.finding.is_entered for audit in self.audits),
                standards=[
                    say("standard.for_games", standard=standard, n=figure(count, ","))
                    for standard, count in standards.most_common()
                ],
                details=[(audit, plots_of(audit, words)) for audit in detailed],
                date=datetime.date.today(),
                language=language,
                say=speak,
                translated=lambda text: translate(text, language),
                translated_all=lambda texts: join(texts, language),
                figure=figure,
            )
        )


def problems_of(logs: Sequence[tuple[str, GameLog]]) -> list[str]:
    """Return the lines and games of logs that could not be read, after the names of their logs."""
    return [f"{name}: {text}" if name else text for name, log in logs for text in log.problems]


def _place(audit: GameAudit) -> tuple[bool, bool, bool, float]:
    """Return the place of a game among others by its evidence."""
    entered = audit.finding.is_entered
    odds = audit.entered_odds if entered else audit.log_odds
    return not audit.n_moves, not audit.finding.accuses, not entered, -odds


def _notes_on_players(games: Sequence[Game]) -> list[Said]:
    """Return a note if all games are of one player, who cannot be compared with others."""
    one = len({game.player for game in games if game.player}) == 1
    return [say("note.one_player")] if one else []


def summary(
    audits: Sequence[GameAudit] | Sequence[ResultAudit], level: float, table: str = "summary"
) -> Iterator[Said]:
    """Yield what was found and what to do next, in sentences of a table for an organiser."""
    counts = Counter(audit.finding for audit in audits)
    everything = figure(len(audits), ",")
    if counts[Finding.UNLIKE]:
        unlike = figure(counts[Finding.UNLIKE], ",")
        yield say(f"{table}.games", n=unlike, all=everything, level=figure(level, "g"))
    else:
        yield say(f"{table}.none", all=everything)
    for finding, key in ((Finding.ENTERED, "entered"), (Finding.OFF_SCREEN, "off_screen")):
        if counts[finding]:
            yield say(f"{table}.{key}", n=figure(counts[finding], ","), all=everything)


# ---------------------------------------------------------------- plots

_CHANCES = (0.0, 0.5, 1.0)
_SECONDS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Possible ticks on the axes of plots."""
_TENS = (0.1, 1, 10, 100)
_MOST_TICKS = 6


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
        return translate(figure(value, "g"), words.language)

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

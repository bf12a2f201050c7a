"""The command `audit`."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import typer

from nando import games
from nando.checks import how_many, one_of
from nando.cli.options import Format, Jobs, ModelFile, output_option
from nando.cli.output import Destination, Layout, Shown, columns_of, wrap
from nando.cli.progress import STEPS, announce_compiling, progress
from nando.cli.reading import report_games
from nando.records import setting

_PLAYERS = 20
"""Most players to print, the least like a person first."""

_VERDICT = (Shown("verdict", -40, "verdict"), Shown("evidence and notes", 0, "remarks"))
_PLAYER, _P_VALUE = Shown("player", -12, "player"), Shown("p_value", 8, "p_value")
_ODDS = Shown("odds", 6, "odds_shown")

_SHOWN = {
    "audit": (Shown("game", -8, "game"), _PLAYER, _P_VALUE, _ODDS, *_VERDICT),
    "audit_players": (
        _PLAYER,
        Shown("games", 6, "games"),
        _P_VALUE,
        _ODDS,
        Shown("verdict", 0, "verdict"),
    ),
    "audit_results": (_PLAYER, Shown("results", 7, "results"), _P_VALUE, *_VERDICT),
}
"""The columns that people see, by the schema of the table."""


def audit(
    logs: list[str] = typer.Argument(
        metavar="LOG",
        help="Logs of games, or folders of them: .csv, .json, .jsonl, .replay, .tsv; or tables "
        "of results.",
    ),
    output: Path | None = output_option(
        "Write to this file: .html for a report with plots, or .csv .json .jsonl .parquet .txt."
    ),
    form: Literal[Format, "html"] | None = typer.Option(
        None, "--format", "-f", help="Format of the output; default: table."
    ),
    by: Literal["game", "player"] = setting(
        "game", about="A row for each game, or for each player with several games."
    ),
    model: ModelFile = None,
    level: float = setting(
        0.01, about="Largest expected share of honest games among those called unlike a person."
    ),
    history: Path | None = setting(
        None, about="Log of earlier, honest games of the same players.", metavar="LOG"
    ),
    on_screen: bool = setting(
        False,
        about="The rules say that puzzles are solved on the screen, not on paper.",
        named="on-screen/--no-on-screen",
    ),
    language: str = setting("en", about="Language of verdicts and evidence: en or de."),
    jobs: Jobs = None,
) -> int:
    """Tell from move logs or results whether games look human, at a stated error rate."""
    from nando.games.results import are_results
    from nando.solvers.logic.language import PAGE_LANGUAGES

    one_of("--language", language, PAGE_LANGUAGES)
    if any(map(are_results, logs)):
        if model is not None or history is not None or form == "html":
            raise ValueError("a table of results has neither --model, --history nor a page of HTML")
        return _audit_results(logs, Destination(output, form), level, language, jobs, on_screen)
    paged = form == "html" or (
        form is None and output is not None and output.suffix.lower() in (".html", ".htm")
    )
    destination = Destination(output, None if form == "html" else form)
    for_people = paged or destination.is_for_people
    if paged and by == "player":
        raise ValueError("an HTML report always has players and games: leave out --by")
    from nando.games.report import AuditReport, problems_of, summary
    from nando.games.said import say_counted

    auditor = games.load_auditor(model)
    named = [(log, games.read_games(log)) for log in logs]
    earlier = [] if history is None else [(str(history), games.read_games(history))]
    n_games = sum(len(log.games) for _, log in named)
    if not n_games:
        report_games(problems_of(named))
        raise ValueError(f"no games found in {', '.join(logs)}")
    announce_compiling(*STEPS, "fills", "alike")
    doing = f"auditing {how_many(n_games, 'game')}"
    with progress(doing, to_file=True, unit="", stages=True):
        report = AuditReport.of(
            named,
            auditor,
            level=level,
            history=earlier,
            on_screen=on_screen,
            n_jobs=jobs,
        )
    if paged:
        _write_page(report.page(language), destination.file)
    elif by == "player":
        _write(destination, "audit_players", [one.row(language) for one in report.players])
    else:
        if for_people:
            # A player's verdict rests on all games: it is the one to see first.
            shown = report.players[:_PLAYERS]
            _print_lines(
                (
                    say_counted(
                        "summary.player", one.n_games, player=one.player, verdict=one.verdict
                    )
                    for one in shown
                ),
                language,
            )
        _write(destination, "audit", report.rows(language))
    _print_lines([*(summary(report.found, level) if for_people else ()), *report.notes], language)
    return report_games(report.problems)


def _audit_results(
    tables: Sequence[str],
    destination: Destination,
    level: float,
    language: str,
    jobs: int | None,
    on_screen: bool,
) -> int:
    """Judge players by tables of results, joined if there are several."""
    from nando.games.report import summary
    from nando.games.said import say

    log = games.ResultLog()
    for table in tables:
        log.join(games.read_results(table), table if len(tables) > 1 else "")
    if not log.left_out and not log.results:
        report_games(log.problems)
        raise ValueError(f"no results found in {', '.join(tables)}")
    announce_compiling()
    doing = f"auditing {how_many(len(log.results), 'result')}"
    with progress(doing, to_file=True, unit="", stages=True):
        audits = games.audit_results(log, level=level, on_screen=on_screen, n_jobs=jobs)
    _write(destination, "audit_results", [audit.row(language) for audit in audits])
    if destination.is_for_people:
        _print_lines([*summary(audits, level, "results"), say("results.limits")], language)
    return report_games(log.problems)


def _write(destination: Destination, schema: str, rows: list[dict[str, Any]]) -> None:
    """Write the rows of a table, with further columns for those who read it on a terminal."""
    for row in rows:
        row["odds_shown"] = f"{row.get('log10_odds', 0.0):.1f}"
        row["remarks"] = "; ".join(filter(None, (row.get("evidence"), row.get("notes"))))
    destination.write(Layout(columns_of(schema), _SHOWN[schema]), rows)


def _write_page(page: str, output: Path | None) -> None:
    from nando.writing import replace_text

    if output is None:
        sys.stdout.write(page)
        return
    with replace_text(output) as text:
        text.write(page)


def _print_lines(lines: Iterable[str], language: str) -> None:
    from nando.games.said import translate

    shown = "\n".join(translate(line, language) for line in lines)
    if shown:
        print(wrap(shown, sys.stderr, indent=4), file=sys.stderr)

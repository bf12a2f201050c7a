"""The command `audit`."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from nando.cli.games import report_games
from nando.cli.options import Jobs, Model, output_option
from nando.cli.output import Destination, Format
from nando.cli.progress import announce_compiling, progress
from nando.cli.table import Shown, fitted
from nando.cli.writers import Layout

if TYPE_CHECKING:
    from nando.games.evidence.verdicts import GameAudit
    from nando.games.game import Game

_PLAYERS = 20
"""Players of whom a line is told, the least like a person first."""

_LAYOUT = Layout(
    {
        "game": str,
        "puzzle": str,
        "p_value": float,
        "order_score": float,
        "timing_score": float,
        "verdict": str,
        "log10_odds": float,
        "standard": str,
        "evidence": str,
        "player": str,
        "moves": int,
        "weighty_moves": str,
        "notes": str,
        "file": str,
    },
    (
        Shown("game", -8, "game"),
        Shown("player", -12, "player"),
        Shown("p_value", 8, "p_value"),
        Shown("odds", 6, "odds_shown"),
        Shown("verdict", -40, "verdict"),
        Shown("evidence and notes", 0, "remarks"),
    ),
)


class AuditFormat(StrEnum):
    """Form of an audit."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"
    HTML = "html"


def audit(
    logs: Annotated[
        list[str],
        typer.Argument(metavar="LOG", help="Logs of games: .csv, .json, .jsonl, .tsv."),
    ],
    output: Annotated[
        Path | None,
        output_option(
            "Write to this file: .html for a report with plots, or .csv .json .jsonl .parquet .txt."
        ),
    ] = None,
    form: Annotated[
        AuditFormat | None,
        typer.Option("--format", "-f", help="Format of the output; default: table."),
    ] = None,
    model: Model = None,
    level: Annotated[
        float,
        typer.Option(
            help="Largest expected share of honest games among those called unlike a person."
        ),
    ] = 0.01,
    history: Annotated[
        Path | None,
        typer.Option(
            metavar="LOG",
            help="Log of earlier, honest games of the same players.",
        ),
    ] = None,
    language: Annotated[
        str, typer.Option(help="Language of verdicts and evidence: en or de.")
    ] = "en",
    jobs: Jobs = None,
) -> int:
    """Tell from move logs whether games look human, at a stated error rate."""
    paged = form is AuditFormat.HTML or (
        form is None and output is not None and output.suffix.lower() in (".html", ".htm")
    )
    destination = Destination(output, None if form is None or paged else Format(form.value))
    for_people = paged or destination.is_for_people
    from nando.games.audit import load_auditor
    from nando.games.log import read_games
    from nando.games.report import by_evidence
    from nando.solvers.logic.language import LANGUAGES

    if language not in LANGUAGES:
        raise ValueError(f"--language must be one of {', '.join(LANGUAGES)}, got {language!r}")
    auditor = load_auditor(model)
    read = _read_logs(logs, auditor.population.kind)
    if not read.games:
        report_games(read.problems)
        raise ValueError(f"no games found in {', '.join(logs)}")
    earlier: list[Game] = []
    if history is not None:
        log = read_games(history)
        earlier = log.games
        read.problems.extend(f"{history}: {problem}" for problem in log.problems)
    announce_compiling()
    told = f"auditing {len(read.games):,} games"
    with progress(told, to_file=True, what="", stages=True):
        audits = auditor.audit(read.games, level=level, history=earlier, n_jobs=jobs)
    notes = [*read.notes, *_on_players(read.games)]
    if paged:
        from nando.games.report import audit_html

        page = audit_html(
            audits,
            level=level,
            model_id=auditor.model_id,
            problems=read.problems,
            sources=logs,
            notes=notes,
            language=language,
        )
        _write_page(page, destination.file)
    else:
        files = {id(found): file for found, file in zip(audits, read.files, strict=True)}
        rows = [found.row(language) | {"file": files[id(found)]} for found in by_evidence(audits)]
        for row in rows:
            row["odds_shown"] = f"{row['log10_odds']:.1f}"
            row["remarks"] = "; ".join(filter(None, (row["evidence"], row["notes"])))
        destination.write(_LAYOUT, rows)
    if for_people:
        _tell(audits, level, notes, language)
    return report_games(read.problems)


class _Logs(NamedTuple):
    """Games of all logs, the log of each, what could not be read, and what was mended."""

    games: list["Game"]
    files: list[str]
    problems: list[str]
    notes: list[str]


def _read_logs(logs: list[str], kind: str) -> _Logs:
    """Return the games of one kind of puzzle in all logs, as far as they can be read."""
    from nando.games.log import read_games
    from nando.games.said import said

    found = _Logs([], [], [], [])
    for log in logs:
        read = read_games(log)
        judged = [game for game in read.games if game.puzzle.kind == kind]
        found.games.extend(judged)
        found.files.extend([log] * len(judged))
        found.problems.extend(f"{log}: {problem}" for problem in read.problems)
        found.problems.extend(
            f"{log}: game {game.name}: {game.puzzle.kind} games are not judged, only {kind}"
            for game in read.games
            if game.puzzle.kind != kind
        )
        found.notes.extend(said("note.of_log", log=log, note=note) for note in read.notes)
    return found


def _on_players(games: list["Game"]) -> list[str]:
    """Return a sentence where there is no field."""
    if len({game.player for game in games if game.player}) != 1:
        return []
    from nando.games.said import said

    return [said("note.one_player")]


def _write_page(page: str, output: Path | None) -> None:
    from nando.puzzles.writing import packed_text
    from nando.writing import replaced_file

    if output is None:
        sys.stdout.write(page)
        return
    with replaced_file(output) as file, packed_text(file, output) as text:
        text.write(page)


def _tell(audits: list["GameAudit"], level: float, notes: list[str], language: str) -> None:
    from nando.games.evidence.verdicts import players_of
    from nando.games.said import figure, said, told

    unlike = sum(found.unlike for found in audits)
    summary = said(
        "summary.games",
        n=figure(unlike, ","),
        all=figure(len(audits), ","),
        level=figure(level, "g"),
    )
    players = [
        said(
            "summary.player",
            player=player.player,
            n=player.n_games,
            odds=figure(player.log10_odds, ".1f"),
            verdict=player.verdict,
        )
        for player in players_of(audits, level=level)[:_PLAYERS]
    ]
    lines = [told(line, language) for line in (summary, *notes)]
    lines += [f"  {told(player, language)}" for player in players]
    print(fitted("\n".join(lines), sys.stderr, indent=4), file=sys.stderr)

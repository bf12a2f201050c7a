"""The command `audit`."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nando.cli.games import report_games
from nando.cli.options import Jobs, Model, output_option
from nando.cli.output import Destination, Format
from nando.cli.progress import announce_compiling
from nando.cli.table import Shown
from nando.cli.writers import Layout

if TYPE_CHECKING:
    from nando.games.audit import GameAudit
    from nando.games.log import Game

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
        Shown("order", 6, "order_shown"),
        Shown("timing", 6, "timing_shown"),
        Shown("verdict", -40, "verdict"),
        Shown("notes", 0, "notes"),
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
            "Write here; .html is a report with plots, or .csv .json .jsonl .parquet .txt."
        ),
    ] = None,
    form: Annotated[
        AuditFormat | None,
        typer.Option("--format", "-f", help="Form of the output.", show_default="table"),
    ] = None,
    model: Model = None,
    level: Annotated[
        float, typer.Option(help="Share of honest games that may be called unlike a person.")
    ] = 0.01,
    jobs: Jobs = None,
) -> int:
    """Tell from logs whether games are consistent with a person, at a stated error rate."""
    paged = form is AuditFormat.HTML or (
        form is None and output is not None and output.suffix.lower() in (".html", ".htm")
    )
    destination = Destination(output, None if form is None or paged else Format(form.value))
    for_people = paged or destination.is_for_people
    from nando.games.audit import load_auditor

    auditor = load_auditor(model)
    games, files, problems = _read_logs(logs)
    if not games:
        report_games(problems)
        raise ValueError(f"no games found in {', '.join(logs)}")
    announce_compiling()
    audits = auditor.audit(games, level=level, n_jobs=jobs)
    if paged:
        from nando.games.report_page import audit_html

        page = audit_html(
            audits, level=level, model_id=auditor.model_id, problems=problems, sources=logs
        )
        _write_page(page, destination.file)
    else:
        rows = [found.row() | {"file": file} for found, file in zip(audits, files, strict=True)]
        for row in rows:
            row["order_shown"] = f"{row['order_score']:.1f}"
            row["timing_shown"] = f"{row['timing_score']:.1f}"
        destination.write(_LAYOUT, rows)
    if for_people:
        _tell(audits, level)
    return report_games(problems)


def _read_logs(logs: list[str]) -> tuple[list["Game"], list[str], list[str]]:
    """Games of all logs, the log of each, and what could not be read."""
    from nando.games.log import read_games

    games: list[Game] = []
    files: list[str] = []
    problems: list[str] = []
    for log in logs:
        read = read_games(log)
        games += read.games
        files += [log] * len(read.games)
        problems += [f"{log}: {problem}" for problem in read.problems]
    return games, files, problems


def _write_page(page: str, output: Path | None) -> None:
    from nando.puzzles.writing import packed_text, replaced_file

    if output is None:
        sys.stdout.write(page)
        return
    with replaced_file(output) as file, packed_text(file, output) as text:
        text.write(page)


def _tell(audits: list["GameAudit"], level: float) -> None:
    from nando.games.report import players_of

    unlike = sum(found.p_value <= level for found in audits)
    print(
        f"{unlike:,} of {len(audits):,} games are unlike a person at the level {level:g}; "
        f"{level * len(audits):.1f} are expected by chance",
        file=sys.stderr,
    )
    for player, count, p_value in players_of(audits)[:_PLAYERS]:
        print(f"  {player}: {count} games, combined p-value {p_value:.3g}", file=sys.stderr)

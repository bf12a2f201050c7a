"""Options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from nando.checks import MOST_CORES
from nando.cli.output import Format

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PUZZLE_OR_FILE",
        help="A puzzle or link, or files: lines, grids, CSV, spreadsheets, or files of other "
        "programs; - reads standard input.",
        show_default=False,
    ),
]


def output_option(help: str, metavar: str = "FILE") -> Any:
    """Return the option ``--output``."""
    return typer.Option("--output", "-o", metavar=metavar, readable=False, help=help)


Output = Annotated[
    Path | None,
    output_option(
        "Write to this file: .csv .json .jsonl .parquet .txt; all but .parquet also .gz."
    ),
]
Form = Annotated[
    Format | None,
    typer.Option("--format", "-f", help="Format of the output; default: table."),
]
MadeSeed = Annotated[int, typer.Option(min=0, help="The same seed gives the same puzzles.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")]
Kind = Annotated[
    str | None,
    typer.Option(
        "--kind",
        help="Kind of puzzle: sudoku, nurikabe or variant; default: recognised by the text.",
    ),
]
MadeKind = Annotated[str, typer.Option("--kind", help="Kind of puzzle: sudoku or nurikabe.")]


def _cores(jobs: int | None) -> int | None:
    """Return the number of cores; BadParameter for 0 and absurd numbers."""
    if jobs is not None and (jobs == 0 or abs(jobs) > MOST_CORES):
        raise typer.BadParameter(f"got {jobs}; wanted a number of cores, or -1 for all")
    return jobs


Jobs = Annotated[
    int | None,
    typer.Option(callback=_cores, help="Number of cores; -1 for all. Never changes a result."),
]
Model = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Model file (JSON); default: the shipped one.")
]
Runs = Annotated[
    int | None, typer.Option(min=1, help="Runs of each solver; default: each feature's own number.")
]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the random draws; default: 0.")]
Crowd = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Rate for the players of cloud-sudoku, phone, portal or portal-best; default: "
        "for a typical crowd.",
    ),
]
Player = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Predict for this player, whose earlier games are in --history."
    ),
]
History = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Earlier games: a log, or a CSV with the columns puzzle and seconds, perhaps player.",
    ),
]


class Job(StrEnum):
    """What a model predicts."""

    TIME = "time"
    ORDER = "order"


JobOption = Annotated[
    Job, typer.Option("--job", help="What to predict: solving times, or the order of fills.")
]

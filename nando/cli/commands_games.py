"""Commands on fill orders: order, audit."""

from pathlib import Path
from typing import Annotated

import typer

from nando.cli.options import Form, Jobs, Kind, Model, Seed, output_option
from nando.cli.order import AuditFormat


def order(
    puzzle: Annotated[
        str, typer.Argument(metavar="PUZZLE", help="A puzzle in a line, or a file of puzzles.")
    ],
    output: Annotated[
        Path | None,
        output_option(
            "Write here; .svg and .png are a heat map, .csv .json .parquet have a row a cell."
        ),
    ] = None,
    form: Form = None,
    model: Model = None,
    runs: Annotated[
        int | None, typer.Option(min=1, help="Simulated games.", show_default="200")
    ] = None,
    seed: Seed = None,
    kind: Kind = None,
) -> int:
    """Predict the order in which a person fills the cells: a grid of ranks."""
    from nando.cli import order as _order

    return _order.order(puzzle, kind, output, form, model=model, runs=runs, seed=seed)


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
    from nando.cli import order as _order

    return _order.audit(logs, output, form, model=model, level=level, jobs=jobs)

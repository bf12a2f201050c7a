"""The command `reproduce`."""

from pathlib import Path
from typing import Any, Literal

import typer

from nando import reproduction
from nando.cli.options import Form, Jobs, Resume, output_option
from nando.cli.output import Destination, Layout, Shown, columns_of
from nando.cli.progress import announce_compiling, progress
from nando.records import between, setting

_SHOWN = (
    Shown("experiment", -20, "experiment"),
    Shown("row", -30, "row"),
    Shown("column", -44, "column"),
    Shown("published", 9, "published_shown"),
    Shown("measured", 9, "measured_shown"),
    Shown("verdict", 0, "verdict"),
)
_LISTED = Layout(
    {"experiment": str, "source": str},
    (Shown("experiment", -19, "experiment"), Shown("source", 0, "source")),
)
_FILES = (".csv", ".json", ".jsonl", ".parquet", ".txt", ".gz")


def reproduce(
    names: list[str] | None = typer.Argument(
        None, metavar="EXPERIMENT", show_default=False, help="An experiment, e.g. soto."
    ),
    everything: bool = setting(False, about="Run every experiment.", named="all"),
    listed: bool = setting(False, about="List the experiments.", named="list"),
    output: Path | None = output_option(
        metavar="DIR",
        about="Folder for a report with figures, or a .csv .json .parquet file of the numbers "
        "alone.",
    ),
    form: Form = None,
    effort: Literal["quick", "full"] = setting(
        "quick", about="quick takes minutes in all; full takes hours, with the sizes of the papers."
    ),
    resume: Resume = False,
    jobs: Jobs = None,
    seed: int = setting(0, between(0), about="The same seed gives the same numbers."),
) -> int:
    """Measure the papers' numbers again, with a verdict on each."""
    asked = [
        *(["--all"] if everything else []),
        *(["--list"] if listed else []),
        *(names or [])[:1],
    ]
    if len(asked) > 1:
        raise ValueError(f"{asked[0]} and {asked[1]} contradict each other: leave one out")
    to_file = output is not None and output.suffix.lower() in _FILES
    if output is not None and not to_file and output.is_file():
        raise ValueError(f"{output}: a report needs a folder, and this is a file")
    if resume and (output is None or to_file):
        raise ValueError("--resume needs the folder of the interrupted run: give -o DIR")
    from nando.reproduction.registry import run_experiments

    if listed:
        rows = [
            {"experiment": each.name, "source": each.source} for each in reproduction.EXPERIMENTS
        ]
        Destination(output if to_file else None, form).write(_LISTED, rows)
        return 0
    if not everything and not names:
        known = "\n  ".join(f"{each.name:20} {each.source}" for each in reproduction.EXPERIMENTS)
        raise ValueError(f"name an experiment, or give --all; the experiments are\n  {known}")
    experiments = reproduction.find_experiments(names or [])
    destination = Destination(output if to_file else None, form)
    table, total = destination.is_for_people, len(experiments)
    announce_compiling()
    settings = reproduction.Settings(seed, effort, jobs or 1)
    folder = None if to_file else output
    with (
        destination.open(Layout(columns_of("reproduce"), _SHOWN)) as writer,
        progress("reproduced:", to_file=True, total=total, unit="experiments", stages=True) as done,
    ):
        for result in run_experiments(experiments, settings, folder=folder, resume=resume):
            rows = [cell.as_row(result.name) for cell in result.cells]
            writer.write([row | _show(row) for row in rows] if table else rows)
            if folder is not None:
                _report(folder)
            done(1)
    return 0


def _show(row: dict[str, Any]) -> dict[str, str]:
    return {
        f"{name}_shown": "" if row[name] is None else f"{row[name]:.4g}"
        for name in ("published", "measured")
    }


def _report(folder: Path) -> None:
    """Rewrite the report after each experiment, so that an interrupted run has one."""
    from nando.reproduction.registry import read_results
    from nando.reproduction.report import can_draw, write_report

    write_report(
        reproduction.EXPERIMENTS,
        read_results(reproduction.EXPERIMENTS, folder),
        folder,
        figures=can_draw(),
    )

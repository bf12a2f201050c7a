"""The command `generate`."""

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nando import generators, puzzles
from nando.cli.making import AllWishes, Job, Run, RunOptions
from nando.cli.options import Form, output_option
from nando.cli.output import Destination, Layout, Shown, columns_of
from nando.cli.progress import progress
from nando.generators.wishes import Wishes
from nando.records import setting

if TYPE_CHECKING:
    from nando.making import Maker

_LINES = (".txt", ".sdm")
"""Suffixes of files that hold one puzzle per line and nothing else."""


def generate(
    output: Path | None = output_option(
        "Write here: .csv .json .jsonl .parquet, or .txt .sdm for bare lines."
    ),
    form: Form = None,
    wishes: AllWishes = Wishes(),
    count: int = typer.Option(1, "--count", "-n", help="Number of puzzles."),
    rating: bool | None = setting(
        None,
        about="Rate the new puzzles; default: if a difficulty, model or history is given.",
        named="rating/--no-rating",
    ),
    options: RunOptions = Run(),
) -> int:
    """Make puzzles with exactly one solution, of a difficulty if one is asked for."""
    from nando.checks import whole
    from nando.generators.batch import MOST_PUZZLES, OutOfReachError

    whole("--count", count, 1, MOST_PUZZLES)
    destination = Destination(output, form)
    file = destination.file
    if options.resume and file is None:
        raise ValueError("--resume needs the output file of the interrupted run: give -o FILE")
    as_lines = file is not None and form is None and _suffix(file) in _LINES
    if not as_lines:
        _ = destination.form  # an unknown suffix is an error before puzzles are made
    named = options.model or options.history
    rated = not (named is None and wishes.is_any_difficulty) if rating is None else rating
    run = replace(options, rated=rated)
    job = Job(run.open_maker([(wishes, count)]), wishes, count)
    known = run.known(wishes.puzzle_kind)
    try:
        return _write(job, run, known, destination, as_lines)
    except OutOfReachError as error:
        effort = error.effort
        more = f"{10 * max(effort.drawn, effort.scored)}"
        if effort.is_late and effort.most_seconds:
            more = f"{math.ceil(effort.most_seconds / 6)}min"
        raise ValueError(f"{error}; or try more with --budget {more}") from None


def _write(
    job: Job, run: Run, known: "generators.Known", destination: Destination, as_lines: bool
) -> int:
    """Make and write the puzzles of a job, and return the exit status."""
    maker, wishes, count = job
    layout, file = _layout(maker), destination.file
    if file is None:
        with (
            destination.open(layout) as writer,
            progress("made:", to_file=False, total=count) as advance,
        ):
            for record in maker.make(wishes, range(count), known, **run.bounds()):
                writer.write([_row(record)])
                advance(1)
        return 0
    with run.keep(file, known, [job]) as records:
        if as_lines:
            puzzles.write_puzzles([record.puzzle for record in records], file)
        else:
            destination.write(layout, [_row(record) for record in records])
    return 0


def _layout(maker: "Maker") -> Layout:
    """Return the layout of the records of a maker."""
    names = maker.rater.columns if maker.rater is not None else ()
    rating = (Shown("time", 12, "predicted"), Shown("grade", -8, "grade"))
    shown = (
        Shown("", 4, "number"),
        *(rating if maker.rater is not None else ()),
        Shown("givens", 6, "givens"),
        Shown("puzzle", 0, "puzzle"),
    )
    return Layout(columns_of("generate") | dict.fromkeys(names, float), shown)


def _row(record: "generators.Record") -> dict[str, Any]:
    """Return the row of a record, with additional columns for the table."""
    from nando.rating.result import duration

    row = record.to_dict()
    predicted = record.predicted
    return row | {
        "number": record.index + 1,
        "predicted": "" if predicted is None else duration(predicted),
    }


def _suffix(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix

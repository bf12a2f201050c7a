"""Commands around models and data: fit, evaluate, reproduce, datasets, warmup."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from nando.cli.options import Form, Jobs, MadeKind, Output, Resume, output_option
from nando.cli.reproduce import Effort


class Target(StrEnum):
    """Human times to evaluate on."""

    MEAN_SECONDS = "mean_seconds"
    D_TO = "D_TO"
    BOTH = "both"
    GAME_SECONDS = "game_seconds"
    ALL = "all"


class Job(StrEnum):
    """What a model predicts."""

    TIME = "time"
    ORDER = "order"


JobOption = Annotated[
    Job, typer.Option("--job", help="What is predicted: solving times, or fill orders.")
]


def fit(
    output: Annotated[
        Path,
        output_option("Model file to write, .json."),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV of puzzle, seconds and perhaps players; default: the Cloud Sudoku times. "
            "For --job order a log of honest games; default: Sudoku Insight.",
        ),
    ] = None,
    job: JobOption = Job.TIME,
    jobs: Jobs = None,
    kind: MadeKind = "sudoku",
) -> int:
    """Fit a model to human solving times, or to the order and times of fills."""
    if job is Job.ORDER:
        from nando.cli import order as _order

        return _order.fit(data, output, kind, jobs=jobs)
    from nando.cli import models as _models

    return _models.fit(data, output, kind, jobs=jobs)


def evaluate(
    target: Annotated[Target, typer.Option(help="Human times.")] = Target.MEAN_SECONDS,
    repeats: Annotated[int, typer.Option(min=1, help="Repeats of the cross-validation.")] = 5,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Set every published metric beside the model, with a learning curve and the "
            "ceiling of the noise; -o FILE.svg or .png draws residuals.",
        ),
    ] = False,
    job: JobOption = Job.TIME,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="For --job order: a log of honest games; default: Sudoku Insight."
        ),
    ] = None,
    output: Output = None,
    form: Form = None,
    jobs: Jobs = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the folds.")] = 0,
    kind: MadeKind = "sudoku",
) -> int:
    """Cross-validate the model and its baselines on published human times or move logs."""
    if job is Job.ORDER:
        from nando.cli import order as _order

        if compare:
            raise ValueError("--compare is for times; leave out --job order")
        return _order.evaluate(data, output, form, kind=kind, jobs=jobs, seed=seed)
    if data is not None:
        raise ValueError("--data is for --job order; times are those of published data sets")
    from nando.cli import models as _models

    both = ["mean_seconds", "D_TO"]
    targets = {Target.BOTH: both, Target.ALL: [*both, "game_seconds"]}.get(target, [target.value])
    if kind != "sudoku":
        targets = targets[:1]  # these are the times of Sudoku
    if compare:
        if kind != "sudoku":
            raise ValueError("--compare is for sudoku: the published metrics are of it")
        return _models.compare(targets, output, form, repeats=repeats, seed=seed, jobs=jobs)
    return _models.evaluate(kind, targets, output, form, repeats=repeats, seed=seed)


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="EXPERIMENT", help="Such as soto.", show_default=False),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Run every experiment.")] = False,
    output: Annotated[
        Path | None,
        output_option(
            "Folder for a report with figures; or .csv .json .parquet for the cells alone.", "DIR"
        ),
    ] = None,
    form: Form = None,
    effort: Annotated[
        Effort, typer.Option(help="Minutes in all, or what the papers did in hours.")
    ] = Effort.QUICK,
    resume: Resume = False,
    jobs: Jobs = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same numbers.")] = 0,
) -> int:
    """Measure the numbers of the papers again, with a verdict on each."""
    from nando.cli import reproduce as _reproduce

    return _reproduce.reproduce(
        names,
        output,
        form,
        everything=everything,
        effort=effort,
        resume=resume,
        jobs=jobs,
        seed=seed,
    )


def datasets(
    name: Annotated[str | None, typer.Argument(metavar="NAME", show_default=False)] = None,
    fetch: Annotated[bool, typer.Option("--fetch", help="Download it where absent.")] = False,
    output: Output = None,
    form: Form = None,
) -> int:
    """List the data sets; describe one; download it."""
    from nando.cli import models as _models

    return _models.datasets(name, output, form, fetch=fetch)


def warmup() -> int:
    """Compile the kernels now, so that no later command waits."""
    from nando.cli import warmup as _warmup

    return _warmup.warmup()

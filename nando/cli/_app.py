"""The commands and their options. What they do is imported when one of them runs."""

import functools
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, ParamSpec

import typer

from nando import __version__
from nando.cli._output import Format

P = ParamSpec("P")

app = typer.Typer(
    help="How hard is a puzzle for people? Rate Sudoku in predicted human minutes.",
    epilog="Exit status: 0; 1 where a puzzle was bad; 2 for unusable input; 130 after Ctrl-C.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Target(StrEnum):
    """Human times to evaluate on."""

    MEAN_SECONDS = "mean_seconds"
    D_TO = "D_TO"
    BOTH = "both"


Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE",
        help="Lines, grids, .sdm, .sdk or CSV, also in gzip; - is standard input.",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        readable=False,
        help="Write here; .csv .json .jsonl .parquet or .txt, all but parquet also with .gz.",
    ),
]
Form = Annotated[
    Format | None, typer.Option("--format", "-f", help="Form of the output.", show_default="table")
]
Kind = Annotated[str, typer.Option("--puzzle", help="Kind of puzzle.")]
Jobs = Annotated[
    int | None, typer.Option(help="Threads; -1 for all cores. Never changes a result.")
]
Seed = Annotated[
    int | None, typer.Option(min=0, help="Seed of the solver runs; by default the model's own.")
]


def _guarded(command: Callable[P, int]) -> Callable[P, None]:
    """Turn the status a command returns, and the errors of its user, into an exit status."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            status = command(*args, **kwargs)
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
            status = 130
        except BrokenPipeError:
            # The reader of the pipe has seen enough; nothing is left to be flushed into it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = 0
        except OSError as error:
            place = f"{error.filename}: " if error.filename is not None else ""
            print(f"nando: {place}{error.strerror or error}", file=sys.stderr)
            status = 2
        except ValueError as error:
            print(f"nando: {error}", file=sys.stderr)
            status = 2
        raise typer.Exit(status)

    run.__annotations__ = {**command.__annotations__, "return": None}
    return run


def _version(wanted: bool) -> None:
    if wanted:
        print(f"nando {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    del version


@app.command()
@_guarded
def rate(
    files: Files = None,
    output: Output = None,
    form: Form = None,
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Model JSON; default: the shipped one.")
    ] = None,
    coverage: Annotated[
        float | None, typer.Option(help="Share of times inside the interval, such as 0.8.")
    ] = None,
    jobs: Jobs = None,
    seed: Seed = None,
    kind: Kind = "sudoku",
) -> int:
    """Rate puzzles: predicted time with its interval, grade, percentile, and why."""
    from nando.cli import _puzzles

    return _puzzles.rate(
        files, kind, output, form, model=model, coverage=coverage, jobs=jobs, seed=seed
    )


@app.command()
@_guarded
def solve(
    files: Files = None,
    output: Output = None,
    form: Form = None,
    count: Annotated[
        bool, typer.Option("--count", help="Only count solutions: 0, 1, or 2 for several.")
    ] = False,
    method: Annotated[str, typer.Option(help="Solver, such as exact or refutation.")] = "exact",
    steps: Annotated[
        int | None, typer.Option(min=1, help="Give up a puzzle after so many steps.")
    ] = None,
    seed: Seed = None,
    kind: Kind = "sudoku",
) -> int:
    """Solve puzzles, one solution a line."""
    from nando.cli import _puzzles

    if count:
        return _puzzles.count(files, kind, output, form)
    return _puzzles.solve(files, kind, output, form, method=method, steps=steps, seed=seed)


@app.command()
@_guarded
def features(
    files: Files = None,
    output: Output = None,
    form: Form = None,
    groups: Annotated[
        str | None, typer.Option(metavar="NAME,NAME", help="Feature groups to compute.")
    ] = None,
    runs: Annotated[
        int | None, typer.Option(min=1, help="Runs of each solver; default: each group's own.")
    ] = None,
    jobs: Jobs = None,
    seed: Seed = None,
    kind: Kind = "sudoku",
) -> int:
    """Compute the features that a model rates by."""
    from nando.cli import _puzzles

    names = [name.strip() for name in groups.split(",")] if groups else None
    return _puzzles.features(
        files, kind, output, form, groups=names, runs=runs, jobs=jobs, seed=seed
    )


@app.command()
@_guarded
def fit(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", readable=False, help="Model file to write, .json."
        ),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV of puzzle, seconds and perhaps players; default: the Cloud Sudoku times.",
        ),
    ] = None,
    jobs: Jobs = None,
    kind: Kind = "sudoku",
) -> int:
    """Fit a model to human solving times."""
    from nando.cli import _models

    return _models.fit(data, output, kind, jobs=jobs)


@app.command()
@_guarded
def evaluate(
    target: Annotated[Target, typer.Option(help="Human times.")] = Target.MEAN_SECONDS,
    repeats: Annotated[int, typer.Option(min=1, help="Repeats of the cross-validation.")] = 5,
    output: Output = None,
    form: Form = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the folds.")] = 0,
) -> int:
    """Cross-validate the model and its baselines on the Cloud Sudoku times."""
    from nando.cli import _models

    targets = [target.value] if target is not Target.BOTH else ["mean_seconds", "D_TO"]
    return _models.evaluate(targets, output, form, repeats=repeats, seed=seed)


@app.command()
@_guarded
def datasets(
    name: Annotated[str | None, typer.Argument(metavar="NAME", show_default=False)] = None,
    fetch: Annotated[bool, typer.Option("--fetch", help="Download it where absent.")] = False,
    output: Output = None,
    form: Form = None,
) -> int:
    """List the data sets; describe one; download it."""
    from nando.cli import _models

    return _models.datasets(name, output, form, fetch=fetch)


@app.command()
@_guarded
def warmup() -> int:
    """Compile the kernels now, so that no later command waits."""
    from nando.cli import _models

    return _models.warmup()

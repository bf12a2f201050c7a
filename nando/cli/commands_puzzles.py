"""Commands on puzzles that are there: rate, solve, explain, features, canonical."""

from pathlib import Path
from typing import Annotated

import typer

from nando.cli.options import (
    Files,
    Form,
    Jobs,
    Kind,
    Model,
    Output,
    Resume,
    Runs,
    Seed,
    output_option,
)


def rate(
    files: Files = None,
    output: Output = None,
    form: Form = None,
    model: Model = None,
    coverage: Annotated[
        float | None, typer.Option(help="Share of times inside the interval, such as 0.8.")
    ] = None,
    runs: Runs = None,
    jobs: Jobs = None,
    seed: Seed = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep what was computed here, for runs to come; SQLite, made where absent.",
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Work on the machines of this Dask scheduler."),
    ] = None,
    resume: Resume = False,
    kind: Kind = None,
) -> int:
    """Rate puzzles: predicted time with its interval, grade, percentile, and why."""
    from nando.cli import puzzles as _puzzles

    return _puzzles.rate(
        files,
        kind,
        output,
        form,
        model=model,
        coverage=coverage,
        jobs=jobs,
        seed=seed,
        runs=runs,
        cache=cache,
        cluster=cluster,
        resume=resume,
    )


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
    kind: Kind = None,
) -> int:
    """Solve puzzles, one solution a line."""
    from nando.cli import puzzles as _puzzles

    if count:
        return _puzzles.count(files, kind, output, form, steps=steps)
    return _puzzles.solve(files, kind, output, form, method=method, steps=steps, seed=seed)


def explain(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PUZZLE_OR_FILE",
            help="A puzzle in one line, or files as for rate; - is standard input.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        output_option("Draw into .html .svg or .png, or write .txt .csv .json .jsonl .parquet."),
    ] = None,
    form: Form = None,
    hint: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=3,
            help="Only the next step: 1 where to look, 2 what to see, 3 all of it.",
        ),
    ] = None,
    step: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only step N of the walk.")
    ] = None,
    kind: Kind = None,
) -> int:
    """Explain how a person solves a puzzle: each step with its reason, in words or pictures."""
    from nando.cli import explain as _explain

    return _explain.explain(puzzles, kind, output, form, hint=hint, step=step)


def features(
    files: Files = None,
    output: Output = None,
    form: Form = None,
    groups: Annotated[
        str | None, typer.Option(metavar="NAME,NAME", help="Feature groups to compute.")
    ] = None,
    runs: Runs = None,
    jobs: Jobs = None,
    seed: Seed = None,
    kind: Kind = None,
) -> int:
    """Compute the features that a model rates by."""
    from nando.cli import puzzles as _puzzles

    names = [name.strip() for name in groups.split(",")] if groups else None
    return _puzzles.features(
        files, kind, output, form, groups=names, runs=runs, jobs=jobs, seed=seed
    )


def canonical(
    files: Files = None, output: Output = None, form: Form = None, kind: Kind = None
) -> int:
    """Bring puzzles into their canonical form: the same line for all equivalent ones.

    For 16x16 and 25x25 Sudokus it is not a puzzle but a hash, which all equivalent ones share.
    """
    from nando.cli import puzzles as _puzzles

    return _puzzles.canonical(files, kind, output, form)

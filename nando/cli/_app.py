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
from nando.cli._order import AuditFormat
from nando.cli._output import Format
from nando.cli._reproduce import Effort

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
    GAME_SECONDS = "game_seconds"
    ALL = "all"


class Job(StrEnum):
    """What a model predicts."""

    TIME = "time"
    ORDER = "order"


JobOption = Annotated[
    Job, typer.Option("--job", help="What is predicted: solving times, or fill orders.")
]
Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE",
        help="Lines, grids, .sdm, .sdk, CSV or addresses, also in gzip; - is standard input.",
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
MadeOutput = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        readable=False,
        help="Write here: .csv .json .jsonl .parquet, or .txt .sdm for bare lines.",
    ),
]
Order = Annotated[
    int | None,
    typer.Option(help="Sudoku: 3 (9x9), 4 (16x16) or 5 (25x25).", show_default="3"),
]
SymmetryOption = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        help="Sudoku, of the givens: none, rotational, rotational-90, mirror or diagonal.",
    ),
]
Size = Annotated[
    str | None,
    typer.Option("--size", metavar="WxH", help="Nurikabe: columns and rows.", show_default="10x10"),
]
MeanSize = Annotated[
    float | None, typer.Option(help="Nurikabe: mean size of the islands.", show_default="3")
]
Largest = Annotated[
    int | None,
    typer.Option(help="Nurikabe: cells of the largest island; default: 2.5 times the mean."),
]
Unknown = Annotated[
    int | None, typer.Option(help="Nurikabe: islands whose size is not told, written ?.")
]
MostPerHouse = Annotated[
    int | None,
    typer.Option(help="Most givens in a row, column or box; default: two less than its cells."),
]
Tolerance = Annotated[str, typer.Option(help="How far the predicted time may be off.")]
Exclude = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Puzzles that must not come up, nor equivalent ones."),
]
MadeSeed = Annotated[int, typer.Option(min=0, help="The same seed makes the same puzzles.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with what an interrupted run has finished.")
]
Kind = Annotated[
    str | None,
    typer.Option(
        "--puzzle", help="Kind of puzzle: sudoku or nurikabe.", show_default="known by the text"
    ),
]
MadeKind = Annotated[str, typer.Option("--puzzle", help="Kind of puzzle: sudoku or nurikabe.")]
Jobs = Annotated[
    int | None, typer.Option(help="Threads; -1 for all cores. Never changes a result.")
]
Model = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Model JSON; default: the shipped one.")
]
Runs = Annotated[
    int | None, typer.Option(min=1, help="Runs of each solver; default: each feature's own.")
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
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where an interrupted or killed run ended.")
    ] = False,
    kind: Kind = None,
) -> int:
    """Rate puzzles: predicted time with its interval, grade, percentile, and why."""
    from nando.cli import _puzzles

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
    kind: Kind = None,
) -> int:
    """Solve puzzles, one solution a line."""
    from nando.cli import _puzzles

    if count:
        return _puzzles.count(files, kind, output, form, steps=steps)
    return _puzzles.solve(files, kind, output, form, method=method, steps=steps, seed=seed)


@app.command()
@_guarded
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
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            readable=False,
            help="Draw into .html .svg or .png, or write .txt .csv .json .jsonl .parquet.",
        ),
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
    from nando.cli import _explain

    return _explain.explain(puzzles, kind, output, form, hint=hint, step=step)


@app.command()
@_guarded
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
    from nando.cli import _puzzles

    names = [name.strip() for name in groups.split(",")] if groups else None
    return _puzzles.features(
        files, kind, output, form, groups=names, runs=runs, jobs=jobs, seed=seed
    )


def _nurikabe(
    size: str | None, mean_size: float | None, largest: int | None, unknown: int | None
) -> dict[str, object]:
    """Options of a source of Nurikabe."""
    from nando.cli._arguments import size as size_of

    shape = None if size is None else size_of(size)
    return {"shape": shape, "mean_size": mean_size, "largest": largest, "unknown": unknown}


@app.command()
@_guarded
def generate(
    output: MadeOutput = None,
    form: Form = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Predicted time, such as 8min; Nurikabe: 200points."),
    ] = None,
    grade: Annotated[
        str | None, typer.Option(help="beginner, easy, medium, hard or expert.")
    ] = None,
    percentile: Annotated[
        float | None,
        typer.Option(metavar="0..100", help="Share of the model's puzzles that are faster."),
    ] = None,
    tolerance: Tolerance = "10%",
    count: Annotated[int, typer.Option("--count", "-n", help="Number of puzzles.")] = 1,
    kind: MadeKind = "sudoku",
    order: Order = None,
    symmetry: SymmetryOption = None,
    givens: Annotated[int | None, typer.Option(help="Number of givens.")] = None,
    minimal: Annotated[bool, typer.Option("--minimal", help="No given can be spared.")] = False,
    pattern: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Put givens where this grid has no blank (. 0 _ *)."),
    ] = None,
    most_per_house: MostPerHouse = None,
    size: Size = None,
    mean_size: MeanSize = None,
    largest: Largest = None,
    unknown: Unknown = None,
    exclude: Exclude = None,
    model: Model = None,
    rating: Annotated[
        bool, typer.Option("--rating/--no-rating", help="Rate the puzzles that are made.")
    ] = True,
    seed: MadeSeed = 0,
    jobs: Jobs = None,
    resume: Resume = False,
    budget: Annotated[
        int | None,
        typer.Option(
            min=1, help="Puzzles looked at for each before giving up.", show_default="3000"
        ),
    ] = None,
) -> int:
    """Make puzzles with exactly one solution, at a predicted time if one is asked for."""
    from nando.cli import _generate
    from nando.cli._making import Wanted

    source = {
        "order": order,
        "symmetry": symmetry,
        "givens": givens,
        "minimal": minimal,
        "pattern": None if pattern is None else _generate.pattern_of(pattern),
        "most_per_house": most_per_house,
        **_nurikabe(size, mean_size, largest, unknown),
    }
    return _generate.generate(
        output,
        form,
        kind=kind,
        source=source,
        wanted=Wanted.of(target, grade, percentile, tolerance),
        count=count,
        run=_generate.Run(seed, exclude, model, rating, jobs, resume, budget),
    )


@app.command()
@_guarded
def book(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", readable=False, help="A .pdf or .html file."
        ),
    ],
    grades: Annotated[
        str | None, typer.Option(metavar="NAME:COUNT,...", help="Such as easy:12,hard:12.")
    ] = None,
    targets: Annotated[
        str | None, typer.Option(metavar="TIME:COUNT,...", help="Such as 4min:12,8min:12.")
    ] = None,
    bank: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="Existing puzzles, or a book's manifest."),
    ] = None,
    title: Annotated[str, typer.Option(help="On the title page.")] = "",
    subtitle: Annotated[str, typer.Option(help="Below the title.")] = "",
    page_size: Annotated[str, typer.Option(help="a4, letter or 6x9.")] = "a4",
    per_page: Annotated[int, typer.Option(help="Puzzles a page: 1, 2, 4 or 6.")] = 4,
    hints: Annotated[
        bool, typer.Option("--hints", help="Add a page of cells to begin with.")
    ] = False,
    kind: Annotated[
        str | None,
        typer.Option(
            "--puzzle",
            help="Kind of puzzle: sudoku or nurikabe.",
            show_default="sudoku, or that of the bank",
        ),
    ] = None,
    order: Order = None,
    symmetry: SymmetryOption = None,
    minimal: Annotated[bool, typer.Option("--minimal", help="No given can be spared.")] = False,
    most_per_house: MostPerHouse = None,
    size: Size = None,
    mean_size: MeanSize = None,
    largest: Largest = None,
    unknown: Unknown = None,
    tolerance: Tolerance = "10%",
    exclude: Exclude = None,
    model: Model = None,
    seed: MadeSeed = 0,
    jobs: Jobs = None,
    resume: Resume = False,
) -> int:
    """Print a book of puzzles by grade, with a manifest that makes it again."""
    from nando.cli import _generate

    if kind in (None, "sudoku") and symmetry is None:
        symmetry = "rotational"
    source = {
        "order": order,
        "symmetry": symmetry,
        "minimal": minimal,
        "most_per_house": most_per_house,
        **_nurikabe(size, mean_size, largest, unknown),
    }
    design = {
        "title": title,
        "subtitle": subtitle,
        "page_size": page_size,
        "per_page": per_page,
        "hints": hints,
    }
    return _generate.book(
        output,
        grades=grades,
        targets=targets,
        bank=bank,
        kind=kind,
        source=source,
        tolerance=tolerance,
        run=_generate.Run(seed, exclude, model, True, jobs, resume),
        design=design,
    )


@app.command()
@_guarded
def canonical(
    files: Files = None, output: Output = None, form: Form = None, kind: Kind = None
) -> int:
    """Bring puzzles into their canonical form: the same line for all equivalent ones."""
    from nando.cli import _puzzles

    return _puzzles.canonical(files, kind, output, form)


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
        from nando.cli import _order

        return _order.fit(data, output, kind, jobs=jobs)
    from nando.cli import _models

    return _models.fit(data, output, kind, jobs=jobs)


@app.command()
@_guarded
def order(
    puzzle: Annotated[
        str, typer.Argument(metavar="PUZZLE", help="A puzzle in a line, or a file of puzzles.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            readable=False,
            help="Write here; .svg and .png are a heat map, .csv .json .parquet have a row a cell.",
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
    from nando.cli import _order

    return _order.order(puzzle, kind, output, form, model=model, runs=runs, seed=seed)


@app.command()
@_guarded
def audit(
    logs: Annotated[
        list[str],
        typer.Argument(metavar="LOG", help="Logs of games: .csv, .json, .jsonl, .tsv."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            readable=False,
            help="Write here; .html is a report with plots, or .csv .json .jsonl .parquet .txt.",
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
    from nando.cli import _order

    return _order.audit(logs, output, form, model=model, level=level, jobs=jobs)


@app.command()
@_guarded
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
        from nando.cli import _order

        if compare:
            raise ValueError("--compare is for times; leave out --job order")
        return _order.evaluate(data, output, form, kind=kind, jobs=jobs, seed=seed)
    if data is not None:
        raise ValueError("--data is for --job order; times are those of published data sets")
    from nando.cli import _models

    both = ["mean_seconds", "D_TO"]
    targets = {Target.BOTH: both, Target.ALL: [*both, "game_seconds"]}.get(target, [target.value])
    if kind != "sudoku":
        targets = targets[:1]  # these are the times of Sudoku
    if compare:
        if kind != "sudoku":
            raise ValueError("--compare is for sudoku: the published metrics are of it")
        return _models.compare(targets, output, form, repeats=repeats, seed=seed, jobs=jobs)
    return _models.evaluate(kind, targets, output, form, repeats=repeats, seed=seed)


@app.command()
@_guarded
def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="EXPERIMENT", help="Such as soto.", show_default=False),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Run every experiment.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            readable=False,
            help="Folder for a report with figures; or .csv .json .parquet for the cells alone.",
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
    from nando.cli import _reproduce

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

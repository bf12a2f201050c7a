"""The command `rate`."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nando.cli.journal import Journal
from nando.cli.options import (
    Crowd,
    Files,
    Form,
    Jobs,
    Kind,
    Model,
    NoSeed,
    Output,
    Resume,
    Runs,
)
from nando.cli.output import Destination
from nando.cli.pipeline import run
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.table import Shown
from nando.cli.writers import Layout

if TYPE_CHECKING:
    from nando.rating import Rating

MANY = 4_096
"""Puzzles after which work goes to processes: they take seconds to start, and threads wait for
each other's Python, the longer the more there are."""


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
    crowd: Crowd = None,
    seed: NoSeed = None,
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
    if coverage is not None and not 0.0 < coverage < 1.0:
        raise ValueError(f"--coverage must be between 0 and 1, got {coverage}")
    from nando.rating import Bank, RatingCache, load_model

    puzzles = PuzzleFiles(files, kind)
    destination = Destination(output, form)
    del seed  # kept for scripts: ratings do not depend on one
    rater = load_model(model, puzzles.kind, crowd=crowd)
    if resume and destination.file is None:
        raise ValueError("--resume needs the output file of the interrupted run: give -o FILE")
    bank = Bank(
        rater,
        n_jobs=-1 if cluster is not None else jobs,
        runs=runs,
        coverage=coverage,
    )

    @contextmanager
    def cache_and_cluster() -> Iterator[None]:
        """Equivalent puzzles of earlier runs, and other machines."""
        with ExitStack() as opened:
            if cache is not None:
                bank.cache = opened.enter_context(RatingCache(cache, bank.identity()))
            if cluster is not None:
                opened.enter_context(_on_cluster(cluster))
            yield

    def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
        in_processes = jobs not in (None, 1) and cluster is None and first_index >= MANY
        with _processes() if in_processes else nullcontext():
            return [_row(rating) for rating in bank.ratings([read.puzzle for read in good])]

    def opened_journal() -> Journal:
        assert destination.file is not None
        settings = {
            "rate": [str(file) for file in puzzles.files],
            "kind": puzzles.kind,
            "coverage": coverage,
            **bank.identity(),
        }
        opened = Journal(destination.file, settings, resume=resume)
        if opened.n_kept:
            print(f"resumed: {opened.n_kept:,} puzzles are done", file=sys.stderr)
        return opened

    return run(
        puzzles,
        work,
        _layout(rater.unit),
        destination,
        during=cache_and_cluster(),
        opened_journal=None if destination.file is None else opened_journal,
    )


def _layout(unit: str) -> Layout:
    """How ratings by a model of this unit are written."""
    return Layout(
        {
            "line": int,
            "puzzle": str,
            f"predicted_{unit}": float,
            f"low_{unit}": float,
            f"high_{unit}": float,
            "grade": str,
            "percentile": float,
            "model_id": str,
            "error": str,
            "flags": str,
            "givens": int,
            "reasons": str,
            "file": str,
        },
        (
            Shown("line", 6, "place"),
            Shown("givens", 6, "givens"),
            Shown("time" if unit == "seconds" else unit, 12, "predicted"),
            Shown("interval", 26, "interval"),
            Shown("grade", -10, "grade"),
            Shown("percentile", 10, "harder_than"),
            Shown("made of" if unit == "seconds" else "moved most by", 0, "why"),
        ),
    )


def _row(rating: "Rating") -> dict[str, Any]:
    """A rating with what is shown to people."""
    from nando.rating.amounts import amount

    low, high = amount(rating.low, rating.unit), amount(rating.high, rating.unit)
    return rating.to_dict() | {
        "predicted": amount(rating.predicted, rating.unit),
        "interval": f"{low} to {high}",
        "harder_than": f"{rating.percentile:.0f} %",
        "why": rating.reasons + ("  [outside training]" if rating.flags else ""),
    }


@contextmanager
def _processes() -> Iterator[None]:
    """Have joblib work in processes."""
    from joblib import parallel_config

    with parallel_config(backend="loky"):
        yield


@contextmanager
def _on_cluster(address: str) -> Iterator[None]:
    """Have joblib work on the machines of a Dask scheduler."""
    try:
        from distributed import Client
    except ImportError as error:
        raise ValueError("--cluster needs Dask: pip install 'nando[cluster]'") from error
    from joblib import parallel_config

    try:
        client = Client(address, timeout="20s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ValueError(f"no Dask scheduler answers at {address!r}: {error}") from None
    with client, parallel_config(backend="dask"):
        yield

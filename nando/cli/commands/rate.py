"""The command `rate`."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nando.cli.journal import Journal
from nando.cli.loading import load_model, print_pace
from nando.cli.options import (
    Jobs,
)
from nando.cli.output import Destination, Format
from nando.cli.parts import (
    Done,
    Manifest,
    Part,
    is_parts,
    kind_of_part,
    parts_of,
    run_parts,
    sha256_of,
)
from nando.cli.pipeline import row_of, run
from nando.cli.progress import RATING
from nando.cli.reading import CHUNK, PuzzleFiles, Read, checked
from nando.cli.table import Shown
from nando.cli.writers import Layout, columns_of

if TYPE_CHECKING:
    from nando.rating import Bank, Rating

MANY = 4_096
"""Number of puzzles after which work moves to processes, which take seconds to start. Threads would
wait for each other's Python."""


def rate(
    files: list[str] | None = None,
    output: Path | None = None,
    form: Format | None = None,
    model: Path | None = None,
    coverage: float | None = None,
    runs: int | None = None,
    jobs: Jobs = None,
    crowd: str | None = None,
    player: str | None = None,
    history: Path | None = None,
    cache: Path | None = None,
    cluster: str | None = None,
    resume: bool = False,
    kind: str | None = None,
) -> int:
    """Rate puzzles: predicted time with interval, grade, percentile and reasons."""
    if coverage is not None and not 0.0 < coverage < 1.0:
        raise ValueError(f"--coverage must be between 0 and 1, got {coverage}")
    from nando.rating import Bank, RatingCache

    if form is None and files and output is not None and is_parts(files, output):
        part_rater = _PartRater(model, kind, crowd, player, history, runs, coverage, cache)
        with nullcontext() if cluster is None else _on_cluster(cluster):
            return _rate_parts(files, output, part_rater, -1 if cluster else jobs, resume)
    puzzles = PuzzleFiles(files, kind)
    destination = Destination(output, form)
    as_json = destination.form is Format.JSON
    rater = load_model(model, puzzles.kind, crowd=crowd, player=player, history=history)
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
        """Open the cache of ratings and connect to the cluster."""
        with ExitStack() as opened:
            if cache is not None:
                bank.cache = opened.enter_context(RatingCache(cache, bank.identity()))
            if cluster is not None:
                opened.enter_context(_on_cluster(cluster))
            yield

    def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
        in_processes = jobs not in (None, 1) and cluster is None and first_index >= MANY
        with _processes() if in_processes else nullcontext():
            ratings = bank.ratings([read.puzzle for read in good])
            return [_row(rating, as_json=as_json) for rating in ratings]

    def opened_journal() -> Journal:
        assert destination.file is not None
        settings = {
            "rate": [str(file) for file in puzzles.files],
            "kind": puzzles.kind,
            "coverage": coverage,
            **bank.ratings_identity(),
        }
        opened = Journal(destination.file, settings, resume=resume)
        if opened.n_kept:
            print(f"resumed: {opened.n_kept:,} puzzles are done", file=sys.stderr)
        return opened

    return run(
        puzzles,
        work,
        _layout(rater.unit, as_json=as_json),
        destination,
        compiles=RATING,
        during=cache_and_cluster(),
        opened_journal=None if destination.file is None else opened_journal,
    )


@dataclass(frozen=True)
class _PartRater:
    """Rates a part in a worker, with the options of the command."""

    model: Path | None
    kind: str | None
    crowd: str | None
    player: str | None
    history: Path | None
    runs: int | None
    coverage: float | None
    cache: Path | None

    def __call__(self, part: Part, output: Path) -> Done:
        assert self.kind is not None
        bank = _bank_of(self)
        layout = _layout(bank.rater.unit)
        n_read = n_bad = 0
        entries = part.entries(self.kind)
        with Destination(output).opened(layout) as writer:
            while reads := [checked(part.file, entry) for entry in islice(entries, 16 * CHUNK)]:
                good = [read.puzzle for read in reads if read.error is None]
                done = iter([_row(rating) for rating in bank.ratings(good)])
                writer.write([row_of(read, done, layout, "") for read in reads])
                n_read += len(reads)
                n_bad += len(reads) - len(good)
        return Done(n_read, n_bad, sha256_of(output))


@lru_cache(maxsize=1)
def _bank_of(settings: _PartRater) -> "Bank":
    """Return the bank of a worker, which remembers equivalent puzzles from part to part."""
    from nando import api
    from nando.rating import Bank, RatingCache

    rater = api.load_model(
        settings.model,
        settings.kind,
        crowd=settings.crowd,
        player=settings.player,
        history=settings.history,
    )
    bank = Bank(rater, runs=settings.runs, coverage=settings.coverage)
    if settings.cache is not None:
        bank.cache = RatingCache(settings.cache, bank.identity())
    return bank


def _rate_parts(
    files: list[str], output: Path, rater: _PartRater, jobs: int | None, resume: bool
) -> int:
    parts = parts_of(files)
    rater = replace(rater, kind=kind_of_part(parts[0], rater.kind))
    bank = _bank_of(rater)
    print_pace(bank.rater, rater.player)
    settings = {
        "kind": rater.kind,
        "coverage": rater.coverage,
        **bank.ratings_identity(),
    }
    return run_parts(Manifest(output, settings, parts, resume), rater, jobs)


def _layout(unit: str, *, as_json: bool = False) -> Layout:
    """Return the layout of ratings in a unit; JSON has lists."""
    columns = columns_of("rate", *(() if as_json else ("parts_seconds",)), unit=unit)
    if not as_json:
        columns["flag_codes"] = str
    return Layout(
        columns,
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


_SHOWN = ("predicted", "interval", "harder_than", "why")
"""Columns of a rating that are only in tables."""


def _row(rating: "Rating", *, as_json: bool = False) -> dict[str, Any]:
    """Return the row of a rating, with additional columns for the table."""
    from nando.rating.rating import amount, marked

    row = rating.to_dict() if as_json else rating.row()
    if rating.is_solved:
        return row | dict.fromkeys(_SHOWN, "") | {"interval": "already solved"}
    low, high = amount(rating.low, rating.unit), amount(rating.high, rating.unit)
    shown = (
        amount(rating.predicted, rating.unit),
        f"{low} to {high}",
        f"{rating.percentile:.0f} %",
        rating.reasons + marked(rating.flag_codes),
    )
    return row | dict(zip(_SHOWN, shown, strict=True))


@contextmanager
def _processes() -> Iterator[None]:
    """Make joblib use processes."""
    from joblib import parallel_config

    with parallel_config(backend="loky"):
        yield


@contextmanager
def _on_cluster(address: str) -> Iterator[None]:
    """Make joblib use the machines of a Dask scheduler."""
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

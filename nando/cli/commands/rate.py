"""The command `rate`."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nando import rating
from nando.cli import options
from nando.cli.output import Destination, Layout, Shown, columns_of
from nando.cli.parts import Done, Manifest, Part, is_parts, parts_of, run_parts, sha256_of
from nando.cli.progress import RATING, announce_pace
from nando.cli.reading import CHUNK, PuzzleFiles, Read, check_unique, columns_of_files
from nando.cli.stream import Journal, row_of, run
from nando.records import setting

if TYPE_CHECKING:
    from nando.rating import Bank, Rating

MANY = 4_096
"""Number of puzzles after which work moves to processes, which take seconds to start. Threads would
wait for each other's Python."""


@dataclass(frozen=True)
class RateOptions:
    """How puzzles are rated, and on which machines."""

    model: options.ModelFile = None
    coverage: float | None = setting(
        None, about="Probability of the interval, e.g. 0.8; default: the model's."
    )
    runs: options.Runs = None
    jobs: options.Jobs = None
    crowd: str | None = setting(
        None,
        about="Rate for the players of cloud-sudoku, phone, portal or portal-best; default: for a "
        "typical crowd.",
        metavar="NAME",
    )
    player: options.Player = None
    history: options.History = None
    cache: Path | None = setting(
        None,
        about="Keep results in this SQLite file for later runs; created if missing.",
        metavar="FILE",
    )
    cluster: str | None = setting(
        None, about="Work on the machines of this Dask scheduler.", metavar="ADDRESS"
    )
    resume: options.Resume = False
    kind: options.KindOf = None

    @property
    def n_jobs(self) -> int | None:
        """Number of cores, or all machines of a cluster."""
        return self.jobs if self.cluster is None else -1

    def bank(self, kind: str, n_jobs: int | None) -> "Bank":
        """Return what rates puzzles of a kind, without its cache."""
        from nando.api import load_model

        rater = load_model(
            self.model, kind, crowd=self.crowd, player=self.player, history=self.history
        )
        return rating.Bank(rater, n_jobs=n_jobs, runs=self.runs, coverage=self.coverage)

    def settings(self, kind: str, bank: "Bank") -> dict[str, Any]:
        """Return everything that the rows of puzzles depend on, as plain values."""
        return {"kind": kind, "coverage": self.coverage, **bank.ratings_identity()}

    @contextmanager
    def cache_and_cluster(self, bank: "Bank") -> Iterator[None]:
        """Open the cache of ratings and connect to the cluster."""
        with ExitStack() as opened:
            if self.cache is not None:
                bank.cache = opened.enter_context(rating.RatingCache(self.cache, bank.identity()))
            if self.cluster is not None:
                opened.enter_context(_on_cluster(self.cluster))
            yield


def rate(
    files: options.Files = None,
    output: options.Output = None,
    form: options.Form = None,
    asked: RateOptions = RateOptions(),
) -> int:
    """Rate puzzles: predicted time with interval, grade, percentile and reasons."""
    if asked.coverage is not None and not 0.0 < asked.coverage < 1.0:
        raise ValueError(f"--coverage must be between 0 and 1, got {asked.coverage}")
    if form is None and files and output is not None and is_parts(files, output):
        cluster = asked.cluster
        with nullcontext() if cluster is None else _on_cluster(cluster):
            return _rate_parts(files, output, asked)
    puzzles = PuzzleFiles(files, asked.kind)
    destination = Destination(output, form)
    as_json = destination.is_json
    bank = asked.bank(puzzles.kind, asked.n_jobs)
    announce_pace(bank.rater, asked.player)
    if asked.resume and destination.file is None:
        raise ValueError("--resume needs the output file of the interrupted run: give -o FILE")
    may_fork = asked.jobs not in (None, 1) and asked.cluster is None

    def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
        with _processes() if may_fork and first_index >= MANY else nullcontext():
            ratings = bank.rate([read.puzzle for read in good])
            return [_row(rating, as_json=as_json) for rating in ratings]

    def open_journal() -> Journal:
        assert destination.file is not None
        named = {"rate": [str(file) for file in puzzles.files]}
        settings = named | asked.settings(puzzles.kind, bank)
        return Journal(destination.file, settings, resume=asked.resume)

    return run(
        puzzles,
        work,
        _layout(as_json=as_json),
        destination,
        compiles=RATING,
        during=asked.cache_and_cluster(bank),
        open_journal=None if destination.file is None else open_journal,
    )


def _rate_parts(files: list[str], output: Path, asked: RateOptions) -> int:
    parts = parts_of(files)
    kind = PuzzleFiles([parts[0].file], asked.kind).kind
    asked = replace(asked, kind=kind)
    bank = _bank_of(asked)
    announce_pace(bank.rater, asked.player)
    columns = columns_of_files(list(dict.fromkeys(part.file for part in parts)), kind)
    manifest = Manifest(output, asked.settings(kind, bank), parts, asked.resume)
    return run_parts(manifest, partial(_rate_part, asked, columns), asked.n_jobs)


def _rate_part(asked: RateOptions, columns: dict[str, type], part: Part, output: Path) -> Done:
    """Rate a part in a worker."""
    assert asked.kind is not None
    bank = _bank_of(asked)
    layout = _layout().keeping(columns)
    n_read = n_bad = 0
    entries = part.entries(asked.kind)
    with Destination(output).open(layout) as writer:
        while reads := [check_unique(part.file, entry) for entry in islice(entries, 16 * CHUNK)]:
            good = [read.puzzle for read in reads if read.error is None]
            done = iter([_row(rating) for rating in bank.rate(good)])
            writer.write([row_of(read, done, layout, "") for read in reads])
            n_read += len(reads)
            n_bad += len(reads) - len(good)
    return Done(n_read, n_bad, sha256_of(output))


@lru_cache(maxsize=1)
def _bank_of(asked: RateOptions) -> "Bank":
    """Return the bank of a worker, which remembers equivalent puzzles from part to part."""
    assert asked.kind is not None
    bank = asked.bank(asked.kind, None)
    if asked.cache is not None:
        bank.cache = rating.RatingCache(asked.cache, bank.identity())
    return bank


def _layout(*, as_json: bool = False) -> Layout:
    """Return the layout of ratings; JSON has lists."""
    columns = columns_of("rate", *(() if as_json else ("parts_seconds",)))
    if not as_json:
        columns["flag_codes"] = str
    return Layout(
        columns,
        (
            Shown("line", 6, "place"),
            Shown("givens", 6, "givens"),
            Shown("time", 12, "predicted"),
            Shown("interval", 26, "interval"),
            Shown("grade", -10, "grade"),
            Shown("percentile", 10, "harder_than"),
            Shown("made of", 0, "why"),
        ),
    )


_SHOWN = ("predicted", "interval", "harder_than", "why")
"""Columns of a rating that are only in tables."""


def _row(rating: "Rating", *, as_json: bool = False) -> dict[str, Any]:
    """Return the row of a rating, with additional columns for the table."""
    from nando.rating.result import duration, interval, mark_of

    row = rating.to_dict() if as_json else rating.row()
    if rating.is_solved:
        return row | dict.fromkeys(_SHOWN, "") | {"interval": "already solved"}
    shown = (
        duration(rating.predicted),
        interval(rating.low, rating.high),
        f"{rating.percentile:.0f} %",
        rating.reasons + mark_of(rating.flag_codes),
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

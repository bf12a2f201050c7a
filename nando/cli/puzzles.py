"""The commands that take puzzles one by one: rate, features, solve."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nando.cli.input import (
    Problems,
    Read,
    Source,
    announce_compiling,
    input_files,
    kind_of,
    progress,
    read_chunks,
)
from nando.cli.journal import Journal
from nando.cli.output import (
    Columns,
    Format,
    Row,
    Shown,
    amount,
    opened_output,
    output_format,
    plain,
)

if TYPE_CHECKING:
    from nando.puzzles import Puzzle

INTERRUPTED = 130


def _rate_columns(unit: str) -> Columns:
    """Columns of ratings by a model of this unit."""
    return {
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
    }


def _rate_shown(unit: str) -> tuple[Shown, ...]:
    return (
        Shown("line", 6, "place"),
        Shown("givens", 6, "givens"),
        Shown("time" if unit == "seconds" else unit, 12, "predicted"),
        Shown("interval", 26, "interval"),
        Shown("grade", -10, "grade"),
        Shown("percentile", 10, "harder_than"),
        Shown("moved most by", 0, "why"),
    )


_MANY = 4_096
"""Puzzles after which work goes to processes: they take seconds to start, and threads wait for
each other's Python, the longer the more there are."""

Work = Callable[[list[Read], int], Sequence[dict[str, Any]]]
"""Rows of puzzles without an error; the number counts such puzzles before them."""


def run_on_puzzles(
    files: Sequence[Source] | None,
    kind: str,
    output: Path | None,
    chosen: Format | None,
    columns: Columns,
    shown: Sequence[Shown],
    prepare: Callable[[], Work],
    *,
    check: bool = True,
    opened_journal: Callable[[], Journal] | None = None,
) -> int:
    """Read, work and write chunk by chunk; after Ctrl-C what is done is kept. The exit status.

    With a journal it is kept whatever happens, and puzzles whose rows are there are not worked on.
    """
    paths = input_files(files)
    machine = output_format(output, chosen) is not Format.TABLE
    problems = Problems(several_files=len(paths) > 1)
    journal = None
    n_good, interrupted = 0, False
    with (
        opened_output(output, chosen, columns, shown) as writer,
        progress("done:", to_file=output is not None) as advance,
    ):
        try:
            work = prepare()
            kept: Iterator[dict[str, Any]] = iter(())
            if opened_journal is not None:
                journal = opened_journal()
                kept = journal.kept()
            for chunk in read_chunks(paths, kind, check=check, size=1 if journal is None else 16):
                rows: list[Row] = list(_kept_of(chunk, kept))
                left = chunk[len(rows) :]
                good = [read for read in left if read.error is None]
                n_before = n_good + sum(read.error is None for read in chunk[: len(rows)])
                done = iter(work(good, n_before) if good else ())
                new = list(_merged(left, done, columns, several=len(paths) > 1))
                if journal is not None:
                    journal.add(new)
                writer.write(rows + new)
                problems.note(chunk)
                n_good = n_before + len(good)
                advance(len(chunk))
        except KeyboardInterrupt:
            if not problems.n_read:  # nothing to keep: what the file held before is worth more
                raise
            interrupted = True
        finally:
            if journal is not None:
                journal.close(done=not problems.n_read)
    if journal is not None and not interrupted:
        journal.remove()
    status = problems.report(in_full=not machine)
    if interrupted:
        print(f"interrupted: the first {problems.n_read:,} puzzles are kept", file=sys.stderr)
        if journal is not None and journal.is_kept:
            print("the same command with --resume goes on after them", file=sys.stderr)
        return INTERRUPTED
    return status


def _kept_of(chunk: list[Read], kept: Iterator[dict[str, Any]]) -> Iterator[Row]:
    """The rows of a chunk, or of its beginning, that an earlier run has kept."""
    for read, row in zip(chunk, kept, strict=False):
        text = read.entry.text if read.entry.puzzle is None else read.entry.puzzle.text
        if row["puzzle"] != text:
            raise ValueError(
                f"line {read.entry.line}: {text!r} was {row['puzzle']!r} when the run to resume "
                "began: delete its .part file and start again"
            )
        yield row


def _merged(
    chunk: list[Read], rows: Iterator[dict[str, Any]], columns: Columns, *, several: bool
) -> Iterator[Row]:
    """Rows of all entries in order: those of good puzzles, and empty ones with the error."""
    for read in chunk:
        row: dict[str, Any] = dict.fromkeys(columns)
        place = f"{read.file}:{read.entry.line}" if several else str(read.entry.line)
        row |= {"line": read.entry.line, "file": read.file, "error": read.error, "place": place}
        row["puzzle"] = read.entry.text if read.entry.puzzle is None else read.entry.puzzle.text
        if read.error is None:
            row |= next(rows)
        yield row


def rate(
    files: list[str] | None,
    kind: str | None,
    output: Path | None,
    chosen: Format | None,
    *,
    model: Path | None,
    coverage: float | None,
    jobs: int | None,
    seed: int | None,
    runs: int | None,
    cache: Path | None,
    cluster: str | None,
    resume: bool,
) -> int:
    """Rate puzzles, equivalent ones once: in predicted seconds, or in points."""
    if coverage is not None and not 0.0 < coverage < 1.0:
        raise ValueError(f"--coverage must be between 0 and 1, got {coverage}")
    from nando.rating import load_model

    kind = kind_of(files, kind)
    rater = load_model(model, kind)

    if resume and (output is None or str(output) == "-"):
        raise ValueError("--resume needs the output of the run that was interrupted: give -o FILE")
    from nando.rating import Bank, RatingCache

    bank = Bank(
        rater,
        n_jobs=-1 if cluster is not None else jobs,
        random_state=seed,
        runs=runs,
        coverage=coverage,
    )
    paths = input_files(files)

    def journal() -> Journal:
        assert output is not None
        settings = {
            "rate": [str(path) for path in paths],
            "kind": kind,
            "coverage": coverage,
            **bank.identity(),
        }
        opened = Journal(output, settings, resume=resume)
        if opened.n_kept:
            print(f"resumed: {opened.n_kept:,} puzzles are done", file=sys.stderr)
        return opened

    with ExitStack() as opened:

        def prepare() -> Work:
            from joblib import parallel_config

            announce_compiling()
            if cache is not None:
                bank.cache = opened.enter_context(RatingCache(cache, bank.identity()))
            if cluster is not None:
                opened.enter_context(_on_cluster(cluster))

            def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
                in_processes = jobs not in (None, 1) and cluster is None and first_index >= _MANY
                with parallel_config(backend="loky") if in_processes else nullcontext():
                    table = bank.rate([read.puzzle for read in good])
                return [
                    _rated(read, {name: plain(value) for name, value in row.items()}, rater.unit)
                    for read, row in zip(good, table.to_dict("records"), strict=True)
                ]

            return work

        to_file = output is not None and str(output) != "-"
        return run_on_puzzles(
            paths,
            kind,
            output,
            chosen,
            _rate_columns(rater.unit),
            _rate_shown(rater.unit),
            prepare,
            opened_journal=journal if to_file else None,
        )


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


def _rated(read: Read, row: dict[str, Any], unit: str) -> dict[str, Any]:
    """A row of the rater with what is shown to people."""
    low, high = row[f"low_{unit}"], row[f"high_{unit}"]
    row["grade"] = str(row["grade"])
    row["givens"] = int((read.puzzle.givens != 0).sum())
    row["predicted"] = amount(row[f"predicted_{unit}"], unit)
    row["interval"] = f"{amount(low, unit)} to {amount(high, unit)}"
    row["harder_than"] = f"{row['percentile']:.0f} %"
    row["why"] = row["reasons"] + ("  [outside training]" if row["flags"] else "")
    return row


def features(
    files: list[str] | None,
    kind: str | None,
    output: Path | None,
    chosen: Format | None,
    *,
    groups: list[str] | None,
    runs: int | None,
    jobs: int | None,
    seed: int | None,
) -> int:
    """Compute the features of puzzles."""
    from nando.features import SolverFeatures, default_groups

    kind = kind_of(files, kind)
    transformer = SolverFeatures(
        groups or default_groups(kind), runs=runs, random_state=seed or 0, n_jobs=jobs
    )
    transformer.fit([])
    names = [str(name) for name in transformer.get_feature_names_out()]
    columns: Columns = {
        "line": int,
        "puzzle": str,
        **dict.fromkeys(names, float),
        "error": str,
        "file": str,
    }
    shown = [Shown("line", 6, "place"), *(Shown(name, max(len(name), 10), name) for name in names)]

    def prepare() -> Work:
        announce_compiling()

        def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
            table = transformer.transform([read.puzzle for read in good], first_index=first_index)
            return [
                {name: plain(value) for name, value in zip(names, row, strict=True)}
                for row in table
            ]

        return work

    return run_on_puzzles(files, kind, output, chosen, columns, shown, prepare)


def solve(
    files: list[str] | None,
    kind: str | None,
    output: Path | None,
    chosen: Format | None,
    *,
    method: str,
    steps: int | None,
    seed: int | None,
) -> int:
    """Solve puzzles that have exactly one solution."""
    from nando.solvers import Limit, UnsupportedError, find_solver
    from nando.solvers.protocol import spawned

    kind = kind_of(files, kind)
    solver = find_solver(method)()
    limit = None if steps is None else Limit(steps=steps)
    columns: Columns = {
        "line": int,
        "puzzle": str,
        "solution": str,
        "outcome": str,
        "steps": int,
        "error": str,
        "file": str,
    }

    def prepare() -> Work:
        announce_compiling()

        def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
            rows = []
            for index, read in enumerate(good, first_index):
                puzzle = read.puzzle
                try:
                    run = solver.run(puzzle, limit=limit, rng=spawned(seed or 0, index))
                except UnsupportedError as error:
                    raise ValueError(error) from None
                solution = None
                if run.solution is not None:
                    solution = puzzle.solution_text(run.solution)
                outcome = run.outcome.value
                rows.append(
                    {
                        "solution": solution,
                        "outcome": outcome,
                        "steps": run.steps,
                        "shown": solution or f"# line {read.entry.line}: not solved ({outcome})",
                    }
                )
            return rows

        return work

    return run_on_puzzles(files, kind, output, chosen, columns, [Shown("", 0, "shown")], prepare)


def count(
    files: list[str] | None,
    kind: str | None,
    output: Path | None,
    chosen: Format | None,
    *,
    steps: int | None,
) -> int:
    """Count solutions up to two: one, none, or several; undecided after so many guesses."""
    kind = kind_of(files, kind)
    columns: Columns = {"line": int, "puzzle": str, "solutions": int, "error": str, "file": str}
    shown = [Shown("solutions", 9, "shown"), Shown("puzzle", 0, "puzzle")]

    def prepare() -> Work:
        from nando.solvers import ExactSearch, Limit, Outcome

        announce_compiling()

        limit = None if steps is None else Limit(steps=steps)

        def counted(puzzle: "Puzzle") -> int | None:
            run = ExactSearch(max_solutions=2).run(puzzle, limit=limit)
            return None if run.outcome is Outcome.STEP_LIMIT else run.n_solutions

        def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
            del first_index
            counts = [counted(read.puzzle) for read in good]
            said = {None: "undecided", 2: "2+"}
            return [{"solutions": n, "shown": said.get(n, str(n))} for n in counts]

        return work

    return run_on_puzzles(files, kind, output, chosen, columns, shown, prepare, check=False)


def canonical(
    files: list[str] | None, kind: str | None, output: Path | None, chosen: Format | None
) -> int:
    """Bring puzzles into the form that all equivalent ones share."""
    kind = kind_of(files, kind)
    columns: Columns = {"line": int, "puzzle": str, "canonical": str, "error": str, "file": str}

    def prepare() -> Work:
        announce_compiling()

        def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
            del first_index
            return [{"canonical": read.puzzle.equivalence_key()} for read in good]

        return work

    shown = [Shown("", 0, "canonical")]
    return run_on_puzzles(files, kind, output, chosen, columns, shown, prepare, check=False)

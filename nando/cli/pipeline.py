"""The loop of every command on puzzles: read, work, write.

A command supplies the puzzles, the work on a chunk, and the layout of its rows.
"""

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from typing import Any

from nando.checks import how_many
from nando.cli.journal import Journal
from nando.cli.output import Destination
from nando.cli.progress import announce_compiling, progress
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.writers import Layout, Row

INTERRUPTED = 130
"""The exit status after Ctrl-C."""

Work = Callable[[list[Read], int], Sequence[dict[str, Any]]]
"""Returns the rows of puzzles without errors; the integer is the index of the first puzzle."""


def run(
    puzzles: PuzzleFiles,
    work: Work,
    layout: Layout,
    output: Destination,
    *,
    compiles: Collection[str] = (),
    during: AbstractContextManager[object] | None = None,
    opened_journal: Callable[[], Journal] | None = None,
) -> int:
    """Read, work and write chunk by chunk, and return the exit status.

    After Ctrl-C, finished rows are written.

    Parameters
    ----------
    puzzles : PuzzleFiles
    work : callable
    layout : Layout
    output : Destination
    compiles : collection of str
        Tasks of `nando.precompile` that the work needs.
    during : context manager or None
        Context of the work, entered after the output was opened.
    opened_journal : callable or None
        Opens a journal, which keeps rows if the run is interrupted. Puzzles with rows in it are
        skipped.
    """
    in_full = output.is_for_people
    layout = layout.keeping(puzzles.columns)
    journal = None
    n_good, interrupted = 0, False
    with (
        closing(puzzles),
        output.opened(layout) as writer,
        progress("done:", to_file=output.path is not None, total=puzzles.expected) as advance,
    ):
        try:
            with during or nullcontext():
                announce_compiling(*compiles)
                kept: Iterator[dict[str, Any]] = iter(())
                if opened_journal is not None:
                    journal = opened_journal()
                    kept = journal.kept()
                for chunk in puzzles.chunks(size=1 if journal is None else 16):
                    rows: list[Row] = list(_kept_of(chunk, kept, layout))
                    left = chunk[len(rows) :]
                    good = [read for read in left if read.error is None]
                    n_before = n_good + sum(read.error is None for read in chunk[: len(rows)])
                    done = iter(work(good, n_before) if good else ())
                    new = [row_of(read, done, layout, puzzles.place(read)) for read in left]
                    if journal is not None:
                        journal.add(new)
                    writer.write(rows + new)
                    n_good = n_before + len(good)
                    advance(len(chunk))
        except KeyboardInterrupt:
            if not puzzles.n_read:  # nothing to keep: the old file is more useful
                raise
            interrupted = True
        finally:
            if journal is not None:
                journal.close(done=not puzzles.n_read)
    if journal is not None and not interrupted:
        journal.remove()
    status = puzzles.report(in_full=in_full)
    if interrupted:
        print(
            f"interrupted: the first {how_many(puzzles.n_read, 'puzzle is', 'puzzles are')} kept",
            file=sys.stderr,
        )
        if journal is not None and journal.is_kept:
            print("repeat the command with --resume to continue", file=sys.stderr)
        return INTERRUPTED
    return status


def _kept_of(chunk: list[Read], kept: Iterator[dict[str, Any]], layout: Layout) -> Iterator[Row]:
    """Yield the rows of a chunk, or of its beginning, from an earlier run."""
    for read, row in zip(chunk, kept, strict=False):
        for column, value in {"puzzle": read.text, **layout.kept_of(read.entry.columns)}.items():
            if row.get(column) != value:
                raise ValueError(
                    f"line {read.entry.line}: {value!r} was {row.get(column)!r} when the run to "
                    "resume began: delete its .part file and start again"
                )
        yield row


def row_of(read: Read, done: Iterator[dict[str, Any]], layout: Layout, place: str) -> Row:
    """Return the row of an entry: the next of `done`, or for a bad puzzle a row with its error."""
    row: dict[str, Any] = dict.fromkeys(layout.columns)
    row |= {"line": read.entry.line, "file": read.file, "error": read.error, "place": place}
    row["puzzle"] = read.text
    row |= layout.kept_of(read.entry.columns)
    return row | next(done) if read.error is None else row

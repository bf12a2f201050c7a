"""The loop of every command on puzzles: read, work, write; a journal keeps finished rows.

A command supplies the puzzles, the work on a chunk, and the layout of its rows.
"""

import json
import sys
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from pathlib import Path
from typing import IO, Any

from nando.checks import how_many
from nando.cli import reading
from nando.cli.output import Destination, Layout, Row
from nando.cli.progress import announce_compiling, progress
from nando.cli.reading import PuzzleFiles, Read
from nando.writing import check_writable, name_errors, remove_abandoned, write_file

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
    open_journal: "Callable[[], Journal] | None" = None,
    at_once: int | None = None,
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
    open_journal : callable or None
        Opens a journal, which keeps rows if the run is interrupted. Puzzles with rows in it are
        skipped.
    at_once : int or None
        Number of puzzles worked on at a time; None: a chunk, or with a journal sixteen.
    """
    in_full = output.is_for_people
    layout = layout.keeping(puzzles.columns)
    journal = None
    n_good, interrupted = 0, False
    with (
        closing(puzzles),
        output.open(layout) as writer,
        progress("done:", to_file=output.path is not None, total=puzzles.estimate_total) as advance,
    ):
        try:
            with during or nullcontext():
                announce_compiling(*compiles)
                kept: Iterator[dict[str, Any]] = iter(())
                if open_journal is not None:
                    journal = open_journal()
                    kept = journal.rows()
                for chunk in puzzles.chunks(at_once if journal is None else 16 * reading.CHUNK):
                    advance(0)  # the number of puzzles may be known now
                    rows: list[Row] = list(_resume_rows(chunk, kept, layout))
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


def _resume_rows(
    chunk: list[Read], kept: Iterator[dict[str, Any]], layout: Layout
) -> Iterator[Row]:
    """Yield the rows of a chunk, or of its beginning, from an earlier run."""
    for read, row in zip(chunk, kept, strict=False):
        for column, value in {"puzzle": read.text, **layout.pick_kept(read.entry.columns)}.items():
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
    row |= layout.pick_kept(read.entry.columns)
    return row | next(done) if read.error is None else row


class Journal:
    """A file of finished rows, one JSON object per line; the first line holds the settings.

    Each line ends with a checksum. The journal ends at the first damaged line, and later rows are
    computed again. Rows are flushed to the system at once, so that Ctrl-C, a crash or a kill loses
    none, and are not held in memory. An output that is not a regular file has no journal and cannot
    be resumed.

    Parameters
    ----------
    output : Path
    settings : mapping
        Everything the rows depend on, as plain values.
    resume : bool
        Continue with the existing rows.

    Attributes
    ----------
    path : Path
    n_kept : int
        Number of rows in the journal when it was opened.

    Raises
    ------
    ValueError
        If there is a journal and `resume` is false, or the journal belongs to a run with other
        settings.
    OSError
        If the file cannot be written.
    """

    def __init__(self, output: Path, settings: Mapping[str, Any], *, resume: bool) -> None:
        self.path = output.with_name(output.name + ".part")
        self.n_kept = 0
        self._file: IO[bytes] | None = None
        if output.exists() and not output.is_file():
            return
        if self.path.is_dir():
            raise IsADirectoryError(21, "Is a directory", str(self.path))
        head = _line({"nando": dict(sorted(settings.items()))})
        if not self.path.exists():
            check_writable(output)
            write_file(self.path, head)
        elif not resume:
            raise ValueError(
                f"{self.path} has the results of an interrupted run: continue with --resume, "
                "or delete it"
            )
        else:
            remove_abandoned(output)
        self._file = open(self.path, "r+b")  # noqa: SIM115
        if self._file.readline() != head:
            self._file.close()
            raise ValueError(
                f"{self.path} belongs to a run with other options, or is damaged: "
                "use the same options, or delete it"
            )
        self._first = end = self._file.tell()
        while _row(line := self._file.readline(_LONGEST)) is not None:
            self.n_kept += 1
            end += len(line)
        self._file.seek(end)
        self._file.truncate()
        if self.n_kept:
            done = how_many(self.n_kept, "puzzle is", "puzzles are")
            print(f"resumed: {done} done", file=sys.stderr)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows that were in the journal when it was opened, in order."""
        if self._file is None:
            return
        with open(self.path, "rb") as file:
            file.seek(self._first)
            for _ in range(self.n_kept):
                row = _row(file.readline(_LONGEST))
                if row is None:
                    raise ValueError(f"{self.path} was changed while it was read: start again")
                yield row

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows."""
        if self._file is not None:
            with name_errors(self.path):
                self._file.write(b"".join(map(_line, rows)))
                self._file.flush()

    def close(self, *, done: bool) -> None:
        """Close the journal; if `done`, delete it, because the output is written."""
        if self._file is not None:
            with name_errors(self.path):
                self._file.close()
            if done:
                self.remove()

    def remove(self) -> None:
        """Delete the journal."""
        if self._file is not None:
            self.path.unlink()

    @property
    def is_kept(self) -> bool:
        """True if there is a journal to resume from."""
        return self._file is not None


_LONGEST = 1 << 24
"""Most bytes of a line; a row has a few hundred."""


def _line(row: Mapping[str, Any]) -> bytes:
    """Return a row as JSON, a tab (which JSON escapes) and a checksum."""
    text = json.dumps(row).encode()
    return b"%s\t%08x\n" % (text, zlib.crc32(text))


def _row(line: bytes) -> dict[str, Any] | None:
    """Return the row of a line; None if the line is damaged."""
    text, _, rest = line.rpartition(b"\t")
    if rest != b"%08x\n" % zlib.crc32(text):
        return None
    with suppress(ValueError, RecursionError):
        row = json.loads(text)
        return row if isinstance(row, dict) else None
    return None

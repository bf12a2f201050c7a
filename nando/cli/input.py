"""Puzzles from the files of a command, in chunks, and an account of the bad ones."""

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from nando.puzzles import Entry, Puzzle

CHUNK = 64
"""Puzzles that are worked on, and written, at a time: what a Ctrl-C may lose."""

_LISTED = 20


Source = str | bytes
"""A file, or the text of puzzles itself."""


class Read(NamedTuple):
    """An entry, the file it is from, and everything wrong with its text or with the puzzle."""

    file: str
    entry: "Entry"
    error: str | None

    @property
    def puzzle(self) -> "Puzzle":
        """The puzzle, of an entry without an error."""
        assert self.entry.puzzle is not None
        return self.entry.puzzle


def input_files(files: Sequence[Source] | None) -> Sequence[Source]:
    """The files to read; ``-`` where none is named and something is piped in.

    Raises
    ------
    OSError, ValueError
        At once for what cannot be read, before anything is computed.
    """
    if not files:
        if sys.stdin is None or sys.stdin.isatty():
            raise ValueError("no puzzles: name a FILE, or - to read standard input")
        return ["-"]
    for file in files:
        if isinstance(file, str) and file != "-":
            if stat.S_ISDIR(os.stat(file).st_mode):
                raise IsADirectoryError(21, "Is a directory", file)
            if not os.access(file, os.R_OK):
                raise PermissionError(13, "Permission denied", file)
    return files


def kind_of(sources: Sequence[Source] | None, wanted: str | None) -> str:
    """The kind asked for, or that of the first line that is a puzzle; else Sudoku.

    Raises
    ------
    ValueError
        For an unknown kind.
    """
    from nando.puzzles import PUZZLES, Sudoku, find_puzzle, kind_of_line
    from nando.puzzles.reading import first_lines

    if wanted is not None:
        return find_puzzle(wanted).kind
    source = input_files(sources)[0]
    lines = [line for line in first_lines(source) if not line.startswith("#")]
    for line in lines:
        kind = kind_of_line(line)
        if kind is not None:
            return kind
    for puzzle in PUZZLES:  # a puzzle with faults, which its own kind should name
        if any(puzzle.is_whole(line) for line in lines if not re.search("[A-Za-z]", line)):
            return puzzle.kind
    return Sudoku.kind


def read_chunks(
    files: Sequence[Source], kind: str, *, check: bool = True, size: int = 1
) -> Iterator[list[Read]]:
    """Entries of all files, `size` times `CHUNK` at a time.

    Parameters
    ----------
    files : sequence of str or bytes
    kind : str
        Name of the puzzle kind.
    check : bool
        Make it an error of a puzzle not to have exactly one solution.
    size : int
        More, where what is done is kept by other means, leaves fewer ends to wait for.

    Raises
    ------
    ValueError
        Where a file is no text, or no file holds a puzzle or anything that should be one.
    """
    from nando.puzzles import find_puzzle, read_puzzles

    puzzle_class = find_puzzle(kind)

    def all_files() -> Iterator[Read]:
        for file in files:
            for entry in read_puzzles(file, puzzle_class):
                error = entry.error
                if check and entry.puzzle is not None:
                    error = _invalid(entry.puzzle)
                yield Read(_named(file), entry, error)

    reads = all_files()
    found = False
    while chunk := list(islice(reads, size * CHUNK)):
        found = True
        yield chunk
    if not found:
        names = ", ".join("standard input" if file == "-" else _named(file) for file in files)
        raise ValueError(f"no puzzles found in {names}")


def _named(file: Source) -> str:
    return file if isinstance(file, str) else "argument"


def _invalid(puzzle: "Puzzle") -> str | None:
    from nando.solvers import status

    found = status(puzzle)
    return None if found.valid else str(found)


class Problems:
    """Counts puzzles and keeps the first errors for a summary."""

    def __init__(self, *, several_files: bool) -> None:
        self.n_read = 0
        self.n_bad = 0
        self._several_files = several_files
        self._first: list[str] = []

    def note(self, reads: Iterable[Read]) -> None:
        """Take a chunk into account."""
        for read in reads:
            self.n_read += 1
            if read.error is not None:
                self.n_bad += 1
                if len(self._first) < _LISTED:
                    place = f"{read.file}:" if self._several_files else "line "
                    self._first.append(f"{place}{read.entry.line}: {read.error}")

    def report(self, *, in_full: bool) -> int:
        """Tell standard error of the bad puzzles; the exit status, 0 or 1."""
        if not self.n_bad:
            return 0
        lines = [f"{self.n_bad:,} of {self.n_read:,} puzzles cannot be used"]
        if in_full:
            lines += [f"  {line}" for line in self._first]
            if self.n_bad > len(self._first):
                lines.append(f"  and {self.n_bad - len(self._first):,} more")
        else:
            lines[0] += "; see the column 'error'"
        print("\n".join(lines), file=sys.stderr)
        return 1


def announce_compiling() -> None:
    """Say why the first run of a version takes long, when it does."""
    from nando.kernels.compile import on_first_compile

    def tell() -> None:
        print("compiling kernels, once for this version (up to two minutes) ...", file=sys.stderr)

    on_first_compile(tell)


class Advance(Protocol):
    """Told how many puzzles are done."""

    def __call__(self, n: int, /) -> None:
        """Note `n` more."""
        ...


@contextmanager
def progress(doing: str, *, to_file: bool, total: int | None = None) -> Iterator[Advance]:
    """A count of puzzles on standard error while it is a terminal; nothing in a pipe.

    Rows that appear on the terminal themselves (not `to_file`, nor into a pipe) need no count.
    """
    if not sys.stderr.isatty() or (sys.stdout.isatty() and not to_file):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    of = "" if total is None else f" of {total:,}"
    columns = (
        SpinnerColumn() if total is None else BarColumn(),
        TextColumn("{task.description} {task.completed:,.0f}" + of + " puzzles"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda n: bar.advance(task, n)

"""Read the puzzles of a command in chunks, and report bad puzzles."""

import os
import re
import stat
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import nullcontext
from functools import cached_property
from itertools import chain, islice
from typing import IO, NamedTuple

from nando import puzzles, solvers
from nando.checks import how_many
from nando.cli.progress import Expected

CHUNK = 64
"""Number of puzzles worked on and written at a time; Ctrl-C may lose one chunk."""

_LISTED = 20

Source = str | bytes
"""A file, or a text of puzzles."""

_SUDOKU = re.compile(r"[0-9A-Pa-p._*\s|+-]{20,}")
"""An argument that looks like a Sudoku, even a faulty one; file names have other letters."""


_SYMBOLS = re.compile(r"[0-9._*\s|-]+")
"""An argument of digits and blanks only."""
_PATH = re.compile(r".*([/\\]|\.[A-Za-z]\w{0,10}$)", re.DOTALL)
"""An argument with a folder or a suffix."""
_WORDS = re.compile(r"[0-9]{1,2}x[0-9]{1,2}|.*[+\s]", re.DOTALL)
"""The beginning of an argument that begins with a size, or has rules or several words."""


_STATED = ("unreadable", "variant")
"""Beginnings of errors of texts in a format that states the kind."""


class Read(NamedTuple):
    """An entry, its file, everything wrong with its text or its puzzle, and a note on the text.

    The file is None for a puzzle given as an argument.
    """

    file: str | None
    entry: "puzzles.Entry"
    error: str | None
    note: str = ""

    @property
    def puzzle(self) -> "puzzles.Puzzle":
        """The puzzle, of an entry without an error."""
        assert self.entry.puzzle is not None
        return self.entry.puzzle

    @property
    def text(self) -> str:
        """The text of the puzzle, or the faulty text."""
        return self.entry.text if self.entry.puzzle is None else self.entry.puzzle.text


class PuzzleFiles:
    """The puzzles of a command's files.

    Parameters
    ----------
    files : sequence of str or bytes, or None
        Names of files, or puzzles and links. None reads standard input, unless it is a terminal.
    kind : str or None
        None recognises the kind: that of the first puzzle, variant if there is one, or else Sudoku.
    check : bool
        Report puzzles without exactly one solution as errors.
    examine : callable or None
        Takes an entry with a valid puzzle; returns an error, or None.

    Attributes
    ----------
    files : sequence of str or bytes
    kind : str
    n_read, n_bad : int
        Number of puzzles in the finished chunks, and of bad puzzles among them.

    Raises
    ------
    OSError, ValueError
        For unreadable files, before anything is computed, and for an unknown kind.
    """

    def __init__(
        self,
        files: Sequence[Source] | None,
        kind: str | None = None,
        *,
        check: bool = True,
        examine: "Callable[[puzzles.Entry], str | None] | None" = None,
    ) -> None:
        self.files = _readable(files)
        recognised = _kind_of(self.files, kind)
        self.kind = recognised or "sudoku"
        self._is_guess = kind is None
        self._is_known = recognised is not None
        self.n_read = 0
        self.n_bad = 0
        self._n_notes = 0
        self._check = check
        self._examine = examine
        self._all = self._entries()
        self._reads: Iterator[Read] = self._all
        self._first_bad: list[str] = []
        self._sizes = _sizes(self.files)
        self._place: tuple[int, IO[bytes] | None] = (0, None)
        self._n_entries = 0
        self._expected: Expected | None = None

    @cached_property
    def columns(self) -> dict[str, type]:
        """The columns next to the puzzles of all files, and their types; str if they differ."""
        again = [file for file in self.files if _is_read_again(file)]
        columns = columns_of_files(again, self.kind)
        if not _is_read_again(self.files[0]):
            first = list(islice(self._reads, 1))
            self._reads = chain(first, self._reads)
            columns |= {name: str for read in first for name in read.entry.columns}
        return columns

    def close(self) -> None:
        """Stop reading."""
        self._all.close()

    @property
    def are_several(self) -> bool:
        """True if there are several files, so that a place includes the file."""
        return len(self.files) > 1

    def chunks(self, at_once: int | None = None) -> Iterator[list[Read]]:
        """Yield the entries of all files, `CHUNK` or another number at a time.

        A chunk counts as done when the next chunk is requested. If a journal keeps finished rows,
        use larger chunks: workers then wait less often for the end of a chunk.

        Raises
        ------
        ValueError
            If a file is not text, or the files have no entries.
        """
        while chunk := list(islice(self._reads, at_once or CHUNK)):
            yield chunk
            self._count(chunk)
        if not self.n_read:
            names = ["standard input" if file == "-" else name_of(file) for file in self.files]
            raise ValueError(f"no puzzles found in {', '.join(names)}")

    def _entries(self) -> Generator[Read, None, None]:
        from nando.puzzles.reading import guess_of

        for file, found in self._read():
            entry, note = without_drawings(found, self.kind)
            read = Read(file, entry, entry.error, note)
            if self._check:
                read = read._replace(error=check_unique(file, entry).error)
            if self._is_guess and read.error is not None:
                is_known = self._is_known or read.error.startswith(_STATED)
                guess = guess_of(entry.text, self.kind, "--kind {}", is_known=is_known)
                read = read._replace(error=read.error + guess)
            if self._examine is not None and read.error is None:
                read = read._replace(error=self._examine(entry))
            yield read

    def _read(self) -> "Iterator[tuple[str | None, puzzles.Entry]]":
        """Yield the entries of all files, and record how far the files are read."""
        puzzle_class = puzzles.find_puzzle(self.kind)
        for number, file in enumerate(self.files):
            is_file = isinstance(file, str) and file != "-"
            with open(file, "rb") if is_file else nullcontext() as stream:
                self._place = number, stream
                for entry in puzzles.read_puzzles(stream or file, puzzle_class):
                    self._n_entries += 1
                    yield file if isinstance(file, str) else None, entry
        self._expected = Expected(self._n_entries)

    def estimate_total(self) -> Expected | None:
        """Return the number of puzzles, or None if it is unknown.

        Once all files are read, the number is known. Before, it is estimated from the share of
        bytes read so far; standard input and pipes have no size, and a spreadsheet is read whole.
        """
        if self._expected is not None or self._sizes is None:
            return self._expected
        number, stream = self._place
        read = sum(self._sizes[:number]) + (0 if stream is None else stream.tell())
        whole = sum(self._sizes)
        if not 0 < read < whole or not self._n_entries:
            return None
        return Expected(round(self._n_entries * whole / read), about=True)

    def place(self, read: Read) -> str:
        """Return the line of a puzzle for messages, with its file if there are several."""
        line = str(read.entry.line)
        return f"{name_of(read.file)}:{line}" if self.are_several else line

    def place_in_words(self, read: Read) -> str:
        """Return the place of a puzzle, as ``line N`` if there is only one file."""
        return self.place(read) if self.are_several else f"line {self.place(read)}"

    def _count(self, chunk: Sequence[Read]) -> None:
        for read in chunk:
            if read.note:
                self._n_notes += 1
                if self._n_notes <= _LISTED:
                    print(f"{self.place_in_words(read)}: {read.note}", file=sys.stderr)
            self.n_read += 1
            if read.error is not None:
                self.n_bad += 1
                if len(self._first_bad) < _LISTED:
                    self._first_bad.append(f"{self.place_in_words(read)}: {read.error}")

    def report(self, *, in_full: bool = True) -> int:
        """Report bad puzzles on standard error, and return the exit status, 0 or 1."""
        if not self.n_bad:
            return 0
        summary = f"{self.n_bad:,} of {self.n_read:,} puzzles cannot be used"
        if in_full:
            return report_bad(summary, self._first_bad, self.n_bad)
        print(f"{summary}; see the column 'error'", file=sys.stderr)
        return 1


def columns_of_files(files: Sequence[Source], kind: str) -> dict[str, type]:
    """Return the columns next to the puzzles of files, and their types; str if they differ."""
    from nando.puzzles.reading import columns_of_file

    columns: dict[str, type] = {}
    for file in files:
        for name, found in columns_of_file(file, kind).items():
            columns[name] = found if columns.get(name, found) is found else str
    return columns


def report_bad(summary: str, problems: Sequence[str], n_problems: int = 0) -> int:
    """List the first problems on standard error, and return the exit status 1."""
    list_some(summary, problems, n_problems)
    return 1


def list_some(heading: str, lines: Sequence[str], n_lines: int = 0) -> None:
    """Print a heading and the first lines on standard error, and how many more there are."""
    shown = [heading, *(f"  {line}" for line in lines[:_LISTED])]
    n_lines = n_lines or len(lines)
    if n_lines > _LISTED:
        shown.append(f"  and {n_lines - _LISTED:,} more")
    print("\n".join(shown), file=sys.stderr)


def report_games(problems: Sequence[str]) -> int:
    """Report bad lines on standard error, and return the exit status, 0 or 1."""
    if not problems:
        return 0
    counted = how_many(len(problems), "line or game", "lines or games")
    return report_bad(f"{counted} cannot be used", problems)


def _readable(files: Sequence[Source] | None) -> Sequence[Source]:
    """Return the files to read, by default standard input; raise an error if unreadable."""
    from nando.puzzles.files import shortened

    if not files:
        if sys.stdin is None or sys.stdin.isatty():
            raise ValueError("no puzzles: name a FILE, or - to read standard input")
        return ["-"]
    files = [_source(file) for file in files]
    for file in files:
        if isinstance(file, str) and file != "-":
            if not os.path.exists(file) and _SYMBOLS.fullmatch(file):
                raise ValueError(
                    f"{shortened(file)}: neither a file nor a whole puzzle; wanted the 81 cells of "
                    "a Sudoku or more, or the rows of a Nurikabe with / between them"
                )
            if stat.S_ISDIR(os.stat(file).st_mode):
                message = (
                    "Is a directory; name the files in it (rate reads a folder with -o FOLDER)"
                )
                raise IsADirectoryError(21, message, file)
            if not os.access(file, os.R_OK):
                raise PermissionError(13, "Permission denied", file)
            if file.lower().endswith(".toml"):
                raise ValueError(
                    f"{shortened(file)} describes what to make, and holds no puzzles: name the "
                    "file that was made from it"
                )
    return files


def _sizes(files: Sequence[Source]) -> list[int] | None:
    """Return the size of each file in bytes; None if one is standard input or a pipe."""
    if not all(map(_is_read_again, files)):
        return None
    return [len(file) if isinstance(file, bytes) else os.path.getsize(file) for file in files]


def _is_read_again(source: Source) -> bool:
    """Return False for standard input and pipes, which can be read only once."""
    return isinstance(source, bytes) or (source != "-" and os.path.isfile(source))


def _source(argument: Source) -> Source:
    """Return the argument if it names a file; return a puzzle or link as bytes."""
    if isinstance(argument, bytes) or argument == "-" or os.path.exists(argument[:255]):
        return argument

    is_word = argument.isalnum() and len(argument) < 81
    is_text = not _PATH.match(argument) and _WORDS.match(argument)
    if _SUDOKU.fullmatch(argument) or "://" in argument or is_text:
        return argument.encode(errors="replace")
    if not is_word and puzzles.kind_of_text(argument) is not None:
        return argument.encode(errors="replace")
    return argument


def _kind_of(files: Sequence[Source], chosen: str | None) -> str | None:
    """Return `chosen`, or if it is None the kind of the puzzles, if it is recognised."""
    from nando.puzzles.reading import recognised_kind

    if chosen is not None:
        return puzzles.find_puzzle(chosen).kind
    kind = recognised_kind(files[0])
    for file in files[1:]:
        other = recognised_kind(file) if _is_read_again(file) else None
        if {kind, other} == {"sudoku", "variant"}:
            kind = "variant"  # which reads both
        elif kind is None:
            kind = other
        elif other is not None and other != kind:
            raise ValueError(
                f"{name_of(file)} has puzzles of the kind {other!r}, {name_of(files[0])} of the "
                f"kind {kind!r}: give files of one kind, or choose the kind with --kind"
            )
    return kind


def name_of(file: Source | None) -> str:
    """Return the name of a file; "argument" for a puzzle given as an argument."""
    return file if isinstance(file, str) else "argument"


def without_drawings(entry: "puzzles.Entry", kind: str) -> "tuple[puzzles.Entry, str]":
    """Return an entry without decoration, and a note on decoration that was left out."""
    if entry.undecided is None:
        return entry, ""
    from nando.solvers.exact.search import left_out, without_decoration

    try:
        puzzle = without_decoration(entry.undecided, kind)
    except puzzles.PuzzleError as error:
        return puzzles.Entry.of(entry.line, entry.text, error, entry.columns), ""
    decided = puzzles.Entry(entry.line, entry.text, puzzle, columns=entry.columns)
    return decided, left_out(entry.undecided)


def check_unique(file: str | None, entry: "puzzles.Entry") -> Read:
    """Return an entry, with an error if its puzzle does not have exactly one solution."""
    if entry.puzzle is None:
        return Read(file, entry, entry.error)

    faults = solvers.status(entry.puzzle)
    return Read(file, entry, None if faults.valid else str(faults))

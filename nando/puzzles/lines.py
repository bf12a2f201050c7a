"""Numbered lines of a text or spreadsheet, read in bounded memory, and the puzzles in them."""

import bz2
import gzip
import io
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from nando.puzzles.files import LATIN, is_utf_16
from nando.puzzles.protocol import Puzzle, PuzzleError, UndecidedError
from nando.puzzles.sheets import PARQUET, parquet_lines, sheet_lines

_LONGEST_TEXT = 2_000
NO_COLUMNS: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Entry:
    """A puzzle in a file, or the error of a text that is not a puzzle.

    Attributes
    ----------
    line : int
        Line at which it starts, from 1; in a spreadsheet or a Parquet file the row.
    text : str
        The text as read, without surrounding white space. The text of an error is truncated to
        2,000 characters.
    puzzle : Puzzle or None
    error : str or None
        Everything wrong with the text. Either `puzzle` or `error` is None.
    columns : mapping of str to str, or to other values of JSON
        The other columns of the row of a table, or keys of a JSON object, by name.
    undecided : UndecidedError or None
        The error itself, if the puzzle has drawings that may be decoration.
    """

    line: int
    text: str
    puzzle: Puzzle | None = None
    error: str | None = None
    columns: Mapping[str, Any] = field(default_factory=dict, hash=False)
    undecided: UndecidedError | None = field(default=None, repr=False, compare=False)

    @property
    def undrawn(self) -> Puzzle | None:
        """The puzzle, perhaps without drawings that may be decoration; None if there is none."""
        return self.puzzle if self.undecided is None else self.undecided.puzzle

    @classmethod
    def of(
        cls,
        line: int,
        text: str,
        outcome: Puzzle | PuzzleError | str,
        columns: Mapping[str, Any] = NO_COLUMNS,
    ) -> Self:
        """Return the entry of a puzzle, or of the error that took its place."""
        text = text.strip()
        if not isinstance(outcome, PuzzleError | str):
            # The whole text: it may hold a position as well.
            return cls(line, text, outcome, columns=columns)
        if len(text) > _LONGEST_TEXT:
            text = text[: _LONGEST_TEXT - 3] + "..."
        undecided = outcome if isinstance(outcome, UndecidedError) else None
        return cls(line, text, error=str(outcome), undecided=undecided, columns=columns)


LONGEST_LINE = 1 << 16
"""Number of characters after which a line is truncated; no puzzle is nearly this long."""

LONGEST_SKIPPED = 1 << 28
"""A longer line is an error: the source is not a file of puzzles."""

MOST_UNPACKED = 1 << 28
MOST_TIMES = 250
"""A packed file that unpacks to more than `MOST_UNPACKED` characters, and to more than `MOST_TIMES`
times its size, is a decompression bomb."""
_LINE_COST = 64
"""Least number of characters that a line counts: a short line takes as long to read."""

_PEEKED = LONGEST_LINE
"""Number of characters from which the kind of puzzle of a source is recognised."""

_PACKED: tuple[tuple[bytes, str, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", "gzip", lambda stream: gzip.GzipFile(fileobj=stream)),
    (b"BZh", "bzip2", bz2.BZ2File),
    (b"\xfd7zXZ\0", "xz", lzma.LZMAFile),
)
"""First bytes of a compressed file, its name, and its reader."""

SPREADSHEET = b"PK\x03\x04"
"""First bytes of spreadsheets, which are zip archives."""

_OTHERS = (
    (b"SQLite format 3", "an SQLite file"),
    (b"%PDF", "a PDF"),
    (b"\x28\xb5\x2f\xfd", "packed by zstd"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet"),
)
"""First bytes of binary files that people may give as a text of puzzles."""

_SURROGATE = re.compile("[\ud800-\udfff]")

Source = str | Path | bytes | IO[str] | IO[bytes]
"""A path (``"-"`` for standard input), the content as bytes, or an open stream."""


class Line(NamedTuple):
    """A line: its number from 1, its text without the line end, and its original length."""

    number: int
    text: str
    length: int

    @property
    def cut(self) -> bool:
        """True if the text is truncated."""
        return self.length > len(self.text)


def numbered_lines(source: Source) -> Iterator[Line]:
    """Yield the lines of `source`, which may be packed (see :func:`nando.puzzles.read_puzzles`).

    The rows of a spreadsheet or a Parquet file become lines of CSV.

    Raises
    ------
    ValueError
        At the first line that is not text, or for compressed data or a spreadsheet that is
        damaged or too large.
    OSError
        If the source cannot be opened or read.
    """
    with ExitStack() as stack:
        stream, name, head, packed = _open(source, stack)
        if head.startswith((SPREADSHEET, PARQUET)):
            read = sheet_lines if head.startswith(SPREADSHEET) else parquet_lines
            for number, text in read(_seekable(stream), name):
                yield Line(number, text[:LONGEST_LINE], len(text))
            return
        number, taken = 1, 0
        try:
            while text := stream.readline(LONGEST_LINE):
                if "\0" in text:
                    raise _no_text(name, number, head)
                if number == 1:
                    text = text.removeprefix("\ufeff")
                shown = text.rstrip("\r\n")
                length, piece = len(shown), text
                while not piece.endswith("\n") and (piece := stream.readline(LONGEST_LINE)):
                    length += len(piece.rstrip("\r\n"))
                    if length > LONGEST_SKIPPED:
                        raise ValueError(
                            f"{name}: line {number} has more than {LONGEST_SKIPPED:,} characters: "
                            "not a file of puzzles; wanted one puzzle per line, or one row"
                        )
                taken += max(length, _LINE_COST)
                if packed is not None and taken > max(MOST_UNPACKED, MOST_TIMES * packed.taken):
                    raise ValueError(
                        f"{name}: {packed.taken:,} bytes unpack to more than {taken:,} characters, "
                        f"{MOST_TIMES} times as many: if that is intended, unpack it yourself"
                    )
                yield Line(number, shown, length)
                number += 1
        except UnicodeDecodeError:
            raise _no_text(name, number, head) from None
        except _DAMAGE as error:
            raise _error_of(name, packed, error) from None


_DAMAGE = (EOFError, zlib.error, lzma.LZMAError, OSError)


def _error_of(name: str, packed: "_Packed | None", error: Exception) -> Exception:
    """Return the error for a packed file that is damaged; an error of the system is unchanged."""
    if isinstance(error, OSError) and error.errno is not None:
        return error  # errors of decompression have no number
    form = "packed" if packed is None else packed.form
    return ValueError(
        f"{name}: damaged {form} file ({error or type(error).__name__}); take another copy of it"
    )


def text_lines(text: str) -> Iterator[Line]:
    """Yield the lines of a text, which is never taken for a packed file.

    A lone surrogate becomes U+FFFD.
    """
    text = _SURROGATE.sub("\ufffd", text.removeprefix("\ufeff"))
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        shown = line.rstrip("\n")
        yield Line(number, shown[:LONGEST_LINE], len(shown))


def first_lines(source: str | Path | bytes, most: int = _PEEKED) -> list[str]:
    """Return the first lines of a source without consuming them; the last may be truncated.

    From standard input, only the data that has arrived is read. The list is empty for an unreadable
    source; :func:`numbered_lines` raises its error.
    """
    if not isinstance(source, bytes):
        if str(source) == "-":
            source = _peek(getattr(sys.stdin, "buffer", None), most)
        elif not Path(source).is_file():  # reading from a pipe consumes it
            return []
    lines: list[str] = []
    left = most
    with suppress(ValueError, OSError):
        for line in numbered_lines(source):
            lines.append(line.text[:left])
            left -= len(line.text) + 1
            if left <= 0:
                break
    return lines


def _peek(stream: Any, most: int) -> bytes:
    """Return the next bytes of a binary stream, without consuming them."""
    if hasattr(stream, "peek"):
        head: bytes = stream.peek(most)
        return head[:most]
    if stream is not None and stream.seekable():
        place = stream.tell()
        head = stream.read(most)
        stream.seek(place)
        return head
    return b""


def _no_text(name: str, number: int, head: bytes) -> ValueError:
    known = next((what for start, what in _OTHERS if head.startswith(start)), "")
    way_out = "; save it as UTF-8"
    if known:
        way_out = f": it is {known}; export it as CSV with one puzzle per row"
    return ValueError(f"{name}: not a text file (seen near line {number}){way_out}")


def _seekable(stream: IO[bytes]) -> IO[bytes]:
    """Return a stream that can be read anywhere: the content of standard input or a pipe."""
    return stream if stream.seekable() else io.BytesIO(stream.read())


class _Packed(io.RawIOBase):
    """A compressed stream that counts the bytes read from it."""

    def __init__(self, stream: Any, form: str) -> None:
        super().__init__()
        self.form = form
        self.taken = 0
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        piece: bytes = self._stream.read(size)
        self.taken += len(piece)
        return piece


def _open(source: Source, stack: ExitStack) -> tuple[Any, str, bytes, _Packed | None]:
    """Open a source; return its stream, name and first bytes, and the compressed stream below.

    The stream is binary for a spreadsheet or a Parquet file, and text for any other source.
    """
    stream: Any
    if isinstance(source, bytes):
        stream, name = io.BytesIO(source), "input"
    elif not isinstance(source, str | Path):
        stream, name = source, str(getattr(source, "name", "input"))
    elif str(source) == "-":
        # The binary layer, if any: the text layer may have another encoding.
        stream, name = getattr(sys.stdin, "buffer", sys.stdin), "standard input"
    else:
        stream, name = stack.enter_context(open(source, "rb")), str(source)  # noqa: SIM115

    if isinstance(stream, io.TextIOBase):
        return stream, name, b"", None
    if not hasattr(stream, "readline"):
        raise TypeError(f"source must be a path, bytes or an open stream, got {source!r}")
    if not hasattr(stream, "peek"):
        stream = io.BufferedReader(stream)
        stack.callback(stream.detach)
    head, packed = stream.peek(16), None
    if head.startswith((SPREADSHEET, PARQUET)):
        return stream, name, head, None
    for start, form, unpacker in _PACKED:
        if head.startswith(start):
            packed = _Packed(stream, form)
            stream = stack.enter_context(unpacker(packed))
    if packed is None and any(head.startswith(start) for start, _ in _OTHERS):
        raise _no_text(name, 1, head)
    try:
        is_wide = is_utf_16(stream.peek(2))
    except _DAMAGE as error:
        raise _error_of(name, packed, error) from None
    encoding, errors = ("utf-16", "strict") if is_wide else ("utf-8", LATIN)
    text = io.TextIOWrapper(stream, encoding=encoding, errors=errors)
    stack.callback(text.detach)  # the caller's stream stays open
    return text, name, head, packed

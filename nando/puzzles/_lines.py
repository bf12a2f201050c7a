"""Numbered lines of a text from anywhere, in bounded memory."""

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple

LONGEST_LINE = 1 << 16
"""Longer lines are cut after so many characters; no puzzle is near this long."""

_PEEKED = 1 << 14
"""Bytes of a source that its kind of puzzle is told by."""

Source = str | Path | bytes | IO[str] | IO[bytes]
"""A path (``"-"`` for standard input), the content as bytes, or an open stream."""


class Line(NamedTuple):
    """Number from 1, the text without its line end, and its length before it was cut."""

    number: int
    text: str
    length: int

    @property
    def cut(self) -> bool:
        """Whether the text is only the beginning of the line."""
        return self.length > len(self.text)


def numbered_lines(source: Source) -> Iterator[Line]:
    """Lines of `source`, unpacked where it is gzip; see :func:`nando.puzzles.read_puzzles`.

    Raises
    ------
    ValueError
        At the first line that is no UTF-8 text, or where gzip data is damaged.
    OSError
        Where the source cannot be opened or read.
    """
    with ExitStack() as stack:
        stream, name = _opened(source, stack)
        number = 1
        try:
            while text := stream.readline(LONGEST_LINE):
                if "\0" in text:
                    raise _no_text(name, number)
                if number == 1:
                    text = text.removeprefix("\ufeff")
                shown = text.rstrip("\r\n")
                length, piece = len(shown), text
                while not piece.endswith("\n") and (piece := stream.readline(LONGEST_LINE)):
                    length += len(piece.rstrip("\r\n"))
                yield Line(number, shown, length)
                number += 1
        except UnicodeDecodeError:
            raise _no_text(name, number) from None
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(f"{name}: damaged gzip file ({error})") from None


def first_lines(source: str | Path | bytes, most: int = _PEEKED) -> list[str]:
    """Lines that a source begins with, without taking anything from it; the last may be cut.

    Of standard input only what has come so far is seen. What cannot be read has no lines here;
    :func:`numbered_lines` says why.
    """
    if isinstance(source, bytes):
        head = source[:most]
    elif str(source) == "-":
        head = _peeked(getattr(sys.stdin, "buffer", None), most)
    elif not Path(source).is_file():  # what is read from a pipe is gone
        return []
    else:
        with open(source, "rb") as file:
            head = file.read(most)
    if head[:2] == b"\x1f\x8b":
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, most)
        except zlib.error:
            return []
    return head.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()


def _peeked(stream: Any, most: int) -> bytes:
    """What a binary stream has next, left in it."""
    if hasattr(stream, "peek"):
        head: bytes = stream.peek(most)
        return head[:most]
    if stream is not None and stream.seekable():
        place = stream.tell()
        head = stream.read(most)
        stream.seek(place)
        return head
    return b""


def _no_text(name: str, number: int) -> ValueError:
    return ValueError(f"{name}: not a text file (wanted UTF-8; seen near line {number})")


def _opened(source: Source, stack: ExitStack) -> tuple[IO[str], str]:
    """The source as a text stream, and its name for messages."""
    stream: Any
    if isinstance(source, bytes):
        stream, name = io.BytesIO(source), "input"
    elif not isinstance(source, str | Path):
        stream, name = source, str(getattr(source, "name", "input"))
    elif str(source) == "-":
        # The bytes below, where there are any: the text layer may be set to another encoding.
        stream, name = getattr(sys.stdin, "buffer", sys.stdin), "standard input"
    else:
        stream, name = stack.enter_context(open(source, "rb")), str(source)  # noqa: SIM115

    if isinstance(stream, io.TextIOBase):
        return stream, name  # type: ignore[return-value]
    if not hasattr(stream, "readline"):
        raise TypeError(f"source must be a path, bytes or an open stream, got {source!r}")
    if not hasattr(stream, "peek"):
        stream = io.BufferedReader(stream)
        stack.callback(stream.detach)
    if stream.peek(2)[:2] == b"\x1f\x8b":
        stream = stack.enter_context(gzip.GzipFile(fileobj=stream))
    text = io.TextIOWrapper(stream, encoding="utf-8")
    stack.callback(text.detach)  # the caller's stream stays open
    return text, name

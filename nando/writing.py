"""Write files completely or not at all."""

import glob
import io
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters of what spreadsheets take for a formula; the last four are full width."""


@contextmanager
def replace_file(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a binary file that replaces `path` if the block ends without an error.

    Until then `path` is unchanged, and the new file is next to it; after an error the new file is
    removed. A path that is not a regular file, for example a pipe, is written directly.

    Raises
    ------
    OSError
        At once, if `path` cannot be written.
    """
    # A symbolic link still points to the replaced file.
    path = Path(os.path.realpath(path))
    check_writable(path)
    if path.exists() and not path.is_file():
        with _open(path, path) as file:
            yield file
        return
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with _open(part, path) as file:
            yield file
        with name_errors(path):
            os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def write_file(path: str | Path, content: str | bytes) -> None:
    """Replace a file by text in UTF-8, or by bytes; OSError if it cannot be written."""
    with replace_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def replace_text(path: str | Path) -> Iterator[IO[str]]:
    """Open a text file as `replace_file` does, packed if its name ends in ``.gz``."""
    with replace_file(path) as file, open_packed(file, path) as text:
        yield text


@contextmanager
def open_packed(binary: IO[bytes], name: str | Path) -> Iterator[IO[str]]:
    """Yield a stream that writes UTF-8 text to `binary`, as gzip if the name ends in ``.gz``."""
    import gzip

    packed = str(name).lower().endswith(".gz")
    # Without a name and time in the gzip header, equal puzzles give equal files.
    raw = gzip.GzipFile(filename="", mode="wb", fileobj=binary, mtime=0) if packed else binary
    text = io.TextIOWrapper(raw, encoding="utf-8", newline="\n", write_through=not packed)
    try:
        yield text
    finally:
        text.detach()
        if packed:
            raw.close()


@contextmanager
def name_errors(path: Path) -> Iterator[None]:
    """Add the name of the written file to system errors, which often lack it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"Cannot be written: {error.strerror}", str(path)) from None


class _Named(io.FileIO):
    """A file whose errors carry the name of the file that it will replace."""

    def __init__(self, path: Path, name: Path) -> None:
        self._path = name
        with name_errors(name):
            super().__init__(path, "wb")

    def write(self, content: Any) -> int:
        """Write bytes and return their number."""
        with name_errors(self._path):
            return super().write(content)


def _open(path: Path, name: Path) -> IO[bytes]:
    return io.BufferedWriter(_Named(path, name))


def check_writable(path: Path) -> None:
    """Raise an error if a file cannot be written.

    Raises
    ------
    OSError
        If `path` is a folder, or its folder does not exist or is not writable.
    """
    if path.is_dir():
        raise IsADirectoryError(21, "Is a directory", str(path))
    if path.exists() and not path.is_file():
        return
    for place in (path.parent, path) if path.exists() else (path.parent,):
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(13, "Permission denied", str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(2, "No such directory; make it first", str(path.parent))


def no_formula(value: Any) -> Any:
    """Return a value for a CSV; an apostrophe precedes a text that would be a formula.

    Examples
    --------
    >>> no_formula("=1+1"), no_formula("Ada"), no_formula(-1.5)
    ("'=1+1", 'Ada', -1.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def remove_abandoned(path: Path) -> None:
    """Remove temporary files that killed processes left next to `path`."""
    for part in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        if not part.name.startswith(f".{path.name}.{os.getpid()}-"):
            part.unlink(missing_ok=True)

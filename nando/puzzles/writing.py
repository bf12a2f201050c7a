"""Write puzzles to files that :func:`nando.puzzles.read_puzzles` reads back unchanged."""

import contextlib
import glob
import gzip
import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from nando.puzzles.formats.format import Format
from nando.puzzles.formats.registry import find_format, format_of_file
from nando.puzzles.formats.text import LINE
from nando.puzzles.protocol import Puzzle


def write_puzzles(
    puzzles: Iterable[Puzzle], target: str | Path | IO[str], *, format: str | None = None
) -> int:
    """Write puzzles, all or nothing: a file is replaced only when the new one is complete.

    Parameters
    ----------
    puzzles : iterable of Puzzle
    target : str, Path or text stream
        A name ending in ``.gz`` makes the file gzip.
    format : str, optional
        Such as ``"line"``, ``"grid"``, ``"sudokupad"`` (links, one a line) or ``"opensudoku"``.
        Default: by the suffix, or else ``"line"``: one puzzle a line.

    Returns
    -------
    int
        Number of puzzles written.

    Raises
    ------
    ValueError
        For an unknown format, a puzzle that the format cannot hold, and more than one puzzle where
        a file holds only one.
    OSError
        If the file cannot be written.
    """
    if format is not None:
        chosen = find_format(format)
    else:
        chosen = format_of_file(target) if isinstance(target, str | Path) else LINE
    if not isinstance(target, str | Path):
        return _write(puzzles, target, chosen)
    with replaced_file(target) as binary, packed_text(binary, target) as text:
        return _write(puzzles, text, chosen)


def format_puzzle(puzzle: Puzzle, format: str) -> str:
    """One puzzle in a format, such as a link that opens it in another program.

    Parameters
    ----------
    puzzle : Puzzle
    format : str
        As for :func:`write_puzzles`.

    Returns
    -------
    str
        A link, or the content of a file, without the last line end.

    Raises
    ------
    ValueError
        For an unknown format, and a puzzle that it cannot hold.

    Examples
    --------
    >>> from nando.puzzles import Nurikabe
    >>> format_puzzle(Nurikabe("2..../...3./...../.2.../...2."), "puzz.link")
    'https://puzz.link/p?nurikabe/5/5/2m3m2l2g'
    """
    return "".join(find_format(format).written([puzzle])).rstrip("\n")


def _write(puzzles: Iterable[Puzzle], stream: IO[str], format: Format) -> int:
    count = 0

    def counted() -> Iterator[Puzzle]:
        nonlocal count
        for puzzle in puzzles:
            yield puzzle
            count += 1

    for piece in format.written(counted()):
        stream.write(piece)
    return count


@contextlib.contextmanager
def replaced_file(path: str | Path) -> Iterator[IO[bytes]]:
    """A binary file next to `path` that replaces it when the block ends without an error.

    Until then `path` is unchanged. Other than regular files, such as pipes, are written directly.

    Raises
    ------
    OSError
        At once, where `path` cannot be written.
    """
    # A symbolic link still points to the replaced file.
    path = Path(os.path.realpath(path))
    check_writable(path)
    if path.exists() and not path.is_file():
        with open(path, "wb") as file:
            yield file
        return
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            yield file
        os.replace(part, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(part):
            raise OSError(error.errno, f"Cannot be written: {error.strerror}", str(path)) from None
        raise


def check_writable(path: Path) -> None:
    """Refuse a path that no file can be written to.

    Raises
    ------
    OSError
        Naming what is in the way.
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


def remove_abandoned(path: Path) -> None:
    """Remove temporary files that killed processes left beside `path`."""
    for part in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        if part.name != f".{path.name}.{os.getpid()}.part":
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def packed_text(binary: IO[bytes], name: str | Path) -> Iterator[IO[str]]:
    """UTF-8 text written into `binary`, as gzip where the name ends in ``.gz``."""
    packed = str(name).lower().endswith(".gz")
    # Without name and time in the gzip header, equal puzzles make equal files.
    raw = gzip.GzipFile(filename="", mode="wb", fileobj=binary, mtime=0) if packed else binary
    text = io.TextIOWrapper(raw, encoding="utf-8", newline="\n", write_through=not packed)
    try:
        yield text
    finally:
        text.detach()
        if packed:
            raw.close()

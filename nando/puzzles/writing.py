"""Write puzzles to files that :func:`nando.puzzles.read_puzzles` reads back unchanged."""

import contextlib
import glob
import gzip
import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Literal, get_args

from nando.puzzles.protocol import Puzzle

WriteFormat = Literal["line", "sdm", "grid", "sdk"]


def write_puzzles(
    puzzles: Iterable[Puzzle], target: str | Path | IO[str], *, format: WriteFormat | None = None
) -> int:
    """Write puzzles, all or nothing: a file is replaced only when every puzzle is in it.

    Parameters
    ----------
    puzzles : iterable of Puzzle
    target : str, Path or text stream
        A name ending in ``.gz`` makes the file gzip.
    format : {"line", "sdm", "grid", "sdk"}, optional
        ``"line"`` and ``"sdm"``: one puzzle a line. ``"grid"``: grids with a blank line between.
        ``"sdk"``: a single puzzle as bare rows. Default: by the suffix, or else ``"line"``.

    Returns
    -------
    int
        Number of puzzles written.

    Raises
    ------
    ValueError
        For an unknown format, and for more than one puzzle in an ``.sdk`` file.
    OSError
        Where the file cannot be written.
    """
    if format is None:
        format = "sdk" if _suffix(target) == ".sdk" else "line"
    if format not in get_args(WriteFormat):
        raise ValueError(
            f"format must be one of {', '.join(get_args(WriteFormat))}, got {format!r}"
        )
    if not isinstance(target, str | Path):
        return _write(puzzles, target, format)
    with replaced_file(target) as binary, packed_text(binary, target) as text:
        return _write(puzzles, text, format)


def _write(puzzles: Iterable[Puzzle], stream: IO[str], format: str) -> int:
    count = 0
    for count, puzzle in enumerate(puzzles, 1):
        if format in ("line", "sdm"):
            # What could be a row of a grid is parted from the next one.
            stream.write(puzzle.text + ("\n" if puzzle.is_whole(puzzle.text) else "\n\n"))
        elif format == "grid":
            stream.write(("\n" if count > 1 else "") + puzzle.grid() + "\n")
        elif count > 1:
            raise ValueError("an sdk file holds one puzzle; use format 'grid' or 'line' for more")
        else:
            stream.write("\n".join(["[Puzzle]", *_rows(puzzle)]) + "\n")
    return count


def _rows(puzzle: Puzzle) -> list[str]:
    """Rows of the text: those that it parts, or else symbols that all are one cell."""
    text, (n_rows, n_columns) = puzzle.text, puzzle.shape
    if len(text) > n_rows * n_columns:
        return text.split("/")
    return [text[row * n_columns : (row + 1) * n_columns] for row in range(n_rows)]


def _suffix(target: str | Path | IO[str]) -> str:
    if not isinstance(target, str | Path):
        return ""
    return Path(str(target).lower().removesuffix(".gz")).suffix


@contextlib.contextmanager
def replaced_file(path: str | Path) -> Iterator[IO[bytes]]:
    """A binary file next to `path` that takes its place when the block ends without an error.

    Until then `path` is as it was. What is no regular file, such as a pipe, is written directly.

    Raises
    ------
    OSError
        At once, where `path` cannot be written.
    """
    # A symbolic link goes on pointing to the file that is replaced.
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise IsADirectoryError(21, "Is a directory", str(path))
    if path.exists() and not path.is_file():
        with open(path, "wb") as file:
            yield file
        return
    for place in (path.parent, path) if path.exists() else (path.parent,):
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(13, "Permission denied", str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(2, "No such directory", str(path.parent))
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            yield file
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def remove_abandoned(path: Path) -> None:
    """Remove what killed processes have left of files that were to replace `path`."""
    for part in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        if part.name != f".{path.name}.{os.getpid()}.part":
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def packed_text(binary: IO[bytes], name: str | Path) -> Iterator[IO[str]]:
    """UTF-8 text written into `binary`, as gzip where the name ends in ``.gz``."""
    packed = str(name).lower().endswith(".gz")
    # No name and no time in the gzip header: equal puzzles make equal files.
    raw = gzip.GzipFile(filename="", mode="wb", fileobj=binary, mtime=0) if packed else binary
    text = io.TextIOWrapper(raw, encoding="utf-8", newline="\n", write_through=not packed)
    try:
        yield text
    finally:
        text.detach()
        if packed:
            raw.close()

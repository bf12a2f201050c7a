"""Write puzzles to files that :func:`nando.puzzles.read_puzzles` reads back unchanged."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, cast

from nando.names import WriteFormat
from nando.puzzles.formats.base import Format
from nando.puzzles.formats.registry import find_format, format_of_file
from nando.puzzles.formats.text import LINE
from nando.puzzles.inputs import PuzzleLike, as_puzzle, is_one, several
from nando.puzzles.protocol import Puzzle
from nando.writing import replace_text


def write_puzzles(
    puzzles: PuzzleLike | Iterable[PuzzleLike],
    target: str | Path | IO[str],
    *,
    format: WriteFormat | None = None,
) -> int:
    """Write puzzles to a file, which is replaced only when the new file is complete.

    Parameters
    ----------
    puzzles : iterable of Puzzle, or of anything that :func:`as_puzzle` takes
        The puzzles, or a single puzzle.
    target : str, Path or text stream
        A name ending in ``.gz`` makes the file gzip.
    format : str, optional
        For example ``"line"``, ``"grid"``, ``"sudokupad"`` (one link per line) or ``"opensudoku"``.
        Default: by the suffix of the file, or else ``"line"``, one puzzle per line.

    Returns
    -------
    int
        Number of puzzles written.

    Raises
    ------
    ValueError
        For an unknown format, a puzzle that the format cannot hold, or several puzzles in a format
        that holds one.
    OSError
        If the file cannot be written.
    """
    if format is not None:
        chosen = find_format(format)
    else:
        chosen = format_of_file(target) if isinstance(target, str | Path) else LINE
    listed: Any = [puzzles] if is_one(puzzles) else several(cast(Any, puzzles))
    if not isinstance(target, str | Path):
        return _write(listed, target, chosen)
    with replace_text(target) as text:
        return _write(listed, text, chosen)


def format_puzzle(puzzle: PuzzleLike, format: WriteFormat) -> str:
    """Return one puzzle in a format, for example as a link that opens it in another program.

    Parameters
    ----------
    puzzle : Puzzle, or anything that :func:`as_puzzle` takes
    format : str
        As for :func:`write_puzzles`.

    Returns
    -------
    str
        A link, or the content of a file, without the last line end.

    Raises
    ------
    ValueError
        For an unknown format, or a puzzle that the format cannot hold.

    Examples
    --------
    >>> from nando.puzzles import Nurikabe
    >>> format_puzzle(Nurikabe("2..../...3./...../.2.../...2."), "puzz.link")
    'https://puzz.link/p?nurikabe/5/5/2m3m2l2g'
    """
    return "".join(find_format(format).write_all([as_puzzle(puzzle)])).rstrip("\n")


def _write(puzzles: Iterable[PuzzleLike], stream: IO[str], format: Format) -> int:
    count = 0

    def counted() -> Iterator[Puzzle]:
        nonlocal count
        for puzzle in puzzles:
            yield as_puzzle(puzzle)
            count += 1

    for piece in format.write_all(counted()):
        stream.write(piece)
    return count

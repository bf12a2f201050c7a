"""Reads puzzles from files in all common forms, with the errors of each line.

Everything is recognised by its content, as far as possible: links and files of other programs
(`nando.puzzles.formats`), one puzzle a line, alone or among other columns (``hash puzzle rating``),
grids over several lines, CSV with a column of puzzles, spreadsheets, and any of these in gzip,
bzip2 or xz.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import get_args

from nando.names import ReadFormat
from nando.puzzles.entry import Entry
from nando.puzzles.formats.one_line import of_kind, puzzle_of_text
from nando.puzzles.formats.registry import FORMATS
from nando.puzzles.formats.table import read_table
from nando.puzzles.formats.text import read_text
from nando.puzzles.kinds import PUZZLES, find_puzzle
from nando.puzzles.lines import Line, Source, first_lines, numbered_lines, text_lines
from nando.puzzles.protocol import Fault, FaultKind, Puzzle, PuzzleError, PuzzleTypeError
from nando.puzzles.sudoku.puzzle import Sudoku


def read_puzzles(
    source: Source, kind: str | type[Puzzle] = Sudoku, *, format: ReadFormat | None = None
) -> Iterator[Entry]:
    r"""Read puzzles one after another, without holding the file in memory.

    Parameters
    ----------
    source : str, Path, bytes, text stream or binary stream
        A path (``"-"`` for standard input), the content itself as bytes, or an open stream.
        gzip, bzip2, xz and spreadsheets (.xlsx, .ods) are recognised by their first bytes; text is
        UTF-8 with any line ends.
    kind : str or type of Puzzle
        For kinds other than Sudoku, the kind decides whether a line is a puzzle. Other lines are
        rows of a grid, up to a blank line, comment or title.
    format : {"line", "sdm", "grid", "sdk", "csv"}, optional
        Default: recognised by the content. With ``"line"`` and ``"sdm"`` no line is the row of a
        grid, with ``"grid"`` and ``"sdk"`` none is the header of a CSV, and ``"csv"`` wants a
        header line with a ``puzzle`` column.

    Yields
    ------
    Entry
        In the order of the file. A line that is no puzzle is an entry with an error, and reading
        goes on after it. Blank lines, ``#`` comments, frames and titles are skipped.

    Raises
    ------
    ValueError
        For an unknown format; and, when the place is reached, for a source that is not UTF-8 text,
        damaged gzip, a line of more than 268,435,456 characters, a packed file that unpacks to
        as many and 250 times its size, a spreadsheet that is damaged or too large, or a CSV
        without a puzzle column.
    OSError
        If the source cannot be opened.

    See Also
    --------
    read_puzzle : One puzzle from a text or link.
    as_puzzle : One puzzle from text, an array or a list of numbers.

    Notes
    -----
    Grids of Sudoku need no blank lines between them if every row has its full length. After a row
    of another length, reading resumes at the next blank line, comment or title.

    Examples
    --------
    >>> text = b"# two lines\n" + b"." * 81 + b"\n" + b"." * 80
    >>> [(entry.line, entry.error) for entry in read_puzzles(text)]
    [(2, None), (3, 'wrong length: 80 symbols; wanted 81 (9x9), 256 (16x16) or 625 (25x25)')]
    """
    if format is not None and format not in get_args(ReadFormat):
        known = ", ".join(get_args(ReadFormat))
        raise ValueError(f"format must be one of {known}, got {format!r}")
    return _entries(numbered_lines(source), find_puzzle(kind), format)


def _entries(
    lines: Iterator[Line], kind: type[Puzzle], format: str | None = None
) -> Iterator[Entry]:
    first = next((line for line in lines if line.text.strip()), None)
    if first is None:
        return
    lines = chain([first], lines)
    for known in FORMATS:
        if known.file_start is not None and known.file_start.match(first.text.strip()):
            assert known.read_file is not None
            for entry in known.read_file(lines, kind):
                yield _of_kind(entry, kind)
            return
    yield from read_table(lines, kind) if format == "csv" else read_text(lines, kind, format)


def _of_kind(entry: Entry, kind: type[Puzzle]) -> Entry:
    if entry.puzzle is None:
        return entry
    try:
        of_kind(entry.puzzle, kind)
    except PuzzleError as error:
        return Entry.of(entry.line, entry.text, error)
    return entry


def read_puzzle(text: str, kind: str | type[Puzzle] | None = None) -> Puzzle:
    """Read the one puzzle in a text: a link, a line, a grid, or the content of a file of text.

    Parameters
    ----------
    text : str
        In any format of text that :func:`read_puzzles` knows.
    kind : str or type of Puzzle, optional
        Default: recognised by the text.

    Returns
    -------
    Puzzle

    Raises
    ------
    PuzzleError
        Lists everything wrong with the puzzle, or that there is none, or more than one.

    See Also
    --------
    format_puzzle : A puzzle as a link, or in another format.

    Examples
    --------
    >>> read_puzzle("https://puzz.link/p?nurikabe/5/5/2m3m2l2g").text
    '2..../...3./...../.2.../...2.'
    """
    if not isinstance(text, str):
        message = f"text must be a str, got {type(text).__name__}; see nando.puzzles.as_puzzle"
        raise PuzzleTypeError(message)
    line = text.strip()
    wanted = find_puzzle(kind or kind_of_text(line) or Sudoku.kind)
    entries = list(_entries(text_lines(text), wanted))
    if len(entries) == 1:
        entry = entries[0]
        if entry.puzzle is not None:
            return entry.puzzle
        if "\n" not in line:
            puzzle_of_text(line, wanted)  # raises with all faults, where it fails
        raise PuzzleError([Fault(FaultKind.UNREADABLE, entry.error or "unreadable")])
    found = f"{len(entries):,} puzzles" if entries else "no puzzle"
    message = f"unreadable: {found} in the text; wanted one"
    raise PuzzleError([Fault(FaultKind.UNREADABLE, message)])


def kind_of_text(text: str) -> str | None:
    """Return the kind of the first puzzle in a text; None if no kind can read one.

    Among several kinds, those come first whose rules the givens obey, then those that read the
    text as a complete puzzle, then the order of `PUZZLES`. A grid that breaks the rules of every
    kind has none.

    Examples
    --------
    >>> kind_of_text("2..../...3./...../.2.../....2,90"), kind_of_text("." * 81)
    ('nurikabe', 'sudoku')
    >>> kind_of_text("53..7....") is None
    True
    """
    found: list[tuple[int, bool, bool, str]] = []
    for kind in PUZZLES:
        try:
            entries = _entries(text_lines(text), kind)
            entry = next((entry for entry in entries if entry.puzzle is not None), None)
        except ValueError:
            continue
        if entry is not None and entry.puzzle is not None:
            is_valid, is_whole = entry.puzzle.status().valid, kind.is_whole(entry.text)
            # A number alone is no board: a single row is read where the kind is given.
            if (is_valid or is_whole) and kind.is_whole(entry.puzzle.text):
                found.append((entry.line, not is_valid, not is_whole, kind.kind))
    return min(found, key=lambda ranked: ranked[:3])[-1] if found else None


def kind_of_file(source: str | Path | bytes) -> str:
    """Return the kind of the first puzzle in a file, which is not consumed.

    Sudoku if there is none.
    """
    return recognised_kind(source) or Sudoku.kind


def recognised_kind(source: str | Path | bytes) -> str | None:
    """Return the kind of the first puzzle in a file, which is not consumed; None if there is none.

    A faulty puzzle has a kind, too, so that its own kind can report the faults.
    """
    lines = [line for line in first_lines(source) if not line.startswith("#")]
    found = kind_of_text("\n".join(lines))
    if found is not None:
        return found
    for puzzle in PUZZLES:
        if any(puzzle.is_whole(line) for line in lines if not re.search("[A-Za-z]", line)):
            return puzzle.kind
    return None

"""Read puzzles from files as people keep them, and say what is wrong with each line.

Known by their looks: one puzzle a line, alone or among other columns (``hash puzzle rating``);
integers separated by white space or commas; grids over several lines, framed or not; ``.sdm`` and
``.sdk`` files; CSV with a ``puzzle`` column; JSON objects with a ``puzzle``, one a line;
and any of these in gzip, bzip2 or xz.
"""

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from nando.puzzles.lines import Line, Source, first_lines, numbered_lines
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.sudoku.rows import GridRows, cells_of, whole_puzzle

__all__ = ["Entry", "ReadFormat", "first_lines", "read_puzzles"]

ReadFormat = Literal["line", "sdm", "grid", "sdk", "csv"]

_LONGEST_TEXT = 2_000
_RULE = re.compile(r"[-=+|*.:'`\s\u2500-\u257f]+")
_RULE_PARTS = ("--", "==", "\u2500\u2500", "\u2501\u2501", "\u2550\u2550")
_SECTION = re.compile(r"\[(.*)\]")
_SECTION_NAME = re.compile(r"\[\s*[A-Za-z]+\s*\]")
_MOST_ROWS = 1_000
_PASSED_OVER = frozenset({"", "[", "]", "[]"})
"""Lines without a puzzle: blank ones, and the ends of a JSON list."""
_UNREAD_SECTIONS = frozenset({"state", "puzzleinfo"})
_TITLE = re.compile(r"(grid|puzzle|sudoku)\b[^,;\t]{0,60}", re.IGNORECASE)
_COLUMN = re.compile(r"\b(puzzles?|quizzes)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Entry:
    """What was read at one place of a file: a puzzle, or what is wrong with the text there.

    Attributes
    ----------
    line : int
        Line at which it starts, from 1.
    text : str
        The text as read, without white space around it, cut after 2,000 characters.
    puzzle : Puzzle or None
    error : str or None
        Everything wrong with the text. Either `puzzle` or `error` is None.
    """

    line: int
    text: str
    puzzle: Puzzle | None = None
    error: str | None = None


def read_puzzles(
    source: Source, kind: type[Puzzle] = Sudoku, *, format: ReadFormat | None = None
) -> Iterator[Entry]:
    r"""Read puzzles one after another, without holding the file in memory.

    Parameters
    ----------
    source : str, Path, bytes, text stream or binary stream
        A path (``"-"`` for standard input), the content itself as bytes, or an open stream.
        gzip, bzip2 and xz are known by their first bytes; text is UTF-8 with any line ends.
    kind : type of Puzzle
        Of kinds other than Sudoku, a line is a puzzle where the kind says so, and the lines
        that are not are rows of a grid, up to a blank line, comment or title.
    format : {"line", "sdm", "grid", "sdk", "csv"}, optional
        Default: every line by its looks. With ``"line"`` and ``"sdm"`` no line is the row of a
        grid, with ``"grid"`` and ``"sdk"`` none is the header of a CSV, and ``"csv"`` wants a
        header line with a ``puzzle`` column.

    Yields
    ------
    Entry
        In the order of the file. A line that is no puzzle is an entry with an error, and reading
        goes on after it. Blank lines, ``#`` comments, frames and titles are passed over.

    Raises
    ------
    ValueError
        For an unknown format; and, when the place is reached, for a source that is no UTF-8 text,
        damaged gzip, a line of more than 268,435,456 characters, a packed file that unpacks to
        as many and 250 times its size, or a CSV without a puzzle column.
    OSError
        Where the source cannot be opened.

    Notes
    -----
    Grids of Sudoku need no blank lines between them as long as every row has its full length.
    After a row of another length the next blank line, comment or title shows where to go on.

    Examples
    --------
    >>> text = b"# two lines\n" + b"." * 81 + b"\n" + b"." * 80
    >>> [(entry.line, entry.error) for entry in read_puzzles(text)]
    [(2, None), (3, 'wrong length: 80 symbols; wanted 81 (9x9), 256 (16x16) or 625 (25x25)')]
    """
    if format is not None and format not in get_args(ReadFormat):
        known = ", ".join(get_args(ReadFormat))
        raise ValueError(f"format must be one of {known}, got {format!r}")
    lines = numbered_lines(source)
    if format == "csv":
        return _csv_entries(lines, kind)
    if not issubclass(kind, Sudoku):
        return _block_entries(lines, kind, format)
    return _sudoku_entries(lines, kind, format)


def _entry(line: Line, kind: type[Puzzle], text: str) -> Entry:
    """Entry of a puzzle on one line; `text` is the part of it that should be the puzzle."""
    shown = _shown(line.text)
    if line.cut:
        error = f"wrong length: a line of {line.length:,} characters is no puzzle"
        return Entry(line.number, shown, error=error)
    try:
        return Entry(line.number, shown, kind.parse(text))
    except PuzzleError as error:
        return Entry(line.number, shown, error=str(error))


def _shown(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 3] + "..."


def _puzzle_of_object(line: Line) -> str | None:
    """The puzzle of a JSON object on a line of its own, as nando writes rows; else None."""
    text = line.text.strip().removesuffix(",")
    if line.cut or not text.startswith("{"):
        return None
    try:
        puzzle = json.loads(text).get("puzzle")
    except (ValueError, RecursionError):
        return None
    return puzzle if isinstance(puzzle, str) else None


# Lines, and grids between blank lines


def _block_entries(
    lines: Iterator[Line], kind: type[Puzzle], format: str | None
) -> Iterator[Entry]:
    takes_grids = format in (None, "grid", "sdk")
    rows: list[Line] = []
    may_be_header = format is None
    for line in lines:
        text = line.text.strip()
        if text in _PASSED_OVER or text.startswith("#") or _SECTION_NAME.fullmatch(text):
            yield from _block(rows, kind)
            continue
        if (puzzle := _puzzle_of_object(line)) is not None:
            yield from _block(rows, kind)
            yield _entry(line, kind, puzzle)
            continue
        whole = kind.is_whole(text)
        if not whole and _TITLE.fullmatch(text):
            yield from _block(rows, kind)
        elif may_be_header and not whole and _puzzle_column(line.text):
            yield from _csv_entries(lines, kind, line)
            return
        elif whole or line.cut or not takes_grids:
            yield from _block(rows, kind)
            yield _entry(line, kind, line.text)
        else:
            rows.append(line)
            if len(rows) == _MOST_ROWS:
                yield from _block(rows, kind)
        may_be_header = False
    yield from _block(rows, kind)


def _block(rows: list[Line], kind: type[Puzzle]) -> Iterator[Entry]:
    """Entry of the rows gathered so far, which are then forgotten."""
    if rows:
        text = "\n".join(line.text for line in rows)
        start = rows[0].number
        rows.clear()
        yield _entry(Line(start, text, len(text)), kind, text)


# CSV


def _csv_entries(
    lines: Iterator[Line], kind: type[Puzzle], header: Line | None = None
) -> Iterator[Entry]:
    """Entries below a header line; without one given, the first line that is not blank is it."""
    if header is None:
        header = next((line for line in lines if line.text.strip()), None)
        if header is None:
            return
    found = _puzzle_column(header.text)
    if found is None:
        raise ValueError(
            f"line {header.number}: no column 'puzzle' in the header {_shown(header.text)[:80]!r}"
        )
    column, delimiter = found
    for line in lines:
        if not line.text.strip() or line.text.startswith("#"):
            continue
        fields = _fields(line.text, delimiter)
        if line.cut or len(fields) > column:
            yield _entry(line, kind, fields[column] if len(fields) > column else "")
        else:
            error = f"no puzzle: {len(fields)} columns, the puzzle should be in column {column + 1}"
            yield Entry(line.number, _shown(line.text), error=error)


def _puzzle_column(header: str) -> tuple[int, str] | None:
    """Index of the column that a header names as the puzzle, and the delimiter."""
    delimiter = max(",;\t", key=header.count)
    names = _fields(header, delimiter)
    exact = [i for i, name in enumerate(names) if name.strip().casefold() == "puzzle"]
    for columns in (exact, [i for i, name in enumerate(names) if _COLUMN.search(name)]):
        if len(columns) == 1:
            return columns[0], delimiter
    return None


def _fields(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:
        return text.split(delimiter)


# Lines and grids of Sudoku


def _sudoku_entries(
    lines: Iterator[Line], kind: type[Puzzle], format: str | None
) -> Iterator[Entry]:
    takes_grids = format in (None, "grid", "sdk")
    rows = GridRows()
    unread = False
    may_be_header = format is None
    for line in lines:
        text = line.text.strip()
        section = _SECTION.fullmatch(text)
        if section:
            unread = section[1].strip().casefold() in _UNREAD_SECTIONS
        if section or text in _PASSED_OVER or text.startswith("#") or _TITLE.fullmatch(text):
            yield from _grid_entries(rows, kind)
            continue
        if unread or (_is_rule(text) and not line.cut):
            continue
        if (puzzle := _puzzle_of_object(line)) is not None:
            yield from _grid_entries(rows, kind)
            yield _entry(line, kind, puzzle)
            continue
        if may_be_header and not text.startswith("{") and _puzzle_column(line.text):
            yield from _csv_entries(lines, kind, line)
            return
        may_be_header = False
        cells = cells_of(text)
        if not line.cut and (puzzle := whole_puzzle(text, cells)):
            yield from _grid_entries(rows, kind)
            yield _entry(line, kind, puzzle)
        elif takes_grids and not line.cut and rows.may_hold(cells):
            rows.add(line.number, text, cells)
            if rows.complete:
                yield from _grid_entries(rows, kind)
        else:
            yield from _grid_entries(rows, kind)
            yield _entry(line, kind, " ".join(cells))
    yield from _grid_entries(rows, kind)


def _is_rule(text: str) -> bool:
    """Whether a line only draws the frame of a grid; rows of blanks have no strokes in a row."""
    return bool(_RULE.fullmatch(text)) and any(part in text for part in _RULE_PARTS)


def _grid_entries(rows: GridRows, kind: type[Puzzle]) -> Iterator[Entry]:
    """Entries of the rows gathered so far, which are then forgotten."""
    if rows.size:
        status, text = rows.status, _shown("\n".join(rows.texts))
        try:
            puzzle = kind.parse(rows.squared())
        except PuzzleError as error:
            status |= error.status
        if status.valid:
            yield Entry(rows.start, text, puzzle)
        else:
            yield Entry(rows.start, text, error=str(status))
    else:
        for number, text, cells in zip(rows.numbers, rows.texts, rows.cells, strict=True):
            yield _entry(Line(number, text, len(text)), kind, " ".join(cells))
    rows.clear()

"""CSV with a column of puzzles, which is named ``puzzle`` or recognised by its first row."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from nando.puzzles.formats.base import declare
from nando.puzzles.formats.one_line import puzzle_of_text
from nando.puzzles.lines import NO_COLUMNS, Entry, Line
from nando.puzzles.protocol import Puzzle, PuzzleError

_COLUMN = re.compile(r"\b(puzzles?|quizzes)\b", re.IGNORECASE)
_NAME = re.compile(r"\s*[^\W\d_][\w \-()/%#]{0,39}\s*")
"""The name of a column. Unlike a damaged puzzle, it has no digit or blank in front and no dots."""


def read_table(
    lines: Iterator[Line],
    kind: type[Puzzle],
    header: Line | None = None,
    place: tuple[int, str] | None = None,
) -> Iterator[Entry]:
    """Yield the entries below a header line, by default the first line that is not blank.

    `place` is the index of the column and the delimiter, by default those of the header.
    """
    if header is None:
        header = next((line for line in lines if line.text.strip()), None)
        if header is None:
            return
    place = place or puzzle_column(header.text)
    if place is None:
        raise ValueError(
            f"line {header.number}: no column 'puzzle' in the header {header.text.strip()[:80]!r}"
        )
    column, delimiter = place
    names = names_of(_fields(header.text, delimiter))
    for line in lines:
        if is_skipped(line):
            continue
        fields = _fields(line.text, delimiter)
        others = dict(zip(names, fields, strict=False))
        others.pop(names[column], None)
        if not line.cut and len(fields) > column and not fields[column].strip():
            error = f"no puzzle: column {column + 1} is empty"
            yield Entry.of(line.number, line.text, error, others)
        elif line.cut or len(fields) > column:
            yield entry_of(line, kind, fields[column] if len(fields) > column else "", others)
        else:
            error = f"no puzzle: {len(fields)} columns, the puzzle should be in column {column + 1}"
            yield Entry.of(line.number, line.text, error, others)


def names_of(columns: Sequence[str]) -> list[str]:
    """Return names for the columns of a header, also for those without a name or with another's."""
    names: list[str] = []
    for number, column in enumerate(columns, 1):
        name = column.strip() or f"column {number}"
        names.append(f"{name} {number}" if name in names else name)
    return names


def entry_of(
    line: Line, kind: type[Puzzle], text: str, columns: Mapping[str, str] = NO_COLUMNS
) -> Entry:
    """Return the entry of a line; `text` is the part of the line that should be a puzzle."""
    if line.cut:
        error = f"wrong length: a line of {line.length:,} characters is not a puzzle"
        return Entry.of(line.number, line.text, error, columns)
    try:
        return Entry.of(line.number, line.text, puzzle_of_text(text, kind), columns)
    except PuzzleError as error:
        return Entry.of(line.number, text if columns else line.text, error, columns)


def puzzle_column(header: str) -> tuple[int, str] | None:
    """Return the index of the column named as the puzzle, and the delimiter; None without one."""
    delimiter = delimiter_of(header)
    names = _fields(header, delimiter)
    exact = [i for i, name in enumerate(names) if name.strip().casefold() == "puzzle"]
    named = [i for i, name in enumerate(names) if _COLUMN.search(name) and _NAME.fullmatch(name)]
    for columns in (exact, named):
        if len(columns) == 1:
            return columns[0], delimiter
    return None


def column_by_row(
    header: str, row: str, whole: Callable[[str], str | None]
) -> tuple[int, str] | None:
    """Return the index of the column with the puzzle in the row below a header, and the delimiter.

    `whole` returns the part of a line that is a complete puzzle. The result is None unless the
    header names as many columns, at least two, as the row has.
    """
    delimiter = delimiter_of(header)
    names, fields = _fields(header, delimiter), _fields(row, delimiter)
    if len(names) < 2 or len(names) != len(fields) or not all(map(_NAME.fullmatch, names)):
        return None
    puzzle = whole(row)
    columns = [i for i, field in enumerate(fields) if puzzle and field.strip() == puzzle]
    return (columns[0], delimiter) if len(columns) == 1 else None


def is_skipped(line: Line) -> bool:
    """Return True if a line is blank or a comment."""
    return not line.text.strip() or line.text.startswith("#")


def delimiter_of(header: str) -> str:
    """Return the delimiter of a header: a comma, a semicolon or a tab."""
    return max(",;\t", key=header.count)


def _fields(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:
        return text.split(delimiter)


def line_of(puzzle: Puzzle) -> str:
    """Return the puzzle on a line, and a blank line after it if it could be the row of a grid."""
    return puzzle.text if puzzle.is_whole(puzzle.text) else puzzle.text + "\n"


FORMAT = declare("csv", write=line_of)
SPREADSHEET = declare("spreadsheet")
"""Recognised by its content when lines are read (`nando.puzzles.lines`), like compressed files."""

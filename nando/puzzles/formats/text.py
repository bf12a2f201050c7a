"""Lines and grids of text: the default for files in no other format."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, islice

from nando.puzzles.files import half_width
from nando.puzzles.formats import json_values, table
from nando.puzzles.formats.base import declare
from nando.puzzles.formats.grids import rows_of
from nando.puzzles.formats.one_line import address_in, find_on
from nando.puzzles.lines import Entry, Line
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.variants.puzzle import Variant

_SECTION = re.compile(r"\[\s*([A-Za-z][\w ]*)\]")
_UNREAD_SECTIONS = frozenset({"state", "puzzleinfo", "pencilmarks", "candidates", "colors"})
"""Sections of .sdk files that hold the state of a game, not the puzzle."""
_TITLE = re.compile(r"(grid|puzzle|sudoku)\b[^,;\t]{0,60}", re.IGNORECASE)
_LABEL = re.compile(r"[A-Za-z][A-Za-z ]{2,40}:[ \t]*[A-Za-z0-9.,%]{0,20}([ \t][A-Za-z]{1,20})?")
"""A line of a program about a puzzle, such as ``Number of Givens: 26``."""
_LONGEST_HEAD = 100
"""Number of lines that are searched for a header and the row below it."""
_BLANKS = str.maketrans(dict.fromkeys("\u25a1\u30fb\u00b7", "."))
"""Squares and dots that represent blanks in print."""


def read_text(
    lines: Iterator[Line], kind: type[Puzzle], format: str | None = None
) -> Iterator[Entry]:
    """Yield the entries of a text; each line is recognised by its form.

    `format` limits the forms: ``line`` and ``sdm`` have no grids, ``grid`` and ``sdk`` no header.
    """
    rows = rows_of(kind)
    has_rows = format in (None, "grid", "sdk")
    may_be_header = format is None
    is_unread = False
    lines = map(_plain, lines)
    if format is None:
        head = _head(lines)
        lines = chain(head, lines)
        if (column := _unnamed_column(head, rows.whole)) is not None:
            header = next(line for line in lines if not table.is_skipped(line))
            yield from table.read_table(lines, kind, header, column)
            return
    for part in _parts(lines):
        if isinstance(part, json_values.Gathered):
            yield from rows.end()
            yield from _entries_of_value(part, kind)
            continue
        line, text = part, part.text.strip()
        section = _SECTION.fullmatch(text)
        if section:
            is_unread = section[1].strip().casefold() in _UNREAD_SECTIONS
        if section or rows.is_gap(line.text) or text.startswith("#"):
            yield from rows.end()
            continue
        if line.cut:
            yield from rows.end()
            yield table.entry_of(line, kind, text)
            continue
        if is_unread or rows.is_frame(text):
            continue
        puzzle = text if find_on(text) else rows.whole(line.text)
        if puzzle is None and (_TITLE.fullmatch(text) or _LABEL.fullmatch(text)):
            yield from rows.end()
            continue
        if puzzle is None and address_in(text):
            puzzle = text
        if puzzle is None and may_be_header and table.puzzle_column(line.text):
            yield from table.read_table(lines, kind, line)
            return
        may_be_header = False
        if puzzle is None and has_rows and rows.takes(line.text):
            yield from rows.add(line)
        else:
            yield from rows.end()
            yield rows.single(line) if puzzle is None else table.entry_of(line, kind, puzzle)
    yield from rows.end()


def _head(lines: Iterator[Line]) -> list[Line]:
    """Return the first lines, up to and with the second that is not blank or a comment."""
    head: list[Line] = []
    for line in islice(lines, _LONGEST_HEAD):
        head.append(line)
        if sum(not table.is_skipped(line) for line in head) == 2:
            break
    return head


def _unnamed_column(head: list[Line], whole: Callable[[str], str | None]) -> tuple[int, str] | None:
    """Return the column of puzzles below a header that does not name it, and the delimiter."""
    texts = [line.text for line in head if not table.is_skipped(line)]
    if len(texts) < 2 or table.puzzle_column(texts[0]) is not None:
        return None
    return table.column_by_row(texts[0], texts[1], whole)


def _plain(line: Line) -> Line:
    """Return a line with full-width digits and printed blanks replaced by ASCII."""
    if line.text.isascii():
        return line
    text = half_width(line.text).translate(_BLANKS)
    return Line(line.number, text, len(text) + line.length - len(line.text))


def _parts(lines: Iterator[Line]) -> Iterator[Line | json_values.Gathered]:
    """Yield JSON values, and lines outside them; a list of cells becomes a line."""
    gatherer = json_values.JsonGatherer()
    for line in lines:
        if gatherer.takes(line.text.strip()):
            yield from map(_line_of_list, gatherer.add(line))
        else:
            yield from map(_line_of_list, gatherer.end())
            yield line
    yield from map(_line_of_list, gatherer.end())


def _line_of_list(gathered: json_values.Gathered) -> Line | json_values.Gathered:
    if gathered.error is None and gathered.text.startswith("["):
        with suppress(PuzzleError):
            row = json_values.row_of_value(json_values.value_of(gathered.text))
            if row is not None:
                return Line(gathered.line, row, len(row))
    return gathered


def _entries_of_value(gathered: json_values.Gathered, kind: type[Puzzle]) -> Iterator[Entry]:
    line, text, error = gathered
    if error is not None:
        yield Entry.of(line, text, error)
        return
    try:
        value = json_values.value_of(text)
    except PuzzleError as spoilt:
        yield Entry.of(line, text, spoilt)
        return
    if value != []:  # a program without puzzles writes an empty list
        outcomes = list(json_values.puzzles_of_value(value, kind))
        columns = json_values.columns_of_value(value)
        if len(columns) != len(outcomes):
            columns = [{}] * len(outcomes)
        for outcome, others in zip(outcomes, columns, strict=True):
            yield Entry.of(line, text, outcome, others)


# Formats


def _write_rows(puzzle: Puzzle) -> str:
    """Return the rows of the puzzle on lines of their own; ValueError if it has rules."""
    if isinstance(puzzle, Variant):
        raise ValueError(
            "sdk holds rows without rules, for Sudoku and Nurikabe; write a variant as line, grid, "
            "or json"
        )
    text, (n_rows, n_columns) = puzzle.text, puzzle.shape
    if len(text) > n_rows * n_columns:
        return text.replace("/", "\n")
    return "\n".join(text[i : i + n_columns] for i in range(0, n_rows * n_columns, n_columns))


LINE = declare("line", write=table.line_of)
SDM = declare("sdm", write=table.line_of)
GRID = declare("grid", write=lambda puzzle: puzzle.grid())
SDK = declare("sdk", write=_write_rows)

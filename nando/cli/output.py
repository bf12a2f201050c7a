"""The output of a command: its columns, its format and the writers of rows.

Tables fit the width of a terminal. They and messages are coloured unless ``NO_COLOR`` is set.
"""

import csv
import json
import math
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from nando.cli.options import Format
from nando.writing import no_formula, open_packed, replace_file

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

_CODES = {
    "beginner": "32",
    "easy": "36",
    "medium": "34",
    "tricky": "33",
    "fiendish": "31",
    "diabolical": "35",
    "fills": "1;32",
    "removes": "1;33",
    "number": "2",
}
"""ANSI codes of grades and of the parts of a step."""


def takes_colour(stream: IO[str]) -> bool:
    """Return True if a stream is a terminal that shows colour, and colour is not turned off.

    Any value of ``NO_COLOR`` turns colour off (https://no-color.org).
    """
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, role: str) -> str:
    """Return a text in the colour of `role`: a grade or a part of a step, else no colour."""
    code = _CODES.get(role)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


def visible(text: str) -> str:
    """Return a text without its colours."""
    return _ESCAPE.sub("", text)


_GAP = 2
_NARROWEST_TEXT = 24
"""A column of text that would be narrower than this begins a new line."""


class Shown(NamedTuple):
    """A column of a table: its heading, its width (below 0: left-aligned) and its key.

    A width of 0, for the last column only, means text of any length.
    """

    heading: str
    width: int
    key: str


class TableWriter:
    """Writes aligned columns below a heading, without the rows that have errors.

    Parameters
    ----------
    stream : text stream
    shown : sequence of Shown
    coloured : bool
        Whether grades are coloured.
    width : int or None
        Width of the terminal. Columns that do not fit are moved to the next line, texts and columns
        wider than the terminal are wrapped, and the name of a file is printed above its rows. None
        means a pipe or a file: each row is one line and includes its file.
    """

    def __init__(
        self,
        stream: IO[str],
        shown: Sequence[Shown],
        *,
        width: int | None = None,
        coloured: bool = False,
    ) -> None:
        self._stream = stream
        self._coloured = coloured
        self._shown = list(shown)
        self._width = width if len(shown) > 1 else None
        self._headed = not any(column.heading for column in shown)
        self._file = ""

    def write(self, rows: Sequence[Any]) -> None:
        """Write rows."""
        rows = [row for row in rows if not row.get("error")]
        if not rows:
            return
        self._widen(rows)
        lines = []
        if not self._headed:
            self._headed = True
            lines += self._lines([column.heading for column in self._shown])
        for row in rows:
            lines += self._file_of(row)
            lines += self._lines([_cell(row[self._key(column)]) for column in self._shown])
        self._stream.write("".join(line.rstrip() + "\n" for line in lines))
        self._stream.flush()

    def _widen(self, rows: Sequence[Any]) -> None:
        """Widen the columns of names and places to their longest cell."""
        for i, column in enumerate(self._shown):
            if column.width < 0 or column.key == "place":
                longest = max(len(_cell(row[self._key(column)])) for row in rows)
                sign = -1 if column.width < 0 else 1
                self._shown[i] = column._replace(width=sign * max(abs(column.width), longest))

    def _key(self, column: Shown) -> str:
        return "line" if self._width is not None and column.key == "place" else column.key

    def _file_of(self, row: Any) -> list[str]:
        """Return the name of the row's file if it differs from the file of the row before."""
        place = row.get("place")
        if self._width is None or place in (None, str(row.get("line"))):
            return []
        file = str(place).rpartition(":")[0]
        if file == self._file:
            return []
        self._file = file
        return [f"{self._file}:"]

    def _lines(self, cells: Sequence[str]) -> list[str]:
        indent = abs(self._shown[0].width) + _GAP
        lines = [""]
        start = 0
        for cell, column in zip(cells, self._shown, strict=True):
            needed = abs(column.width) or _NARROWEST_TEXT
            is_text = not column.width
            if self._width is not None and column.width < 0 and indent + needed > self._width:
                is_text, needed = True, max(self._width - indent, _NARROWEST_TEXT)
            if self._width is not None and start > indent and start + needed > self._width:
                lines.append("")
                start = indent
            lines[-1] += " " * (start - len(visible(lines[-1])))
            if not is_text:
                room = " " * (needed - len(cell))
                if self._coloured and column.key == "grade":
                    cell = paint(cell, cell)
                lines[-1] += room + cell if column.width > 0 else cell + room
            else:
                first, *others = self._wrap(cell, start)
                lines[-1] += first
                lines += [" " * start + other for other in others]
            start += needed + _GAP
        return lines

    def _wrap(self, text: str, indent: int) -> list[str]:
        if self._width is None:
            return [text]
        width = max(self._width - indent, 1)
        # Puzzles have no words and are never wrapped.
        return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]

    def close(self) -> None:
        """Do nothing: a table has no end."""


def wrap(text: str, stream: IO[str], *, indent: int = 0) -> str:
    """Return a text wrapped to the width of a terminal; for a pipe or a file, unchanged.

    Continuation lines are indented by `indent`, or to the text of a numbered item.
    """
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    lines = []
    for line in text.split("\n"):
        item = _ITEM.match(line)
        # Puzzles have no words and are never wrapped.
        lines += textwrap.wrap(
            line,
            max(width, 20),
            subsequent_indent=" " * (item.end() if item else indent),
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines)


_ITEM = re.compile(r" *\d+(–\d+)?\. ")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


Row = Mapping[str, Any]
Columns = Mapping[str, type]
"""Name and type of each column, in order: int, float, bool or str, or any type for JSON."""


class Layout(NamedTuple):
    """The layout of rows: the columns of a file, and the columns of a table.

    `kept` has the columns of the puzzles' own file: their names there, and in the output.
    """

    columns: Columns
    shown: Sequence[Shown] = ()
    kept: Mapping[str, str] = {}

    def keeping(self, others: Columns) -> "Layout":
        """Return the layout with columns of the puzzles' own file after those of the command.

        A column with the name of one of the command's is called ``input_`` and its name.
        """
        columns, kept = dict(self.columns), {}
        for name, kind in others.items():
            kept[name] = name
            while kept[name] in columns:
                kept[name] = f"input_{kept[name]}"
            columns[kept[name]] = kind
        return Layout(columns, self.shown, kept)

    def pick_kept(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the columns that are kept, with their types restored from text."""
        return {
            column: _restore(values.get(name), self.columns[column])
            for name, column in self.kept.items()
        }


def columns_of(schema: str, *left_out: str) -> dict[str, type]:
    """Return the columns that a schema describes, in its order, without those left out."""
    from nando.schemas import rows, steps  # which name their schemas
    from nando.schemas.schema import types_of

    del rows, steps
    return {name: kind for name, kind in types_of(schema).items() if name not in left_out}


def _restore(value: Any, kind: type) -> Any:
    if kind is str or not isinstance(value, str):
        return value
    if not value:
        return None
    number = value == "True" if kind is bool else kind(value)
    return number if math.isfinite(number) else None


class Writer(Protocol):
    """A writer of rows."""

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows, each with a value or None for every column."""
        ...

    def close(self) -> None:
        """Write the end of the output."""
        ...


class CsvWriter:
    """Writes a heading and one line per row, none of whose texts is a formula."""

    def __init__(self, stream: IO[str], columns: Columns) -> None:
        self._stream = stream
        self._columns = columns
        self._rows = csv.writer(stream, lineterminator="\n")
        self._rows.writerow(columns)

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows."""
        self._rows.writerows([no_formula(row[name]) for name in self._columns] for row in rows)
        self._stream.flush()

    def close(self) -> None:
        """Do nothing: a CSV has no end."""


class JsonWriter:
    """Writes one object per row, either one per line or all in a list."""

    def __init__(self, stream: IO[str], columns: Columns, *, lines: bool) -> None:
        self._stream = stream
        self._columns = columns
        self._lines = lines
        self._before = "" if lines else "[\n"

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows."""
        parts = []
        for row in rows:
            record = {name: row[name] for name in self._columns}
            parts.append(self._before + json.dumps(record, allow_nan=False))
            self._before = "\n" if self._lines else ",\n"
        self._stream.write("".join(parts))
        self._stream.flush()

    def close(self) -> None:
        """End the last line, or the list."""
        if self._lines:
            self._stream.write("\n" if self._before else "")
        else:
            self._stream.write("[]\n" if self._before == "[\n" else "\n]\n")


_ROW_GROUP = 1 << 14


class ParquetWriter:
    """Writes row groups of equal size."""

    def __init__(self, binary: IO[bytes], columns: Columns) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        types = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
        self._pa = pa
        self._columns = columns
        self._schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
        self._file = pq.ParquetWriter(binary, self._schema)
        self._rows: list[Row] = []

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows."""
        self._rows += rows
        # Groups of equal size, so that equal rows give equal bytes.
        while len(self._rows) >= _ROW_GROUP:
            self._write_group(self._rows[:_ROW_GROUP])
            del self._rows[:_ROW_GROUP]

    def _write_group(self, rows: Sequence[Row]) -> None:
        texts = [name for name, kind in self._columns.items() if kind is str]
        plain = [
            {name: row[name] for name in self._columns}
            | {name: str(row[name]) for name in texts if row[name] is not None}
            for row in rows
        ]
        table = self._pa.Table.from_pylist(plain, schema=self._schema)
        self._file.write_table(table)

    def close(self) -> None:
        """Write the last group and the schema."""
        if self._rows:
            self._write_group(self._rows)
        self._file.close()

    def abandon(self) -> None:
        """Close the writer of a file that will be discarded, while the file is open."""
        self._file.close()


_SUFFIXES: dict[str, Format] = {
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
}


@dataclass(frozen=True)
class Destination:
    """A file or standard output, and its format.

    Parameters
    ----------
    path : Path or None
        None and ``-`` are standard output.
    chosen : Format or None
        None chooses by the suffix of the file.
    others : sequence of str
        Other suffixes that the command accepts, listed in the error for an unknown suffix.
    """

    path: Path | None
    chosen: Format | None = None
    others: Sequence[str] = ()

    @property
    def file(self) -> Path | None:
        """The file; None for standard output."""
        return None if self.path is None or str(self.path) == "-" else self.path

    @property
    def suffix(self) -> str:
        """The suffix of the path, in lower case."""
        return "" if self.path is None else self.path.suffix.lower()

    @property
    def form(self) -> Format:
        """The requested format, or by default the format of the suffix.

        Raises
        ------
        ValueError
            For an unknown suffix, or gzip of parquet.
        """
        if self.file is None:
            return self.chosen or "table"
        name = self.file.name.lower()
        form = self.chosen or _SUFFIXES.get(Path(name.removesuffix(".gz")).suffix)
        if form is None:
            known = ", ".join([*_SUFFIXES, *self.others])
            raise ValueError(f"{self.file}: unknown suffix; known: {known}, or give --format")
        if form == "parquet" and name.endswith(".gz"):
            raise ValueError(f"{self.file}: parquet is already compressed; leave out .gz")
        return form

    @property
    def is_json(self) -> bool:
        """True for a list of objects, and for one object per line."""
        return self.form in ("json", "jsonl")

    @property
    def is_for_people(self) -> bool:
        """True if the output is a table."""
        return self.form == "table"

    @contextmanager
    def open(self, layout: Layout) -> Iterator[Writer]:
        """Open the output and yield a writer of rows.

        A file is replaced when the block ends without an error; OSError is raised at once if it is
        not writable. JSON is one object per line on standard output and in ``.jsonl``, else a list.
        """
        form = self.form
        if self.file is None:
            if form == "parquet" and sys.stdout.isatty():
                raise ValueError(
                    "parquet cannot be shown on a terminal: give -o FILE.parquet or use a pipe"
                )
            binary = getattr(sys.stdout, "buffer", None)
            writer = _writer(form, sys.stdout, binary, layout)
            yield writer
            writer.close()
            sys.stdout.flush()
            return
        with replace_file(self.file) as file, open_packed(file, self.file) as text:
            writer = _writer(form, text, file, layout)
            try:
                yield writer
            except BaseException:
                if isinstance(writer, ParquetWriter):
                    writer.abandon()
                raise
            writer.close()

    def write(self, layout: Layout, rows: Sequence[dict[str, Any]]) -> None:
        """Write all rows at once."""
        with self.open(layout) as writer:
            writer.write(rows)

    def write_pages(self, pages: Sequence[str]) -> None:
        """Write pages of text, with a blank line between them."""
        self.write(Layout({}, [Shown("", 0, "text")]), [{"text": "\n\n".join(pages)}])


def _writer(form: Format, text: IO[str], binary: IO[bytes] | None, layout: Layout) -> Writer:
    if form == "parquet":
        if binary is None:
            raise ValueError("parquet needs a file: give -o FILE.parquet")
        return ParquetWriter(binary, layout.columns)
    if form == "csv":
        return CsvWriter(text, layout.columns)
    if form in ("json", "jsonl"):
        return JsonWriter(text, layout.columns, lines=form == "jsonl")
    width = shutil.get_terminal_size().columns if text.isatty() else None
    return TableWriter(text, layout.shown, width=width, coloured=takes_colour(text))

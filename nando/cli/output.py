"""The output of a command: its columns, its format and the writers of rows.

The writer of tables is in `nando.cli.table`.
"""

import csv
import json
import math
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from nando.cli.options import Format
from nando.cli.table import Shown, TableWriter, takes_colour
from nando.writing import no_formula, open_packed, replace_file

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

"""Rows to a terminal, a pipe or a file, written as they come."""

import csv
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

Row = Mapping[str, Any]
Columns = Mapping[str, type]
"""Name and type (int, float, bool or str; in JSON any) of each column, in order."""


class Format(StrEnum):
    """Form of the output."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


_SUFFIXES = {
    ".txt": Format.TABLE,
    ".csv": Format.CSV,
    ".json": Format.JSON,
    ".jsonl": Format.JSON,
    ".parquet": Format.PARQUET,
}


class Shown(NamedTuple):
    """One column of a table for people: its heading, its width (below 0: to the left), its key."""

    heading: str
    width: int
    key: str


class Writer(Protocol):
    """What takes rows."""

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows; each has every column, None where it has no value."""
        ...

    def close(self) -> None:
        """Write what ends the output."""
        ...


def output_format(path: Path | None, chosen: Format | None, *, also: Sequence[str] = ()) -> Format:
    """The format asked for, or else that of the file's suffix.

    What a command writes besides, by the suffixes `also`, is named where the suffix is another.

    Raises
    ------
    ValueError
        For a suffix that names no format, or gzip of parquet.
    """
    if path is None or str(path) == "-":
        return chosen or Format.TABLE
    name = path.name.lower()
    suffix = Path(name.removesuffix(".gz")).suffix
    found = chosen or _SUFFIXES.get(suffix)
    if found is None:
        known = ", ".join([*_SUFFIXES, *also])
        raise ValueError(f"{path}: the suffix names no format; known: {known}, or give --format")
    if found is Format.PARQUET and name.endswith(".gz"):
        raise ValueError(f"{path}: parquet is packed already; leave out .gz")
    return found


@contextmanager
def opened_output(
    path: Path | None, chosen: Format | None, columns: Columns, shown: Sequence[Shown]
) -> Iterator[Writer]:
    """A writer to `path`, or to standard output.

    A file is replaced when the block ends without an error. That it can be written is known at
    once. JSON is one object a line on standard output and in ``.jsonl``, else a list.
    """
    form = output_format(path, chosen)
    if path is None or str(path) == "-":
        if form is Format.PARQUET and sys.stdout.isatty():
            raise ValueError("parquet is not for a terminal: give -o FILE.parquet or use a pipe")
        binary = getattr(sys.stdout, "buffer", None)
        writer = _writer(form, sys.stdout, binary, columns, shown, lines=True)
        yield writer
        writer.close()
        sys.stdout.flush()
        return
    from nando.puzzles.writing import packed_text, replaced_file

    lines = path.name.lower().removesuffix(".gz").endswith(".jsonl")
    with replaced_file(path) as file:
        if form is Format.PARQUET:
            table = _Parquet(file, columns)
            try:
                yield table
            except BaseException:
                table.abandon()
                raise
            table.close()
        else:
            with packed_text(file, path) as text:
                writer = _writer(form, text, None, columns, shown, lines=lines)
                yield writer
                writer.close()


def _writer(
    form: Format,
    text: IO[str],
    binary: IO[bytes] | None,
    columns: Columns,
    shown: Sequence[Shown],
    *,
    lines: bool,
) -> Writer:
    if form is Format.PARQUET:
        if binary is None:
            raise ValueError("parquet needs a file: give -o FILE.parquet")
        return _Parquet(binary, columns)
    if form is Format.CSV:
        return _Csv(text, columns)
    if form is Format.JSON:
        return _Json(text, columns, lines=lines)
    return _Table(text, shown)


class _Table:
    """Aligned columns; a heading before the first row. Rows with an error are left out."""

    def __init__(self, stream: IO[str], shown: Sequence[Shown]) -> None:
        self._stream = stream
        self._shown = shown
        self._headed = not any(column.heading for column in shown)

    def write(self, rows: Sequence[Row]) -> None:
        lines = [
            self._line([_cell(row[column.key]) for column in self._shown])
            for row in rows
            if not row.get("error")
        ]
        if lines and not self._headed:
            self._headed = True
            lines.insert(0, self._line([column.heading for column in self._shown]))
        self._stream.write("".join(lines))
        self._stream.flush()

    def _line(self, cells: list[str]) -> str:
        aligned = [
            cell.rjust(column.width) if column.width >= 0 else cell.ljust(-column.width)
            for cell, column in zip(cells, self._shown, strict=True)
        ]
        return "  ".join(aligned).rstrip() + "\n"

    def close(self) -> None:
        """Nothing ends a table."""


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class _Csv:
    def __init__(self, stream: IO[str], columns: Columns) -> None:
        self._stream = stream
        self._columns = columns
        self._rows = csv.writer(stream, lineterminator="\n")
        self._rows.writerow(columns)

    def write(self, rows: Sequence[Row]) -> None:
        self._rows.writerows([row[name] for name in self._columns] for row in rows)
        self._stream.flush()

    def close(self) -> None:
        """Nothing ends a CSV."""


class _Json:
    def __init__(self, stream: IO[str], columns: Columns, *, lines: bool) -> None:
        self._stream = stream
        self._columns = columns
        self._lines = lines
        self._before = "" if lines else "[\n"

    def write(self, rows: Sequence[Row]) -> None:
        parts = []
        for row in rows:
            record = {name: row[name] for name in self._columns}
            parts.append(self._before + json.dumps(record, allow_nan=False))
            self._before = "\n" if self._lines else ",\n"
        self._stream.write("".join(parts))
        self._stream.flush()

    def close(self) -> None:
        if self._lines:
            self._stream.write("\n" if self._before else "")
        else:
            self._stream.write("[]\n" if self._before == "[\n" else "\n]\n")


_ROW_GROUP = 1 << 14


class _Parquet:
    def __init__(self, binary: IO[bytes], columns: Columns) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        types = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
        self._pa = pa
        self._schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
        self._file = pq.ParquetWriter(binary, self._schema)
        self._rows: list[Row] = []

    def write(self, rows: Sequence[Row]) -> None:
        self._rows += rows
        # Groups of one size, however the rows came: the same rows make the same bytes.
        while len(self._rows) >= _ROW_GROUP:
            self._write_group(self._rows[:_ROW_GROUP])
            del self._rows[:_ROW_GROUP]

    def _write_group(self, rows: Sequence[Row]) -> None:
        table = self._pa.Table.from_pylist([dict(row) for row in rows], schema=self._schema)
        self._file.write_table(table)

    def close(self) -> None:
        if self._rows:
            self._write_group(self._rows)
        self._file.close()

    def abandon(self) -> None:
        """End a file that nobody will see, while it is still there to be ended."""
        self._file.close()


def plain(value: Any) -> Any:
    """A table's cell as a Python value: no numpy scalars, None for what is not a number."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def duration(seconds: float) -> str:
    """Seconds for people.

    Examples
    --------
    >>> duration(48.2), duration(365), duration(4320)
    ('48 s', '6 min 05 s', '1 h 12 min')
    """
    total = round(seconds)
    if total < 60:
        return f"{total} s"
    if total < 3600:
        return f"{total // 60} min {total % 60:02} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min"


def amount(value: float, unit: str) -> str:
    """A prediction for people.

    Examples
    --------
    >>> amount(365, "seconds"), amount(120.3, "points")
    ('6 min 05 s', '120 points')
    """
    return duration(value) if unit == "seconds" else f"{value:.0f} {unit}"

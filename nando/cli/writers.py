"""Writers of CSV, JSON and Parquet; the writer of tables is in `nando.cli.table`."""

import csv
import json
import math
from collections.abc import Mapping, Sequence
from typing import IO, Any, NamedTuple, Protocol, get_args

from nando.cli.table import Shown
from nando.names import Unit
from nando.writing import no_formula

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

    def kept_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the columns that are kept, with their types restored from text."""
        return {
            column: _restored(values.get(name), self.columns[column])
            for name, column in self.kept.items()
        }


_TYPES: dict[str, type] = {
    "integer": int,
    "number": float,
    "boolean": bool,
    "string": str,
    "array": list,
    "object": dict,
}


def columns_of(schema: str, *left_out: str, unit: str = "") -> dict[str, type]:
    """Return the columns that a schema describes, in its order, without those left out.

    Those of predictions are left out in other units than `unit`.
    """
    from nando.schemas import load_schema

    others = [other for other in get_args(Unit) if unit and other != unit]
    ends = ("predicted", "low", "high")
    left_out = (*left_out, *(f"{end}_{other}" for other in others for end in ends))
    types = {
        name: described["type"] for name, described in load_schema(schema)["properties"].items()
    }
    return {
        name: _TYPES[kind if isinstance(kind, str) else kind[0]]
        for name, kind in types.items()
        if name not in left_out
    }


def _restored(value: Any, kind: type) -> Any:
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

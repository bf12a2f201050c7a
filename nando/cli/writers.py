"""Writers of CSV, JSON and Parquet; the writer of tables is in `nando.cli.table`."""

import csv
import json
from collections.abc import Mapping, Sequence
from typing import IO, Any, NamedTuple, Protocol, get_args

from nando.cli.table import Shown
from nando.names import Unit
from nando.writing import no_formula

Row = Mapping[str, Any]
Columns = Mapping[str, type]
"""Name and type of each column, in order: int, float, bool or str, or any type for JSON."""


class Layout(NamedTuple):
    """The layout of rows: the columns of a file, and the columns of a table."""

    columns: Columns
    shown: Sequence[Shown] = ()


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
        table = self._pa.Table.from_pylist([dict(row) for row in rows], schema=self._schema)
        self._file.write_table(table)

    def close(self) -> None:
        """Write the last group and the schema."""
        if self._rows:
            self._write_group(self._rows)
        self._file.close()

    def abandon(self) -> None:
        """Close the writer of a file that will be discarded, while the file is open."""
        self._file.close()

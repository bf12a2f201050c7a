"""Parquet files as lines of text: a header, then one line of CSV per row."""

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

MAGIC = b"PAR1"
"""First bytes of Parquet files."""


@contextmanager
def open_parquet(file: str | IO[bytes], name: str) -> Iterator[Any]:
    """Open a path or a seekable stream as pyarrow's ParquetFile; ValueError if it is damaged."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as parquet:
            yield parquet
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(f"{name}: damaged Parquet file ({error}); take another copy") from None


def parquet_lines(
    file: str | IO[bytes], name: str, groups: Sequence[int] | None = None, first_row: int = 0
) -> Iterator[tuple[int, str]]:
    """Yield the header as line 0 and the rows of some row groups, by default all, from line 1.

    Raises
    ------
    ValueError
        If the file is damaged.
    """
    with open_parquet(file, name) as parquet:
        yield 0, _line(parquet.schema_arrow.names)
        number = first_row
        for batch in parquet.iter_batches(4096, row_groups=groups):
            columns = [column.to_pylist() for column in batch.columns]
            for row in zip(*columns, strict=True):
                number += 1
                yield number, _line(row)


def types_of(source: str | Path | bytes) -> dict[str, type]:
    """Return the type of each column that text can restore: int, float or bool.

    A source that is not a Parquet file has none.
    """
    import pyarrow.types as kinds

    file: str | IO[bytes] = io.BytesIO(source) if isinstance(source, bytes) else str(source)
    if isinstance(source, bytes):
        head = source[: len(MAGIC)]
    else:
        with open(source, "rb") if Path(source).is_file() else io.BytesIO() as stream:
            head = stream.read(len(MAGIC))
    if head != MAGIC:
        return {}
    with open_parquet(file, str(file)) as parquet:
        fields = [field for field in parquet.schema_arrow if not kinds.is_uint64(field.type)]
    tests = {bool: kinds.is_boolean, int: kinds.is_integer, float: kinds.is_floating}
    return {
        field.name: kind for field in fields for kind, test in tests.items() if test(field.type)
    }


def _line(cells: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue().replace("\n", " ")

"""Spreadsheets (.xlsx and .ods) and Parquet files as lines of text: one line of CSV per row.

Of spreadsheets only filled cells are stored. calamine, which reads the .xls file of a published
data set, allocates all rows and columns up to the last filled cell. For two cells in opposite
corners, version 0.9 requests 512 GiB and aborts the process. The last filled cell is known only
when the whole sheet is parsed, so the memory cannot be bounded in advance.
"""

import csv
import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import IO, Any

from nando.puzzles.files import XmlError, XmlEvent, local, xml_events

MOST_BYTES = 1 << 26
"""Largest spreadsheet that is read, and largest size of one of its parts once unpacked."""
MOST_CELLS = 1_000_000
"""Most filled cells, and most cells in the rows and columns that contain filled cells."""

Cells = dict[int, dict[int, str]]
"""Texts of the filled cells of a sheet, by row and by column."""

PARQUET = b"PAR1"
"""First bytes of Parquet files."""


class Table:
    """The filled cells of all sheets of a file, bounded in number."""

    def __init__(self) -> None:
        self.sheets: list[Cells] = []
        self._n_cells = 0

    def begin(self) -> None:
        """Begin another sheet."""
        self.sheets.append({})

    def put(self, row: int, column: int, text: str) -> None:
        """Fill a cell of the last sheet."""
        text = " ".join(text.split())
        if text:
            self._n_cells += 1
            if self._n_cells > MOST_CELLS:
                raise ValueError(f"more than {MOST_CELLS:,} filled cells; save it as CSV")
            self.sheets[-1].setdefault(row, {})[column] = text

    def end(self) -> None:
        """Reject the last sheet if the lines of its rows would be too long in total."""
        cells = self.sheets[-1]
        columns = {column for row in cells.values() for column in row}
        if columns and len(cells) * (max(columns) - min(columns) + 1) > MOST_CELLS:
            raise ValueError(
                f"{len(cells):,} rows up to column {max(columns):,}; clear the cells far to the "
                "right, or save it as CSV"
            )


def events_of(archive: zipfile.ZipFile, part: str) -> Iterator[XmlEvent]:
    """Yield the events in a part of an archive, which unpacks to no more than it states."""
    if archive.getinfo(part).file_size > MOST_BYTES:
        raise ValueError(f"it unpacks to more than {MOST_BYTES >> 20} MiB; save it as CSV")
    with archive.open(part) as file:
        yield from xml_events(iter(partial(file.read, 1 << 16), b""))


def number(text: str | None, otherwise: int) -> int:
    """Return the number in the text of an attribute, or `otherwise` if there is none."""
    return int(text) if text and re.fullmatch("[0-9]{1,7}", text) else otherwise


def value(text: str) -> str:
    """Return a number in its shortest form: 5, not 5.0."""
    try:
        parsed = float(text)
    except ValueError:
        return text
    return str(int(parsed)) if parsed.is_integer() and abs(parsed) < 1e15 else text


def ods_sheets(archive: zipfile.ZipFile) -> list[Cells]:
    """Return the filled cells of each sheet."""
    table = Table()
    row = column = 0
    n_rows = n_columns = 1
    shown = ""
    filled: list[tuple[int, str]] = []
    pieces: list[str] = []
    in_text = False
    for name, values, text in events_of(archive, "content.xml"):
        begins = values is not None
        named = {local(key): value for key, value in (values or {}).items()}
        if in_text:
            pieces.append(text)
        match name:
            case "p":
                in_text = begins
                if not begins:
                    pieces.append(" ")
            case "table" if begins:
                table.begin()
                row = 0
            case "table":
                table.end()
            case "table-row" if begins:
                n_rows = number(named.get("number-rows-repeated"), 1)
                column, filled = 0, []
            case "table-row":
                for each in range(row + 1, row + n_rows + 1) if filled else ():
                    for place, own in filled:
                        table.put(each, place, own)
                row += n_rows
            case "table-cell" | "covered-table-cell" if begins:
                n_columns = number(named.get("number-columns-repeated"), 1)
                shown, pieces = named.get("value", ""), []
            case "table-cell" | "covered-table-cell":
                own = value(shown) if shown else "".join(pieces)
                if own.strip():
                    if len(filled) + n_columns > MOST_CELLS:
                        raise ValueError(f"more than {MOST_CELLS:,} filled cells; save it as CSV")
                    filled += [(i, own) for i in range(column + 1, column + n_columns + 1)]
                column += n_columns
    return table.sheets


_SHEET = re.compile(r"xl/worksheets/sheet(\d{1,9})\.xml")
_PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})", re.ASCII)


def xlsx_sheets(archive: zipfile.ZipFile) -> list[Cells]:
    """Return the filled cells of each sheet."""
    parts = archive.namelist()
    texts = _shared_texts(archive) if "xl/sharedStrings.xml" in parts else []
    table = Table()
    matches = map(_SHEET.fullmatch, parts)
    numbered = sorted((int(match[1]), match[0]) for match in matches if match)
    for _, part in numbered:
        table.begin()
        _read_sheet(events_of(archive, part), table, texts)
        table.end()
    return table.sheets


def _shared_texts(archive: zipfile.ZipFile) -> list[str]:
    texts: list[str] = []
    pieces: list[str] = []
    is_phonetic = False
    for name, values, text in events_of(archive, "xl/sharedStrings.xml"):
        begins = values is not None
        if name == "rPh":
            is_phonetic = begins
        elif name == "t" and not (begins or is_phonetic):
            pieces.append(text)
        elif name == "si" and not begins:
            texts.append("".join(pieces))
            pieces.clear()
    return texts


def _read_sheet(events: Iterable[XmlEvent], table: Table, texts: list[str]) -> None:
    """Fill the last sheet of a table."""
    row = column = 0
    kind = ""
    for name, values, text in events:
        if name == "row" and values is not None:
            row, column = number(values.get("r"), row + 1), 0
        elif name == "c" and values is not None:
            place = _PLACE.fullmatch(values.get("r", ""))
            column = _column(place[1]) if place else column + 1
            row = int(place[2]) if place else row
            kind = values.get("t", "")
        elif name in ("v", "t") and values is None:
            if kind == "s":
                index = number(text, len(texts))
                text = texts[index] if index < len(texts) else ""
            table.put(row, column, value(text) if kind in ("", "n") else text)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, XmlError),
    *(EOFError, LookupError, NotImplementedError, OSError, RuntimeError),
)
"""Errors raised by damaged or encrypted archives."""
_GRIDS = (9, 16, 25)
"""Sides of grids in which a whole row may be empty."""


def sheet_lines(stream: IO[bytes], name: str) -> Iterator[tuple[int, str]]:
    """Yield the number, from 1, and the text of each row, and a blank line after a block of rows.

    Parameters
    ----------
    stream : binary stream
    name : str
        Name of the file in messages.

    Raises
    ------
    ValueError
        For a file that is not a spreadsheet, is damaged, or is too large.
    """
    content = stream.read(MOST_BYTES + 1)
    try:
        if len(content) > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES >> 20} MiB; save it as CSV")
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = set(archive.namelist())
            if "xl/workbook.xml" in parts:
                sheets = xlsx_sheets(archive)
            elif "content.xml" in parts:
                sheets = ods_sheets(archive)
            else:
                raise ValueError("a zip archive, not .xlsx or .ods; unpack it first")
    except _DAMAGE as error:
        raise ValueError(f"{name}: damaged spreadsheet ({error}); save it as CSV") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    for cells in sheets:
        yield from _lines(cells)


def _lines(cells: Cells) -> Iterator[tuple[int, str]]:
    for block in _blocks(cells):
        titles = list(takewhile(lambda row: _is_title(cells[row]), block))
        yield from ((row, next(iter(cells[row].values()))) for row in titles)
        columns = {column for row in block[len(titles) :] for column in cells.get(row, ())}
        span = range(min(columns, default=0), max(columns, default=0) + 1)
        for row in block[len(titles) :]:
            yield row, _line([cells.get(row, {}).get(column, "") for column in span])
        yield block[-1] + 1, ""


def _blocks(cells: Cells) -> list[list[int]]:
    """Return blocks of rows: consecutive filled rows, or a grid that may have empty rows."""
    rows = sorted(cells)
    grid = [row for row in rows if not _is_title(cells[row])]
    if grid:
        columns = {column for row in grid for column in cells[row]}
        n_rows, n_columns = grid[-1] - grid[0] + 1, max(columns) - min(columns) + 1
        if n_rows == n_columns in _GRIDS:
            before = [[row] for row in rows if row < grid[0]]
            return [*before, list(range(grid[0], grid[-1] + 1))]
    blocks: list[list[int]] = []
    for row in rows:
        if blocks and blocks[-1][-1] == row - 1:
            blocks[-1].append(row)
        else:
            blocks.append([row])
    return blocks


def _is_title(row: dict[int, str]) -> bool:
    return len(row) == 1 and len(*row.values()) > 2


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
        head = source[: len(PARQUET)]
    else:
        with open(source, "rb") if Path(source).is_file() else io.BytesIO() as stream:
            head = stream.read(len(PARQUET))
    if head != PARQUET:
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

"""Spreadsheets (.xlsx and .ods) as lines of text: one line of CSV per row."""

import csv
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from itertools import takewhile
from typing import IO

from nando.puzzles.sheets.cells import MOST_BYTES, Cells
from nando.puzzles.sheets.ods import ods_sheets
from nando.puzzles.sheets.xlsx import xlsx_sheets
from nando.puzzles.xml import XmlError

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


def _line(words: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(words)
    return text.getvalue()

"""The filled cells of a spreadsheet, and the limits on its size.

Only filled cells are stored. calamine, which reads the .xls file of a published data set, allocates
all rows and columns up to the last filled cell. For two cells in opposite corners, version 0.9
requests 512 GiB and aborts the process. The last filled cell is known only when the whole sheet is
parsed, so the memory cannot be bounded in advance.
"""

import re
import zipfile

MOST_BYTES = 1 << 26
"""Largest spreadsheet that is read, and largest size of one of its parts once unpacked."""
MOST_CELLS = 1_000_000
"""Most filled cells, and most cells in the rows and columns that contain filled cells."""

Cells = dict[int, dict[int, str]]
"""Texts of the filled cells of a sheet, by row and by column."""


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


class BoundedPart:
    """A part of an archive with a limit on its size."""

    def __init__(self, archive: zipfile.ZipFile, part: str) -> None:
        self._file = archive.open(part)
        self._left = MOST_BYTES

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes."""
        piece = self._file.read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise ValueError(f"it unpacks to more than {MOST_BYTES >> 20} MiB; save it as CSV")
        return piece


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

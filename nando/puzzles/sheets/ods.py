"""The .ods of LibreOffice: all sheets in one part, with runs of equal rows or cells stored once."""

import zipfile

from nando.puzzles.sheets.cells import MOST_CELLS, BoundedPart, Cells, Table, number, value
from nando.puzzles.xml import local, xml_parser


def ods_sheets(archive: zipfile.ZipFile) -> list[Cells]:
    """Return the filled cells of each sheet."""
    reader = _OdsReader()
    parser = xml_parser()
    parser.StartElementHandler, parser.EndElementHandler = reader.begin, reader.end
    parser.CharacterDataHandler = reader.data
    parser.ParseFile(BoundedPart(archive, "content.xml"))
    return reader.table.sheets


class _OdsReader:
    """Collects the cells of all sheets of an .ods file in a table."""

    def __init__(self) -> None:
        self.table = Table()
        self._row = self._column = 0
        self._n_rows = self._n_columns = 1
        self._filled: list[tuple[int, str]] = []
        self._value = ""
        self._pieces: list[str] = []
        self._in_text = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        named = {local(key): value for key, value in attributes.items()}
        match local(name):
            case "table":
                self.table.begin()
                self._row = 0
            case "table-row":
                self._n_rows = number(named.get("number-rows-repeated"), 1)
                self._column = 0
                self._filled = []
            case "table-cell" | "covered-table-cell":
                self._n_columns = number(named.get("number-columns-repeated"), 1)
                self._value = named.get("value", "")
                self._pieces = []
            case "p":
                self._in_text = True

    def data(self, text: str) -> None:
        if self._in_text:
            self._pieces.append(text)

    def end(self, name: str) -> None:
        match local(name):
            case "p":
                self._in_text = False
                self._pieces.append(" ")
            case "table-cell" | "covered-table-cell":
                text = value(self._value) if self._value else "".join(self._pieces)
                if text.strip():
                    self._fill(text)
                self._column += self._n_columns
            case "table-row":
                for row in range(self._row + 1, self._row + self._n_rows + 1):
                    if not self._filled:
                        break
                    for column, text in self._filled:
                        self.table.put(row, column, text)
                self._row += self._n_rows
            case "table":
                self.table.end()

    def _fill(self, text: str) -> None:
        if len(self._filled) + self._n_columns > MOST_CELLS:
            raise ValueError(f"more than {MOST_CELLS:,} filled cells; save it as CSV")
        columns = range(self._column + 1, self._column + self._n_columns + 1)
        self._filled.extend((column, text) for column in columns)

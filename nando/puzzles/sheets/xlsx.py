"""The .xlsx of Excel: one part with the texts of all cells, and one part for each sheet."""

import re
import zipfile

from nando.puzzles.sheets.cells import BoundedPart, Cells, Table, number, value
from nando.puzzles.xml import local, xml_parser

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
        _SheetParts(table, texts).read(BoundedPart(archive, part))
        table.end()
    return table.sheets


def _shared_texts(archive: zipfile.ZipFile) -> list[str]:
    texts: list[str] = []
    pieces: list[str] = []
    inside: list[str] = []

    def begin(name: str, _: dict[str, str]) -> None:
        inside.append(local(name))

    def end(name: str) -> None:
        inside.pop()
        if local(name) == "si":
            texts.append("".join(pieces))
            pieces.clear()

    def data(text: str) -> None:
        if inside[-1] == "t" and "rPh" not in inside:  # skip phonetic text
            pieces.append(text)

    parser = xml_parser()
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = data
    parser.ParseFile(BoundedPart(archive, "xl/sharedStrings.xml"))
    return texts


class _SheetParts:
    """Collects the cells of a sheet of an .xlsx file in a table."""

    def __init__(self, table: Table, texts: list[str]) -> None:
        self._table = table
        self._texts = texts
        self._row = self._column = 0
        self._type = ""
        self._pieces: list[str] | None = None

    def read(self, part: BoundedPart) -> None:
        """Read the whole sheet."""
        parser = xml_parser()
        parser.StartElementHandler, parser.EndElementHandler = self._begin, self._end
        parser.CharacterDataHandler = self._data
        parser.ParseFile(part)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        match local(name):
            case "row":
                self._row = number(attributes.get("r"), self._row + 1)
                self._column = 0
            case "c":
                place = _PLACE.fullmatch(attributes.get("r", ""))
                self._column = _column(place[1]) if place else self._column + 1
                self._row = int(place[2]) if place else self._row
                self._type = attributes.get("t", "")
            case "v" | "t":
                self._pieces = []

    def _data(self, text: str) -> None:
        if self._pieces is not None:
            self._pieces.append(text)

    def _end(self, name: str) -> None:
        if local(name) not in ("v", "t") or self._pieces is None:
            return
        text = "".join(self._pieces)
        self._pieces = None
        if self._type == "s":
            index = number(text, len(self._texts))
            text = self._texts[index] if index < len(self._texts) else ""
        elif self._type in ("", "n"):
            text = value(text)
        self._table.put(self._row, self._column, text)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number

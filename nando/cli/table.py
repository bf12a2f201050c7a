"""Tables that fit the width of a terminal, and colour; ``NO_COLOR`` turns it off."""

import os
import re
import shutil
import textwrap
from collections.abc import Sequence
from typing import IO, Any, NamedTuple

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

_CODES = {
    "beginner": "32",
    "easy": "36",
    "medium": "34",
    "tricky": "33",
    "fiendish": "31",
    "diabolical": "35",
    "fills": "1;32",
    "removes": "1;33",
    "number": "2",
}
"""ANSI codes of grades and of the parts of a step."""


def takes_colour(stream: IO[str]) -> bool:
    """Return True if a stream is a terminal that shows colour, and colour is not turned off.

    Any value of ``NO_COLOR`` turns colour off (https://no-color.org).
    """
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, role: str) -> str:
    """Return a text in the colour of `role`: a grade or a part of a step, else no colour."""
    code = _CODES.get(role)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


def visible(text: str) -> str:
    """Return a text without its colours."""
    return _ESCAPE.sub("", text)


_GAP = 2
_NARROWEST_TEXT = 24
"""A column of text that would be narrower than this begins a new line."""


class Shown(NamedTuple):
    """A column of a table: its heading, its width (below 0: left-aligned) and its key.

    A width of 0, for the last column only, means text of any length.
    """

    heading: str
    width: int
    key: str


class TableWriter:
    """Writes aligned columns below a heading, without the rows that have errors.

    Parameters
    ----------
    stream : text stream
    shown : sequence of Shown
    coloured : bool
        Whether grades are coloured.
    width : int or None
        Width of the terminal. Columns that do not fit are moved to the next line, texts and columns
        wider than the terminal are wrapped, and the name of a file is printed above its rows. None
        means a pipe or a file: each row is one line and includes its file.
    """

    def __init__(
        self,
        stream: IO[str],
        shown: Sequence[Shown],
        *,
        width: int | None = None,
        coloured: bool = False,
    ) -> None:
        self._stream = stream
        self._coloured = coloured
        self._shown = list(shown)
        self._width = width if len(shown) > 1 else None
        self._headed = not any(column.heading for column in shown)
        self._file = ""

    def write(self, rows: Sequence[Any]) -> None:
        """Write rows."""
        rows = [row for row in rows if not row.get("error")]
        if not rows:
            return
        self._widen(rows)
        lines = []
        if not self._headed:
            self._headed = True
            lines += self._lines([column.heading for column in self._shown])
        for row in rows:
            lines += self._file_of(row)
            lines += self._lines([_cell(row[self._key(column)]) for column in self._shown])
        self._stream.write("".join(line.rstrip() + "\n" for line in lines))
        self._stream.flush()

    def _widen(self, rows: Sequence[Any]) -> None:
        """Widen the columns of names and places to their longest cell."""
        for i, column in enumerate(self._shown):
            if column.width < 0 or column.key == "place":
                longest = max(len(_cell(row[self._key(column)])) for row in rows)
                sign = -1 if column.width < 0 else 1
                self._shown[i] = column._replace(width=sign * max(abs(column.width), longest))

    def _key(self, column: Shown) -> str:
        return "line" if self._width is not None and column.key == "place" else column.key

    def _file_of(self, row: Any) -> list[str]:
        """Return the name of the row's file if it differs from the file of the row before."""
        place = row.get("place")
        if self._width is None or place in (None, str(row.get("line"))):
            return []
        file = str(place).rpartition(":")[0]
        if file == self._file:
            return []
        self._file = file
        return [f"{self._file}:"]

    def _lines(self, cells: Sequence[str]) -> list[str]:
        indent = abs(self._shown[0].width) + _GAP
        lines = [""]
        start = 0
        for cell, column in zip(cells, self._shown, strict=True):
            needed = abs(column.width) or _NARROWEST_TEXT
            is_text = not column.width
            if self._width is not None and column.width < 0 and indent + needed > self._width:
                is_text, needed = True, max(self._width - indent, _NARROWEST_TEXT)
            if self._width is not None and start > indent and start + needed > self._width:
                lines.append("")
                start = indent
            lines[-1] += " " * (start - len(visible(lines[-1])))
            if not is_text:
                room = " " * (needed - len(cell))
                if self._coloured and column.key == "grade":
                    cell = paint(cell, cell)
                lines[-1] += room + cell if column.width > 0 else cell + room
            else:
                first, *others = self._wrap(cell, start)
                lines[-1] += first
                lines += [" " * start + other for other in others]
            start += needed + _GAP
        return lines

    def _wrap(self, text: str, indent: int) -> list[str]:
        if self._width is None:
            return [text]
        width = max(self._width - indent, 1)
        # Puzzles have no words and are never wrapped.
        return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]

    def close(self) -> None:
        """Do nothing: a table has no end."""


def wrap(text: str, stream: IO[str], *, indent: int = 0) -> str:
    """Return a text wrapped to the width of a terminal; for a pipe or a file, unchanged.

    Continuation lines are indented by `indent`, or to the text of a numbered item.
    """
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    lines = []
    for line in text.split("\n"):
        item = _ITEM.match(line)
        # Puzzles have no words and are never wrapped.
        lines += textwrap.wrap(
            line,
            max(width, 20),
            subsequent_indent=" " * (item.end() if item else indent),
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines)


_ITEM = re.compile(r" *\d+(–\d+)?\. ")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)

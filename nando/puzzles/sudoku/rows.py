"""Lines of text with the symbols of a Sudoku: complete puzzles, or the rows of a grid."""

import re

from nando.puzzles.protocol import Fault, FaultKind, Status
from nando.puzzles.sudoku.layout import ORDERS

_SIZES = frozenset(order**2 for order in ORDERS)
_LENGTHS = frozenset(order**4 for order in ORDERS)
_LONGEST_ROW = max(_SIZES) + 7
_BLANKS = frozenset(".0_*-?")
_SEPARATORS = re.compile("[\\s,;:|\"'\u2502\u2503\u2551]+")
_EMPTY_FIELD = re.compile('[,;\t][ "]*([,;\t]|$)|^[ "]*[,;\t]')
_MARKS = re.compile("u?1?2?3?4?5?6?7?8?9?")


def cells_of(line: str) -> list[str]:
    """Return the cells of a line: its symbols, or its words.

    Words are the cells if some are integers of two digits, candidates, or empty fields of a
    table.
    """
    words = _fields(line) or _words(line)
    n_words = len(words)
    if n_words in _SIZES | _LENGTHS and max(map(len, words)) == 2:
        return words
    if n_words == 9 and all(map(_MARKS.fullmatch, words)):
        return words
    return list("".join(words))


def whole_puzzle(line: str, cells: list[str]) -> str | None:
    """Return the part of a line that is a complete puzzle, or None.

    This is the only word of a valid length, or the only such word with blanks (the others are
    solutions), or the whole line.
    """
    words = _words(line)
    long = [word for word in words if len(word) in _LENGTHS]
    if len(long) > 1:
        long = [word for word in long if not _BLANKS.isdisjoint(word)]
    if len(long) == 1:
        return long[0]
    return " ".join(cells) if len(cells) in _LENGTHS else None


def _words(line: str) -> list[str]:
    return [word for word in _SEPARATORS.split(line) if word]


def _fields(line: str) -> list[str]:
    """Return the fields of a row or board with empty fields, which become blanks; else []."""
    if not _EMPTY_FIELD.search(line):
        return []
    fields = [field.strip(" \"'") for field in re.split("[,;\t]", line)]
    if len(fields) - 1 in _SIZES | _LENGTHS and not fields[-1]:
        del fields[-1]
    if len(fields) not in _SIZES | _LENGTHS or max(map(len, fields)) > 2:
        return []
    return [field or "." for field in fields]


class GridRows:
    """The rows of a grid, collected line by line until there are as many rows as columns."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Clear all rows."""
        self.numbers: list[int] = []
        self.texts: list[str] = []
        self.cells: list[list[str]] = []
        self._n_rows = 0

    @staticmethod
    def may_hold(cells: list[str]) -> bool:
        """Return True if a line is short enough to be a row, perhaps of a wrong length."""
        return len(cells) <= _LONGEST_ROW

    def add(self, number: int, text: str, cells: list[str]) -> None:
        """Add line `number` as the next row."""
        self._n_rows += 1
        if len(self.cells) < _LONGEST_ROW:  # keep only the beginning of a long text without a grid
            self.numbers.append(number)
            self.texts.append(text)
            self.cells.append(cells)

    @property
    def start(self) -> int:
        """Line of the first row."""
        return self.numbers[0]

    @property
    def size(self) -> int:
        """Side of the grid, from its first row of a valid length; 0 if there is none."""
        if self._n_rows < 2:
            return 0
        return next((len(row) for row in self.cells if len(row) in _SIZES), 0)

    @property
    def complete(self) -> bool:
        """True if the grid is known to end here.

        After a row of a wrong length the end is unknown: rows may be missing, and the next grid
        must not start in the middle of this one.
        """
        size = self.size
        if not size:
            return self._n_rows == _LONGEST_ROW
        return self._n_rows == size and all(len(row) == size for row in self.cells)

    @property
    def has_candidates(self) -> bool:
        """True if these are the rows of a candidate grid."""
        return (
            all(len(row) == 9 for row in self.cells)
            and any(len(cell) > 1 for cell in self.marks)
            and all(cell in _BLANKS or _MARKS.fullmatch(cell) for cell in self.marks)
        )

    @property
    def marks(self) -> list[str]:
        """The cells of all rows: in a candidate grid, the digits of each."""
        return [cell for row in self.cells for cell in row]

    @property
    def status(self) -> Status:
        """Faults in the number of rows and in their lengths."""
        size = self.size
        messages = []
        if self._n_rows != size:
            messages.append(
                f"{self._n_rows:,} rows of {size} symbols; wanted {size}, no blank line between"
            )
        wrong = [(i + 1, len(row)) for i, row in enumerate(self.cells) if len(row) != size]
        messages += [f"row {i} has {length} symbols; wanted {size}" for i, length in wrong[:5]]
        if len(wrong) > 5:
            messages.append(f"{len(wrong) - 5} more rows of other lengths")
        return Status(
            tuple(Fault(FaultKind.WRONG_LENGTH, f"wrong length: {text}") for text in messages)
        )

    def square(self) -> str:
        """Return a square of the rows, cut or padded with blanks, for :meth:`Puzzle.parse`."""
        size = self.size
        rows = [row[:size] + ["0"] * (size - len(row)) for row in self.cells[:size]]
        rows += [["0"] * size] * (size - len(rows))
        return " ".join(cell for row in rows for cell in row)

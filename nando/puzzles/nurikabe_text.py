"""Text forms of a Nurikabe: one-line texts and grids."""

import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence

from nando.puzzles.files import half_width
from nando.puzzles.protocol import Fault, FaultKind, PuzzleError

UNKNOWN = -1
"""Number of an island of unknown size, written ``?``."""
MAX_LINES = 100
"""Most rows, and most columns, of a puzzle."""
LARGEST = MAX_LINES**2
"""Largest number that any board could hold."""

BLACK_SYMBOLS = frozenset("#\u25a0\u2588")
"""Symbols of black cells in a half-shaded text: number signs and printed full squares."""
WHITE_SYMBOLS = frozenset("+oO\u25cb")
"""Symbols of white cells in a half-shaded text: plus signs, as in files of pzpr, and circles."""

Cell = int | None
"""Number of a cell: 0 for none, None for a foreign symbol."""

_EXPECTED = f"wanted 1 to {LARGEST:,}, ? for an unknown size, or a blank (. - _ *)"
_BLANKS = frozenset([".", "-", "_", "*", "", "0"])
_WORD = re.compile(r"[.?_*-]|\d+")
_SYMBOL = re.compile(r"\(\s*(\d+|\?)\s*\)|(.)")
_COMMA = re.compile("[,;\t]")
_BAR = re.compile("[|\u2502\u2503]")
_RULE = re.compile("[+\u2500-\u257f][-=+\\s\u2500-\u257f]*")


def read_rows(text: str) -> list[list[int]]:
    """Return the numbers of each row of a text; PuzzleError lists everything wrong."""
    rows = [row for row in _lines(text) if not _RULE.fullmatch(row)]
    return rows_of_cells(_cells(rows))


def read_shading(text: str) -> tuple[list[list[int]], list[list[str]]]:
    """Return the numbers of each row of a half-shaded text, and the symbols of each row.

    All `BLACK_SYMBOLS` become ``#`` and all `WHITE_SYMBOLS` become ``+``; numbers and blanks are as
    in any text. PuzzleError lists everything wrong.
    """
    # A row of plus signs alone is a row of white cells, not a frame.
    rows = [row for row in _lines(text) if not _RULE.fullmatch(row) or not row.strip("+ ")]
    cells = [["#" if cell in BLACK_SYMBOLS else cell for cell in row] for row in _cells(rows)]
    cells = [["+" if cell in WHITE_SYMBOLS else cell for cell in row] for row in cells]
    numbers = rows_of_cells([["" if cell in "#+" else cell for cell in row] for row in cells])
    return numbers, cells


def _lines(text: str) -> list[str]:
    """Return the lines that are not empty, without bars."""
    text = half_width(text)
    lines = (_BAR.sub(" ", line).strip() for line in re.split(r"[/\n\r]+", text))
    return [line for line in lines if line]


def _cells(rows: Sequence[str]) -> list[list[str]]:
    """Return the words of each row, or symbols where a row is one word."""
    words = [_words(row) for row in rows]
    if all(len(row) == 1 for row in words) and not _is_column(rows):
        return [[_symbol(match) for match in _SYMBOL.finditer(row)] for row in rows]
    return words


def rows_of_cells(rows: Sequence[Sequence[object]]) -> list[list[int]]:
    """Return the numbers of a table of cells; PuzzleError lists everything wrong."""
    for number, row in enumerate(rows, 1):
        if isinstance(row, Mapping) or not hasattr(row, "__getitem__"):
            message = f"unreadable: row {number} is {reprlib.repr(row)}; wanted a list of cells"
            raise PuzzleError([Fault(FaultKind.UNREADABLE, message)])
    return check([[_number(cell) for cell in row] for row in rows], rows)


def line_of(rows: Iterable[Iterable[int]]) -> str:
    """Return the one-line form, with numbers above 9 in brackets and ``/`` between rows."""
    return "/".join("".join(write_number(number) for number in row) for row in rows)


def check(rows: Sequence[Sequence[Cell]], shown: Sequence[Sequence[object]]) -> list[list[int]]:
    """Return the rows of a board, with 0 for None; PuzzleError lists everything wrong with them.

    `shown` holds the cells as read, to quote foreign symbols.
    """
    faults = []
    widths = [len(row) for row in rows]
    if not rows or max(widths) == 0:
        faults.append(Fault(FaultKind.WRONG_LENGTH, "wrong length: no cells"))
    elif len(rows) > MAX_LINES or max(widths) > MAX_LINES:
        faults.append(_too_large(len(rows), max(widths)))
    if len(set(widths)) > 1:
        usual = max(widths, key=widths.count)
        odd = [i for i, width in enumerate(widths) if width != usual]
        named = ", ".join(f"row {i + 1} has {widths[i]:,}" for i in odd[:5])
        more = f" and {len(odd) - 5} more rows differ" if len(odd) > 5 else ""
        message = f"wrong length: {named}{more}; wanted {usual:,} cells as in most rows"
        faults.append(Fault(FaultKind.WRONG_LENGTH, message))
    foreign = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell is None]
    if foreign:
        named = ", ".join(_name(r, c, shown[r][c]) for r, c in foreign[:5])
        more = f" and {len(foreign) - 5} more" if len(foreign) > 5 else ""
        cells = tuple(r * max(widths) + c for r, c in foreign)
        message = f"foreign symbol: {named}{more}; {_EXPECTED}"
        faults.append(Fault(FaultKind.FOREIGN_SYMBOL, message, cells))
    if faults:
        raise PuzzleError(faults)
    return [[cell or 0 for cell in row] for row in rows]


def _name(row: int, column: int, shown: object) -> str:
    is_printable = isinstance(shown, str | int | float)
    text = repr(shown) if is_printable else f"a {type(shown).__name__}"
    return f"{text if len(text) < 20 else text[:17] + '...'} at r{row + 1}c{column + 1}"


def _too_large(n_rows: int, n_columns: int) -> Fault:
    return Fault(
        FaultKind.WRONG_LENGTH,
        f"wrong length: {n_rows:,} rows of {n_columns:,} cells; at most {MAX_LINES} by {MAX_LINES}",
    )


def _is_column(rows: Sequence[str]) -> bool:
    """Return True if rows of one word are the cells of a single column, not rows of symbols."""
    return len({len(row) for row in rows}) > 1 and all(map(_WORD.fullmatch, rows))


def _words(row: str) -> list[str]:
    """Return the cells of a row that is separated by commas or white space.

    An empty cell between commas becomes the foreign symbol ``empty``, because a table with empty
    cells does not show how wide its empty margins are.
    """
    if _COMMA.search(row):
        return [word.strip() or "empty" for word in _COMMA.split(row)]
    return row.split()


def _symbol(match: re.Match[str]) -> str:
    # As a symbol, a 0 would read as part of a 10; as a word it is a blank.
    return match[1] or ("(0)" if match[2] == "0" else match[2])


def _number(word: object) -> Cell:
    """Return the number of a word, or of an item of a JSON list."""
    if word is None:
        return 0
    if isinstance(word, bool) or not isinstance(word, int | str):
        return None
    word = str(word).strip()
    if word in _BLANKS:
        return 0
    if word in ("?", "-1"):
        return UNKNOWN
    # int() accepts digits of all scripts, and is slow for thousands of digits.
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        return None
    return int(word) if 0 < int(word) <= LARGEST else None


def write_number(number: int) -> str:
    """Return the symbol of a cell in the one-line form."""
    if number == 0:
        return "."
    if number == UNKNOWN:
        return "?"
    return str(number) if number < 10 else f"({number})"

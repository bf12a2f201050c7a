"""Text forms of a Nurikabe: one line, grids, puzz.link addresses, published JSON."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from nando.puzzles.protocol import Fault, FaultKind, PuzzleError

UNKNOWN = -1
"""Number of an island whose size is not told, written ``?``."""
MAX_LINES = 100
"""Most rows and most columns of a puzzle."""
LARGEST = MAX_LINES**2
"""Largest number that any board could hold."""

Cell = int | None
"""Number of a cell: 0 where it has none, None where its symbol is foreign."""

_WANTED = f"wanted 1 to {LARGEST:,}, ? for an unknown size, or a blank (. - _ *)"
_BLANKS = frozenset([".", "-", "_", "*", "", "0"])
_WORD = re.compile(r"[.?_*-]|\d+")
_SYMBOL = re.compile(r"\(\s*(\d+|\?)\s*\)|(.)")
_BAR = re.compile("[|\u2502\u2503]")
_RULE = re.compile("[+\u2500-\u257f][-=+\\s\u2500-\u257f]*")
_ADDRESS = re.compile(
    r"\bnurikabe/(?:[^/\s]*[^/\s\d][^/\s]*/)?(\d{1,9})/(\d{1,9})(?:/([^/\s?#&]*))?"
)
# Numbers of an address: hexadecimal digits after a sign, and what is added to them.
_SIGNS = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192)}
_LONGEST_GAP = 20


def read_rows(text: str) -> list[list[int]]:
    """Numbers of each row of a text in any form; PuzzleError names everything wrong."""
    text = text.strip()
    if text.startswith(("{", "[")):
        return checked(_read_json(text))
    if address := _ADDRESS.search(text):
        return _read_address(int(address[1]), int(address[2]), address[3] or "")
    lines = (_BAR.sub(" ", line).strip() for line in re.split(r"[/\n\r]+", text))
    rows = [line for line in lines if line and not _RULE.fullmatch(line)]
    if any(len(row.split()) > 1 for row in rows) or _is_column(rows):
        return checked([[_number(word) for word in row.split()] for row in rows], rows)
    return checked([[_number(_symbol(found)) for found in _SYMBOL.finditer(r)] for r in rows], rows)


def line_of(rows: Iterable[Iterable[int]]) -> str:
    """The one-line form: a symbol a cell, numbers above 9 in brackets, rows parted by ``/``."""
    return "/".join("".join(written(number) for number in row) for row in rows)


def address_of(rows: Sequence[Sequence[int]]) -> str:
    """The puzzle as an address of puzz.link."""
    pieces = []
    gap = 0
    for number in (number for row in rows for number in row):
        if number == 0:
            gap += 1
        if gap and (number != 0 or gap == _LONGEST_GAP):
            pieces.append(_base36(gap))
            gap = 0
        if number != 0:
            pieces.append("." if number == UNKNOWN else _hexadecimal(number))
    if gap:
        pieces.append(_base36(gap))
    return f"https://puzz.link/p?nurikabe/{len(rows[0])}/{len(rows)}/{''.join(pieces)}"


def checked(rows: Sequence[Sequence[Cell]], shown: Sequence[Any] | None = None) -> list[list[int]]:
    """Rows that make a board, or PuzzleError with all that keeps them from it.

    `shown` are the rows as they were read, to name foreign symbols in.
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
        named = ", ".join(_named(r, c, shown) for r, c in foreign[:5])
        more = f" and {len(foreign) - 5} more" if len(foreign) > 5 else ""
        cells = tuple(r * max(widths) + c for r, c in foreign)
        message = f"foreign symbol: {named}{more}; {_WANTED}"
        faults.append(Fault(FaultKind.FOREIGN_SYMBOL, message, cells))
    if faults:
        raise PuzzleError(faults)
    return [[cell or 0 for cell in row] for row in rows]


def _named(row: int, column: int, shown: Sequence[Any] | None) -> str:
    place = f"r{row + 1}c{column + 1}"
    if shown is None:
        return place
    cells = shown[row]
    if isinstance(cells, str):
        words = cells.split()
        cells = words if len(words) > 1 else [_symbol(found) for found in _SYMBOL.finditer(cells)]
    text = repr(cells[column]) if column < len(cells) else ""
    return f"{text if len(text) < 20 else text[:17] + '...'} at {place}"


def _too_large(n_rows: int, n_columns: int) -> Fault:
    return Fault(
        FaultKind.WRONG_LENGTH,
        f"wrong length: {n_rows:,} rows of {n_columns:,} cells; at most {MAX_LINES} by {MAX_LINES}",
    )


def _is_column(rows: Sequence[str]) -> bool:
    """Whether rows of one word each are cells of a single column, and not rows of symbols."""
    return len({len(row) for row in rows}) > 1 and all(map(_WORD.fullmatch, rows))


def _symbol(found: re.Match[str]) -> str:
    # A lone 0 would read as half of a 10; as a word it is a blank.
    return found[1] or ("(0)" if found[2] == "0" else found[2])


def _number(word: object) -> Cell:
    """Number that a word, or an item of a JSON list, stands for."""
    if word is None:
        return 0
    if isinstance(word, bool) or not isinstance(word, int | str):
        return None
    word = str(word).strip()
    if word in _BLANKS:
        return 0
    if word in ("?", "-1"):
        return UNKNOWN
    # int() takes digits of all scripts, and very many of them slowly.
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        return None
    return int(word) if 0 < int(word) <= LARGEST else None


def written(number: int) -> str:
    """Symbol of a cell in the one-line form."""
    if number == 0:
        return "."
    if number == UNKNOWN:
        return "?"
    return str(number) if number < 10 else f"({number})"


def _read_json(text: str) -> list[list[Cell]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _no_grid(f"no JSON ({error})") from None
    if isinstance(found, dict):
        inner = found.get("data", found)
        found = inner.get("problem") if isinstance(inner, dict) else None
    if not (isinstance(found, list) and all(isinstance(row, list) for row in found)):
        raise _no_grid("no list of rows, and no object with one under 'problem'")
    return [[_number(item) for item in row] for row in found]


def _no_grid(message: str) -> PuzzleError:
    return PuzzleError([Fault(FaultKind.FOREIGN_SYMBOL, f"foreign symbol: {message}")])


def _read_address(n_columns: int, n_rows: int, code: str) -> list[list[int]]:
    if not (1 <= n_rows <= MAX_LINES and 1 <= n_columns <= MAX_LINES):
        raise PuzzleError([_too_large(n_rows, n_columns)])
    n_cells = n_rows * n_columns
    numbers: list[Cell] = []
    at = 0
    while at < len(code) and len(numbers) <= n_cells:
        symbol = code[at].lower()
        digits, base = _SIGNS.get(symbol, (1, 0))
        if "g" <= symbol <= "z":
            numbers.extend([0] * (int(symbol, 36) - 15))
            at += 1
        elif symbol == ".":
            numbers.append(UNKNOWN)
            at += 1
        else:
            at += symbol in _SIGNS
            number = re.fullmatch("[0-9a-fA-F]+", code[at : at + digits])
            if not number or len(number[0]) < digits or int(number[0], 16) + base > LARGEST:
                raise _no_grid(f"{code[at - (symbol in _SIGNS) :][:8]!r} in the address")
            # 0 is no number of an island; pzpr writes none.
            numbers.append(int(number[0], 16) + base)
            at += digits
    if len(numbers) > n_cells:
        message = f"wrong length: the address has more than {n_rows} by {n_columns} cells"
        raise PuzzleError([Fault(FaultKind.WRONG_LENGTH, message)])
    numbers.extend([0] * (n_cells - len(numbers)))
    return checked([numbers[i : i + n_columns] for i in range(0, n_cells, n_columns)])


def _base36(gap: int) -> str:
    """Letter for so many cells without a number: g for 1, z for 20."""
    return chr(ord("g") + gap - 1)


def _hexadecimal(number: int) -> str:
    if number < 16:
        return f"{number:x}"
    for sign, (digits, base) in _SIGNS.items():
        if number - base < 16**digits:
            return f"{sign}{number - base:0{digits}x}"
    raise ValueError(f"number must be at most {LARGEST}, got {number}")

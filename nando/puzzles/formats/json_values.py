"""Puzzles in JSON: matrices of numbers, objects with a puzzle, and lists or lines of these."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from nando.puzzles.files import parse_json
from nando.puzzles.formats.base import (
    Kind,
    as_sudoku,
    declare,
    puzzle_of_rows,
    unknown_rules,
    unreadable,
)
from nando.puzzles.formats.one_line import of_kind, puzzle_of_text
from nando.puzzles.formats.programs import f_puzzles, ipuz, lisudoku, pencilmark, sudokupad
from nando.puzzles.lines import Line
from nando.puzzles.nurikabe import Nurikabe
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.sudoku.layout import ORDERS
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

LONGEST = 1 << 20
"""Most characters of a value; a list with each puzzle on its own line has no limit."""

_FILE_START = re.compile(r"[\[{]")
_SECTION = re.compile(r"\[\s*[A-Za-z][\w ]*\]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]')
_NO_JSON = re.compile(r'[^\s"\[\]{},:]{16,}')
"""A line that cannot be part of a value: the puzzle after a truncated one."""
_ENDS = ("]", "],")
"""Lines that end a list with one puzzle per line."""
_KEYS = ("puzzle", "board", "grid", "givens", "clues", "value")
"""Keys that programs use for the puzzle in an object."""
_LISTS = ("newboard", "grids", "puzzles")
"""Keys of programs for an object or a list of objects with puzzles."""
_RULE_KEY = re.compile(
    "arrow|cage|constraint|diagonal|hyper|jigsaw|killer|kropki|region|rule|thermo|variant|window",
    re.IGNORECASE,
)
"""Keys of rules that are not those of nando or of a format that is read."""
_PRINTED = re.compile(r"[\[\]\s\d-]*")
_GAP = re.compile(r"(?<=[\d\]])\s+(?=[-\d\[])")
_DEEPEST = 4
"""Depth to which lists of lists are searched for puzzles."""
_LENGTHS = frozenset(order**4 for order in ORDERS)


class Gathered(NamedTuple):
    """The text of a value, its first line, and an error if the value is incomplete."""

    line: int
    text: str
    error: str | None = None


class JsonGatherer:
    """Collects JSON values line by line; in a list of one puzzle per line, each is a value."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._pieces: list[str] = []
        self._open: list[str] = []
        self._length = self._start = 0

    def takes(self, text: str) -> bool:
        """Return True if a stripped line is part of a value, or begins one."""
        if self._pieces:
            return not _NO_JSON.fullmatch(text)
        if text in _ENDS:
            return True
        return bool(_FILE_START.match(text)) and not _SECTION.fullmatch(text)

    def add(self, line: Line) -> Iterator[Gathered]:
        """Add a line; yield the values that end with it."""
        text = line.text.strip()
        if not self._pieces and text in _ENDS:
            return
        if self._pieces == ["["] and text.startswith(("{", "[[")):
            self._clear()
        elif self._open[-1:] == ["{"] and text.startswith("{") and not self._expects_value:
            yield self._end("an object that does not end")
        self._start = self._start or line.number
        self._pieces.append(text)
        self._length += len(text) + 1
        if line.cut or self._length > LONGEST:
            length = max(line.length, self._length)
            yield self._end(
                f"a value of {length:,} characters; write each puzzle on a line of its own"
            )
            return
        for token in _TOKEN.findall(text):
            if token in ("[", "{"):
                self._open.append(token)
            elif token in ("]", "}"):
                del self._open[-1:]
            elif len(token) < 2 or not token.endswith('"'):
                yield self._end("a text without a quote at its end")
                return
        if not self._open:
            yield self._end()

    def end(self) -> Iterator[Gathered]:
        """Yield an incomplete value, if there is one, and clear it."""
        if self._pieces and self._pieces != ["["]:
            yield self._end("a value that does not end")
        self._clear()

    @property
    def _expects_value(self) -> bool:
        return self._pieces[-1].endswith(":")

    def _end(self, error: str | None = None) -> Gathered:
        text = "\n".join(self._pieces).rstrip(",")
        gathered = Gathered(self._start, text, error and f"unreadable: JSON with {error}")
        self._clear()
        return gathered


def value_of(text: str) -> Any:
    """Return the value of a text in JSON or as numpy prints it; PuzzleError if it is neither."""
    if _PRINTED.fullmatch(text):
        text = _GAP.sub(",", text)
    try:
        return parse_json(text)
    except ValueError as error:
        raise unreadable(str(error)) from None


def row_of_value(value: Any) -> str | None:
    """Return a list of numbers and symbols as a line of text; None for other values."""
    if not isinstance(value, list) or not value:
        return None
    if not all(cell is None or _is_cell(cell) for cell in value):
        return None
    words = ["." if cell in (None, "", " ") else str(cell) for cell in value]
    return " ".join(words) if max(map(len, words)) < 3 else None


def _is_cell(cell: Any) -> bool:
    return isinstance(cell, int | str) and not isinstance(cell, bool)


def puzzles_of_value(value: Any, kind: Kind, *, depth: int = 0) -> Iterator[Puzzle | PuzzleError]:
    """Yield all puzzles in a value, or their errors; at least one item."""
    try:
        if (inner := _list_in(value)) is not None and depth < _DEEPEST:
            yield from puzzles_of_value(inner, kind, depth=depth + 1)
            return
        if _is_list_of_puzzles(value, kind) and depth < _DEEPEST:
            for item in value:
                line = row_of_value(item)
                yield from puzzles_of_value(line or item, kind, depth=depth + 1)
            return
        yield of_kind(_puzzle(value, kind), kind)
    except PuzzleError as error:
        yield error


def columns_of_value(value: Any) -> list[dict[str, Any]]:
    """Return what is next to the text of a puzzle in an object, or in each object of a list."""
    return [_columns(item) for item in (value if isinstance(value, list) else [value])]


def _columns(value: Any) -> dict[str, Any]:
    texts = [key for key in _KEYS if isinstance(value, dict) and isinstance(value.get(key), str)]
    return {
        name: content
        for name, content in (value.items() if texts else ())
        if name != texts[0] and not isinstance(content, list | dict)
    }


def _list_in(value: Any) -> Any:
    """Return the objects with puzzles in an object that has no puzzle itself, or None."""
    if not isinstance(value, dict) or any(key in value for key in _KEYS):
        return None
    inner = next((value[key] for key in _LISTS if key in value), None)
    is_list = isinstance(inner, list) and inner and all(isinstance(item, dict) for item in inner)
    return inner if isinstance(inner, dict) or is_list else None


def _is_list_of_puzzles(value: Any, kind: Kind) -> bool:
    if not isinstance(value, list) or not any(isinstance(v, dict | list | str) for v in value):
        return False
    if not _is_board(value):
        return True
    # Arrays of Sudoku have one row per puzzle.
    widths = {len(row) for row in value}
    is_sudoku = kind is None or issubclass(kind, Sudoku)
    return is_sudoku and len(widths) == 1 and widths <= _LENGTHS and widths != {len(value)}


def _is_board(value: list[Any]) -> bool:
    """Return True if a list has the rows of one board: lists of cells, or texts of its length."""
    return all(
        (isinstance(row, list) and all(cell is None or _is_cell(cell) for cell in row))
        or (isinstance(row, str) and len(row) == len(value))
        for row in value
    )


def _puzzle(value: Any, kind: Kind) -> Puzzle:
    if isinstance(value, str):
        return puzzle_of_text(value, kind)
    if isinstance(value, list) and value and _is_board(value):
        return puzzle_of_rows(value, kind)
    for program in (f_puzzles, sudokupad, pencilmark, lisudoku, ipuz):
        if program.is_value(value):
            puzzle: Puzzle = program.of_value(value, kind)
            return puzzle
    if is_variant(value):
        return Variant.from_json(value)
    if isinstance(value, dict):
        rules = [
            key for key, content in value.items() if _RULE_KEY.search(key) and _is_rule(content)
        ]
        if rules:
            raise unknown_rules(map(repr, rules))
        inner = value.get("data", value)
        if isinstance(inner, dict) and isinstance(inner.get("problem"), list):
            return Nurikabe.from_rows(inner["problem"])
        for key in _KEYS:
            if value.get(key) and not isinstance(value[key], dict):
                return _puzzle(value[key], kind)
        names = ", ".join(map(repr, list(value)[:5])) or "nothing"
        raise unreadable(f"no puzzle in a JSON object with {names[:80]}; wanted a 'puzzle'")
    raise unreadable("no puzzle in the JSON; wanted a matrix of numbers, or an object with one")


def _is_rule(content: Any) -> bool:
    """Return True for the content of a key that may be a rule, unlike a name or a number."""
    return content is True or (isinstance(content, list | dict) and bool(content))


def is_variant(value: Any) -> bool:
    """Return True if a value is a variant of Sudoku as nando writes it."""
    return isinstance(value, dict) and (
        isinstance(value.get("givens"), str) and bool({"rules", "grids", "boxed"} & set(value))
    )


def _write(puzzle: Puzzle) -> str:
    if isinstance(puzzle, Variant):
        return json.dumps(puzzle.to_json(), separators=(",", ":"))
    if isinstance(puzzle, Nurikabe):
        rows = puzzle.numbers.reshape(puzzle.shape).tolist()
        return json.dumps({"problem": rows}, separators=(",", ":"))
    sudoku = as_sudoku(puzzle, FORMAT.name)
    return json.dumps(sudoku.givens.reshape(sudoku.shape).tolist(), separators=(",", ":"))


FORMAT = declare("json", write=_write)

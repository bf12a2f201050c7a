"""Links of Penpa+: the drawing of a puzzle as JSON, deflated and in base 64.

A drawing does not state its rules, so its kind is recognised by its tags or its numbers. Anything
drawn except numbers and the borders of boxes counts as an unknown rule.
"""

import base64
import json
import math
import re
import zlib
from collections.abc import Iterator
from importlib import resources
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np

from nando.puzzles.boards.board import Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import SPOILT, parse_json, shortened
from nando.puzzles.formats import base
from nando.puzzles.kinds import PUZZLES
from nando.puzzles.nurikabe.puzzle import BLACK, Nurikabe
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.rules.cages import Cage
from nando.puzzles.rules.lines import Arrow, Thermometer
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

MOST_UNPACKED = 1 << 20
"""Most bytes that a link may unpack to."""

_PATTERN = re.compile(
    r"penpa[\w.-]{0,40}(?:/[^\s?#]{0,40})?[?#](?:[^\s&]{0,80}&){0,8}?p=(?P<payload>[^\s&]+)|^m=(?:edit|solve)&p=(?P<bare>[^\s&]+)"
)
_NAMES: dict[str, Any] = parse_json(
    (resources.files("nando.puzzles.formats.links") / "penpa.json").read_text("utf-8")
)
_SHORT: dict[str, str] = _NAMES["short"]
"""Abbreviations in the JSON of Penpa+."""
_MARGIN = 2
"""Lines of cells around the board, which count in the numbers of its cells."""
_WITHOUT_RULES = frozenset(["command_redo", "command_undo", "command_replay", "number", "lineE"])
_OF_LISTS = ("thermo", "arrows", "killercages")
_OF_RULES = (*_OF_LISTS, "cage", "numberS")
"""Tables of what is drawn with the tools for rules; `cage` has the outlines of the cages."""
_READ = "classic Sudoku and Nurikabe, thermometers, arrows and cages"
_CANDIDATES = "7"
"""Style of candidates: a list with a 1 for each candidate. A single candidate is drawn as large as
a digit."""
_CENTRE = frozenset(["5", "6"])
"""Styles of marks in the middle of a cell: medium, and small for more than five marks."""
_PLAIN = frozenset(["1", "5", "6", _CANDIDATES, "10"])
"""Styles of plain numbers: normal, small, medium, candidates, large."""
_BLACKS = frozenset([1, 3, 4, 8])
"""Colours that Penpa+ counts as shaded: dark grey, light grey, black, grey."""
_LARGEST_SIDE = 200
_CELL_SIZE = 38
_TOOLS = _NAMES["tools"]
_MODE = {"qa": "pu_q", "grid": ["1", "2", "1"], "pu_q": _TOOLS, "pu_a": _TOOLS}
"""The tools selected when a drawing is opened."""
_EMPTY: dict[str, Any] = _NAMES["empty"]
"""An empty drawing."""


class _Board(NamedTuple):
    """The size of a board, its offset in the drawing, and the size of the drawing."""

    n_rows: int
    n_columns: int
    top: int
    left: int
    width: int
    height: int

    def number(self, row: int, column: int) -> int:
        """Return the number of a cell."""
        return (row + self.top) * self.width + column + self.left

    def cell(self, number: int) -> tuple[int, int] | None:
        """Return the row and column of a cell's number; None outside the board."""
        row, column = divmod(number, self.width)
        row, column = row - self.top, column - self.left
        return (row, column) if 0 <= row < self.n_rows and 0 <= column < self.n_columns else None

    def corner_number(self, row: int, column: int) -> int:
        """Return the number of the corner below some rows and to the right of some columns.

        Corners are numbered after the cells, in the order of the cells above and to the left.
        """
        return self.width * self.height + self.number(row - 1, column - 1)

    def corner(self, number: int) -> tuple[int, int]:
        """Return the rows above and columns to the left of a corner."""
        row, column = divmod(number - self.width * self.height, self.width)
        return row - self.top + 1, column - self.left + 1


def _read(match: re.Match[str], wanted: base.Kind) -> Puzzle:
    lines = _unpacked(unquote(match["payload"] or match["bare"])).split("\n")
    try:
        board = _board(lines)
        drawn = _json(lines[3])
        tags = {str(tag) for tag in _json(lines[17])} if "".join(lines[17:18]).strip() else set()
        rows = _rows(board, drawn)
        rules = _rules_of(board, drawn) if tags <= {"classic"} or "sudoku" in tags else []
        read = _OF_RULES if rules else ()
        left = {key: content for key, content in drawn.items() if key not in read}
        constraints = list(_constraints(board, left))
    except PuzzleError:
        raise
    except SPOILT:
        raise base.unreadable("the link holds no drawing of Penpa+; copy the whole link") from None
    if constraints:
        raise base.variant(constraints, _READ)
    if rules:
        return base.puzzle_of_rules(rows, rules, wanted)
    tagged = next((kind for kind in PUZZLES if kind.kind in tags), None)
    if tags and tagged is None:
        rules_of_tags = f"the rules of {shortened(', '.join(sorted(tags)), 60)}"
        raise base.variant([rules_of_tags], _READ)
    return base.puzzle_of_rows(rows, tagged or wanted)


def _rules_of(board: _Board, drawn: dict[str, Any]) -> list[Rule]:
    """Return the thermometers, arrows and cages that are drawn with Penpa+'s tools for them.

    The list is empty if the drawing has other small numbers than the sums of its cages.
    """

    def cells_of(numbers: list[int]) -> Cells:
        places = [board.cell(int(number)) for number in numbers]
        return tuple(Cell(*place) for place in places if place is not None)

    rules: list[Rule] = [
        Thermometer(cells_of(line)) for line in drawn.get("thermo") or [] if len(line) > 1
    ]
    for start, *shaft in drawn.get("arrows") or []:
        rules.append(Arrow(cells_of([start]), cells_of(shaft)))
    sums = {int(place): str(shown[0]).strip() for place, shown in drawn.get("numberS", {}).items()}
    n_places = board.width * board.height
    for cage in filter(None, drawn.get("killercages") or []):
        texts = [sums.pop(4 * (int(number) + n_places), "") for number in cage]
        total = next((int(text) for text in texts if text), None)
        rules.append(Cage(cells_of(cage), total))
    has_cages = any(drawn.get("killercages") or [])
    is_foreign = bool(sums) or (bool(drawn.get("cage")) and not has_cages)
    named = [cell for key in _OF_LISTS for line in drawn.get(key) or [] for cell in line]
    return [] if is_foreign or any(board.cell(int(cell)) is None for cell in named) else rules


def _read_standing(match: re.Match[str], wanted: base.Kind) -> base.Standing:
    """Return the position that the answer draws: entered digits, or cells shaded black."""
    puzzle = _read(match, wanted)
    lines = _unpacked(unquote(match["payload"] or match["bare"])).split("\n")
    try:
        board = _board(lines)
        answer = _json(lines[4])
        if isinstance(puzzle, Sudoku | Variant):
            return _entered(puzzle, board, drawn=_json(lines[3]), answer=answer)
        entries = puzzle.givens.copy()
        for number, colour in answer.get("surface", {}).items():
            place = board.cell(int(number))
            if place is not None and colour in _BLACKS:
                entries[place[0] * board.n_columns + place[1]] = BLACK
    except PuzzleError:
        raise
    except SPOILT:
        raise base.unreadable("the answer in the link is damaged; copy the whole link") from None
    return base.Standing(puzzle, np.where(puzzle.givens > 0, puzzle.givens, entries), None)


def _entered(
    puzzle: Sudoku | Variant, board: _Board, *, drawn: dict[str, Any], answer: dict[str, Any]
) -> base.Standing:
    """Return the digits of the answer, with its marks or else those of the drawing.

    Corner marks, which Penpa+ stores separately, are ignored. Marks in the middle of a cell are
    written without spaces, so only digits of one symbol can be read.
    """
    marks: list[object] = [None] * puzzle.givens.size
    for layer in (drawn, answer):
        for number, (text, _, style) in layer.get("number", {}).items():
            place = board.cell(int(number))
            if place is None:
                continue
            cell = place[0] * board.n_columns + place[1]
            if style == _CANDIDATES:
                marks[cell] = _candidates(text)
            elif layer is answer and style in _CENTRE and puzzle.size < 10:
                marks[cell] = str(text)
    rows = _rows(board, answer, entered=True)
    return base.with_marks(base.sudoku_standing(puzzle, rows), marks)


def _candidates(listed: object) -> list[int]:
    """Return the digits with a 1 in a list."""
    return [i for i, on in enumerate(listed, 1) if on == 1] if isinstance(listed, list) else []


def _unpacked(payload: str) -> str:
    payload = payload.replace("-", "+").replace("_", "/").replace(" ", "+").rstrip("=")
    unpacker = zlib.decompressobj(-15)
    try:
        packed = base64.b64decode(payload + "=" * (-len(payload) % 4), validate=True)
        unpacked = unpacker.decompress(packed, MOST_UNPACKED)
        text = unpacked.decode() if unpacker.eof else ""
    except (ValueError, zlib.error):
        raise base.unreadable(
            "the packed part of the link is damaged; copy the whole link"
        ) from None
    if unpacker.unconsumed_tail:
        raise base.unreadable(f"the link unpacks to more than {MOST_UNPACKED:,} bytes")
    if not unpacker.eof:
        raise base.unreadable("the packed part of the link ends too soon; copy the whole link")
    return text


def _json(text: str) -> Any:
    return parse_json(re.sub(r"z[0-9A-Z_]", lambda match: _SHORT.get(match[0], match[0]), text))


def _board(lines: list[str]) -> _Board:
    shape, width, height = lines[0].split(",")[:3]
    if shape not in ("square", "sudoku"):
        raise base.variant([f"a board of the form {shape[:20]!r}"], "square boards")
    n_columns, n_rows = int(width), int(height)
    if not (1 <= n_rows <= _LARGEST_SIDE and 1 <= n_columns <= _LARGEST_SIDE):
        most = f"at most {_LARGEST_SIDE} by {_LARGEST_SIDE}"
        raise base.unreadable(f"{n_rows} rows of {n_columns} cells; {most}")
    top, bottom, left, right = _json(lines[1])
    return _Board(
        n_rows=n_rows - top - bottom,
        n_columns=n_columns - left - right,
        top=_MARGIN + top,
        left=_MARGIN + left,
        width=n_columns + 2 * _MARGIN,
        height=n_rows + 2 * _MARGIN,
    )


def _rows(board: _Board, drawn: dict[str, Any], *, entered: bool = False) -> list[list[object]]:
    """Return the numbers in the cells of the board; if `entered`, without marks."""
    rows: list[list[object]] = [[0] * board.n_columns for _ in range(board.n_rows)]
    for number, (text, _, style) in drawn.get("number", {}).items():
        place = board.cell(int(number))
        if place is None or (entered and style in _CENTRE):
            continue
        number_text = str(text).strip()
        if style == _CANDIDATES:
            number_text = "".join(map(str, _candidates(text)))
            if len(number_text) != 1:
                continue
        if not entered or (number_text.isdecimal() and len(number_text) < 3):
            rows[place[0]][place[1]] = number_text
    return rows


def _constraints(board: _Board, drawn: dict[str, Any]) -> Iterator[str]:
    for key, content in drawn.items():
        if content and key not in _WITHOUT_RULES:
            yield key
    for number, (_, _, style) in drawn.get("number", {}).items():
        if board.cell(int(number)) is None:
            yield "numbers outside the board"
        if style not in _PLAIN:
            yield "numbers of several parts"
    order = max(1, math.isqrt(board.n_rows))
    for ends in drawn.get("lineE", {}):
        (r, c), (s, d) = (board.corner(int(number)) for number in ends.split(","))
        along_row, along_column = r == s and r % order == 0, c == d and c % order == 0
        if not (along_row or along_column):
            yield "borders of irregular boxes"


# Writing


def _write(puzzle: Puzzle) -> str:
    if isinstance(puzzle, Nurikabe):
        numbers = puzzle.numbers.reshape(puzzle.shape).tolist()
    else:
        sudoku = base.as_sudoku(puzzle, FORMAT.name)
        numbers = sudoku.givens.reshape(sudoku.shape).tolist()
    n_rows, n_columns = puzzle.shape
    board = _Board(n_rows, n_columns, _MARGIN, _MARGIN, n_columns + 4, n_rows + 4)
    number = {
        str(board.number(row, column)): ["?" if value < 0 else str(value), 1, "1"]
        for row, line in enumerate(numbers)
        for column, value in enumerate(line)
        if value
    }
    border = _borders(board) if isinstance(puzzle, Sudoku) else {}
    cells = [board.number(row, column) for row in range(n_rows) for column in range(n_columns)]
    steps = [cells[0], *(b - a for a, b in pairwise(cells))]
    centre = _centre(board)
    sizes = f"{_CELL_SIZE * (n_columns + 1)},{_CELL_SIZE * (n_rows + 1)},{centre},{centre}"
    lines = [
        f"square,{n_columns},{n_rows},{_CELL_SIZE},0,1,1,{sizes},0,0,0,0,"
        "Title: ,Author: ,,,OFF,false",
        "[0,0,0,0]",
        _text(_MODE),
        _text(_EMPTY | {"number": number, "lineE": border}),
        _text(_EMPTY),
        _text(steps),
        "[]",
        "{}",
        '"x"',
        '"x"',
        "[3,0,10]",
        _text(_MODE),
        '"x"',
        "0",
        _text(_EMPTY),
        _text(_EMPTY),
        "{}",
        _text([puzzle.kind]),
        "false",
    ]
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress("\n".join(lines).encode()) + packer.flush()
    payload = base64.b64encode(packed).decode()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={payload}"


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _borders(board: _Board) -> dict[str, int]:
    """Return the thick lines between the boxes of a Sudoku, cell by cell."""
    size, order = board.n_rows, math.isqrt(board.n_rows)
    borders = {}
    for line in range(order, size, order):
        for step in range(size):
            ends = (board.corner_number(line, step), board.corner_number(line, step + 1))
            borders["{},{}".format(*ends)] = 2
            ends = (board.corner_number(step, line), board.corner_number(step + 1, line))
            borders["{},{}".format(*ends)] = 2
    return borders


def _centre(board: _Board) -> int:
    """Return the number of the central point: a cell, a corner, or the middle of a side."""
    row, odd_row = divmod(board.n_rows, 2)
    column, odd_column = divmod(board.n_columns, 2)
    if odd_row and odd_column:
        return board.number(row, column)
    if not (odd_row or odd_column):
        return board.corner_number(row, column)
    if odd_column:  # below a cell
        return 2 * board.width * board.height + board.number(row - 1, column)
    return 3 * board.width * board.height + board.number(row, column - 1)


FORMAT = base.listed(
    "penpa", pattern=_PATTERN, read=_read, read_standing=_read_standing, write=_write
)

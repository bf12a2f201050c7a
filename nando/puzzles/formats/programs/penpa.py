"""Links of Penpa+: the drawing of a puzzle as JSON, deflated and in base 64.

A drawing does not state its kind, which is recognised by its tags or its numbers. Rules are stated
by the tools for rules, by tags, which are words that the setter chooses to say what the puzzle is,
and as options of a board. Anything else that is drawn, except numbers and the borders of boxes,
counts as an unknown rule.
"""

import base64
import json
import math
import re
import zlib
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np

from nando.puzzles.boards.board import Cell, Cells, box_shape
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import SPOILT, parse_json, shortened
from nando.puzzles.formats import base
from nando.puzzles.formats.rule_values import diagonals, houses_of
from nando.puzzles.kinds import PUZZLES
from nando.puzzles.nurikabe import BLACK, Nurikabe
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.rules.cells import Even, Odd
from nando.puzzles.rules.lines import Thermometer
from nando.puzzles.rules.moves import NonConsecutive
from nando.puzzles.rules.sums import Arrow, Cage
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

_LISTS = ("thermo", "arrows", "killercages")
_OUTLINES, _SMALL, _SYMBOLS, _BORDERS = "cage", "numberS", "symbol", "lineE"
_PARITIES: dict[str, type[Odd] | type[Even]] = {"circle_L": Odd, "square_L": Even}
_PARITY_TAGS, _REGION_TAG, _LATIN_TAG = frozenset(["evenodd", "odd even"]), "irregular", "latin"
_PAIR_TAG = "nonconsecutive"
_WITHOUT_RULES = frozenset(["command_redo", "command_undo", "command_replay", "number", _BORDERS])
TAGS = _PARITY_TAGS | {_REGION_TAG, _LATIN_TAG, _PAIR_TAG, "classic", "arrow", "thermo", "killer"}
"""Tags of Sudoku that are read; the rule of a tool's tag is read from the tool's drawing."""


class Board(NamedTuple):
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

    def cells(self, numbers: list[Any]) -> Cells:
        """Return the cells of numbers, without those outside the board."""
        places = [self.cell(int(number)) for number in numbers]
        return tuple(Cell(*place) for place in places if place is not None)


class Stated(NamedTuple):
    """The rules that a drawing states.

    Attributes
    ----------
    rules : list of Rule
    boxed : bool
        True if the grid has boxes or regions.
    left : dict
        Everything else that is drawn, by table.
    """

    rules: list[Rule]
    boxed: bool
    left: dict[str, Any]


def read_stated(
    board: Board, drawn: Mapping[str, Any], tags: frozenset[str], options: tuple[bool, bool]
) -> Stated:
    """Return the rules that a drawing states by its marks, its tags and its options.

    `options` are True for a falling and for a rising diagonal.
    """
    left = {key: content for key, content in drawn.items() if content}
    rules: list[Rule] = []
    tools = list(_of_tools(board, left))
    if tools:
        rules += tools
        for key in (*_LISTS, _OUTLINES, _SMALL):
            left.pop(key, None)
    if tags & _PARITY_TAGS and (parities := _parities(board, left.get(_SYMBOLS, {}))):
        rules += parities
        del left[_SYMBOLS]
    if _PAIR_TAG in tags:
        rules.append(NonConsecutive())
    rules += diagonals(falling=options[0], rising=options[1])
    sides = {ends: _side(board, ends) for ends in left.get(_BORDERS, {})}
    sides = {ends: side for ends, side in sides.items() if not _is_on(side, board.n_rows, options)}
    if _REGION_TAG in tags:
        regions = _regions(board, set(sides.values()))
        rules += houses_of(regions, board.n_rows)[0] if regions else []
        left[_REGION_TAG] = not regions
        sides = {} if regions else sides
    left[_BORDERS] = sides
    return Stated(rules, _LATIN_TAG not in tags, left)


def _of_tools(board: Board, drawn: Mapping[str, Any]) -> Iterator[Rule]:
    """Yield the thermometers, arrows and cages that are drawn with the tools for them.

    There are none if the drawing has other small numbers than the sums of its cages.
    """
    named = [cell for key in _LISTS for line in drawn.get(key) or [] for cell in line]
    if any(board.cell(int(cell)) is None for cell in named):
        return
    sums = {int(place): str(shown[0]).strip() for place, shown in drawn.get(_SMALL, {}).items()}
    n_places = board.width * board.height
    cages = []
    for cage in filter(None, drawn.get("killercages") or []):
        corners = (4 * (int(number) + n_places) + i for number in cage for i in range(4))
        texts = [text for corner in corners if (text := sums.pop(corner, ""))]
        cages.append(Cage(board.cells(cage), int(texts[0]) if texts else None))
    if sums or (drawn.get(_OUTLINES) and not cages):
        return
    for line in drawn.get("thermo") or []:
        if len(line) > 1:
            yield Thermometer(board.cells(line))
    for start, *shaft in drawn.get("arrows") or []:
        yield Arrow(board.cells([start]), board.cells(shaft))
    yield from cages


def _parities(board: Board, symbols: Mapping[str, Any]) -> list[Rule]:
    """Return the odd and even cells of circles and squares; none if there are other symbols."""
    cells: dict[str, list[Any]] = {shape: [] for shape in _PARITIES}
    for number, (_, shape, _) in symbols.items():
        if shape not in cells or board.cell(int(number)) is None:
            return []
        cells[shape].append(number)
    return [rule(board.cells(cells[shape])) for shape, rule in _PARITIES.items() if cells[shape]]


_Side = tuple[tuple[int, int], tuple[int, int]]
"""A line between two corners, each given by the rows above it and the columns to its left."""


def _side(board: Board, ends: str) -> _Side:
    first, second = sorted(board.corner(int(number)) for number in ends.split(","))
    return first, second


def _is_on(side: _Side, n: int, options: tuple[bool, bool]) -> bool:
    """Return True for a part of a diagonal that the board has as an option."""
    (row, column), end = side
    falling = row == column and end == (row + 1, column + 1)
    rising = row + column == n and end == (row + 1, column - 1)
    return (falling and options[0]) or (rising and options[1])


def _regions(board: Board, walls: set[_Side]) -> list[Cells]:
    """Return the regions that borders divide a board into; none unless each has n cells."""
    n = board.n_rows
    free = {Cell(row, column) for row in range(n) for column in range(board.n_columns)}
    regions = []
    while free:
        region, waiting = [], [min(free)]
        free.discard(waiting[0])
        while waiting:
            row, column = cell = waiting.pop()
            region.append(cell)
            across: dict[Cell, _Side] = {
                Cell(row - 1, column): ((row, column), (row, column + 1)),
                Cell(row + 1, column): ((row + 1, column), (row + 1, column + 1)),
                Cell(row, column - 1): ((row, column), (row + 1, column)),
                Cell(row, column + 1): ((row, column + 1), (row + 1, column + 1)),
            }
            reached = [other for other, side in across.items() if side not in walls]
            waiting += (other for other in reached if other in free)
            free.difference_update(reached)
        regions.append(tuple(sorted(region)))
    return regions if all(len(region) == n for region in regions) else []


def unread(board: Board, left: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of drawn things other than numbers and the borders of boxes."""
    for key, content in left.items():
        if content and key not in _WITHOUT_RULES:
            yield key
    height, width = box_shape(board.n_rows) or (board.n_rows, board.n_columns)
    for ends in left.get(_BORDERS, {}):
        (row, column), (end_row, end_column) = _side(board, ends)
        along_row, along_column = row == end_row, column == end_column
        if not (along_row or along_column):
            yield "slanted lines"
        elif not ((along_row and row % height == 0) or (along_column and column % width == 0)):
            yield "borders of irregular boxes"


MOST_UNPACKED = 1 << 20
"""Most bytes that a link may unpack to."""

_PATTERN = re.compile(
    r"penpa[\w.-]{0,40}(?:/[^\s?#]{0,40})?[?#](?:[^\s&]{0,80}&){0,8}?p=(?P<payload>[^\s&]+)|^m=(?:edit|solve)&p=(?P<bare>[^\s&]+)"
)
_NAMES: dict[str, Any] = parse_json(
    (resources.files("nando.puzzles.formats.programs") / "penpa.json").read_text("utf-8")
)
_SHORT: dict[str, str] = _NAMES["short"]
"""Abbreviations in the JSON of Penpa+."""
_MARGIN = 2
"""Lines of cells around the board, which count in the numbers of its cells."""
_READ = "classic Sudoku and Nurikabe, thermometers, arrows, cages, diagonals and tagged rules"
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


def _read(match: re.Match[str], kind: base.Kind) -> Puzzle:
    puzzle, drawings = _without_drawings(match, kind)
    return base.check_drawings(puzzle, drawings, base.variant(drawings, _READ))


def _without_drawings(match: re.Match[str], kind: base.Kind) -> tuple[Puzzle, list[str]]:
    """Return the puzzle of a link without drawings that are no known rule, and these."""
    lines = _unpack(unquote(match["payload"] or match["bare"])).split("\n")
    try:
        board = _board(lines)
        drawn = _json(lines[3])
        listed = _json(lines[17]) if "".join(lines[17:18]).strip() else []
        tags = frozenset(str(tag) for tag in listed)
        rows = _rows(board, drawn)
        tagged = next((named for named in PUZZLES if named.kind in tags), None)
        if lines[0].startswith("sudoku,") and tagged is None:
            tagged = Sudoku
        is_sudoku = tagged is Sudoku or (tagged is None and tags <= TAGS)
        known = (
            read_stated(board, drawn, tags, _diagonals(lines))
            if is_sudoku
            else Stated([], True, drawn)
        )
        drawings = [*unread(board, known.left), *_numbers_outside(board, drawn)]
        numbers = drawn.get("number", {}).values()
        is_foreign = any(style not in _PLAIN for _, _, style in numbers)
    except PuzzleError:
        raise
    except SPOILT:
        raise base.unreadable("the link holds no drawing of Penpa+; copy the whole link") from None
    foreign = sorted(tags - TAGS - {"sudoku"}) if is_sudoku or tagged is None else []
    constraints = [f"the rules of {shortened(', '.join(foreign), 60)}"] if foreign else []
    constraints += ["numbers of several parts"] if is_foreign else []
    if constraints:
        raise base.variant([*constraints, *drawings], _READ)
    if tagged is Sudoku or known.rules or not known.boxed:
        return base.puzzle_of_rules(rows, known.rules, kind, boxed=known.boxed), drawings
    return base.puzzle_of_rows(rows, tagged or kind), drawings


def _diagonals(lines: list[str]) -> tuple[bool, bool]:
    """Return whether the board of a Sudoku has the falling and the rising diagonal as an option."""
    options = lines[0].split(",")[11:15]
    return "1" in options[:1], "1" in options[3:]


def _read_standing(match: re.Match[str], kind: base.Kind) -> base.Standing:
    """Return the position that the answer draws: entered digits, or cells shaded black."""
    puzzle, _ = _without_drawings(match, kind)
    lines = _unpack(unquote(match["payload"] or match["bare"])).split("\n")
    try:
        board = _board(lines)
        answer = _json(lines[4])
        if isinstance(puzzle, Sudoku | Variant):
            return _read_entries(puzzle, board, drawn=_json(lines[3]), answer=answer)
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


def _read_entries(
    puzzle: Sudoku | Variant, board: Board, *, drawn: dict[str, Any], answer: dict[str, Any]
) -> base.Standing:
    """Return the digits of the answer, with its marks or, if it has none, those of the drawing.

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


def _unpack(payload: str) -> str:
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


def _board(lines: list[str]) -> Board:
    shape, width, height = lines[0].split(",")[:3]
    if shape not in ("square", "sudoku"):
        raise base.variant([f"a board of the form {shape[:20]!r}"], "square boards")
    n_columns, n_rows = int(width), int(height)
    if not (1 <= n_rows <= _LARGEST_SIDE and 1 <= n_columns <= _LARGEST_SIDE):
        most = f"at most {_LARGEST_SIDE} by {_LARGEST_SIDE}"
        raise base.unreadable(f"{n_rows} rows of {n_columns} cells; {most}")
    top, bottom, left, right = _json(lines[1])
    return Board(
        n_rows=n_rows - top - bottom,
        n_columns=n_columns - left - right,
        top=_MARGIN + top,
        left=_MARGIN + left,
        width=n_columns + 2 * _MARGIN,
        height=n_rows + 2 * _MARGIN,
    )


def _rows(board: Board, drawn: dict[str, Any], *, entered: bool = False) -> list[list[object]]:
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


def _numbers_outside(board: Board, drawn: dict[str, Any]) -> Iterator[str]:
    if any(board.cell(int(number)) is None for number in drawn.get("number", {})):
        yield "numbers outside the board"


# Writing


def _write(puzzle: Puzzle) -> str:
    if isinstance(puzzle, Nurikabe):
        numbers = puzzle.numbers.reshape(puzzle.shape).tolist()
    else:
        puzzle = base.as_sudoku(puzzle, FORMAT.name)
        numbers = puzzle.givens.reshape(puzzle.shape).tolist()
    n_rows, n_columns = puzzle.shape
    board = Board(n_rows, n_columns, _MARGIN, _MARGIN, n_columns + 4, n_rows + 4)
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


def _borders(board: Board) -> dict[str, int]:
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


def _centre(board: Board) -> int:
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


FORMAT = base.declare(
    "penpa", pattern=_PATTERN, read=_read, read_standing=_read_standing, write=_write
)

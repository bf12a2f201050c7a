"""The rules that Penpa+ states: by its tools for rules, by its tags, and as options of a board.

A tag is a word that the setter chooses to say what the puzzle is. Other drawings state no rule.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from nando.puzzles.boards.board import Cell, Cells, box_shape
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.rule_values import diagonals, houses_of
from nando.puzzles.rules.cages import Cage
from nando.puzzles.rules.cells import Even, Odd
from nando.puzzles.rules.lines import Thermometer
from nando.puzzles.rules.moves import NonConsecutive
from nando.puzzles.rules.sums import Arrow

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

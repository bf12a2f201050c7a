"""Shared by the drawings of rules: their table, layers, places outside the grid, outlines."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import Any, TypeVar

from nando.drawing.colour import SHADES
from nando.drawing.shapes import INK, Disc, GridStyle, Path, Points, Rect, Shape, Text
from nando.puzzles.boards.board import Board, Cell
from nando.puzzles.boards.rule import Rule

Point = tuple[float, float]


class Layer(IntEnum):
    """The layers of shapes, from the lowest to the highest; digits are above all of them."""

    TINT = 0
    LINE = 1
    GRID = 2
    BORDER = 3
    CAGE = 4
    MARK = 5


Drawn = Iterator[tuple[Layer, Shape]]
"""Shapes and their layers, in cells from the upper left corner of the board."""


class Scene:
    """The board on which rules are drawn, and the rules drawn so far.

    Parameters
    ----------
    board : Board
    style : GridStyle
    rules : iterable of type
        The class of each rule of the puzzle.
    givens : iterable of Cell
        Cells whose digits thin lines must not cross.
    """

    def __init__(
        self,
        board: Board,
        style: GridStyle,
        rules: Iterable[type] = (),
        givens: Iterable[Cell] = (),
    ) -> None:
        self.givens = frozenset(givens)
        self.board = board
        self.style = style
        self.rules = frozenset(rules)
        self._drawn: Counter[type] = Counter()
        self._outside: dict[Cell, set[tuple[int, int]]] = {}

    def nth(self, rule: object) -> int:
        """Return the number of earlier calls for rules of this class."""
        self._drawn[type(rule)] += 1
        return self._drawn[type(rule)] - 1

    def outside(self, cell: Cell, down: int, right: int) -> Cell:
        """Return the first free place outside the board in a direction, and occupy it.

        Its row and column may be negative. Numbers of two diagonals share a place.
        """
        place, slanted = cell, down * right != 0
        while place in self.board.number_of or not self._is_free(place, (down, right), slanted):
            place = Cell(place.row + down, place.column + right)
        self._outside.setdefault(place, set()).add((down, right))
        return place

    def _is_free(self, place: Cell, way: tuple[int, int], slanted: bool) -> bool:
        used = self._outside.get(place, set())
        return not used or (slanted and way not in used and all(a * b for a, b in used))

    @property
    def margins(self) -> tuple[int, int, int, int]:
        """Rows and columns outside the board: on the left, on top, on the right, below."""
        rows, columns = zip((0, 0), *self._outside, strict=True)
        return (
            -min(columns),
            -min(rows),
            max(0, max(columns) + 1 - self.board.n_columns),
            max(0, max(rows) + 1 - self.board.n_rows),
        )


Drawing = TypeVar("Drawing", bound=Callable[[Any, Scene], Drawn])

DRAWINGS: dict[type[Rule], Callable[[Any, Scene], Drawn]] = {}
"""The function for each rule that has marks. Other rules only words can express."""


def draws(*of: type[Rule]) -> Callable[[Drawing], Drawing]:
    """Let a function draw the rules of some classes."""

    def register(function: Drawing) -> Drawing:
        DRAWINGS.update(dict.fromkeys(of, function))
        return function

    return register


CLEAR = 0.3
"""Radius around the middle of a cell with a given digit, which thin lines keep free."""


def clear(cells: Iterable[Cell], scene: Scene) -> Drawn:
    """Interrupt a thin line in cells with a given digit."""
    for cell in cells:
        if cell in scene.givens:
            yield Layer.LINE, Disc(*centre(cell), CLEAR, "#ffffff")


def corner_text(cell: Cell, text: str, scene: Scene) -> Drawn:
    """Write a text into the upper left corner of a cell."""
    size = scene.style.number
    x = cell.column + 0.07 + 0.3 * size * len(text)
    yield Layer.MARK, Text(x, cell.row + 0.06 + 0.5 * size, text, size, INK)


def tint(cells: Iterable[Cell], number: int) -> Drawn:
    """Tint cells in one of the shades."""
    for row, column in cells:
        yield Layer.TINT, Rect(column, row, 1, 1, SHADES[number % len(SHADES)])


def centre(cell: Cell) -> Point:
    """Return the middle of a cell."""
    return cell.column + 0.5, cell.row + 0.5


def between(first: Cell, second: Cell) -> Point:
    """Return the middle of the edge that two cells share."""
    (ax, ay), (bx, by) = centre(first), centre(second)
    return (ax + bx) / 2, (ay + by) / 2


def band(points: Sequence[Point], line: float, colour: str) -> Drawn:
    """Draw a line with round ends and corners."""
    if len(points) > 1:
        yield Layer.LINE, Path(tuple(points), colour, line)
    for x, y in dict.fromkeys(points):
        yield Layer.LINE, Disc(x, y, line / 2, colour)


def towards(start: Point, goal: Point, distance: float) -> Point:
    """Return the point at a distance from the start on the way to the goal."""
    across, down = goal[0] - start[0], goal[1] - start[1]
    share = distance / (across**2 + down**2) ** 0.5
    return start[0] + share * across, start[1] + share * down


def arrow_head(tip: Point, before: Point, size: float, colour: str, line: float) -> Path:
    """Return the two strokes at the tip of an arrow that comes from `before`."""
    back = towards(tip, before, size)
    across, down = back[0] - tip[0], back[1] - tip[1]
    sides = [(back[0] + turn * down, back[1] - turn * across) for turn in (0.75, -0.75)]
    return Path((sides[0], tip, sides[1]), colour, line)


_MOVES = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Rows and columns to the next corner: clockwise around a cell, beginning at its upper edge."""


def outlines(cells: Iterable[Cell], inset: float = 0.0) -> list[Points]:
    """Return the outlines of a set of cells, `inset` within them, clockwise and closed.

    The first outline begins at the upper left corner of the first cell.
    """
    inside = set(cells)
    edges: dict[tuple[Cell, int], None] = {}
    for cell in sorted(inside):
        for side, (down, right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            if Cell(cell.row + down, cell.column + right) not in inside:
                edges[cell, side] = None
    paths = []
    while edges:
        start = cell, side = next(iter(edges))
        corners: list[Point] = []
        while True:
            edges.pop((cell, side), None)
            step = _next_edge(inside, cell, side)
            if step[1] != side:
                corners.append(_corner(cell, side, step[1], inset))
            cell, side = step
            if (cell, side) == start:
                break
        corners = [corners[-1], *corners[:-1]] if corners else corners
        paths.append((*corners, corners[0]))
    return paths


def _next_edge(inside: set[Cell], cell: Cell, side: int) -> tuple[Cell, int]:
    """Return the edge that follows: of the same cell, of the next, or around an inner corner."""
    down, right = _MOVES[side]
    ahead = Cell(cell.row + down, cell.column + right)
    if ahead not in inside:
        return cell, (side + 1) % 4
    up, left = _MOVES[(side - 1) % 4]
    aside = Cell(ahead.row + up, ahead.column + left)
    return (aside, (side - 1) % 4) if aside in inside else (ahead, side)


def _corner(cell: Cell, side: int, following: int, inset: float) -> Point:
    """Return the corner at the end of an edge, moved into the cells."""
    row, column = ((0, 1), (1, 1), (1, 0), (0, 0))[side]
    inward = ((1, 0), (0, -1), (-1, 0), (0, 1))
    down = inward[side][0] + inward[following][0]
    right = inward[side][1] + inward[following][1]
    return cell.column + column + inset * right, cell.row + row + inset * down


def borders(groups: Iterable[Iterable[Cell]]) -> list[tuple[Point, Point]]:
    """Return the edges around all groups of cells, joined to the longest possible lines."""
    across: set[tuple[int, int]] = set()
    down: set[tuple[int, int]] = set()
    for group in groups:
        inside = set(group)
        for row, column in inside:
            for side in (0, 1):
                if Cell(row - 1 + 2 * side, column) not in inside:
                    across.add((row + side, column))
                if Cell(row, column - 1 + 2 * side) not in inside:
                    down.add((column + side, row))
    lines = [((start, place), (end, place)) for place, start, end in _runs(across)]
    return lines + [((place, start), (place, end)) for place, start, end in _runs(down)]


def _runs(units: set[tuple[int, int]]) -> Iterator[tuple[float, float, float]]:
    """Join unit pieces on the same line; yield each run as its line, start and end."""
    ordered = sorted(units)
    starts = [0, *(i for i, (a, b) in enumerate(pairwise(ordered), 1) if b != (a[0], a[1] + 1))]
    for start, end in zip(starts, [*starts[1:], len(ordered)], strict=True):
        if ordered:
            yield ordered[start][0], ordered[start][1], ordered[end - 1][1] + 1

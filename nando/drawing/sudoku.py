"""Sudoku grids and single steps on them as shapes.

Candidates of the pattern are on a disc, those of a second kind in a ring. Eliminated ones are
struck out, and a placed digit has a frame. Strong links are solid lines, weak links dashed ones.
Steps on variants have the same marks.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from nando.drawing.colour import BASE, BLUE, CELL, COVER, GREEN, PLACED, RED
from nando.drawing.shapes import (
    GREY,
    INK,
    MARGIN,
    ROOM,
    SCREEN,
    Disc,
    GridStyle,
    Path,
    Picture,
    Polygon,
    Rect,
    Shape,
    Text,
    column_number,
    move,
    row_number,
)
from nando.drawing.symbols import entries
from nando.puzzles import Variant
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.step_pattern import Link, Pattern, pattern_of
from nando.solvers.logic.technique import LogicStep


def lines(puzzle: Sudoku, style: GridStyle, margin: float = 0.0) -> Iterator[Shape]:
    """Yield the lines of an empty grid, with the thick lines last, so that they are on top."""
    order, size = puzzle.order, puzzle.size
    far = margin + size
    for i in sorted(range(size + 1), key=lambda i: i % order == 0):
        pen = style.thin if i % order else style.thick
        place, over = margin + i, 0 if i % order else pen.line / 2
        yield Path(((margin - over, place), (far + over, place)), pen.colour, pen.line)
        yield Path(((place, margin - over), (place, far + over)), pen.colour, pen.line)


def frame(puzzle: Sudoku) -> Iterator[Shape]:
    """Yield the lines of a grid on a screen, and the numbers of its rows and columns."""
    yield from lines(puzzle, SCREEN, MARGIN)
    for i in range(puzzle.size):
        yield column_number(i)
        yield row_number(i)


def given_text(puzzle: Sudoku, cell: int) -> str:
    """Return the symbol of a given."""
    return puzzle.symbols[puzzle.givens[cell]]


def board(puzzle: Sudoku, solution: str, style: GridStyle) -> Picture:
    """Draw a puzzle, or its solution with the givens highlighted."""
    size = puzzle.size
    shapes = *lines(puzzle, style), *entries(puzzle, solution, style, style.size, 0.5)
    return Picture(size, size, shapes)


# ---------------------------------------------------------------- steps

Point = tuple[float, float]


class Role(Enum):
    """The role of a candidate in a step."""

    PLAIN = "plain"
    PATTERN = "pattern"
    EXTRA = "extra"
    """Part of the pattern, of a second kind."""
    GONE = "gone"
    """Eliminated by the step."""


LEGEND: list[tuple[str, list[Shape]]] = [
    ("pattern", [Disc(0.5, 0.5, 0.4, BLUE), Text(0.5, 0.5, "4", 0.6, "#fff", True)]),
    (
        "extra",
        [Disc(0.5, 0.5, 0.4, "#fff", GREEN, 0.1), Text(0.5, 0.5, "4", 0.6, GREEN, True)],
    ),
    (
        "gone",
        [Text(0.5, 0.5, "4", 0.8, RED, True), Path(((0.15, 0.85), (0.85, 0.15)), RED, 0.09)],
    ),
    (
        "filled",
        [
            Rect(0.05, 0.05, 0.9, 0.9, PLACED, BLUE, 0.08),
            Text(0.5, 0.5, "4", 0.7, BLUE, True),
        ],
    ),
    ("cell", [Rect(0.05, 0.05, 0.9, 0.9, CELL)]),
    ("because", [Disc(0.5, 0.5, 0.44, None, BLUE, 0.06), Text(0.5, 0.5, "4", 0.7)]),
    ("strong", [Path(((0, 0.5), (1, 0.5)), INK, 0.07)]),
    ("weak", [Path(((0, 0.5), (1, 0.5)), INK, 0.07, dashed=True)]),
]
"""Samples of the marks, with the keys of the texts that explain them."""


def candidate(place: Point, text: str, size: float, role: Role) -> Iterator[Shape]:
    """Draw a candidate at a place, in type of a size, with the marks of its role."""
    x, y = place
    radius = 0.53 * size
    if role is Role.GONE:
        yield Text(x, y, text, size, RED, True)
        reach = 0.95 * radius
        yield Path(((x - reach, y + reach), (x + reach, y - reach)), RED, 0.11 * size)
    elif role is Role.PATTERN:
        yield Disc(x, y, radius, BLUE)
        yield Text(x, y, text, size, "#ffffff", True)
    elif role is Role.EXTRA:
        yield Disc(x, y, radius, "#ffffff", GREEN, 0.13 * size)
        yield Text(x, y, text, size, GREEN, True)
    else:
        yield Text(x, y, text, size, GREY)


def curve(
    start: Point, end: Point, rim: float, centre: Point, *, strong: bool, directed: bool
) -> Iterator[Shape]:
    """Draw a link as a curved line from the rim of a candidate to the rim of another.

    Parameters
    ----------
    start, end : tuple of float
        Middles of the candidates.
    rim : float
        Distance of the middles from the ends of the line.
    centre : tuple of float
        The middle of the grid, towards which the line bends, so that it does not leave the grid.
    strong, directed : bool
        Whether the line is solid, and whether it has an arrow head.
    """
    along = end[0] - start[0], end[1] - start[1]
    length = (along[0] ** 2 + along[1] ** 2) ** 0.5
    if length < 2 * rim:
        return
    unit = along[0] / length, along[1] / length
    bow = min(0.16 * length, 0.55)
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if (centre[0] - middle[0]) * -unit[1] + (centre[1] - middle[1]) * unit[0] < 0:
        bow = -bow
    bend = middle[0] - bow * unit[1], middle[1] + bow * unit[0]
    start, end = _towards(start, bend, rim), _towards(end, bend, rim)
    if directed:
        tip, end = end, _towards(end, bend, 0.2)
        across = tip[0] - end[0], tip[1] - end[1]
        sides = [
            (end[0] - turn * across[1] * 0.42, end[1] + turn * across[0] * 0.42) for turn in (1, -1)
        ]
        yield Polygon((tip, *sides), INK)
    yield Path((start, bend, end), INK, 0.045, dashed=not strong, curved=True)


def _towards(point: Point, goal: Point, by: float) -> Point:
    length = ((goal[0] - point[0]) ** 2 + (goal[1] - point[1]) ** 2) ** 0.5
    share = by / length
    return point[0] + share * (goal[0] - point[0]), point[1] + share * (goal[1] - point[1])


class MarkArea(NamedTuple):
    """The positions of candidates in a cell.

    Attributes
    ----------
    wide, tall : int
        Number of columns and rows.
    left, top, width, height : float
        Position and size of the area, in cells.
    size : float
        Size of type, in cells.
    """

    wide: int
    tall: int
    left: float
    top: float
    width: float
    height: float
    size: float

    def middle(self, cell: tuple[int, int], digit: int) -> Point:
        """Return the middle of a candidate of a cell, which is a row and a column."""
        down, across = divmod(digit - 1, self.wide)
        x = cell[1] + self.left + (across + 0.5) * self.width / self.wide
        return x, cell[0] + self.top + (down + 0.5) * self.height / self.tall


Roles = dict[tuple[int, int], Role]
"""Roles of the candidates of a step, by place and digit."""


def digits(
    marks: PencilMarks,
    area: MarkArea,
    step: LogicStep | None,
    degree: int,
    roles: Roles,
    because: Sequence[int] = (),
) -> Iterator[Shape]:
    """Draw the digits of a board, the digit that a step enters, and the candidates."""
    puzzle = marks.puzzle
    shows = step is not None and degree == 3
    placement = step.placement if step is not None and shows else None
    if step is not None and shows:
        roles = roles | dict.fromkeys(step.eliminations, Role.GONE)
    for place in puzzle.places if isinstance(puzzle, Variant) else range(puzzle.size**2):
        cell = divmod(place, puzzle.shape[1])
        x, y = cell[1] + 0.5, cell[0] + 0.5
        value = int(marks.values[place])
        if value:
            if place in because:
                yield Disc(x, y, 0.4, None, BLUE, 0.045)
            yield Text(x, y, marks.symbols[value], 0.64, INK, bool(puzzle.givens[place]))
        elif placement is not None and placement[0] == place:
            yield Rect(x - 0.43, y - 0.43, 0.86, 0.86, None, BLUE, 0.06)
            yield Text(x, y, marks.symbols[placement[1]], 0.66, BLUE, True)
        else:
            for digit in marks.digits(place):
                role = roles.get((place, digit), Role.PLAIN)
                middle = area.middle(cell, digit)
                yield from candidate(middle, marks.symbols[digit], area.size, role)


def squares(places: Iterable[int], n_columns: int, fill: str) -> Iterator[Shape]:
    """Tint cells."""
    for row, column in (divmod(place, n_columns) for place in places):
        yield Rect(column, row, 1, 1, fill)


def picture(marks: PencilMarks, step: LogicStep | None = None, degree: int = 3) -> Picture:
    """Draw the grid before a step, with as much of the step as a hint of this degree shows.

    Degree 1 shows a house to look at, 2 the pattern, 3 also the conclusion.
    """
    order, size = marks.puzzle.order, marks.puzzle.size
    area = MarkArea(order, order, 0.08, 0.08, 0.84, 0.84, 0.8 / order)
    roles: Roles = {}
    because: tuple[int, ...] = ()
    tints: list[Shape] = []
    above: list[Shape] = []
    if step is not None and degree == 1:
        houses = step.houses[:1] or (max(marks.houses_of(step.cells[:1])),)
        tints += squares(_cells_of(marks, houses), size, BASE)
    elif step is not None:
        pattern = pattern_of(step, marks)
        tints += _tints(marks, step, pattern, degree)
        roles = dict.fromkeys(pattern.extras, Role.EXTRA)
        roles |= dict.fromkeys(pattern.candidates, Role.PATTERN)
        because = pattern.because
    above += digits(marks, area, step, degree, roles, because)
    if step is not None and degree > 1:
        for link in pattern.links:
            above += _link(size, area, link, directed=len(step.links) > 0)
    shapes = *move(tints, MARGIN, MARGIN), *frame(marks.puzzle), *move(above, MARGIN, MARGIN)
    return Picture(size + ROOM, size + ROOM, shapes)


def _cells_of(marks: PencilMarks, houses: Iterable[int]) -> list[int]:
    return sorted({cell for house in houses for cell in marks.house(house)})


def _tints(marks: PencilMarks, step: LogicStep, pattern: Pattern, degree: int) -> Iterator[Shape]:
    size = marks.puzzle.size
    yield from squares(_cells_of(marks, pattern.cover), size, COVER)
    yield from squares(_cells_of(marks, pattern.base), size, BASE)
    placed = step.placement[0] if step.placement is not None else -1
    inner = (cell for cell in pattern.cells if cell != placed or (degree == 2 and not step.houses))
    yield from squares(inner, size, CELL)
    if degree == 3 and placed >= 0:
        yield from squares([placed], size, PLACED)


def _link(size: int, area: MarkArea, link: Link, *, directed: bool) -> Iterator[Shape]:
    """Yield a curved line from the rim of a candidate, or the middle of a group, to another."""

    def end(cells: tuple[int, ...], digit: int) -> Point:
        places = [area.middle(divmod(cell, size), digit) for cell in cells]
        return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)

    start, stop = end(link.start, link.start_digit), end(link.end, link.end_digit)
    centre = (size / 2, size / 2)
    yield from curve(start, stop, 0.56 / area.wide, centre, strong=link.strong, directed=directed)

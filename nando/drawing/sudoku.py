"""Sudoku grids and single steps on them as shapes.

Candidates of the pattern are on a disc, those of a second kind in a ring. Eliminated ones are
struck out, and a placed digit has a frame. Strong links are solid lines, weak links dashed ones.
Steps on variants have the same marks.
"""

from collections.abc import Iterable, Iterator
from enum import Enum

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
    row_number,
)
from nando.drawing.symbols import symbol
from nando.puzzles.sudoku.puzzle import SYMBOLS, Sudoku
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
    return SYMBOLS[puzzle.givens[cell]]


def board(puzzle: Sudoku, solution: str, style: GridStyle) -> Picture:
    """Draw a puzzle, or its solution with the givens highlighted."""
    size = puzzle.size
    ink = style.thick.colour
    digits = [
        shape
        for cell, digit in enumerate(solution or puzzle.text)
        if digit != "."
        for bold in [bool(solution) and puzzle.text[cell] != "."]
        for shape in symbol(
            Text(cell % size + 0.5, cell // size + 0.5, digit, style.size, ink, bold),
            style,
            is_answer=puzzle.text[cell] == ".",
        )
    ]
    return Picture(size, size, (*lines(puzzle, style), *digits))


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


def picture(marks: PencilMarks, step: LogicStep | None = None, degree: int = 3) -> Picture:
    """Draw the grid before a step, with as much of the step as a hint of this degree shows.

    Degree 1 shows a house to look at, 2 the pattern, 3 also the conclusion.
    """
    size = marks.puzzle.size
    shapes: list[Shape] = []
    pattern = None
    if step is not None and degree == 1:
        houses = step.houses[:1] or (max(marks.houses_of(step.cells[:1])),)
        shapes += _house_tints(marks, houses, BASE)
    elif step is not None:
        pattern = pattern_of(step, marks)
        shapes += _tints(marks, step, pattern, degree)
    shapes += frame(marks.puzzle)
    shapes += _digits(marks, step, pattern, degree)
    if pattern is not None:
        directed = step is not None and len(step.links) > 0
        for link in pattern.links:
            shapes += _link(marks, link, directed)
    return Picture(size + ROOM, size + ROOM, tuple(shapes))


def _corner(cell: int, size: int) -> tuple[float, float]:
    row, column = divmod(cell, size)
    return MARGIN + column, MARGIN + row


def _square(cell: int, size: int, fill: str) -> Rect:
    return Rect(*_corner(cell, size), 1, 1, fill)


def _house_tints(marks: PencilMarks, houses: Iterable[int], fill: str) -> Iterator[Shape]:
    for cell in sorted({cell for house in houses for cell in marks.house(house)}):
        yield _square(cell, marks.puzzle.size, fill)


def _tints(marks: PencilMarks, step: LogicStep, pattern: Pattern, degree: int) -> Iterator[Shape]:
    size = marks.puzzle.size
    yield from _house_tints(marks, pattern.cover, COVER)
    yield from _house_tints(marks, pattern.base, BASE)
    placed = step.placement[0] if step.placement is not None else -1
    for cell in pattern.cells:
        if cell != placed or (degree == 2 and not step.houses):
            yield _square(cell, size, CELL)
    if degree == 3 and placed >= 0:
        yield _square(placed, size, PLACED)


def _digits(
    marks: PencilMarks, step: LogicStep | None, pattern: Pattern | None, degree: int
) -> Iterator[Shape]:
    size, givens = marks.puzzle.size, marks.puzzle.givens
    shows = step is not None and degree == 3
    placement = step.placement if step is not None and shows else None
    gone = set(step.eliminations) if step is not None and shows else set()
    for cell in range(size * size):
        x, y = (corner + 0.5 for corner in _corner(cell, size))
        value = int(marks.values[cell])
        if value:
            if pattern is not None and cell in pattern.because:
                yield Disc(x, y, 0.4, None, BLUE, 0.045)
            yield Text(x, y, SYMBOLS[value], 0.64, INK, bool(givens[cell]))
        elif placement is not None and placement[0] == cell:
            yield Rect(x - 0.43, y - 0.43, 0.86, 0.86, None, BLUE, 0.06)
            yield Text(x, y, SYMBOLS[placement[1]], 0.66, BLUE, True)
        else:
            for digit in marks.digits(cell):
                yield from _mark(marks, cell, digit, pattern, (cell, digit) in gone)


def _mark(
    marks: PencilMarks, cell: int, digit: int, pattern: Pattern | None, is_gone: bool
) -> Iterator[Shape]:
    role = Role.PLAIN
    if is_gone:
        role = Role.GONE
    elif pattern is not None and (cell, digit) in pattern.candidates:
        role = Role.PATTERN
    elif pattern is not None and (cell, digit) in pattern.extras:
        role = Role.EXTRA
    yield from candidate(_place(marks, cell, digit), SYMBOLS[digit], 0.8 / marks.puzzle.order, role)


def _place(marks: PencilMarks, cell: int, digit: int) -> tuple[float, float]:
    """Return the centre of a pencil mark."""
    order = marks.puzzle.order
    x, y = _corner(cell, order * order)
    row, column = divmod(digit - 1, order)
    inset = 0.08
    step = (1 - 2 * inset) / order
    return x + inset + (column + 0.5) * step, y + inset + (row + 0.5) * step


def _link(marks: PencilMarks, link: Link, directed: bool) -> Iterator[Shape]:
    """Yield a curved line from the rim of a candidate, or the middle of a group, to another."""
    start = _middle(marks, link.start, link.start_digit)
    end = _middle(marks, link.end, link.end_digit)
    middle = MARGIN + marks.puzzle.size / 2
    rim = 0.56 / marks.puzzle.order
    yield from curve(start, end, rim, (middle, middle), strong=link.strong, directed=directed)


def _middle(marks: PencilMarks, cells: tuple[int, ...], digit: int) -> tuple[float, float]:
    places = [_place(marks, cell, digit) for cell in cells]
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)

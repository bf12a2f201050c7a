"""Sudoku grids and single steps on them as shapes."""

from collections.abc import Iterable, Iterator

from nando.drawing.colour import BASE, BLUE, CELL, COVER, PLACED
from nando.drawing.shapes import (
    INK,
    MARGIN,
    ROOM,
    SCREEN,
    Disc,
    GridStyle,
    Path,
    Picture,
    Rect,
    Shape,
    Text,
    column_number,
    row_number,
)
from nando.drawing.steps import LEGEND as LEGEND
from nando.drawing.steps import Role, candidate, curve
from nando.puzzles.sudoku.puzzle import SYMBOLS, Sudoku
from nando.solvers.logic.step import LogicStep
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.pattern import Link, Pattern, pattern_of


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
    digits = [
        Text(cell % size + 0.5, cell // size + 0.5, symbol, style.size, style.thick.colour, bold)
        for cell, symbol in enumerate(solution or puzzle.text)
        if symbol != "."
        for bold in [bool(solution) and puzzle.text[cell] != "."]
    ]
    return Picture(size, size, (*lines(puzzle, style), *digits))


# ---------------------------------------------------------------- steps


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

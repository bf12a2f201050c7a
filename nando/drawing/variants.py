"""Single steps on boards of variants as shapes, marked as on Sudoku grids."""

from collections.abc import Iterable, Iterator
from math import ceil, isqrt
from typing import NamedTuple

from nando.drawing.colour import BASE, BLUE, CELL, PLACED
from nando.drawing.rules.board import empty_board
from nando.drawing.shapes import (
    INK,
    MARGIN,
    ROOM,
    SCREEN,
    Picture,
    Placed,
    Rect,
    Shape,
    Text,
    column_number,
    move,
    row_number,
)
from nando.drawing.sudoku import LEGEND as LEGEND
from nando.drawing.sudoku import Role, candidate, curve
from nando.puzzles import Variant
from nando.puzzles.boards.board import Cell
from nando.puzzles.boards.rule import Rule
from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import LogicStep


def margins(puzzle: Variant) -> tuple[float, float, float, float]:
    """Return the room of marks on the left, on top, on the right and below, in cells."""
    return empty_board(puzzle, SCREEN).room


def given_text(puzzle: Variant, place: int) -> str:
    """Return the symbol of a given."""
    return SYMBOLS[puzzle.givens[place]]


def origin(puzzle: Variant) -> tuple[float, float]:
    """Return the upper left corner of the grid in the picture of a position."""
    left, top, _, _ = margins(puzzle)
    return MARGIN + left, MARGIN + top


def frame(puzzle: Variant) -> Iterator[Shape]:
    """Yield the empty board on a screen, and the numbers of its rows and columns."""
    x, y = origin(puzzle)
    drawn = empty_board(puzzle, SCREEN)
    yield from move(drawn.tints, x, y)
    yield from _above_tints(puzzle)


def _above_tints(puzzle: Variant) -> Iterator[Shape]:
    """Yield the marks of the board as one shape, and the numbers of its rows and columns."""
    x, y = origin(puzzle)
    drawn = empty_board(puzzle, SCREEN)
    n_rows, n_columns = puzzle.shape
    yield Placed(x, y, 1, Picture(n_columns, n_rows, drawn.lines + drawn.marks))
    for i in range(n_columns):
        yield from move([column_number(i)], x - MARGIN, 0)
    for i in range(n_rows):
        yield from move([row_number(i)], 0, y - MARGIN)


def picture(marks: PencilMarks, step: LogicStep | None = None, degree: int = 3) -> Picture:
    """Draw the board before a step, with as much of the step as a hint of this degree shows.

    Degree 1 shows the house or the rule to look at, 2 the pattern, 3 also the conclusion.
    """
    puzzle = marks.puzzle
    x, y = origin(puzzle)
    drawn = empty_board(puzzle, SCREEN)
    shapes: list[Shape] = [*drawn.tints]
    if step is not None:
        shapes += _tints(marks, step, degree)
    shapes = [*move(shapes, x, y), *_above_tints(puzzle)]
    shapes += move(_digits(marks, step, degree), x, y)
    _, _, right, bottom = drawn.room
    rows, columns = puzzle.shape
    return Picture(
        x + columns + right + ROOM - MARGIN, y + rows + bottom + ROOM - MARGIN, tuple(shapes)
    )


def _tints(marks: PencilMarks, step: LogicStep, degree: int) -> Iterator[Shape]:
    puzzle = marks.puzzle
    n_columns = puzzle.shape[1]
    base = {place for house in step.houses for place in marks.house(house)}
    for number in step.rules:
        base.update(_places_of(puzzle, puzzle.rules[number], step))
    if degree == 1:
        yield from _squares(base or set(step.cells), n_columns, BASE)
        return
    placed = step.placement[0] if step.placement is not None else -1
    inner = {place for place in step.cells if place != placed or (degree == 2 and not base)}
    yield from _squares(base, n_columns, BASE)
    yield from _squares(inner, n_columns, CELL)
    if degree == 3 and placed >= 0:
        yield from _squares({placed}, n_columns, PLACED)


def _places_of(puzzle: Variant, rule: Rule, step: LogicStep) -> list[int]:
    """Return the places of the cells that a rule names, or that it reads from the side.

    If a rule names several groups of cells, only those of the step are returned.
    """
    n_columns, groups = puzzle.board.n_columns, rule.groups_named()
    about = {Cell(*divmod(place, n_columns)) for place in step.cells}
    about |= {Cell(*divmod(place, n_columns)) for place, _ in step.eliminations}
    cells = [cell for group in groups if len(groups) == 1 or about >= {*group} for cell in group]
    for line in rule.lines_named():
        cells += puzzle.board.line(line)
    return puzzle.board.places(cells)


def _squares(places: Iterable[int], n_columns: int, fill: str) -> Iterator[Shape]:
    for row, column in sorted(divmod(place, n_columns) for place in places):
        yield Rect(column, row, 1, 1, fill)


def _digits(marks: PencilMarks, step: LogicStep | None, degree: int) -> Iterator[Shape]:
    puzzle = marks.puzzle
    shows = step is not None and degree == 3
    placement = step.placement if step is not None and shows else None
    roles = _roles(step, degree) if step is not None else {}
    for place in puzzle.places:
        row, column = divmod(place, puzzle.board.n_columns)
        x, y = column + 0.5, row + 0.5
        value = int(marks.values[place])
        if value:
            yield Text(x, y, SYMBOLS[value], 0.64, INK, bool(puzzle.givens[place]))
        elif placement is not None and placement[0] == place:
            yield Rect(x - 0.43, y - 0.43, 0.86, 0.86, None, BLUE, 0.06)
            yield Text(x, y, SYMBOLS[placement[1]], 0.66, BLUE, True)
        else:
            for digit in marks.digits(place):
                role = roles.get((place, digit), Role.PLAIN)
                position = _mark_place(puzzle, place, digit)
                yield from candidate(position, SYMBOLS[digit], pencil_marks(puzzle).size, role)
    if step is not None and degree >= 2:
        for link in step.links:
            yield from _link(puzzle, link)


def _roles(step: LogicStep, degree: int) -> dict[tuple[int, int], Role]:
    """Return the role of each candidate in a step."""
    if degree == 1:
        return {}
    roles = {(place, digit): Role.PATTERN for place in step.cells for digit in step.digits}
    literals = [(*link[:3],) for link in step.links] + [(*link[3:],) for link in step.links]
    for place, digit, is_on in (
        *literals,
        *(literal for branch in step.branches for literal in branch),
    ):
        roles[place, digit] = Role.PATTERN if is_on else Role.EXTRA
    if degree == 3:
        roles |= dict.fromkeys(step.eliminations, Role.GONE)
    return roles


class MarkArea(NamedTuple):
    """The positions of candidates in a cell: rows and columns of an area below numbers of cages.

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


def pencil_marks(puzzle: Variant) -> MarkArea:
    """Return the positions of the candidates of a puzzle in a cell."""
    wide = isqrt(puzzle.size - 1) + 1
    return MarkArea(wide, ceil(puzzle.size / wide), 0.12, 0.24, 0.76, 0.69, round(0.72 / wide, 3))


def _mark_place(puzzle: Variant, place: int, digit: int) -> tuple[float, float]:
    """Return the middle of a candidate."""
    row, column = divmod(place, puzzle.board.n_columns)
    area = pencil_marks(puzzle)
    down, across = divmod(digit - 1, area.wide)
    x = column + area.left + (across + 0.5) * area.width / area.wide
    return x, row + area.top + (down + 0.5) * area.height / area.tall


def _link(puzzle: Variant, link: tuple[int, int, bool, int, int, bool]) -> Iterator[Shape]:
    start, end = _mark_place(puzzle, *link[:2]), _mark_place(puzzle, *link[3:5])
    rows, columns = puzzle.shape
    rim = 0.52 / pencil_marks(puzzle).wide
    strong = link[5] and not link[2]
    yield from curve(start, end, rim, (columns / 2, rows / 2), strong=strong, directed=True)

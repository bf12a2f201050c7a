"""Single steps on boards of variants as shapes, marked as on Sudoku grids."""

from collections.abc import Iterator
from math import ceil, isqrt

from nando.drawing.colour import BASE, CELL, PLACED
from nando.drawing.rules.board import empty_board
from nando.drawing.shapes import (
    MARGIN,
    ROOM,
    SCREEN,
    Picture,
    Placed,
    Shape,
    column_number,
    move,
    row_number,
)
from nando.drawing.sudoku import LEGEND as LEGEND
from nando.drawing.sudoku import MarkArea, Role, Roles, curve, digits, squares
from nando.puzzles import Variant
from nando.puzzles.boards.board import Cell
from nando.puzzles.boards.rule import Rule
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import LogicStep


def margins(puzzle: Variant) -> tuple[float, float, float, float]:
    """Return the room of marks on the left, on top, on the right and below, in cells."""
    return empty_board(puzzle, SCREEN).room


def given_text(puzzle: Variant, place: int) -> str:
    """Return the symbol of a given."""
    return puzzle.symbols[puzzle.givens[place]]


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
    area = pencil_marks(puzzle)
    tints: list[Shape] = [*drawn.tints]
    links = step.links if step is not None and degree > 1 else ()
    if step is not None:
        tints += _tints(marks, step, degree)
    above = [*digits(marks, area, step, degree, _roles(step, degree))]
    for link in links:
        above += _link(puzzle, area, link)
    shapes = *move(tints, x, y), *_above_tints(puzzle), *move(above, x, y)
    _, _, right, bottom = drawn.room
    rows, columns = puzzle.shape
    return Picture(x + columns + right + ROOM - MARGIN, y + rows + bottom + ROOM - MARGIN, shapes)


def _tints(marks: PencilMarks, step: LogicStep, degree: int) -> Iterator[Shape]:
    puzzle = marks.puzzle
    n_columns = puzzle.shape[1]
    base = {place for house in step.houses for place in marks.house(house)}
    for number in step.rules:
        base.update(_places_of(puzzle, puzzle.rules[number], step))
    if degree == 1:
        yield from squares(sorted(base or {*step.cells}), n_columns, BASE)
        return
    placed = step.placement[0] if step.placement is not None else -1
    inner = {place for place in step.cells if place != placed or (degree == 2 and not base)}
    yield from squares(sorted(base), n_columns, BASE)
    yield from squares(sorted(inner), n_columns, CELL)
    if degree == 3 and placed >= 0:
        yield from squares([placed], n_columns, PLACED)


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


def _roles(step: LogicStep | None, degree: int) -> Roles:
    if step is None or degree == 1:
        return {}
    roles = {(place, digit): Role.PATTERN for place in step.cells for digit in step.digits}
    literals = [(*link[:3],) for link in step.links] + [(*link[3:],) for link in step.links]
    for place, digit, is_on in (
        *literals,
        *(literal for branch in step.branches for literal in branch),
    ):
        roles[place, digit] = Role.PATTERN if is_on else Role.EXTRA
    return roles


def pencil_marks(puzzle: Variant) -> MarkArea:
    """Return the positions of the candidates in a cell, below the numbers of cages."""
    wide = isqrt(puzzle.size - 1) + 1
    return MarkArea(wide, ceil(puzzle.size / wide), 0.12, 0.24, 0.76, 0.69, round(0.72 / wide, 3))


def _link(
    puzzle: Variant, area: MarkArea, link: tuple[int, int, bool, int, int, bool]
) -> Iterator[Shape]:
    rows, columns = puzzle.shape
    start, end = (
        area.middle(divmod(place, columns), digit) for place, digit, _ in (link[:3], link[3:])
    )
    strong, middle = link[5] and not link[2], (columns / 2, rows / 2)
    yield from curve(start, end, 0.52 / area.wide, middle, strong=strong, directed=True)

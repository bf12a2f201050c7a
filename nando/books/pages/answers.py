"""The solutions: at the back, or upside down at the foot of the page of their puzzles."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from nando.books.binder import Binder, Entry, Numbered, spread
from nando.books.sheet import Sheet, grid_of
from nando.books.spec import LINES, PART
from nando.drawing.boards import solution_board
from nando.drawing.shapes import Picture, Placed, Shape, Text

LARGEST_CELL = 18.0
"""Side of the largest cell of a 9x9; smaller boards have larger cells, but are smaller."""
WEIGHT = 0.7
"""Width of the lines relative to those of puzzles."""

_COMFORTABLE = 1.6
"""Side of a cell in which a digit is easy to read, as a multiple of the least side."""
_MOST_SPARE = 2.0
"""Most room to spread between rows, as a multiple of the type."""
_WIDEST_GAP = 0.6
"""Largest gap between solutions side by side, as a share of their width."""
_FOOT_TYPE = 6.0
"""Size of type of the solutions at the foot, the smallest that is easy to read."""
_FOOT_LABEL, _FOOT_GAP = 4 / 3, 9.0
"""Height of the numbers above the solutions as a multiple of their type, and gap in points."""


def answer_pages(binder: Binder) -> None:
    """Add pages of all solutions, unless the solutions of each part follow the part."""
    if binder.spec.include.answers_after != PART:
        answers_of(
            binder, [item for _, items in binder.number_sections() for item in items], "solutions"
        )


class _Row(NamedTuple):
    """Solutions side by side: their cells, the height of the row, its left end, and their pitch."""

    items: Sequence[Numbered]
    cell: float
    height: float
    left: float
    pitch: float


def answers_of(binder: Binder, numbered: Sequence[Numbered], name: str) -> None:
    """Add pages of solutions, as large as fits, under a name in the contents.

    Pages are filled row by row, and about equally.
    """
    per_page = binder.spec.include.answers
    if not isinstance(per_page, int):
        return
    title, size = binder.words("labels.solutions"), binder.style.size
    rows, room = list[_Row](), 0.0
    alike = Counter(item.record.puzzle.shape for item in numbered)
    for shape, group in groupby(numbered, key=lambda item: item.record.puzzle.shape):
        room, found = _rows(binder, list(group), per_page, alike[shape])
        rows += found
    for count in spread([row.height for row in rows], room + 1e-6):
        page, rows = rows[:count], rows[count:]
        sheet = binder.sheet("solutions")
        if name not in binder.places:
            binder.name(name, sheet, Entry(title))
        binder.folio(sheet)
        between = binder.words.between(page[0].items[0].number, page[-1].items[-1].number)
        top = binder.running_head(sheet, title, between) + 1.1 * size
        spare = (room - sum(row.height for row in page)) / count
        for row in page:
            _set_row(binder, sheet, row, top)
            top += row.height + min(spare, _MOST_SPARE * size)


def _rows(
    binder: Binder, items: Sequence[Numbered], per_page: int, count: int
) -> tuple[float, list[_Row]]:
    """Return the height of a page, and rows of solutions of a shape that `count` solutions have."""
    style, (width, height) = binder.style, binder.size.room
    shape = items[0].record.puzzle.shape
    label, gap = 1.5 * style.small, 1.5 * style.size
    room = height - 2.6 * style.size
    comfortable = _COMFORTABLE * style.least_answer_cell
    largest = LARGEST_CELL * max(9 / max(shape), 1.0) ** 0.5
    if style.design.large_print:
        largest = comfortable

    def arrange(n: int) -> tuple[float, int, int]:
        columns, rows = grid_of(n, width + gap, room, shape)
        across, down = (width + gap) / columns - gap, room / rows - label - gap
        return min(across / shape[1], down / shape[0], largest), columns, rows

    if not style.design.large_print:  # more boards that are smaller than a 9x9
        most = int(per_page * max(9 / max(shape), 1.0))
        large = (n for n in range(most, per_page, -1) if arrange(n)[0] >= LARGEST_CELL)
        per_page = next(large, per_page)
    fit = (n for n in range(per_page, 0, -1) if arrange(n)[0] >= style.least_answer_cell)
    n = next(fit, 1)
    if count < n:  # where a page has room to spare, its solutions are larger
        n = max(range(n, count - 1, -1), key=lambda n: min(arrange(n)[0], comfortable))
    cell, columns, rows = arrange(n)
    subject = f"the solution of puzzle {items[0].number}"
    binder.keep_promise(cell, style.least_answer_cell, subject)
    across, spaces = shape[1] * cell, columns - 1
    pitch = min((width - across) / spaces, (1 + _WIDEST_GAP) * across) if spaces else 0.0
    left = (width - across - spaces * pitch) / 2
    high = room / rows if n == per_page <= count else shape[0] * cell + label + gap
    return room, [
        _Row(items[i : i + columns], cell, high, left, pitch) for i in range(0, len(items), columns)
    ]


def _set_row(binder: Binder, sheet: Sheet, row: _Row, top: float) -> None:
    """Draw solutions side by side."""
    style, cell = binder.style, row.cell
    y = top + 1.5 * style.small
    for i, item in enumerate(row.items):
        rows, columns = item.record.puzzle.shape
        x = sheet.left + row.left + i * row.pitch
        name = binder.name(f"solution-{item.number}", sheet)
        picture = solution_board(item.record.puzzle, style.grid(cell, WEIGHT), item.record.solution)
        sheet.text(x, y - 0.4 * style.small, str(item.number), style.small, bold=True)
        spoken = binder.speak(item, item.record.solution)
        sheet.place(picture, x, y, cell, name, alternative=spoken)
        height = y - top + rows * cell
        sheet.link(x, top, columns * cell, height, f"puzzle-{item.number}")


def foot_height(sheet: Sheet, n: int, shape: tuple[int, int]) -> float:
    """Return the height of some puzzles' solutions at the foot of a page."""
    return _foot(sheet, n, shape)[1] + 1.4 * sheet.style.size


def foot_of(binder: Binder, sheet: Sheet, page: Sequence[Numbered]) -> None:
    """Set the solutions of a page upside down at its foot."""
    style = binder.style
    shape = page[0].record.puzzle.shape
    columns, height, cell, label = _foot(sheet, len(page), shape)
    # Heavy lines would close the digits of such small grids.
    look = style.grid(cell, WEIGHT / max(LINES[style.design.lines], 1.0))
    shapes: list[Shape] = []
    for i, (number, record) in enumerate(page):
        row, column = divmod(i, columns)
        x = column * (shape[1] * cell + _FOOT_GAP)
        y = row * (shape[0] * cell + label + _FOOT_GAP)
        size = label / _FOOT_LABEL
        shapes.append(Text(x, y + 0.35 * label, str(number), size, style.ink, True, "start"))
        picture = solution_board(record.puzzle, look, record.solution)
        name = binder.name(f"solution-{number}", sheet)
        shapes.append(Placed(x, y + label, cell, picture, name))
    width = columns * (shape[1] * cell + _FOOT_GAP) - _FOOT_GAP
    strip = Picture(width, height, tuple(shapes))
    x = (sheet.left + sheet.right - width) / 2
    spoken = "; ".join(binder.speak(item, item.record.solution) for item in page)
    sheet.place(strip, x, sheet.bottom - height, 1.0, turn=180, alternative=spoken)


def _foot(sheet: Sheet, n: int, shape: tuple[int, int]) -> tuple[int, float, float, float]:
    """Return the columns, height, side of a cell, and height of a label of the solutions."""
    style = sheet.style
    cell = _FOOT_TYPE / style.digit
    if style.design.large_print:
        cell = style.least_answer_cell
    label = _FOOT_LABEL * max(_FOOT_TYPE, style.least_type)
    columns = min(n, max(1, int((sheet.width + _FOOT_GAP) // (shape[1] * cell + _FOOT_GAP))))
    rows = -(-n // columns)
    height = rows * (shape[0] * cell + label + _FOOT_GAP) - _FOOT_GAP
    return columns, height, cell, label

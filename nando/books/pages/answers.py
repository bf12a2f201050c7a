"""The solutions: at the back, or upside down at the foot of the page of their puzzles."""

from collections.abc import Sequence
from itertools import groupby

from nando.books.binder import Binder, Entry, Numbered
from nando.books.sheet import Sheet, grid_of
from nando.books.spec import LINES, PART
from nando.drawing.boards import solution_board
from nando.drawing.shapes import Picture, Placed, Shape, Text

LARGEST_CELL = 18.0
WEIGHT = 0.7
"""Width of the lines relative to those of puzzles."""

_COMFORTABLE = 1.6
"""Side of a cell in which a digit is easy to read, as a multiple of the least side."""
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


def answers_of(binder: Binder, numbered: Sequence[Numbered], name: str) -> None:
    """Add pages of solutions, as large as fits, under a name in the contents."""
    per_page = binder.spec.include.answers
    if not isinstance(per_page, int):
        return
    title = binder.words("labels.solutions")
    for shape, group in groupby(numbered, key=lambda item: item.record.puzzle.shape):
        waiting = list(group)
        is_rest = False
        while waiting:
            sheet = binder.sheet("solutions")
            if name not in binder.places:
                binder.name(name, sheet, Entry(title))
            binder.folio(sheet)
            n = _page(binder, sheet, title, waiting, per_page, shape, is_rest=is_rest)
            waiting, is_rest = waiting[n:], True


def _page(
    binder: Binder,
    sheet: Sheet,
    title: str,
    waiting: Sequence[Numbered],
    per_page: int,
    shape: tuple[int, int],
    *,
    is_rest: bool,
) -> int:
    """Fill a page and return its number of solutions; on a last page they are no larger."""
    style = binder.style
    label, gap = 1.5 * style.small, 1.5 * style.size
    top = sheet.top + 2.6 * style.size
    n, cell = per_page, 0.0
    comfortable = _COMFORTABLE * style.least_answer_cell
    largest = comfortable if style.design.large_print else LARGEST_CELL
    while True:
        columns, rows = grid_of(n, sheet.width + gap, sheet.bottom - top, shape)
        across = (sheet.width + gap) / columns - gap
        down = (sheet.bottom - top) / rows - label - gap
        cell = min(across / shape[1], down / shape[0], largest)
        # Where a page has room to spare, its solutions are larger.
        has_room = n > len(waiting) and cell < comfortable
        if n == 1 or (cell >= style.least_answer_cell and (not has_room or is_rest)):
            break
        n -= 1
    subject = f"the solution of puzzle {waiting[0].number}"
    binder.keep_promise(cell, style.least_answer_cell, subject)
    page = waiting[:n]
    first, last = page[0].number, page[-1].number
    between = binder.words.between(first, last)
    top = binder.running_head(sheet, title, between) + 1.1 * style.size
    pitch = (
        (sheet.width - shape[1] * cell) / (columns - 1) if columns > 1 else 0.0,
        (sheet.bottom - top) / rows,
    )
    left = sheet.left if columns > 1 else (sheet.left + sheet.right - shape[1] * cell) / 2
    for i, item in enumerate(page):
        number, record = item
        row, column = divmod(i, columns)
        x, y = left + column * pitch[0], top + row * pitch[1] + label
        name = binder.name(f"solution-{number}", sheet)
        picture = solution_board(record.puzzle, style.grid(cell, WEIGHT), record.solution)
        sheet.text(x, y - 0.4 * style.small, str(number), style.small, bold=True)
        spoken = binder.speak(item, record.solution)
        sheet.place(picture, x, y, cell, name, alternative=spoken)
        sheet.link(x, y - label, shape[1] * cell, label + shape[0] * cell, f"puzzle-{number}")
    return len(page)


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

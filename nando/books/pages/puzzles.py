"""The pages of puzzles."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from nando.books.binder import Binder, Entry, Numbered, even
from nando.books.language import join_by_dots
from nando.books.pages import marks
from nando.books.pages.answers import answers_of, foot_height, foot_of
from nando.books.pages.front import divider_page
from nando.books.pages.text import text_pages
from nando.books.section import N_STARS, Section, stars_of
from nando.books.sheet import Sheet, grid_of
from nando.books.spec import FOOT, PART, PER_PAGE
from nando.books.trim import MM
from nando.drawing.boards import Margins, board, margins, smallest_type

LARGEST_CELL, LARGEST_LARGE_CELL = 44.0, 60.0
"""Side of the largest cell: usual, and in large print."""
FOUR_INCHES = 32.0
"""Side of a cell of a 9x9 of four inches; smaller puzzles in large print have a page each."""
LEAST_TYPE = 5.5
"""Least size of the numbers of cages and marks, in points."""
WIDEST_GAP = 5.0
"""Largest gap between puzzles in a row, as a multiple of the type."""


class Frame(NamedTuple):
    """The room for a puzzle, in cells.

    Attributes
    ----------
    shape : (float, float)
        Rows and columns, with the room for marks around the grid.
    room : Margins
    cells : (int, int)
        Rows and columns of the grid.
    least_cell : float
        Least side of a cell in points in which all marks can be read.
    code : float
        Side of the largest code of a puzzle in points; 0 without codes.
    """

    shape: tuple[float, float]
    room: Margins
    cells: tuple[int, int]
    least_cell: float
    code: float


class Layout(NamedTuple):
    """How the puzzles of a page are arranged; lengths in points."""

    columns: int
    rows: int
    cell: float
    left: float
    gap: float
    pitch: float
    """Distance between the upper edges of rows."""
    above: float
    """Room for the line above a puzzle, and for the gap to the grid above."""
    aside: bool
    """True if codes are next to their grids instead of above them."""


def puzzle_pages(binder: Binder) -> None:
    """Add all parts, each after its divider if there are dividers."""
    words = binder.words
    for i, (section, numbered) in enumerate(binder.number_sections()):
        name = f"part-{i + 1}"
        length = words.lengths(section.records)
        entry = Entry(section.title, section.stars, length, words.whole(len(section.records)))
        text_pages(binder, f"part {i + 1}")
        if binder.spec.include.dividers:
            divider_page(binder, section, name, entry)
        for sheet in _sheets(binder, section, numbered):
            if name not in binder.places:
                binder.name(name, sheet, entry)
        if binder.spec.include.answers_after == PART:
            answers_of(binder, numbered, f"solutions-{i + 1}")


def _sheets(binder: Binder, section: Section, numbered: Sequence[Numbered]) -> Iterator[Sheet]:
    n_puzzles = binder.words.n_puzzles(len(section.records))
    detail = join_by_dots(binder.lengths(section), n_puzzles)
    # Grids of different shapes do not share a page.
    for shape, group in groupby(numbered, key=lambda item: item.record.puzzle.shape):
        waiting = list(group)
        count = len(waiting)
        frame = _frame(binder, shape, waiting)
        while waiting:
            sheet = binder.sheet("puzzles")
            top = binder.running_head(sheet, section.title, detail, section.stars)
            binder.folio(sheet)
            layout = _layout(binder, sheet, section.per_page, count, frame, top)
            least = max(binder.style.least_cell, frame.least_cell)
            _check_cell(binder, waiting[0], layout.cell, least)
            n = layout.columns * layout.rows
            page, waiting = waiting[:n], waiting[n:]
            # Fewer rows than fit share the height of the page.
            used = -(-len(page) // layout.columns)
            layout = layout._replace(pitch=layout.pitch * layout.rows / used)
            for i, item in enumerate(page):
                row, column = divmod(i, layout.columns)
                # The puzzles of a row with fewer are in its middle.
                n_missing = max(0, (row + 1) * layout.columns - len(page))
                across = frame.shape[1] * layout.cell + layout.gap
                x = layout.left + (column + n_missing / 2) * across
                y = top + row * layout.pitch
                _puzzle(binder, sheet, item, x, y, frame, layout, with_stars=not section.stars)
            if binder.spec.include.answers == FOOT:
                foot_of(binder, sheet, page)
            yield sheet


def _check_cell(binder: Binder, item: Numbered, cell: float, least: float) -> None:
    """Check that large print has large cells, and that solutions leave room to write."""
    rows, columns = item.record.puzzle.shape
    subject = f"puzzle {item.number} of {columns}x{rows} cells"
    binder.keep_promise(cell, least, subject)
    least = binder.style.least_cell
    if binder.spec.include.answers == FOOT and cell < least:
        raise ValueError(
            f"answers = 'foot' leaves cells of {max(cell, 0.0) / MM:.1f} mm for {subject} on "
            f"pages of {binder.spec.design.trim}, wanted at least {least / MM:.1f} mm to write in: "
            "put the answers at the back, for example answers = 12, or choose a larger trim"
        )


def _frame(binder: Binder, shape: tuple[int, int], items: Sequence[Numbered]) -> Frame:
    """Return the room for each puzzle of a shape; it is equal for all, so that grids align."""
    puzzles = [item.record.puzzle for item in items]
    look = binder.style.grid(LARGEST_CELL)
    least_type = min(smallest_type(puzzle, look) for puzzle in puzzles)
    codes = [code for item in items if (code := marks.code_beside(binder, item)) is not None]
    room = marks.with_labels(binder, Margins(*map(max, zip(*map(margins, puzzles), strict=True))))
    return Frame(
        (shape[0] + room.top + room.bottom, shape[1] + room.left + room.right),
        room,
        shape,
        max(LEAST_TYPE / least_type, binder.style.needed_cell(least_type)),
        max(map(marks.code_side, codes), default=0.0),
    )


def _layout(
    binder: Binder, sheet: Sheet, per_page: int, count: int, frame: Frame, top: float
) -> Layout:
    """Return the layout for `per_page` puzzles, or fewer if their cells would be too small.

    If `count` puzzles do not fill a page, they are larger. If fewer fit, all pages have about the
    same number.
    """

    def layout(n: int) -> Layout:
        foot = foot_height(sheet, n, frame.cells) if binder.spec.include.answers == FOOT else 0.0
        free = binder.spec.include.scribble * (sheet.bottom - top)
        return _arrange(binder, sheet, n, frame, top, sheet.bottom - foot - free)

    allowed = [n for n in sorted(PER_PAGE) if n <= per_page]
    least = max(binder.style.least_cell, frame.least_cell)
    if binder.spec.design.large_print:
        least = max(least, FOUR_INCHES)
    fit = next((n for n in reversed(allowed) if layout(n).cell >= least), allowed[0])
    if fit < per_page or count < fit:
        each = even(count, fit)
        fit = next((n for n in allowed if each <= n <= fit and layout(n).cell >= least), fit)
    return layout(fit)


def _arrange(
    binder: Binder, sheet: Sheet, n: int, frame: Frame, top: float, bottom: float
) -> Layout:
    """Return the layout with larger cells: codes above the grids, or next to a single column."""
    style, shape = binder.style, frame.shape
    below, gap = 1.7 * style.size, 2.2 * style.size
    columns, rows = grid_of(n, sheet.width + gap, bottom - top, shape)
    width = (sheet.width - (columns - 1) * gap) / columns
    pitch = (bottom - top) / rows

    def layout(room: float, above: float, *, aside: bool) -> Layout:
        is_large = style.design.large_print or style.design.children
        largest = LARGEST_LARGE_CELL if is_large else LARGEST_CELL
        cell = min(room / shape[1], (pitch - above - below) / shape[0], largest)
        free = sheet.width - columns * shape[1] * cell
        between = gap if columns == 1 else min(free / (columns - 1), WIDEST_GAP * style.size)
        left = sheet.left + (free - (columns - 1) * between) / 2
        if aside:
            left = min(left, sheet.left + free - frame.code - style.size)
        return Layout(columns, rows, cell, left, between, pitch, above, aside)

    least = 3.4 * style.size
    if not frame.code:
        return layout(width, least, aside=False)
    over = layout(width, max(least, frame.code + 1.2 * style.size), aside=False)
    beside = layout(width - frame.code - style.size, least, aside=True)
    return beside if columns == 1 and beside.cell > over.cell else over


def _puzzle(
    binder: Binder,
    sheet: Sheet,
    item: Numbered,
    x: float,
    y: float,
    frame: Frame,
    layout: Layout,
    *,
    with_stars: bool,
) -> None:
    """Draw a puzzle in its share of the page, whose upper left corner is at (x, y)."""
    words, style = binder.words, binder.style
    number, record = item
    rows, columns = frame.shape
    width, height = columns * layout.cell, rows * layout.cell
    # Half of the free height is above the grid, half below.
    free = layout.pitch - layout.above - 1.7 * style.size - height
    top = y + layout.above + free / 2
    line = top - 0.55 * style.size
    size = 1.4 * style.size
    picture = board(record.puzzle, style.grid(layout.cell))
    own = margins(record.puzzle)
    left, above = (a - b for a, b in zip(frame.room[:2], own[:2], strict=True))
    if binder.spec.include.dots:
        picture = marks.draw_dots(picture, record.puzzle, own.left, own.top, style.rule)
    name = binder.name(f"puzzle-{number}", sheet)
    place = x + left * layout.cell, top + above * layout.cell
    sheet.place(picture, *place, layout.cell, name, alternative=binder.speak(item))
    if binder.spec.include.labels:
        marks.set_labels(binder, sheet, record.puzzle.shape, own, *place, layout.cell)
    begin = x + sheet.text(x, line, str(number), size, bold=True) + 0.8 * style.size
    length = words.length(record)
    code = marks.code_beside(binder, item)
    if code is None and binder.spec.include.qr:
        binder.without_code.append(number)
    end, side = x + width, 0.0
    if code is not None:
        side = marks.code_side(code)
        scale = side / code.width
        if layout.aside:
            place = end + style.size, top - marks.QUIET * scale
        else:
            place = end - side, top - side - 0.45 * style.size
        sheet.place(code, *place, scale, alternative=f"QR {number}")
    if code is not None and not layout.aside:
        sheet.text(begin, line, length, style.size)
        begin += sheet.measure(length, style.size) + 0.8 * style.size
    else:
        sheet.text(end, line, length, style.size, align="end")
    if with_stars and stars_of(record):
        star = 0.8 * style.size
        if code is not None and not layout.aside and begin + 1.08 * N_STARS * star > end - side:
            begin, line = x, line - 1.6 * style.size  # there is room above the number
        sheet.stars(begin, line, stars_of(record), star)
    _refer(binder, sheet, number, x, top + height, width)
    if style.design.children:
        sheet.star_to_colour(x, top + height + 0.2 * style.size, 1.5 * style.size)


def _refer(
    binder: Binder, sheet: Sheet, number: int, x: float, bottom: float, width: float
) -> None:
    """Print the page of the solution below a puzzle, as a link."""
    if binder.spec.include.answers == FOOT:
        return
    words, style = binder.words, binder.style
    target = f"solution-{number}"
    text = words("labels.solution_page", page=binder.page_of(target))
    size = max(min(style.small, 8.0), style.least_type)
    if sheet.measure(text, size) > width:
        text = f"→ {binder.page_of(target)}"
    y = bottom + 1.25 * size
    sheet.text(x + width, y, text, size, colour=style.grey, align="end")
    sheet.link(x, bottom, width, 1.6 * size, target)

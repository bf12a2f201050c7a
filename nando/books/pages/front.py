"""The first pages: title, rights, contents; and the page before a part."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nando.books.binder import Binder, Entry, spread
from nando.books.kinds import kind_of
from nando.books.language import join_by_dots
from nando.books.section import N_STARS, Section
from nando.books.sheet import Sheet, Style
from nando.drawing.boards import board, smallest_type
from nando.drawing.shapes import Picture, Rect
from nando.puzzles import Puzzle, Variant
from nando.puzzles.variants.text import digits_of

MOST_NAMED = 3
"""Most kinds in the default title of a book. If there are more, all variants share a name."""


def title_page(binder: Binder) -> None:
    """Add the page with title, subtitle, the grid of a puzzle, author and publisher."""
    spec, style = binder.spec, binder.style
    sheet = binder.sheet("title")
    sheet.title = title_of(binder)
    middle = (sheet.left + sheet.right) / 2
    y = _title(sheet, middle, title_of(binder))
    subtitle = spec.subtitle or summary(binder)
    y = sheet.paragraph(
        middle, y, subtitle, 0.9 * sheet.width, 1.3 * style.size, colour=style.grey, align="middle"
    )
    foot = sheet.bottom
    if spec.publisher:
        sheet.text(middle, foot, spec.publisher, style.size, align="middle", within=sheet.width)
        foot -= 2.6 * style.size
    if spec.author:
        size = 1.45 * style.size
        sheet.text(middle, foot, spec.author, size, align="middle", within=sheet.width)
        foot -= 2.4 * size
    _figure(binder, sheet, middle, y, foot)


def _title(sheet: Sheet, middle: float, title: str) -> float:
    """Set the title as large as fits on three lines; return the baseline of a subtitle."""
    size = sheet.title_size(title, 0.115 * sheet.width, sheet.width, least=14)
    y = sheet.top + 0.07 * sheet.size.height + size
    with sheet.tag("H1"):
        y = sheet.paragraph(
            middle,
            y,
            title,
            sheet.width,
            size,
            bold=True,
            align="middle",
            leading=1.12,
            colour=sheet.style.accent,
        )
    # Below small titles, the subtitle needs more room than their leading.
    return y - 0.1 * size + max(0.0, 2.2 * sheet.style.size - size)


def _figure(binder: Binder, sheet: Sheet, middle: float, top: float, foot: float) -> None:
    """Draw the grid of the hardest puzzle, between the title and the author."""
    record = max(binder.records, key=lambda record: record.predicted or 0)
    style = binder.style
    picture = board(record.puzzle, style.grid(20.0))
    needed = style.needed_cell(smallest_type(record.puzzle, style.grid(20.0)))
    rows, columns = picture.height, picture.width
    room = foot - top
    share = 0.9 if needed else 0.6
    cell = min(share * sheet.width / columns, 0.72 * room / rows)
    if cell <= 0:  # the texts leave no room
        return
    if cell < needed:
        picture = pattern_of(record.puzzle, style.accent)
        rows, columns = picture.height, picture.width
    else:
        picture = board(record.puzzle, style.grid(cell))
    x, y = middle - columns * cell / 2, top + 0.5 * (room - rows * cell)
    sheet.place(picture, x, y, cell)


def rights_page(binder: Binder) -> None:
    """Draw rights, edition, ISBN and disclaimer at the foot of the copyright page."""
    spec, style = binder.spec, binder.style
    isbn = spec.isbn and f"ISBN {spec.isbn}"
    own = [text for text in (spec.edition, isbn, spec.disclaimer) if text]
    if not (spec.rights or own):
        return
    sheet = binder.sheet("rights")
    lines = [
        line
        for text in (spec.rights, spec.publisher, *own)
        if text
        for line in sheet.break_lines(text, style.small, sheet.width)
    ]
    y = sheet.bottom - (len(lines) - 1) * 1.5 * style.size
    for line in lines:
        sheet.text(sheet.left, y, line, style.small, colour=style.grey, within=sheet.width)
        y += 1.5 * style.size


def title_of(binder: Binder) -> str:
    """Return the title, or else the kinds of puzzle."""
    words, kinds = binder.words, kinds_of(binder)
    if len(kinds) > MOST_NAMED:
        variants = {
            words.kind(kind_of(r.puzzle)) for r in binder.records if r.puzzle.kind == "variant"
        }
        named = (words("labels.variants") if k in variants else k for k in kinds)
        kinds = list(dict.fromkeys(named))
    return binder.spec.title or words("list").join(kinds)


def kinds_of(binder: Binder) -> list[str]:
    """Return the names of the kinds of puzzle in a book."""
    return list(dict.fromkeys(binder.words.kind(kind_of(r.puzzle)) for r in binder.records))


def summary(binder: Binder) -> str:
    """Return the number of puzzles and their range of minutes."""
    words, records = binder.words, binder.records
    return join_by_dots(words.n_puzzles(len(records)), words.lengths(records))


# ---------------------------------------------------------------- contents


ROW, LEAST_ROW = 2.9, 1.8
"""Usual and least height of a line, as a multiple of the type."""
_LEADING = 1.3
"""Distance between the lines of a long title, as a multiple of the type."""
_HEADS = "time", "puzzles", "page"


class _Line(NamedTuple):
    """An entry of the contents: the lines of its title, and the values below the heads.

    `stars_beside` is True if its stars fit on the last line of the title.
    """

    name: str
    entry: Entry
    titles: list[str]
    stars_beside: bool
    values: tuple[str, ...]

    @property
    def n_more(self) -> int:
        """The number of lines after the first."""
        return len(self.titles) - self.stars_beside


def contents_pages(binder: Binder) -> None:
    """Draw a line for every page that has an entry, in order.

    The lines are closer where they then take fewer pages, and the pages have about as many.
    """
    if not binder.spec.include.contents:
        return
    style = binder.style
    size = 1.05 * style.size
    entries = [(name, at.entry, at.page) for name, at in binder.known.items() if at.entry]
    values = [(entry.length, entry.n_puzzles, str(page)) for _, entry, page in entries]
    heads = [binder.words(f"labels.{head}") for head in _HEADS]
    sheet, y = _open_contents(binder)
    widths = [
        max(sheet.measure(head, style.small), *(sheet.measure(v[i], size) for v in values), 0.0)
        + 1.5 * size
        for i, head in enumerate(heads)
    ]
    edges = {head: sum(widths[i + 1 :]) for i, head in enumerate(heads)}
    room = sheet.width - sum(widths)
    lines = [
        _Line(name, entry, *_title_lines(sheet, entry, size, room), of)
        for (name, entry, _), of in zip(entries, values, strict=True)
    ]
    more = [line.n_more * _LEADING * size for line in lines]
    rows = [row * style.size for row in np.arange(ROW, LEAST_ROW - 0.01, -0.1).tolist()]
    fits = [(spread([row + extra for extra in more], sheet.bottom - y), row) for row in rows]
    counts, row = min(fits, key=lambda fit: len(fit[0]))
    for i, count in enumerate(counts or [0]):
        if i:
            sheet, y = _open_contents(binder)
        for head, edge in edges.items():
            up, right = y - 0.6 * size, sheet.right - edge
            sheet.text(right, up, head, style.small, colour=style.grey, align="end")
        sheet.rule(y, 0.6)
        for line in lines[:count]:
            y = _set_line(sheet, y, line, row, room, [*edges.values()])
        lines = lines[count:]


def _open_contents(binder: Binder) -> tuple[Sheet, float]:
    """Return a page below its title, and where its lines begin."""
    sheet = binder.sheet("contents")
    sheet.title = binder.words("labels.contents")
    y = sheet.heading(sheet.title) + 1.23 * binder.style.size
    binder.folio(sheet)
    return sheet, y


def _set_line(
    sheet: Sheet, y: float, line: _Line, row: float, room: float, edges: Sequence[float]
) -> float:
    """Set a line in a row from `y` and return its lower edge.

    Titles have some `room`; `edges` are the distances of the values from the right margin.
    """
    style = sheet.style
    size = 1.05 * style.size
    first = y + 0.5 * (row + style.typeface.cap_height * size)
    below, x = first, sheet.left
    stars = 1.1 * N_STARS * size if line.entry.stars and line.stars_beside else 0.0
    with sheet.tag("P"):
        for k, text in enumerate(line.titles):
            below = first + k * _LEADING * size
            width = sheet.text(sheet.left, below, text, size, bold=True, within=room - stars)
            x = sheet.left + width
        if not line.stars_beside:
            below, x = below + _LEADING * size, sheet.left - 0.8 * size
        if line.entry.stars:
            sheet.stars(x + 0.8 * size, below, line.entry.stars, 0.8 * size)
        for edge, value in zip(edges, line.values, strict=True):
            sheet.text(sheet.right - edge, first, value, size, align="end")
    height = row + line.n_more * _LEADING * size
    sheet.link(sheet.left, y, sheet.width, height, line.name)
    sheet.rule(y + height, 0.4, style.pale)
    return y + height


def _title_lines(sheet: Sheet, entry: Entry, size: float, room: float) -> tuple[list[str], bool]:
    """Return the lines of a title, and True if its stars fit on the last line."""
    stars = 1.1 * N_STARS * size if entry.stars else 0.0
    if sheet.shrinks_into(entry.title, size, room - stars, bold=True):
        return [entry.title], True
    if sheet.shrinks_into(entry.title, size, room, bold=True):
        return [entry.title], False
    return sheet.break_lines(entry.title, size, room, bold=True), not entry.stars


# ---------------------------------------------------------------- dividers


def divider_page(binder: Binder, section: Section, name: str, entry: Entry) -> None:
    """Add a right-hand page with title, stars and contents of a part."""
    words, style = binder.words, binder.style
    binder.to_right()
    sheet = binder.sheet("divider")
    binder.name(name, sheet, entry)
    if binder.bleed:
        sheet.band(style.tint, -binder.bleed, sheet.size.height + 2 * binder.bleed, binder.bleed)
    middle = sheet.size.width / 2
    pattern = _motif(section.records[0].puzzle, style)
    scale = 0.4 * sheet.size.width / pattern.width
    y = 0.22 * sheet.size.height
    sheet.place(pattern, middle - pattern.width * scale / 2, y, scale)
    width = 2 * min(middle - sheet.left, sheet.right - middle)
    size = sheet.title_size(section.title, 2.6 * style.size, width, least=1.2 * style.size)
    y += pattern.height * scale + 2.2 * size
    with sheet.tag("H1"):
        y = sheet.paragraph(
            middle,
            y,
            section.title,
            width,
            size,
            bold=True,
            align="middle",
            leading=1.15,
            colour=style.accent,
        )
    binder.headed.add(section.title)
    if section.stars:
        star = 1.25 * style.size
        sheet.stars(middle - 1.08 * N_STARS * star / 2, y, section.stars, star)
        y += 2.2 * style.size
    text = join_by_dots(words.n_puzzles(len(section.records)), binder.lengths(section))
    sheet.text(middle, y, text, 1.15 * style.size, colour=style.grey, align="middle")


def _motif(puzzle: Puzzle, style: Style) -> Picture:
    """Draw a board with its marks but no digits, or the pattern of givens if it has no marks."""
    if isinstance(puzzle, Variant):
        empty = np.zeros_like(puzzle.givens)
        bare = Variant.of(
            empty,
            puzzle.rules,
            corners=puzzle.board.corners,
            boxed=False,
            digits=digits_of(puzzle.board),
        )
        drawn = board(bare, style.grid(20.0))
        if drawn != board(Variant(f"{puzzle.size}x{puzzle.size}"), style.grid(20.0)):
            return drawn
    return pattern_of(puzzle, style.accent)


def pattern_of(puzzle: Puzzle, fill: str) -> Picture:
    """Draw the givens of a puzzle as a pattern of squares, an ornament that reveals nothing.

    The pattern of a variant with few givens includes the cells where its marks begin.
    """
    rows, columns = puzzle.shape
    shown = [bool(given) for given in puzzle.givens.tolist()]
    if isinstance(puzzle, Variant) and sum(shown) < puzzle.size:
        for rule in puzzle.rules:
            for row, column in (cells[0] for cells in rule.groups_named() if cells):
                shown[row * columns + column] = True
    squares = [
        Rect(cell % columns + 0.09, cell // columns + 0.09, 0.82, 0.82, fill)
        for cell, is_shown in enumerate(shown)
        if is_shown
    ]
    frame = Rect(0, 0, columns, rows, None, fill, 0.05)
    return Picture(columns, rows, (*squares, frame))

"""The first pages: title, rights, contents; and the page before a part."""

from collections.abc import Sequence

from nando.books.binder import Binder, Entry, Place
from nando.books.kinds import kind_of
from nando.books.language import join_by_dots
from nando.books.section import N_STARS, Section
from nando.books.sheet import Sheet
from nando.drawing.boards import board, smallest_type
from nando.drawing.shapes import Picture, Rect
from nando.puzzles import Puzzle, Variant

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


ROW = 2.9
"""Height of a line, as a multiple of the type."""
_LEADING = 1.3
"""Distance between the lines of a long title, as a multiple of the type."""


def contents_pages(binder: Binder) -> None:
    """Draw a line for every page that has an entry, in order."""
    if not binder.spec.include.contents:
        return
    title = binder.words("labels.contents")
    waiting = [item for item in binder.known.items() if item[1].entry is not None]
    while True:
        sheet = binder.sheet("contents")
        sheet.title = title
        y = sheet.heading(title) + 0.6 * binder.style.size
        n_rows = _table(binder, sheet, y, waiting)
        binder.folio(sheet)
        waiting = waiting[n_rows:]
        if not waiting:
            break


def _table(binder: Binder, sheet: Sheet, y: float, places: Sequence[tuple[str, Place]]) -> int:
    """Draw as many rows as fit on a page; return their number."""
    words, style = binder.words, binder.style
    size = 1.05 * style.size
    most = max(1, int((sheet.bottom - y) / (ROW * style.size)))
    entries = [place.entry or Entry("") for _, place in places[:most]]
    heads = "time", "puzzles", "page"
    # Columns from the right, as wide as their contents.
    columns = (
        [entry.length for entry in entries],
        [entry.n_puzzles for entry in entries],
        [str(place.page) for _, place in places[:most]],
    )
    right, edges = sheet.right, []
    for head, column in reversed(list(zip(heads, columns, strict=True))):
        label = words(f"labels.{head}")
        sheet.text(right, y, label, style.small, colour=style.grey, align="end")
        edges.append(right)
        widths = [sheet.measure(text, size) for text in column]
        right -= max(sheet.measure(label, style.small), *widths, 0.0) + 1.5 * size
    edges.reverse()
    bottom = sheet.bottom + 0.02 * style.size
    y += 0.6 * size
    sheet.rule(y, 0.6)
    for i, ((name, place), entry) in enumerate(zip(places, entries, strict=False)):
        lines, beside = _title_lines(sheet, entry, size, right - sheet.left)
        more = len(lines) - 1 + (not beside)
        row = ROW * style.size + more * _LEADING * size
        if i and y + row > bottom:
            return i
        line = y + 0.5 * (ROW * style.size + style.typeface.cap_height * size)
        values = entry.length, entry.n_puzzles, str(place.page)
        below, x = line, sheet.left
        with sheet.tag("P"):
            for k, text in enumerate(lines):
                below = line + k * _LEADING * size
                stars = 1.1 * N_STARS * size if entry.stars and beside else 0.0
                room = right - sheet.left - stars
                x = sheet.left + sheet.text(sheet.left, below, text, size, bold=True, within=room)
            if not beside:
                below, x = below + _LEADING * size, sheet.left - 0.8 * size
            if entry.stars:
                sheet.stars(x + 0.8 * size, below, entry.stars, 0.8 * size)
            for edge, value in zip(edges, values, strict=True):
                sheet.text(edge, line, value, size, align="end")
        sheet.link(sheet.left, y, sheet.width, row, name)
        y += row
        sheet.rule(y, 0.4, style.pale)
    return len(entries)


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
    pattern = pattern_of(section.records[0].puzzle, style.accent)
    scale = 0.34 * sheet.size.width / pattern.width
    y = 0.26 * sheet.size.height
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

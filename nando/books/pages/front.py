"""The title page and the copyright page."""

from nando.books.kinds import kind_of
from nando.books.language import dotted
from nando.books.layout.binder import Binder
from nando.books.layout.sheet import Sheet
from nando.books.pages.divider import pattern_of
from nando.drawing.boards import board, smallest_type

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
    with sheet.tagged("H1"):
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
        for line in sheet.broken(text, style.small, sheet.width)
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
    return dotted(words.n_puzzles(len(records)), words.lengths(records))

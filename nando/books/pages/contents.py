"""The table of contents."""

from collections.abc import Sequence

from nando.books.layout.binder import Binder, Entry, Place
from nando.books.layout.sheet import Sheet
from nando.books.section import N_STARS

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
    units = {record.unit for record in binder.records}
    heads = "points" if units == {"points"} else "time", "puzzles", "page"
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
        with sheet.tagged("P"):
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
    return sheet.broken(entry.title, size, room, bold=True), not entry.stars

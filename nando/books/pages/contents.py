"""The table of contents."""

from collections.abc import Sequence

from nando.books.layout.binder import Binder, Entry, Place
from nando.books.layout.sheet import Sheet
from nando.books.section import N_STARS

ROW = 2.9
"""Height of a line, as a multiple of the type."""


def contents_pages(binder: Binder) -> None:
    """Draw a line for every place that has an entry, in the order of the pages."""
    if not binder.spec.include.contents:
        return
    title = binder.words("labels", "contents")
    waiting = [item for item in binder.known.items() if item[1].entry is not None]
    while True:
        sheet = binder.sheet("contents")
        sheet.title = title
        y = sheet.heading(title) + 0.6 * binder.style.size
        n_rows = max(1, int((sheet.bottom - y) / (ROW * binder.style.size)))
        _table(binder, sheet, y, waiting[:n_rows])
        binder.folio(sheet)
        waiting = waiting[n_rows:]
        if not waiting:
            break


def _table(binder: Binder, sheet: Sheet, y: float, places: Sequence[tuple[str, Place]]) -> None:
    words, style = binder.words, binder.style
    size, row = 1.05 * style.size, ROW * style.size
    entries = [place.entry or Entry("") for _, place in places]
    units = {record.unit for record in binder.records}
    heads = "points" if units == {"points"} else "time", "puzzles", "page"
    # Columns from the right, as wide as their contents.
    columns = (
        [entry.length for entry in entries],
        [entry.n_puzzles for entry in entries],
        [str(place.page) for _, place in places],
    )
    right, edges = sheet.right, []
    for head, column in reversed(list(zip(heads, columns, strict=True))):
        label = words("labels", head)
        sheet.text(right, y, label, style.small, colour=style.grey, align="end")
        edges.append(right)
        widths = [sheet.measure(text, size) for text in column]
        right -= max(sheet.measure(label, style.small), *widths, 0.0) + 1.5 * size
    edges.reverse()
    y += 0.6 * size
    sheet.rule(y, 0.6)
    for (name, place), entry in zip(places, entries, strict=True):
        line = y + 0.5 * (row + style.typeface.cap_height * size)
        stars = 1.1 * N_STARS * size if entry.stars else 0.0
        room = right - sheet.left - stars
        width = sheet.text(sheet.left, line, entry.title, size, bold=True, within=room)
        if entry.stars:
            x = sheet.left + width + 0.8 * size
            sheet.stars(x, line, entry.stars, N_STARS, 0.8 * size)
        values = entry.length, entry.n_puzzles, str(place.page)
        for edge, value in zip(edges, values, strict=True):
            sheet.text(edge, line, value, size, align="end")
        sheet.link(sheet.left, y, sheet.width, row, name)
        y += row
        sheet.rule(y, 0.4, style.pale)

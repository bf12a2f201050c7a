"""A table for the reader's own times."""

from nando.books.layout.binder import Binder, Numbered
from nando.books.layout.flow import Flow
from nando.books.layout.sheet import Sheet

ROW = 2.1
"""Height of a line, as a multiple of the type."""
COLUMN = 15.5
"""Least width of a column of puzzles, likewise."""


def times_pages(binder: Binder) -> None:
    """Draw a line for each puzzle: its prediction, room for a time, and a box to tick."""
    if not binder.spec.include.times:
        return
    waiting = [item for _, items in binder.numbered() for item in items]
    style, title = binder.style, binder.words("labels", "times")
    row = ROW * style.size
    flow = Flow(binder, "times", "times", title)
    flow.skip(0.6 * style.size)
    while waiting:
        sheet, y = flow.sheet, flow.y
        gap = 2.4 * style.size
        columns = max(1, int((sheet.width + gap) // (COLUMN * style.size + gap)))
        width = (sheet.width + gap) / columns - gap
        n_rows = int((sheet.bottom - y - style.size) // row)
        n_rows = min(n_rows, -(-len(waiting) // columns))  # columns of the last page are even
        for column in range(columns):
            part, waiting = waiting[:n_rows], waiting[n_rows:]
            if part:
                _column(binder, sheet, sheet.left + column * (width + gap), y, width, part)
        if waiting:
            flow.turn()


def _column(
    binder: Binder, sheet: Sheet, x: float, y: float, width: float, items: list[Numbered]
) -> None:
    words, style = binder.words, binder.style
    size, row = style.size, ROW * style.size
    box = 0.85 * size
    number, predicted = x + 1.9 * size, x + 7.2 * size
    mine, right = predicted + 1.2 * size, x + width
    for place, label, align in (
        (number, "number", "end"),
        (predicted, "predicted", "end"),
        (mine, "mine", "start"),
    ):
        text = words("labels", label)
        sheet.text(place, y, text, style.small, colour=style.grey, align=align)
    y += 0.55 * size
    sheet.line(x, right, y, 0.6)
    for item in items:
        y += row
        line = y - 0.5 * (row - style.typeface.cap_height * size)
        sheet.text(number, line, str(item.number), size, bold=True, align="end")
        sheet.text(predicted, line, words.length(item.record), size, align="end")
        sheet.box(right - box, line - style.typeface.cap_height * size / 2 - box / 2, box)
        sheet.line(x, right, y, 0.4, style.pale)
        sheet.link(x, y - row, width, row, f"puzzle-{item.number}")

"""A table for the reader's own times."""

from typing import NamedTuple

from nando.books.layout.binder import Binder, Numbered
from nando.books.layout.flow import Flow
from nando.books.layout.sheet import Sheet

ROW = 2.1
"""Height of a line, as a multiple of the type."""
_GAP, _BETWEEN = 1.0, 1.8
"""Gaps between the columns of a line, and between lines side by side, as multiples of the type."""
_ROOM = 3.4
"""Least room for a time, as a multiple of the type."""


class _Line(NamedTuple):
    """The widths of the columns of a line: number, prediction, time, and box to tick."""

    number: float
    predicted: float
    mine: float
    box: float
    gap: float

    @property
    def width(self) -> float:
        return self.number + self.predicted + self.mine + self.box + 3 * self.gap


def times_pages(binder: Binder) -> None:
    """Draw a line for each puzzle: its prediction, room for a time, and a box to tick."""
    if not binder.spec.include.times:
        return
    waiting = [item for _, items in binder.numbered() for item in items]
    style, title = binder.style, binder.words("labels.times")
    row, between = ROW * style.size, _BETWEEN * style.size
    flow = Flow(binder, "times", "times", title)
    flow.skip(0.6 * style.size)
    line = _line(binder, flow.sheet, waiting)
    while waiting:
        sheet, y = flow.sheet, flow.y
        columns = max(1, int((sheet.width + between) // (line.width + between)))
        width = (sheet.width + between) / columns - between
        n_rows = int((sheet.bottom - y - style.size) // row)
        n_rows = min(n_rows, -(-len(waiting) // columns))  # columns of the last page are even
        for column in range(columns):
            part, waiting = waiting[:n_rows], waiting[n_rows:]
            if part:
                x = sheet.left + column * (width + between)
                _column(
                    binder, sheet, x, y, line._replace(mine=line.mine + width - line.width), part
                )
        if waiting:
            flow.turn()


def _line(binder: Binder, sheet: Sheet, items: list[Numbered]) -> _Line:
    words, style = binder.words, binder.style
    size = style.size
    number, predicted, mine = (
        sheet.measure(words(f"labels.{label}"), style.small)
        for label in ("number", "predicted", "mine")
    )
    return _Line(
        max(number, sheet.measure(str(items[-1].number), size, bold=True)),
        max(predicted, *(sheet.measure(words.length(item.record), size) for item in items)),
        max(mine, _ROOM * size),
        0.85 * size,
        _GAP * size,
    )


def _column(
    binder: Binder, sheet: Sheet, x: float, y: float, widths: _Line, items: list[Numbered]
) -> None:
    words, style = binder.words, binder.style
    size, row, box = style.size, ROW * style.size, widths.box
    number = x + widths.number
    predicted = number + widths.gap + widths.predicted
    mine, right = predicted + widths.gap, x + widths.width
    for place, label, align in (
        (number, "number", "end"),
        (predicted, "predicted", "end"),
        (mine, "mine", "start"),
    ):
        text = words(f"labels.{label}")
        sheet.text(place, y, text, style.small, colour=style.grey, align=align)
    y += 0.55 * size
    sheet.line(x, right, y, 0.6)
    for item in items:
        y += row
        line = y - 0.5 * (row - style.typeface.cap_height * size)
        with sheet.tagged("P"):
            sheet.text(number, line, str(item.number), size, bold=True, align="end")
            sheet.text(predicted, line, words.length(item.record), size, align="end")
        sheet.box(right - box, line - style.typeface.cap_height * size / 2 - box / 2, box)
        sheet.line(x, right, y, 0.4, style.pale)
        sheet.link(x, y - row, right - x, row, f"puzzle-{item.number}")

"""The pages at the end: what minutes and stars mean, the reader's times, how puzzles were made."""

from collections.abc import Sequence
from typing import NamedTuple

import nando
from nando.books.binder import Binder, Flow, Numbered, even
from nando.books.language import join_by_dots, ranges
from nando.books.section import stars_of
from nando.books.sheet import Sheet
from nando.books.spec import SEEDS
from nando.generators.records import Record
from nando.rating import GRADES


def minutes_pages(binder: Binder) -> None:
    """Draw the meaning of a prediction, its limits, and the names of the grades."""
    rated = any(record.predicted is not None for record in binder.records)
    if not binder.spec.include.minutes or not rated:
        return
    words, size = binder.words, binder.style.size
    flow = Flow(binder, "minutes", "minutes", words("minutes_page.title"))
    kinds = {record.puzzle.kind for record in binder.records}
    untimed = {"nurikabe": "untimed", "variant": "untimed_rules"}
    for text in (
        *words.paragraphs("minutes_page.seconds"),
        *(words(f"minutes_page.{name}") for kind, name in untimed.items() if kind in kinds),
    ):
        flow.paragraph(text)
        flow.skip(0.4 * size)
    if any(map(stars_of, binder.records)):
        flow.skip(0.8 * size)
        flow.paragraph(words("minutes_page.stars"))
        flow.skip(0.6 * size)
        for i, grade in enumerate(GRADES, 1):
            flow.make_room(0.0)
            sheet = flow.sheet
            x = sheet.left + sheet.stars(sheet.left, flow.y, i, size)
            sheet.text(x + size, flow.y, words.grade(grade))
            flow.skip(1.75 * size)
        flow.skip(0.6 * size)
    flow.paragraph(words("minutes_page.order"))
    if qr := binder.spec.include.qr:
        flow.skip(0.4 * size)
        flow.paragraph(words("minutes_page.hint" if qr == "hint" else "minutes_page.play"))


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
    waiting = [item for _, items in binder.number_sections() for item in items]
    style, title = binder.style, binder.words("labels.times")
    row, between = ROW * style.size, _BETWEEN * style.size
    flow = Flow(binder, "times", "times", title)
    flow.skip(0.6 * style.size)
    line = _line(binder, flow.sheet, waiting)
    columns = max(1, int((flow.sheet.width + between) // (line.width + between)))
    width = (flow.sheet.width + between) / columns - between
    most = columns * int((flow.sheet.bottom - flow.y - style.size) // row)
    on_page = even(len(waiting), most)
    while waiting:
        sheet, y = flow.sheet, flow.y
        n_rows = -(-min(on_page, len(waiting)) // columns)
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
        with sheet.tag("P"):
            sheet.text(number, line, str(item.number), size, bold=True, align="end")
            sheet.text(predicted, line, words.length(item.record), size, align="end")
        sheet.box(right - box, line - style.typeface.cap_height * size / 2 - box / 2, box)
        sheet.line(x, right, y, 0.4, style.pale)
        sheet.link(x, y - row, right - x, row, f"puzzle-{item.number}")


def closing_pages(binder: Binder) -> None:
    """Name the program and the typeface, and list the seeds and models if requested."""
    if not binder.spec.include.closing:
        return
    words, style = binder.words, binder.style
    with_seeds = binder.spec.include.closing == SEEDS
    parts = binder.spec.parts
    how = "rated" if parts and all(part.from_ for part in parts) else "made"
    flow = Flow(binder, "closing", "closing", words("closing.title"))
    for text in (
        words(f"closing.{how}", version=nando.__version__),
        *([words("closing.again")] if with_seeds else ()),
        words("closing.typeface", typeface=style.typeface.name),
    ):
        flow.paragraph(text)
        flow.skip(0.4 * style.size)
    if not with_seeds:
        return
    flow.skip(1.2 * style.size)
    for section, numbered in binder.number_sections():
        first, last = numbered[0].number, numbered[-1].number
        flow.make_room(1.4 * style.small)
        flow.paragraph(f"{section.title}, {words.between(first, last)}", style.small, bold=True)
        flow.paragraph(_list_makers(binder, section.records), style.small, colour=style.grey)
        flow.skip(0.7 * style.small)


def _list_makers(binder: Binder, records: Sequence[Record]) -> str:
    words = binder.words
    seeds = sorted({record.seed for record in records})
    models = sorted({record.model_id for record in records} - {""})
    return join_by_dots(
        f"{words('closing.seed')} {', '.join(map(str, seeds))}",
        f"{words('labels.number')} {ranges(sorted({r.index + 1 for r in records}))}",
        f"{words('closing.model')} {', '.join(models)}" if models else "",
    )

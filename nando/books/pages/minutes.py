"""The page that explains minutes and stars."""

from nando.books.layout.binder import Binder
from nando.books.layout.flow import Flow
from nando.books.section import stars_of
from nando.rating import GRADES


def minutes_pages(binder: Binder) -> None:
    """Draw the meaning of a prediction, its limits, and the names of the grades."""
    units = {record.unit for record in binder.records if record.predicted is not None}
    if not binder.spec.include.minutes or not units:
        return
    words, size = binder.words, binder.style.size
    title = words("minutes_page.title" if "seconds" in units else "minutes_page.other")
    flow = Flow(binder, "minutes", "minutes", title)
    for unit in ("seconds", "points"):
        for text in words.paragraphs(f"minutes_page.{unit}") if unit in units else ():
            flow.paragraph(text)
            flow.skip(0.4 * size)
    if any(
        record.unit == "seconds" and record.puzzle.kind == "nurikabe" for record in binder.records
    ):
        flow.paragraph(words("minutes_page.untimed"))
        flow.skip(0.4 * size)
    if any(
        record.unit == "seconds" and record.puzzle.kind == "variant" for record in binder.records
    ):
        flow.paragraph(words("minutes_page.untimed_rules"))
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

"""The cover of a book in one piece: back, spine and front, with bleed."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nando.books.binder import Binder
from nando.books.language import join_by_dots
from nando.books.pages.front import pattern_of, summary, title_of
from nando.books.right_to_left import visual
from nando.books.sheet import Page, Sheet
from nando.books.spec import ISBN, WHOLE
from nando.books.trim import (
    BLEED,
    BOARDS,
    HINGE,
    INCH,
    MM,
    OVERHANG,
    SPINE_WITH_TEXT,
    WRAP,
    Margins,
    PageSize,
    spine_width,
)
from nando.drawing.boards import board
from nando.drawing.colour import grey_of, mix, parts_of
from nando.drawing.shapes import Disc, Picture, Placed, Rect, Shape, Text

PAPER, INK = "#ffffff", "#000000"
BARCODE = 1.4 * INCH
"""Free height for a barcode at the foot of the back."""
BOX, BOX_EDGE = (2 * INCH, 1.2 * INCH), 0.25 * INCH
"""Size of the white box for a barcode, and its distance from the spine and the foot."""
EDGE = 0.5 * INCH
"""Least distance of text from cuts and folds."""


class Case(NamedTuple):
    """The dimensions of a cover in points: paper around the pages, or around the boards.

    Attributes
    ----------
    panel, height : float
        Width of the front or the back, and height, after cutting or folding.
    spine : float
    hinge : float
        Width of the fold between the spine and the front.
    bleed : float
        Width of the paper that is cut off, or folded around the boards.
    """

    panel: float
    height: float
    spine: float
    hinge: float
    bleed: float


def case_of(binder: Binder) -> Case:
    """Return the dimensions of the cover of a book."""
    trim, cover = binder.size, binder.spec.cover
    spine = cover.spine * MM or spine_width(len(binder.sheets), cover.paper)
    if cover.binding == "paperback":
        return Case(trim.width, trim.height, spine, 0.0, BLEED)
    if not cover.spine:
        spine += BOARDS
    return Case(trim.width + HINGE, trim.height + 2 * OVERHANG, spine, HINGE, WRAP)


def cover_page(binder: Binder) -> Page:
    """Draw the whole cover, as wide as pages and spine require, without its image."""
    spec, case = binder.spec, case_of(binder)
    size = PageSize(2 * case.panel + case.spine, case.height, Margins(EDGE, EDGE, EDGE, EDGE))
    sheet = Sheet(1, "cover", size, binder.style)
    sheet.title = title_of(binder)
    if not spec.cover.image:
        sheet.band(spec.cover.colour, -case.bleed, case.height + 2 * case.bleed, case.bleed)
    elif spec.cover.image_area != WHOLE:
        width, height = case.bleed + case.panel + case.spine, case.height + 2 * case.bleed
        sheet.add(Rect(-case.bleed, -case.bleed, width, height, spec.cover.colour))
    if spec.cover.front_text:
        _front(binder, sheet, case)
    if spec.cover.badge:
        _badge(binder, sheet)
    if case.spine >= SPINE_WITH_TEXT:
        _spine(binder, sheet, case)
    _back(binder, sheet, case)
    return sheet.done()


def _front(binder: Binder, sheet: Sheet, case: Case) -> None:
    """Draw series, title, subtitle and author, and a grid if there is no image."""
    spec, style, trim = binder.spec, binder.style, binder.size
    x, width = case.panel + case.spine + case.hinge + EDGE, trim.width - 2 * EDGE
    small = 0.034 * trim.width
    y = 0.08 * case.height
    if spec.cover.series:
        sheet.text(x, y, spec.cover.series, small, colour=PAPER, bold=True, within=width)
        y += 0.8 * small
    title = title_of(binder)
    size = sheet.title_size(title, 0.15 * trim.width, width, least=18)
    y = sheet.paragraph(x, y + size, title, width, size, bold=True, colour=PAPER, leading=1.06)
    y -= 0.5 * size
    sheet.line(x, x + 0.16 * width, y, 3.0, spec.cover.second_colour or PAPER)
    subtitle = spec.subtitle or summary(binder)
    y = sheet.paragraph(x, y + 2.2 * small, subtitle, width, small, colour=PAPER)
    foot = case.height - EDGE
    if spec.author:
        sheet.text(x, foot, spec.author, 1.25 * small, colour=PAPER, bold=True, within=width)
        foot -= 2.2 * small
    if spec.cover.image:
        return
    record = max(binder.records, key=lambda record: record.predicted or 0)
    picture = board(record.puzzle, style.grid(20.0))
    rows, columns = picture.height, picture.width
    # The paper goes beyond the grid by half a cell.
    cell = min(width / (columns + 1), (foot - y - 2 * small) / (rows + 1))
    if cell <= 0:  # the texts leave no room
        return
    top = y + (foot - y - (rows + 1) * cell) / 2
    sheet.add(Rect(x, top, (columns + 1) * cell, (rows + 1) * cell, PAPER))
    sheet.place(board(record.puzzle, style.grid(cell)), x + cell / 2, top + cell / 2, cell)


def _badge(binder: Binder, sheet: Sheet) -> None:
    """Draw the badge, a disc with a few words, in the lower right corner of the front."""
    cover, trim = binder.spec.cover, binder.size
    radius = 0.15 * trim.width
    x, y = sheet.size.width - EDGE - radius, sheet.size.height - EDGE - radius
    fill = cover.second_colour or PAPER
    ink = INK if grey_of(fill) > 0.5 else PAPER
    sheet.add(Disc(x, y, radius, fill))
    size = sheet.title_size(cover.badge, 0.4 * radius, 1.3 * radius, least=7)
    lines = sheet.break_lines(cover.badge, size, 1.3 * radius, bold=True)
    down = binder.style.typeface.cap_height * size / 2 - 1.15 * size * (len(lines) - 1) / 2
    sheet.paragraph(
        x,
        y + down,
        cover.badge,
        1.3 * radius,
        size,
        bold=True,
        colour=ink,
        align="middle",
        leading=1.15,
    )


def _spine(binder: Binder, sheet: Sheet, case: Case) -> None:
    """Draw title, series and author along the spine, from top to bottom."""
    spine, spec = case.spine, binder.spec
    size = min(0.5 * spine, 14.0)
    length = case.height - 2 * EDGE
    words = join_by_dots(title_of(binder), spec.cover.series)
    wide = sheet.measure(words, size, bold=True) + sheet.measure(spec.author, 0.85 * size)
    size *= min(1.0, 0.95 * length / wide)
    title = Text(0, spine / 2, visual(words), size, PAPER, True, "start")
    author = Text(length, spine / 2, visual(spec.author), 0.85 * size, PAPER, align="end")
    lying = Picture(length, spine, (title, author))
    sheet.add(Placed(case.panel, EDGE, 1.0, lying, turn=90))


def _back(binder: Binder, sheet: Sheet, case: Case) -> None:
    """Draw the blurb, above the space for the barcode, on a pattern of givens."""
    spec, words, trim = binder.spec, binder.words, binder.size
    cover, width = spec.cover, trim.width - 2 * EDGE
    size = 0.032 * trim.width
    y = 0.08 * case.height + 2 * size
    if cover.blurb:
        y = sheet.paragraph(EDGE, y, cover.blurb, width, 1.15 * size, colour=PAPER)
        y += 1.2 * size
    for section in binder.sections:
        n_puzzles = words.n_puzzles(len(section.records))
        line = join_by_dots(section.title, n_puzzles, binder.lengths(section))
        sheet.text(EDGE, y, line, size, colour=PAPER, within=width)
        y += 1.6 * size
    foot = case.height - EDGE - BARCODE
    if not (cover.image and cover.image_area == WHOLE):
        fill = mix(cover.colour, PAPER, 0.12)
        if cover.second_colour:
            fill = mix(cover.colour, cover.second_colour, 0.4)
        pattern = pattern_of(binder.records[0].puzzle, fill)
        scale = min(width / pattern.width, (foot - y) / pattern.height)
        if scale > 0:
            sheet.place(pattern, EDGE, foot - pattern.height * scale, scale)
    room = width - (BOX[0] if cover.barcode else 0.0)
    if spec.publisher:
        bottom = case.height - EDGE
        sheet.text(EDGE, bottom, spec.publisher, 0.85 * size, colour=PAPER, within=room)
    if cover.barcode:
        _barcode(binder, sheet, case)


def _barcode(binder: Binder, sheet: Sheet, case: Case) -> None:
    """Draw the white box for a barcode, at the foot of the back, and the bars of the ISBN."""
    width, height = BOX
    x = case.panel - case.hinge - BOX_EDGE - width
    y = case.height - BOX_EDGE - height
    sheet.add(Rect(x, y, width, height, PAPER))
    if binder.spec.cover.barcode == ISBN:
        bars = barcode(binder.spec.isbn)
        left = x + (width - bars.width * MODULE) / 2
        top = y + (height - bars.height * MODULE) / 2
        sheet.place(bars, left, top, MODULE, alternative=f"ISBN {binder.spec.isbn}")


# ---------------------------------------------------------------- the user's image


LEAST_DPI = 300
_MOST_CUT = 0.15
"""Largest share of an image that may be cropped to fill its place."""


class Placement(NamedTuple):
    """An image, and the left and upper edge, width and height of its place on the cover."""

    pixels: Any
    left: float
    top: float
    width: float
    height: float


def cover_image(binder: Binder) -> Placement | None:
    """Return the image of a cover with its place, bleed included; None without an image.

    The origin is the upper left corner of the trimmed cover, or of the boards of a hardcover.

    Raises
    ------
    ValueError
        If the image cannot be read, has too few pixels, or does not have the shape of its place.
    """
    cover = binder.spec.cover
    if not cover.image:
        return None
    from PIL import Image, UnidentifiedImageError

    case = case_of(binder)
    left, width = _across(case, cover.image_area)
    top, height = -case.bleed, case.height + 2 * case.bleed
    try:
        with Image.open(Path(cover.image)) as opened:
            image = opened.copy()
    except (OSError, UnidentifiedImageError) as error:
        reason = getattr(error, "strerror", None) or "it is not a readable image"
        raise ValueError(
            f"cover: image {cover.image}: {reason}; wanted a .png, .jpg or .tif next to the file "
            "that describes the book"
        ) from None
    wide, high = image.size
    scale = max(width / wide, height / high)
    needed = f"{round(LEAST_DPI * width / INCH)}x{round(LEAST_DPI * height / INCH)} pixels"
    place = f"{width / INCH:.2f}x{height / INCH:.2f} inches with bleed"
    if INCH / scale < LEAST_DPI - 0.5:
        raise ValueError(
            f"cover: image {cover.image} has {wide}x{high} pixels, {INCH / scale:.0f} per inch "
            f"on {place}; wanted {LEAST_DPI}: give an image of {needed} or more"
        )
    cut = 1 - width * height / (wide * high * scale * scale)
    if cut > _MOST_CUT:
        raise ValueError(
            f"cover: image {cover.image} of {wide}x{high} pixels would lose {cut:.0%} to fill "
            f"{place}: crop it to the shape of {needed}"
        )
    box_width, box_height = width / scale, height / scale
    x, y = (wide - box_width) / 2, (high - box_height) / 2
    box = round(x), round(y), round(x + box_width), round(y + box_height)
    return Placement(_in_inks(image.crop(box), cover.colour), left, top, width, height)


def _across(case: Case, area: str) -> tuple[float, float]:
    """Return the left edge and the width of the place of an image."""
    if area == WHOLE:
        return -case.bleed, 2 * case.panel + case.spine + 2 * case.bleed
    return case.panel + case.spine, case.panel + case.bleed


def _in_inks(image: Any, ground: str) -> Any:
    """Convert an image to cyan, magenta, yellow and black, if it is not in these inks already."""
    from PIL import Image

    if image.mode == "CMYK":
        return image
    image = image.convert("RGBA")
    paper = Image.new("RGBA", image.size, tuple(round(255 * part) for part in parts_of(ground)))
    channels = Image.alpha_composite(paper, image).convert("RGB").split()
    inks = [255 - np.asarray(channel) for channel in channels]
    black = np.minimum(np.minimum(inks[0], inks[1]), inks[2])
    left = np.maximum(255 - black, 1).astype(np.uint16)
    plates = [((ink - black).astype(np.uint16) * 255 // left).astype(np.uint8) for ink in inks]
    return Image.merge("CMYK", [Image.fromarray(plate) for plate in (*plates, black)])


# ---------------------------------------------------------------- the bars of an ISBN


MODULE = 0.33 * MM
"""Width of the thinnest bar in points."""
QUIET, _QUIET_RIGHT = 11, 7
"""Free modules before and after the bars."""

_LEFT = [f"{code:07b}" for code in (13, 25, 19, 61, 35, 49, 47, 59, 55, 11)]
"""Modules of the digits in the left half; a bar is 1."""
_PARITY = [
    "LLLLLL",
    "LLGLGG",
    "LLGGLG",
    "LLGGGL",
    "LGLLGG",
    "LGGLLG",
    "LGGGLL",
    "LGLGLG",
    "LGLGGL",
    "LGGLGL",
]
"""The forms of the next six digits, which code the first digit; it has no bars of its own."""
_HEIGHT, _GUARD, _DIGIT = 62.0, 66.0, 9.5
"""Height of the bars and of those at the ends and in the middle, and type, in modules."""
_INK, _HEAD = "#000000", 10.0


def modules(digits: str) -> str:
    """Return the 95 modules of the thirteen digits of an EAN.

    Examples
    --------
    >>> modules("9783161484100")[:24]
    '101011101100010010100001'
    """
    right = [code.translate({48: "1", 49: "0"}) for code in _LEFT]
    forms = {"L": _LEFT, "G": [code[::-1] for code in right]}
    first = "".join(
        forms[form][int(digit)]
        for form, digit in zip(_PARITY[int(digits[0])], digits[1:7], strict=True)
    )
    second = "".join(right[int(digit)] for digit in digits[7:])
    return f"101{first}01010{second}101"


def barcode(isbn: str) -> Picture:
    """Draw the bars of an ISBN with its quiet zones, its digits below and the ISBN above.

    A unit of the picture is a module.
    """
    digits = isbn.replace("-", "").replace(" ", "")
    shapes: list[Shape] = []
    for i, module in enumerate(modules(digits)):
        if module == "1":
            is_guard = i < 3 or 45 <= i < 50 or i >= 92
            height = _GUARD if is_guard else _HEIGHT
            shapes.append(Rect(QUIET + i, _HEAD, 1, height, _INK))
    middle = _HEAD + _HEIGHT + 0.62 * _DIGIT
    shapes.append(Text(QUIET - 6, middle, digits[0], _DIGIT, _INK))
    for i, digit in enumerate(digits[1:]):
        x = QUIET + (3 if i < 6 else 8) + 7 * i + 3.5
        shapes.append(Text(x, middle, digit, _DIGIT, _INK))
    shapes.append(Text(QUIET + 47.5, 0.4 * _HEAD, f"ISBN {isbn}", 0.85 * _DIGIT, _INK))
    return Picture(QUIET + 95 + _QUIET_RIGHT, _HEAD + _HEIGHT + 1.2 * _DIGIT, tuple(shapes))

"""A laid-out book as PDF: vector graphics, embedded fonts, the same bytes every time."""

import hashlib
import io
from collections.abc import Iterable, Sequence
from functools import partial
from typing import IO, Any

from nando.books.cover_image import Placement, cover_image
from nando.books.files.pdf_parts import Tagger, date_of, describe
from nando.books.layout.binder import Binder
from nando.books.layout.sheet import Page
from nando.books.layout.style import Style
from nando.books.pages.cover import case_of
from nando.books.pages.front import kinds_of, summary, title_of
from nando.books.spec import ALL_SIDES, BookSpec
from nando.drawing.pdf import FontNames, Ink, Pencil
from nando.drawing.typeface import Font, truetype, used_characters


def check_pdf(spec: BookSpec | None = None) -> None:
    """Check that reportlab is installed, and that a book, if given, has what its PDF needs.

    Raises
    ------
    ImportError
        If there is no reportlab.
    ValueError
        If PDF/X is requested and the book has no date.
    """
    if spec is not None:
        date_of(spec)
    try:
        import reportlab.pdfgen.canvas  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "a PDF book needs reportlab, which is not installed: pip install 'nando[book]'; "
            "or write the book as .html"
        ) from error


def write_book(layout: Binder, file: IO[bytes]) -> None:
    """Write the pages of a book, in grey unless its design has colours."""
    design = layout.style.design
    _write(
        layout.pages,
        file,
        layout,
        bleed=layout.bleed,
        all_sides=design.bleed == ALL_SIDES,
        ink=Ink.GREY if not design.colour else Ink.CMYK if design.pdf_x else Ink.RGB,
    )


def write_cover(layout: Binder, file: IO[bytes]) -> None:
    """Write the cover of a book, in four colours."""
    image, bleed = cover_image(layout), case_of(layout).bleed
    page = layout.cover
    _write([page], file, layout, bleed=bleed, all_sides=True, ink=Ink.CMYK, image=image)


def _write(
    pages: Sequence[Page],
    file: IO[bytes],
    layout: Binder,
    *,
    bleed: float,
    all_sides: bool,
    ink: Ink,
    image: Placement | None = None,
) -> None:
    """Write pages into a binary file, on an image if there is one.

    The fonts are embedded, bookmarks lead to pages with a title, and links between pages work.
    A bleed makes the pages larger on three sides or on all, and adds a trim box, a bleed box and a
    crop box. The spine is on the left of odd pages. PDF/X has no links.

    Raises
    ------
    ImportError
        If reportlab is not installed.
    """
    spec = layout.spec
    check_pdf(spec)
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    style, pdf_x = layout.style, spec.design.pdf_x
    fonts = _registered(pages, style)
    canvas = Canvas(
        file,
        pagesize=_size(pages[0], bleed, all_sides),
        # Without times and random names, equal books have equal bytes.
        invariant=1,
        pageCompression=1,
        # Otherwise every page starts with Helvetica, which would not be embedded.
        initialFontName=fonts.regular,
        pdfVersion=(1, 3) if pdf_x else (1, 6),
        lang=layout.spec.language,
    )
    describe(canvas, _entries(layout), pdf_x)
    pencil = Pencil(canvas, fonts, style.typeface.cap_height, ink, links=not pdf_x)
    tagger = Tagger(canvas)
    for page in pages:
        width, height = _size(page, bleed, all_sides)
        left, top = bleed if all_sides or page.number % 2 == 0 else 0.0, height - bleed
        canvas.setPageSize((width, height))
        if bleed or pdf_x:
            canvas.setTrimBox((left, bleed, left + page.picture.width, top))
            canvas.setBleedBox((0, 0, width, height))
            canvas.setCropBox((0, 0, width, height))
        if image is not None:
            place = left + image.left, top - image.top - image.height
            size = image.width, image.height
            tagger.ornament(partial(canvas.drawImage, ImageReader(image.pixels), *place, *size))
        if page.title:
            canvas.bookmarkPage(f"bookmark-{page.number}")
            canvas.addOutlineEntry(page.title, f"bookmark-{page.number}", level=0)
        tagger.draw(page, partial(pencil.draw, x=left, y=top, unit=1.0))
    tagger.finish()
    canvas.save()


def _entries(layout: Binder) -> dict[str, str]:
    """Return what a PDF says of itself."""
    spec = layout.spec
    return {
        "Title": title_of(layout),
        "Author": spec.author,
        "Subject": spec.subject or spec.subtitle or summary(layout),
        "Keywords": ", ".join(spec.keywords or kinds_of(layout)),
        "CreationDate": date_of(spec),
        "ModDate": date_of(spec),
        "Creator": "nando",
        "Producer": "nando",
    }


def _size(page: Page, bleed: float, all_sides: bool) -> tuple[float, float]:
    sides = 2 if all_sides else 1
    return page.picture.width + sides * bleed, page.picture.height + 2 * bleed


def _registered(pages: Iterable[Page], style: Style) -> FontNames:
    """Register the fonts of pages with reportlab, and return their names."""
    typeface = style.typeface
    used = used_characters((page.picture for page in pages), typeface)
    names = {font: _register(font, characters) for font, characters in used.items()}
    # The typefaces of books have both weights.
    regular, bold = (names[font] for font in (typeface.regular, typeface.bold) if font)
    return FontNames(regular, bold)


def _register(font: Font, characters: Iterable[str]) -> str:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    source: Any = str(font.path)
    name = font.path.stem
    if not font.is_truetype:
        data = truetype(font, characters)
        name += "-" + hashlib.sha256(data).hexdigest()[:12]
        source = io.BytesIO(data)
    if name not in pdfmetrics.getRegisteredFontNames():
        typeface = TTFont(name, source)
        if not font.is_truetype:
            # Otherwise reportlab takes the first subset of a font for all others.
            typeface.face.name = name.encode()
        pdfmetrics.registerFont(typeface)
    return name

"""A laid-out book as PDF: vector graphics, embedded fonts, the same bytes every time."""

import hashlib
import io
from collections.abc import Iterable, Sequence
from typing import IO, Any

from nando.books.layout.sheet import Page
from nando.books.layout.style import Style
from nando.books.spec import ALL_SIDES
from nando.books.trim import BLEED
from nando.books.typesetter import Layout
from nando.drawing.embedding import truetype, used_characters
from nando.drawing.pdf import FontNames, Ink, Pencil
from nando.drawing.typeface import Font


def check_pdf() -> None:
    """Check that reportlab is installed.

    Raises
    ------
    ImportError
        If there is none.
    """
    try:
        import reportlab.pdfgen.canvas  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "a PDF book needs reportlab, which is not installed: pip install 'nando[book]'; "
            "or write the book as .html"
        ) from error


def write_book(layout: Layout, file: IO[bytes]) -> None:
    """Write the pages of a book, in grey unless its design has colours."""
    _write(
        layout.pages,
        file,
        layout,
        bleed=layout.bleed,
        all_sides=layout.style.design.bleed == ALL_SIDES,
        ink=Ink.RGB if layout.style.design.colour else Ink.GREY,
    )


def write_cover(layout: Layout, file: IO[bytes]) -> None:
    """Write the cover of a book, in four colours."""
    _write([layout.cover()], file, layout, bleed=BLEED, all_sides=True, ink=Ink.CMYK)


def _write(
    pages: Sequence[Page],
    file: IO[bytes],
    layout: Layout,
    *,
    bleed: float,
    all_sides: bool,
    ink: Ink,
) -> None:
    """Write pages into a binary file.

    The fonts are embedded, bookmarks lead to pages with a title, and links between pages work.
    With a bleed the pages are larger by it on three sides, or on all, and have a trim box, a bleed
    box and a crop box. The spine is on the left of odd pages.

    Raises
    ------
    ImportError
        If reportlab is not installed.
    """
    check_pdf()
    from reportlab.pdfgen.canvas import Canvas

    style = layout.style
    fonts = _registered(pages, style)
    canvas = Canvas(
        file,
        pagesize=_size(pages[0], bleed, all_sides),
        # Without times and random names, equal books are equal bytes.
        invariant=1,
        pageCompression=1,
        # Otherwise every page starts with Helvetica, which would not be embedded.
        initialFontName=fonts.regular,
        pdfVersion=(1, 6),
        lang=layout.language,
    )
    canvas.setTitle(layout.title)
    canvas.setAuthor(layout.author)
    canvas.setCreator("nando")
    canvas.setProducer("nando")
    pencil = Pencil(canvas, fonts, style.typeface.cap_height, ink)
    for page in pages:
        width, height = _size(page, bleed, all_sides)
        left = bleed if all_sides or page.number % 2 == 0 else 0.0
        canvas.setPageSize((width, height))
        if bleed:
            cut = (left, bleed, left + page.picture.width, height - bleed)
            canvas.setTrimBox(cut)
            canvas.setBleedBox((0, 0, width, height))
            canvas.setCropBox((0, 0, width, height))
        if page.title:
            canvas.bookmarkPage(f"bookmark-{page.number}")
            canvas.addOutlineEntry(page.title, f"bookmark-{page.number}", level=0)
        pencil.draw(page.picture, left, height - bleed, 1.0)
        canvas.showPage()
    canvas.save()


def _size(page: Page, bleed: float, all_sides: bool) -> tuple[float, float]:
    sides = 2 if all_sides else 1
    return page.picture.width + sides * bleed, page.picture.height + 2 * bleed


def _registered(pages: Iterable[Page], style: Style) -> FontNames:
    """Return the fonts, known to reportlab."""
    typeface = style.typeface
    used = used_characters((page.picture for page in pages), typeface)
    names = {font: _register(font, characters) for font, characters in used.items()}
    # The typefaces of books have both.
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
        pdfmetrics.registerFont(TTFont(name, source))
    return name

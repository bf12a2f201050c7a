"""A laid-out book as PDF: vector graphics, embedded fonts, tags, the same bytes every time."""

import hashlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import IO, Any

from nando.books.binder import Binder
from nando.books.pages.cover import Placement, case_of, cover_image
from nando.books.pages.front import kinds_of, summary, title_of
from nando.books.sheet import Page, Style, Tag
from nando.books.spec import ALL_SIDES, BookSpec
from nando.drawing.pdf import FontNames, Ink, Pencil
from nando.drawing.shapes import Picture
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
    fonts = _register_fonts(pages, style)
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


def _register_fonts(pages: Iterable[Page], style: Style) -> FontNames:
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


# ---------------------------------------------------------------- dates, information, and tags


_PDF_X = {"GTS_PDFXVersion": "PDF/X-1:2001", "GTS_PDFXConformance": "PDF/X-1a:2001"}
_REGISTRY = "http://www.color.org"
"""The registry of printing conditions."""


def date_of(spec: BookSpec) -> str:
    """Return the date of a book in the format of PDF: its own, or else that of SOURCE_DATE_EPOCH.

    Without either the date is empty, so that equal books have equal bytes.

    Raises
    ------
    ValueError
        If SOURCE_DATE_EPOCH is not a number of seconds, or PDF/X is requested and there is no date.
    """
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if spec.date:
        return f"D:{spec.date.replace('-', '')}000000Z"
    if not seconds:
        if spec.design.pdf_x:
            raise ValueError(
                f"pdf_x = {spec.design.pdf_x!r} needs the date of the book: set date, for example "
                "2027-03-01, in the file that describes it, or SOURCE_DATE_EPOCH in the environment"
            )
        return ""
    try:
        return f"{datetime.fromtimestamp(int(seconds), UTC):D:%Y%m%d%H%M%SZ}"
    except (ValueError, OverflowError, OSError):
        raise ValueError(
            f"SOURCE_DATE_EPOCH must be seconds since 1970, got {seconds!r}; or set the date of "
            "the book"
        ) from None


def describe(canvas: Any, entries: Mapping[str, str], pdf_x: str) -> None:
    """Write information about a document, and the printing condition of PDF/X.

    Parameters
    ----------
    canvas : reportlab.pdfgen.canvas.Canvas
    entries : mapping of str to str
        The entries of the document information dictionary; empty ones are left out.
    pdf_x : str
        Empty for a plain PDF.
    """
    from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFInfo, PDFName, PDFString

    class Info(PDFInfo):  # type: ignore[misc]
        """Information without dates, which reportlab's own class always writes."""

        def format(self, document: Any) -> Any:
            known = {**entries, **(_PDF_X if pdf_x else {})}
            texts = {name: PDFString(text) for name, text in known.items() if text}
            return PDFDictionary({**texts, "Trapped": PDFName("False")}).format(document)

    canvas._doc.info = Info()
    canvas.setTitle(entries["Title"])
    canvas.setAuthor(entries["Author"])
    canvas.setViewerPreference("DisplayDocTitle", "true")
    if pdf_x:
        intent = {
            "Type": PDFName("OutputIntent"),
            "S": PDFName("GTS_PDFX"),
            "OutputConditionIdentifier": PDFString(pdf_x),
            "OutputCondition": PDFString(pdf_x),
            "RegistryName": PDFString(_REGISTRY),
        }
        _add(canvas._doc.Catalog, {"OutputIntents": PDFArray([PDFDictionary(intent)])})


class Tagger:
    """Draws pages with tags for screen readers, which skip shapes without a tag as artifacts.

    Parameters
    ----------
    canvas : reportlab.pdfgen.canvas.Canvas
    """

    def __init__(self, canvas: Any) -> None:
        self._canvas = canvas
        self._pages: list[list[Any]] = []

    def draw(self, page: Page, draw: Callable[[Picture], None]) -> None:
        """Draw a page, one run of shapes after another, and finish it."""
        from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFName, PDFObjectReference, PDFString

        canvas, document = self._canvas, self._canvas._doc
        elements: list[Any] = []
        for tag in _runs(page):
            mark = f"/{tag.role} <</MCID {len(elements)}>> BDC" if tag.role else "/Artifact BMC"
            canvas._code.append(mark)
            draw(page.picture._replace(shapes=page.picture.shapes[tag.first : tag.end]))
            canvas._code.append("EMC")
            if tag.role:
                element = {
                    "S": PDFName(tag.role),
                    "P": PDFObjectReference("TaggedBook"),
                    "Pg": document.thisPageRef(),
                    "K": len(elements),
                }
                if tag.alternative:
                    element["Alt"] = PDFString(tag.alternative)
                name = f"Tag{len(self._pages)}-{len(elements)}"
                elements.append(document.Reference(PDFDictionary(element), name))
        name = document.thisPageName()
        canvas.showPage()
        _add(document.idToObject[name], {"StructParents": len(self._pages), "Tabs": PDFName("S")})
        self._pages.append(elements)

    def ornament(self, draw: Callable[[], object]) -> None:
        """Draw something that screen readers skip."""
        self._canvas._code.append("/Artifact BMC")
        draw()
        self._canvas._code.append("EMC")

    def finish(self) -> None:
        """Write the tree of all elements."""
        from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFObjectReference

        document = self._canvas._doc
        every = [element for elements in self._pages for element in elements]
        root = PDFObjectReference("Tags")
        book = {"S": PDFName("Document"), "P": root, "K": PDFArray(every)}
        numbers = [
            part for i, elements in enumerate(self._pages) for part in (i, PDFArray(elements))
        ]
        parents = document.Reference(PDFDictionary({"Nums": PDFArray(numbers)}), "TagsOfPages")
        tree = {
            "Type": PDFName("StructTreeRoot"),
            "K": document.Reference(PDFDictionary(book), "TaggedBook"),
            "ParentTree": parents,
            "ParentTreeNextKey": len(self._pages),
        }
        document.Reference(PDFDictionary(tree), "Tags")
        marked = PDFDictionary({"Marked": "true"})
        _add(document.Catalog, {"StructTreeRoot": root, "MarkInfo": marked})


def _runs(page: Page) -> Iterator[Tag]:
    """Yield the tags of a page, and tags without a role for the shapes between them."""
    end = 0
    for tag in (*page.tags, Tag("", len(page.picture.shapes), len(page.picture.shapes))):
        if tag.first > end:
            yield Tag("", end, tag.first)
        if tag.role:
            yield tag
        end = tag.end


def _add(thing: Any, entries: Mapping[str, Any]) -> None:
    """Add entries to a catalog or a page, of which reportlab knows only some."""
    thing.__Defaults__ = {**thing.__Defaults__, **entries}

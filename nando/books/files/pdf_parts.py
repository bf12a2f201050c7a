"""The information, printing condition and tags for screen readers of a PDF."""

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from nando.books.layout.sheet import Page, Tag
from nando.books.spec import BookSpec
from nando.drawing.shapes import Picture

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

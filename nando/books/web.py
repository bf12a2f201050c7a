"""A laid-out book for browsers and readers: one HTML file, or an EPUB of fixed layout.

Both have the pages as SVG and embedded fonts, no script and no network. The zip file of an EPUB
begins with the file ``mimetype``, uncompressed. All its dates are equal, so that equal books have
equal bytes.
"""

import re
import zipfile
from collections.abc import Iterator
from html import escape
from typing import IO
from uuid import NAMESPACE_URL, uuid5

from nando.books.binder import Binder
from nando.books.pages.front import title_of
from nando.books.pdf import date_of
from nando.books.sheet import Page
from nando.drawing.pages import page
from nando.drawing.svg import svg
from nando.drawing.typeface import used_faces, woff, woff_address


def write_html(layout: Binder, file: IO[bytes]) -> None:
    """Write a book into a binary file; browsers print it on pages of the book's size."""
    used = used_faces((sheet.picture for sheet in layout.pages), layout.style.typeface)
    faces = [
        {"weight": weight, "address": woff_address(font, characters)}
        for weight, font, characters in used
    ]
    for part in page(
        "nando.books",
        "book.html",
        title=title_of(layout),
        language=layout.spec.language,
        layout=layout,
        faces=faces,
    ):
        file.write(part.encode())


# ---------------------------------------------------------------- EPUB


_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
"""

_PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="{language}" lang="{language}">
<head>
<title>{title}</title>
<meta name="viewport" content="width={width}, height={height}"/>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>{body}</body>
</html>
"""

_NAVIGATION = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" \
xml:lang="{language}" lang="{language}">
<head><title>{title}</title></head>
<body>
<nav epub:type="toc"><ol>{contents}</ol></nav>
<nav epub:type="page-list" hidden="hidden"><ol>{pages}</ol></nav>
</body>
</html>
"""

_PACKAGE = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" \
xml:lang="{language}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">{identifier}</dc:identifier>
<dc:title>{title}</dc:title>
<dc:language>{language}</dc:language>
{creator}<meta property="dcterms:modified">{modified}</meta>
<meta property="rendition:layout">pre-paginated</meta>
<meta property="rendition:orientation">auto</meta>
<meta property="rendition:spread">auto</meta>
</metadata>
<manifest>
{manifest}
</manifest>
<spine>
{spine}
</spine>
</package>
"""

_UNDATED = "D:19700101000000Z"
_NAME = re.compile(r' (id|href)="(#?)([^"]+)"')


def write_epub(layout: Binder, file: IO[bytes]) -> None:
    """Write a book into a binary file."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in _files(layout):
            # The time of the entry is 1980; only the first file must be uncompressed.
            entry = zipfile.ZipInfo(name)
            packed = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, packed)


def _files(layout: Binder) -> Iterator[tuple[str, str | bytes]]:
    """Yield the files of a book in order, each with its name."""
    typeface = layout.style.typeface
    used = used_faces((page.picture for page in layout.pages), typeface)
    fonts = {weight: woff(font, characters) for weight, font, characters in used}
    yield "mimetype", "application/epub+zip"
    yield "META-INF/container.xml", _CONTAINER
    yield "EPUB/package.opf", _package(layout, list(fonts))
    yield "EPUB/nav.xhtml", _navigation(layout)
    yield (
        "EPUB/style.css",
        "body { margin: 0; }\nsvg { display: block; }\n"
        + "".join(
            f'@font-face {{ font-family: "{typeface.name}"; font-weight: {weight}; '
            f'src: url({weight}.woff) format("woff"); }}\n'
            for weight in fonts
        ),
    )
    for weight, font in fonts.items():
        yield f"EPUB/{weight}.woff", font
    for one in layout.pages:
        yield f"EPUB/page-{one.number}.xhtml", _page(layout, one)


def _page(layout: Binder, page: Page) -> str:
    drawn = svg(page.picture, unit=1, role="document", typeface=layout.style.typeface)
    return _PAGE.format(
        language=layout.spec.language,
        title=escape(page.title or f"{title_of(layout)}, {page.number}"),
        width=round(layout.size.width),
        height=round(layout.size.height),
        body=_NAME.sub(lambda name: _name_attribute(layout, *name.groups()), drawn),
    )


def _name_attribute(layout: Binder, attribute: str, link: str, name: str) -> str:
    """Return an attribute with a name that is valid XML; a link includes the file of its page."""
    file = f"page-{layout.places[name].page}.xhtml#" if link else ""
    plain = re.sub(r"[^\w.-]", ".", name)
    return f' {attribute}="{file}{plain}"'


def _navigation(layout: Binder) -> str:
    def item(page: Page, text: str) -> str:
        return f'<li><a href="page-{page.number}.xhtml">{escape(text)}</a></li>'

    titled = [page for page in layout.pages if page.title] or layout.pages[:1]
    return _NAVIGATION.format(
        language=layout.spec.language,
        title=escape(title_of(layout)),
        contents="".join(item(page, page.title or title_of(layout)) for page in titled),
        pages="".join(item(page, str(page.number)) for page in layout.pages),
    )


def _package(layout: Binder, fonts: list[str]) -> str:
    spec = layout.spec
    items = [
        ("nav", "nav.xhtml", 'application/xhtml+xml" properties="nav'),
        ("style", "style.css", "text/css"),
        *((f"font-{weight}", f"{weight}.woff", "font/woff") for weight in fonts),
        *(
            (
                f"p{page.number}",
                f"page-{page.number}.xhtml",
                'application/xhtml+xml" properties="svg',
            )
            for page in layout.pages
        ),
    ]
    date = date_of(spec) or _UNDATED
    author = escape(spec.author)
    identity = "\n".join(
        map(str, (title_of(layout), spec.author, spec.volume, spec.seed, spec.edition))
    )
    isbn = re.sub(r"[^\dX]", "", spec.isbn)
    return _PACKAGE.format(
        language=layout.spec.language,
        identifier=f"urn:isbn:{isbn}" if isbn else uuid5(NAMESPACE_URL, identity).urn,
        title=escape(title_of(layout)),
        creator=f"<dc:creator>{author}</dc:creator>\n" if author else "",
        modified=re.sub(r"D:(....)(..)(..)(..)(..)(..)Z", r"\1-\2-\3T\4:\5:\6Z", date),
        manifest="\n".join(
            f'<item id="{name}" href="{file}" media-type="{kind}"/>' for name, file, kind in items
        ),
        spine="\n".join(
            f'<itemref idref="p{page.number}" properties='
            f'"page-spread-{"right" if page.number % 2 else "left"}"/>'
            for page in layout.pages
        ),
    )

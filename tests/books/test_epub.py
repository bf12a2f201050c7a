"""Books as EPUB: a valid zip file whose parts refer to each other."""

import re
import zipfile
from xml.etree import ElementTree

import pytest
from helpers.samples.books import NURIKABE, SMALL, book_of

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

from nando.books import Include

OPF, XHTML = "{http://www.idpf.org/2007/opf}", "{http://www.w3.org/1999/xhtml}"
DC, SVG = "{http://purl.org/dc/elements/1.1/}", "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def book():
    include = Include(times=True, hints="cell")
    return book_of([*SMALL[:5], *NURIKABE], title="Six & more", author="Ada", include=include)


@pytest.fixture(scope="module")
def epub(book, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "book.epub"
    book.write(path)
    with zipfile.ZipFile(path) as made:
        assert made.testzip() is None
        return path.read_bytes(), made.infolist(), {n: made.read(n) for n in made.namelist()}


def test_the_file_begins_with_its_type(epub):
    content, entries, _ = epub
    assert content[30:58] == b"mimetypeapplication/epub+zip"
    assert entries[0].compress_type == zipfile.ZIP_STORED
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}


def test_the_package_lists_every_file_and_every_page_in_order(epub, book):
    *_, files = epub
    container = ElementTree.fromstring(files["META-INF/container.xml"])
    (root,) = container.iter("{urn:oasis:names:tc:opendocument:xmlns:container}rootfile")
    package = ElementTree.fromstring(files[root.get("full-path")])
    items = {item.get("id"): item for item in package.iter(f"{OPF}item")}
    listed = {f"EPUB/{item.get('href')}" for item in items.values()}
    apart = {"mimetype", "META-INF/container.xml", "EPUB/package.opf"}
    assert listed | apart == set(files)
    spine = [items[ref.get("idref")].get("href") for ref in package.iter(f"{OPF}itemref")]
    assert spine == [f"page-{n}.xhtml" for n in range(1, book.n_pages + 1)]
    sides = [ref.get("properties") for ref in package.iter(f"{OPF}itemref")]
    assert sides[:3] == ["page-spread-right", "page-spread-left", "page-spread-right"]
    said = {node.tag.removeprefix(DC): node.text for node in package[0] if node.tag.startswith(DC)}
    assert (said["title"], said["language"], said["creator"]) == ("Six & more", "en", "Ada")
    assert package.get("unique-identifier") == "id"
    assert said["identifier"].startswith("urn:uuid:")
    meta = {node.get("property"): node.text for node in package.iter(f"{OPF}meta")}
    assert meta["rendition:layout"] == "pre-paginated"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", meta["dcterms:modified"])


def test_links_lead_to_places_of_pages(epub, book):
    *_, files = epub
    pages = {
        name.removeprefix("EPUB/"): ElementTree.fromstring(content)
        for name, content in files.items()
        if name.endswith(".xhtml")
    }
    names = {
        f"{file}#{node.get('id')}"
        for file, page in pages.items()
        for node in page.iter()
        if node.get("id")
    }
    links = [
        node.get("href")
        for page in pages.values()
        for tag in (f"{SVG}a", f"{XHTML}a")
        for node in page.iter(tag)
    ]
    assert len(links) > 2 * len(book.layout.pages)
    for link in links:
        assert link in names if "#" in link else link in pages
    size = book.layout.size
    for file, page in pages.items():
        if file != "nav.xhtml":
            (view,) = [m for m in page.iter(f"{XHTML}meta") if m.get("name") == "viewport"]
            assert view.get("content") == f"width={size.width:.0f}, height={size.height:.0f}"
            assert len(list(page.iter(f"{SVG}svg"))) == 1
    contents = [node.text for node in pages["nav.xhtml"].iter(f"{XHTML}a")]
    assert "Solutions" in contents


def test_fonts_are_embedded(epub):
    *_, files = epub
    style = files["EPUB/style.css"].decode()
    for weight in ("normal", "bold"):
        assert f"font-weight: {weight}; src: url({weight}.woff)" in style
        assert files[f"EPUB/{weight}.woff"][:4] == b"wOFF"


def test_equal_books_make_equal_bytes(epub, book, tmp_path):
    book.write(tmp_path / "again.epub")
    assert (tmp_path / "again.epub").read_bytes() == epub[0]

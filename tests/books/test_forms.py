"""Books as HTML, as EPUB, and as single pictures."""

import re
import zipfile
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from helpers.command import rows_of
from helpers.samples.books import NURIKABE, SMALL, book_of, words

from nando.books import Include
from nando.drawing.shapes import Picture, Text
from nando.drawing.symbols import PICTURED, set_pictures
from nando.generators.records import Record
from nando.puzzles import Variant

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

ALL = Include(times=True, dividers=True, hints="cell")


class Reader(HTMLParser):
    """A parser that checks nesting and collects ids, links and the texts of pages."""

    VOID = frozenset({"meta", "path", "polygon", "rect", "circle"})

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.tags, self.pages = [], [], [], set(), {}

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.add(tag)
        assert not {"src", "onload", "onclick"} & set(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if "href" in attrs:
            self.links.append(attrs["href"])
        if tag not in self.VOID:
            self.open.append((tag, attrs))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        assert tag in self.VOID

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        page = next((a["id"] for _, a in self.open if a.get("id", "").startswith("page-")), "")
        self.pages.setdefault(page, []).append(data)


@pytest.fixture(scope="module")
def book():
    return book_of([*SMALL[:5], *NURIKABE], title="Six & more", author="Ada", include=ALL)


@pytest.fixture(scope="module")
def html(book, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "book.html"
    book.write(path)
    text = path.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert not reader.open
    return text, reader


def test_it_has_the_pages_of_the_book(book, html):
    _, reader = html
    assert len([name for name in reader.pages if name]) == book.n_pages
    for page in book.layout.pages:
        found = reader.pages[f"page-{page.number}"]
        for text in words(page):
            assert text in found


def test_it_has_every_puzzle_and_its_solution(book, html):
    _, reader = html
    for number, record in enumerate(book.records, 1):
        assert f"puzzle-{number}" in reader.ids
        assert f"solution-{number}" in reader.ids
        if record.puzzle.kind == "sudoku":
            whole = "".join("".join(text) for text in reader.pages.values())
            assert record.puzzle.text.replace(".", "") in whole
            assert record.solution in whole


def test_the_page_needs_no_other_file(html):
    text, reader = html
    assert len(reader.ids) == len(set(reader.ids))
    assert all(link.startswith("#") and link[1:] in reader.ids for link in reader.links)
    assert not {"script", "link", "img", "iframe"} & reader.tags
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert set(re.findall(r"url\((.{15})", text)) == {"data:font/woff;"}
    assert "@import" not in text
    assert "@page { size: 432.0pt 648.0pt; margin: 0; }" in text
    assert "break-after: page" in text


def test_titles_are_escaped(tmp_path):
    book = book_of(SMALL[:1], title="a <script> & \"b\" 'c'")
    book.write(tmp_path / "book.html")
    text = (tmp_path / "book.html").read_text(encoding="utf-8")
    assert "<script>" not in text
    assert "a &lt;script&gt; &amp;" in text


def test_pages_can_be_read_out(html):
    text, reader = html
    assert text.count('role="document"') == len([name for name in reader.pages if name])
    assert '<html lang="en">' in text


# EPUB


OPF, XHTML = "{http://www.idpf.org/2007/opf}", "{http://www.w3.org/1999/xhtml}"
DC, SVG = "{http://purl.org/dc/elements/1.1/}", "{http://www.w3.org/2000/svg}"


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


# Single puzzles


def texts(path):
    return [node.text for node in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")]


def test_a_folder_has_every_puzzle_and_solution_by_number(tmp_path):
    sandwich = Record(Variant("4x4+sandwich:left1:5"), "1234341221434321")
    book = book_of([*SMALL[:2], NURIKABE[0], sandwich], language="it")
    book.write_singles(tmp_path / "new" / "puzzles")
    folder = tmp_path / "new" / "puzzles"
    rows = rows_of((folder / "index.csv").read_text(encoding="utf-8"))
    named = [name for row in rows for name in (row["file"], row["solution"])]
    assert {path.name for path in folder.iterdir()} == {*named, "index.csv"}
    assert named[:2] == ["001.svg", "001-solution.svg"]
    records = [record for section in book.sections for record in section.records]
    for row, record in zip(rows, records, strict=True):
        assert (row["puzzle"], row["answer"]) == (record.puzzle.text, record.solution)
        whole = texts(folder / row["solution"])
        if record.puzzle.kind == "sudoku":
            assert len(texts(folder / row["file"])) == record.givens
            assert "".join(whole) == record.solution
            assert row["minutes"] == str(record.amount)
            assert row["grade"] == book.layout.words.grade(record.grade)
    assert rows[-1]["kind"] == "Sudoku sandwich 4\u00a0×\u00a04"
    assert rows[-1]["minutes"] == ""
    assert "5" in texts(folder / rows[-1]["file"])


def test_pictures_are_png_on_demand(tmp_path):
    pytest.importorskip("matplotlib")
    book_of(SMALL[:1]).write_singles(tmp_path, "png")
    assert {path.name for path in tmp_path.iterdir()} == {
        "001.png",
        "001-solution.png",
        "index.csv",
    }
    with pytest.raises(ValueError, match="format must be one of svg, png, got 'gif'"):
        book_of(SMALL[:1]).write_singles(tmp_path, "gif")


def test_a_text_after_a_picture_begins_with_no_space_that_a_browser_leaves_out():
    heart, width_of = PICTURED[4], lambda line: len(line.text) * line.size
    line = Text(10, 5, f"the {heart} can", 2.0)
    (placed,) = set_pictures(Picture(40, 10, (line,)), width_of).shapes
    before, _, after = placed.picture.shapes
    assert (before.text, after.text) == ("the ", "can")
    assert after.x == before.x + width_of(line) - width_of(after)

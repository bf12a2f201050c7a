"""Books as HTML: one file that stands alone, with the pages of the PDF."""

import re
from html.parser import HTMLParser

import pytest
from helpers.samples.books import NURIKABE, SMALL, book_of, in_order, words

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

from nando.books import Include

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
    return book_of(SMALL + NURIKABE, title="Forty Sudoku", include=ALL)


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
    for number, record in enumerate(in_order(book), 1):
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

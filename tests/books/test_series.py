"""Series of books: own pages, volumes, labels, dots, answers by part."""

import re

import pytest
from helpers.samples.books import NURIKABE, SMALL, book_of, check, figures, grid, words

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

from nando.books import Book, BookSpec, Include, Section, TextPage
from nando.books.free_text import blocks_of
from nando.books.pages.front import title_of
from nando.books.spec import spec_of, table_of
from nando.drawing.shapes import Disc, Text

PREFACE = """# Preface

Volume {volume} has **many words, all bold**, and more words until the line breaks somewhere.

## How to begin

- Take a pencil
- Take a train

1. Find a seat
2. Solve

---

Last words\\
in two lines."""
PAGES = (
    TextPage(text="*For Brno*\n\nand its trains", centred=True),
    TextPage(text=PREFACE),
    TextPage(text="# Interlude\n\nHarder ones follow.", before="part 2"),
    TextPage(text="Also by Ada", before="end"),
)
SECTIONS = (Section("One", tuple(SMALL[:5]), 2), Section("Two", (*SMALL[10:14], *NURIKABE), 4))


def of_kind(book, kind):
    return [page for page in book.layout.pages if page.kind == kind]


def test_pages_of_text_are_placed_as_requested():
    book = Book(SECTIONS, BookSpec(pages=PAGES, volume=3))
    check(book)
    kinds = [page.kind for page in book.layout.pages]
    dedication, preface, interlude, also = (i for i, kind in enumerate(kinds) if kind == "text")
    assert dedication % 2 == 0  # a right-hand page
    assert kinds[preface + 1] == "contents"
    assert words(book.layout.pages[interlude + 1])[0] == "Two"
    assert also > kinds.index("closing")
    said = " ".join(words(book.layout.pages[preface]))
    assert "Volume 3 has" in " ".join(said.split())
    for text in ("Take a pencil", "•", "2.", "Last words", "in two lines.", "How to begin"):
        assert text in words(book.layout.pages[preface])
    bold = {
        s.text.strip()
        for s in book.layout.pages[preface].picture.shapes
        if isinstance(s, Text) and s.bold
    }
    assert {"Preface", "How to begin"} <= bold
    assert any("many words" in text for text in bold)
    contents = words(of_kind(book, "contents")[0])
    assert {"Preface", "Interlude"} <= set(contents)
    assert "Also by Ada" not in contents
    assert spec_of(table_of(book.spec)) == book.spec


def test_lines_of_text_break_between_words_only():
    text = "un**believ**able, " * 40
    book = book_of(SMALL[:1], pages=(TextPage(text=text),))
    check(book)
    lines = {}
    (page,) = of_kind(book, "text")
    for shape in page.picture.shapes:
        if isinstance(shape, Text):
            lines.setdefault(shape.y, []).append(shape.text)
    joined = ["".join(line).strip() for line in lines.values()]
    assert len(joined) > 3
    assert all(
        line.replace("unbelievable,", "").strip() in ("", page.picture and str(page.number))
        for line in joined
    )


def test_markdown_is_read():
    assert [(b.level, b.mark, b.plain) for b in blocks_of(PREFACE)][2:7] == [
        (2, "", "How to begin"),
        (0, "•", "Take a pencil"),
        (0, "•", "Take a train"),
        (0, "1.", "Find a seat"),
        (0, "2.", "Solve"),
    ]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ({"text": " "}, "text is empty; give the text of the page"),
        ({"text": "![me](me.png)"}, "a page of text cannot have a image ('me'): write headings"),
        ({"text": "<b>A</b>"}, "a page of text cannot have a html inline ('<b>')"),
        ({"text": "A", "before": "index"}, "before must be one of title, rights, contents"),
        (
            {"text": "A", "before": "part 9"},
            "a page comes before part 9, but the last is part 1",
        ),
    ],
)
def test_mistakes_in_pages_are_named(page, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        spec_of({"pages": [page], "parts": [{}]})


@pytest.mark.parametrize(
    ("isbn", "why"),
    [("978-3-16-148410-1", ", whose last digit should be 0"), ("3-16-148410-0", ""), ("978", "")],
)
def test_isbns_are_checked(isbn, why):
    message = f"isbn must be an ISBN, for example 978-3-16-148410-0, got {isbn!r}{why}"
    with pytest.raises(ValueError, match=re.escape(message)):
        BookSpec(isbn=isbn)


def test_the_copyright_page_has_edition_isbn_and_disclaimer():
    disclaimer = "Nobody is liable for a train that you miss over one of these puzzles. " * 3
    spec = {"edition": "Edition {volume}", "isbn": "978-3-16-148410-0", "disclaimer": disclaimer}
    book = book_of(SMALL[:1], volume=2, **spec)
    check(book)
    (page,) = of_kind(book, "rights")
    said = " ".join(words(page))
    assert said == f"Edition 2 ISBN 978-3-16-148410-0 {disclaimer.strip()}"


@pytest.mark.parametrize("labels", ["1-9", "A-I"])
def test_labels_name_the_cells_as_the_hints_do(labels):
    book = Book(SECTIONS, BookSpec(include=Include(labels=labels, hints="cell", answers=4)))
    check(book)
    page = next(page for page in of_kind(book, "puzzles") if "1" in words(page))
    found = next(f for f in figures(page, "puzzle-1"))
    cell = (found.right - found.left) / 9
    rows = ["A", "B", "C"] if labels == "A-I" else ["1", "2", "3"]
    left = [s for s in page.picture.shapes if isinstance(s, Text) and s.x < found.left]
    beside = [s.text for s in left if found.top < s.y < found.top + 3 * cell]
    assert beside == rows
    above = [
        s
        for s in page.picture.shapes
        if isinstance(s, Text) and s.align == "middle" and found.top - cell < s.y < found.top
    ]
    assert [s.text for s in above] == list("123456789")
    assert [(s.x - found.left) / cell for s in above] == pytest.approx([i + 0.5 for i in range(9)])
    first = SMALL[:5][0]
    row, column = divmod(first.first_cell, 9)
    name = f"{chr(65 + row)}{column + 1}" if labels == "A-I" else f"r{row + 1}c{column + 1}"
    assert name in words(of_kind(book, "hints")[0])


def test_empty_cells_have_a_dot_for_each_candidate():
    book = book_of(SMALL[:2] + NURIKABE[:1], include=Include(dots=True))
    for page in of_kind(book, "puzzles"):
        for found in figures(page, "puzzle-"):
            dots = [s for s in found.shape.picture.shapes if isinstance(s, Disc)]
            if found.shape.picture.width == 9:
                assert len(dots) == 9 * grid(found.shape.picture).count(".")
                assert len({(dot.x, dot.y) for dot in dots}) == len(dots)
                # No text touches a line.
                assert all(0.15 < x % 1 < 0.85 for dot in dots for x in (dot.x, dot.y))
            else:
                assert not dots


def test_titles_have_the_number_of_the_volume():
    spec = BookSpec(title="Trains {volume}", subtitle="Part {volume} of 9", volume=4)
    book = book_of(SMALL[:1])
    assert title_of(book.layout) == "Sudoku"
    book = Book((Section("One", tuple(SMALL[:1])),), spec)
    assert words(book.layout.pages[0])[:2] == ["Trains 4", "Part 4 of 9"]
    assert Book.from_manifest(book.to_manifest()).layout.spec.title == "Trains 4"

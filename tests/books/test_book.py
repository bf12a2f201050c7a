"""Puzzle books, read back from the PDF and HTML that were written."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from nando.books.book import Book, Section, read_book, sections_by_grade
from nando.books.layout import LEGIBLE_CELL, PAGE_SIZES, lay_out, print_style
from nando.datasets import load_examples
from nando.drawing.kinds import KINDS, board
from nando.drawing.shapes import Path, Picture, Rect, Text
from nando.generators.records import GRADES, Record, solution_line
from nando.puzzles import PuzzleError
from nando.rating.population import GRADES as RATING_GRADES
from nando.solvers import unique_solution


def made(puzzle, i):
    """A record with an invented time; the grades are mixed in the order of the examples."""
    seconds = 100.0 + 37 * (i * 7 % 40)
    return Record(
        puzzle,
        solution_line(unique_solution(puzzle)),
        predicted=seconds,
        low=seconds / 2,
        high=seconds * 2,
        grade=GRADES[min(4, int(seconds // 300))],
        percentile=50.0,
        seed=7,
        index=i,
        model_id="0123abcd",
        first_cell=puzzle.text.index("."),
        features={"givens": float(puzzle.n_givens), "dependency": 0.1 + i},
    )


RECORDS = [made(puzzle, i) for i, puzzle in enumerate(load_examples().puzzles)]
SMALL = [record for record in RECORDS if record.puzzle.order == 3]
LARGE = [record for record in RECORDS if record.puzzle.order > 3]


def in_order(book):
    return [record for section in book.sections for record in section.records]


def layout(book):
    return lay_out(
        book.sections,
        title=book.title,
        subtitle=book.subtitle,
        page_size=book.page_size,
        per_page=book.per_page,
        hints=book.hints,
    )


# Records


def test_grades_are_those_of_the_rating():
    assert GRADES == RATING_GRADES


def test_stars():
    assert [replace(SMALL[0], grade=grade).stars for grade in (*GRADES, "", "other")] == [
        *(1, 2, 3, 4, 5),
        *(0, 0),
    ]


@pytest.mark.parametrize("record", [RECORDS[0], LARGE[0], LARGE[-1]])
def test_record_survives_a_file(record):
    assert record.row()["givens"] == record.puzzle.n_givens
    record = replace(record, features={"dependency": 0.1})
    assert Record.from_row(record.row()) == record
    assert Record.from_row(json.loads(json.dumps(record.row()))) == record
    as_text = {name: "" if value is None else str(value) for name, value in record.row().items()}
    assert Record.from_row(as_text) == record
    gaps = record.row() | {"seed": 7.0, "low_seconds": float("nan"), "flags": "", "error": None}
    assert Record.from_row(gaps) == replace(record, low=None)


def test_record_of_a_bare_puzzle():
    record = Record.from_row({"puzzle": SMALL[0].puzzle.text, "reasons": "because", "line": 3})
    assert record == Record(SMALL[0].puzzle, SMALL[0].solution)


@pytest.mark.parametrize("record", [SMALL[0], *LARGE])
def test_bare_puzzle_is_solved(record):
    assert Record.from_row({"puzzle": record.puzzle.text}).solution == record.solution


def test_bad_rows_are_refused():
    row = SMALL[0].row()
    with pytest.raises(ValueError, match="needs the column 'puzzle', got solution"):
        Record.from_row({"solution": row["solution"]})
    with pytest.raises(ValueError, match="predicted_seconds must be a number, got 'soon'"):
        Record.from_row(row | {"predicted_seconds": "soon"})
    with pytest.raises(ValueError, match=r"seed must be a whole number, got 1\.5"):
        Record.from_row(row | {"seed": 1.5})
    with pytest.raises(PuzzleError, match="several solutions"):
        Record.from_row({"puzzle": "." * 81})


# Drawing


@pytest.mark.parametrize("record", [SMALL[0], *LARGE])
def test_drawing_of_a_sudoku(record):
    size, order = record.puzzle.size, record.puzzle.order
    pens = print_style(20)
    drawn = board(record.puzzle, pens)
    assert (drawn.width, drawn.height) == record.puzzle.shape
    lines = [shape for shape in drawn.shapes if isinstance(shape, Path)]
    assert len(lines) == 2 * (size + 1)
    assert sum(line.line == pens.thick.line for line in lines) == 2 * (order + 1)
    read = ["."] * size**2
    for digit in texts_of(drawn):
        read[int(digit.y) * size + int(digit.x)] = digit.text
        assert (digit.x % 1, digit.y % 1) == (0.5, 0.5)
        assert not digit.bold
    assert "".join(read) == record.puzzle.text
    solved = texts_of(board(record.puzzle, pens, record.solution))
    assert "".join(digit.text for digit in solved) == record.solution
    assert [digit.bold for digit in solved] == [given != "." for given in record.puzzle.text]


def texts_of(picture):
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


class Stripes:
    """A kind of puzzle that nando does not have: colour every second column."""

    kind = "stripes"
    text = "2/."
    shape = (4, 6)
    givens = np.array([2] + 23 * [0], np.int8)

    def is_solution(self, values):
        return list(values) == 12 * [2, 1]

    def solution_values(self, text):
        return np.array(list(text), np.int8)


def board_of_stripes(puzzle, solution, pens):
    cells = [divmod(i, 6) for i, symbol in enumerate(solution) if symbol == "2"]
    return Picture(
        6,
        4,
        (
            *(Rect(column, row, 1, 1, "#404040") for row, column in cells),
            Path(((0, 0), (6, 0)), "#000000", pens.thick.line),
            Text(0.5, 0.5, "12", 0.5),
            Text(2.5, 0.5, "3", 0.5),
        ),
    )


def test_kinds_without_a_drawing_are_named():
    with pytest.raises(TypeError, match="cannot draw 'stripes' puzzles; known: sudoku, nurikabe"):
        board(Stripes(), print_style(20))


def test_a_new_kind_needs_a_drawing_only(monkeypatch, pypdf, tmp_path):
    stripes = KINDS["sudoku"]._replace(board=board_of_stripes)
    monkeypatch.setitem(KINDS, "stripes", stripes)
    book = Book.from_records([Record(Stripes(), "21" * 12)])
    book.write(tmp_path / "book.pdf")
    book.write(tmp_path / "book.html")
    pages = pypdf.PdfReader(tmp_path / "book.pdf").pages
    assert [page.get_contents().get_data().count(b" re") for page in pages] == [0, 0, 0, 12]
    assert pages[0].extract_text().startswith("Stripes")
    text = (tmp_path / "book.html").read_text(encoding="utf-8")
    assert text.count('height="1" fill="#404040"') == 12
    assert text.count(">12</text>") == text.count(">3</text>") == 3


# Sections and order


def test_grades_rise_and_so_do_times_within():
    sections = Book.from_records(reversed(SMALL)).sections
    assert [section.title for section in sections] == [grade.capitalize() for grade in GRADES]
    for section, grade in zip(sections, GRADES, strict=True):
        seconds = [record.predicted for record in section.records]
        assert seconds == sorted(seconds)
        assert {record.grade for record in section.records} == {grade}
        assert section.length == f"{round(seconds[0] / 60)}–{round(seconds[-1] / 60)} min"
    assert sum(len(section.records) for section in sections) == len(SMALL)


def test_other_grades_and_the_unrated_come_last():
    bare = Record(SMALL[0].puzzle, SMALL[0].solution)
    records = [bare, replace(SMALL[1], grade="fiendish"), SMALL[2]]
    titles = [section.title for section in sections_by_grade(records)]
    assert titles == [SMALL[2].grade.capitalize(), "Fiendish", "Unrated"]
    assert [section.title for section in sections_by_grade([bare])] == ["Puzzles"]


def test_given_sections_keep_their_order():
    sections = (Section("8 min", tuple(SMALL[5:8])), Section("4 min", tuple(SMALL[:5])))
    assert [section.title for section in Book(sections=sections).sections] == ["8 min", "4 min"]


# Layout


@pytest.mark.parametrize("page_size", PAGE_SIZES)
@pytest.mark.parametrize("per_page", [1, 2, 4, 6])
def test_everything_fits_and_nothing_overlaps(page_size, per_page):
    book = Book.from_records(RECORDS, page_size=page_size, per_page=per_page, hints=True)
    laid = layout(book)
    width, height = laid.size.area
    for page in laid.pages:
        frames = [
            (f.x, f.y, f.x + f.cell * f.record.puzzle.size, f.y + f.cell * f.record.puzzle.size)
            for f in page.figures
        ]
        for i, (left, top, right, bottom) in enumerate(frames):
            assert -1e-6 <= left < right <= width + 1e-6
            assert 0 < top < bottom <= height + 1e-6
            for other in frames[:i]:
                # A puzzle's label stands in the 10 points above it.
                apart = other[2] < left or right < other[0] or other[3] < top - 10
                assert apart or bottom < other[1] - 10
        if page.kind == "puzzles":
            assert len(page.figures) <= per_page
            assert len({figure.record.puzzle.shape for figure in page.figures}) == 1
        for hint in page.hints:
            assert 0 <= hint.x < width
            assert hint.y <= height


@pytest.mark.parametrize("page_size", PAGE_SIZES)
def test_large_grids_get_fewer_a_page(page_size):
    book = Book(sections=[Section("Large", tuple(LARGE * 4))], page_size=page_size, per_page=6)
    pages = [page for page in layout(book).pages if page.kind == "puzzles"]
    full = {page.figures[0].record.puzzle.order: len(page.figures) for page in pages}
    assert full[5] == 1
    assert full[4] in (1, 2)
    cells = [figure.cell for page in pages for figure in page.figures]
    assert min(cells) >= (LEGIBLE_CELL if page_size != "6x9" else 13)


def test_the_inner_margin_changes_sides():
    for size in PAGE_SIZES.values():
        assert size.inner > size.outer
        assert (size.left(1), size.left(2)) == (size.inner, size.outer)


def test_contents_run_over_pages():
    sections = [Section(f"Part {i}", (SMALL[i % 30],)) for i in range(60)]
    pages = layout(Book(sections=sections)).pages
    entries = [entry for page in pages for entry in page.entries]
    assert sum(page.kind == "contents" for page in pages) > 1
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    assert len(entries) == 61
    for entry in entries:
        assert pages[entry.page - 1].heading == entry.title


# PDF


@pytest.fixture(scope="module")
def pypdf():
    pytest.importorskip("reportlab", reason="reportlab is not installed (nando[book])")
    return pytest.importorskip("pypdf", reason="pypdf is not installed (nando[test])")


@pytest.fixture(scope="module")
def book():
    return Book.from_records(
        SMALL, title="Forty Sudoku", subtitle="From here & there", page_size="6x9", hints=True
    )


@pytest.fixture(scope="module")
def pdf(book, pypdf, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "book.pdf"
    book.write(path)
    return pypdf.PdfReader(path)


@pytest.fixture(scope="module")
def texts(pdf):
    return [page.extract_text() for page in pdf.pages]


def squeezed(text):
    return "".join(text.split())


def test_pages_of_the_pdf(book, pdf, texts):
    assert len(pdf.pages) == book.n_pages
    assert {(page.mediabox.width, page.mediabox.height) for page in pdf.pages} == {(432, 648)}
    assert texts[0].startswith("Forty Sudoku")
    assert "From here & there" in texts[0]
    for number, text in enumerate(texts[1:], 2):
        assert str(number) in text.split("\n")[:4]
    assert all("seed 7 · model 0123abcd" in text for text in texts)
    assert pdf.metadata.title == "Forty Sudoku"


def test_contents_tell_the_first_pages(book, pdf, texts):
    lines = texts[1].split("\n")
    for section in book.sections:
        at = lines.index(section.title)
        length, count, page = lines[at + 1 : at + 4]
        assert (length, count) == (section.length, str(len(section.records)))
        first = in_order(book).index(section.records[0]) + 1
        heading, *_, body = texts[int(page) - 1].split("\n", 4)
        assert heading == section.title
        assert body.startswith(f"{first}\n")
        assert section.title not in texts[int(page) - 2].split("\n")[0]
    for title in ("Where to begin", "Solutions"):
        page = int(lines[lines.index(title) + 1])
        assert texts[page - 1].startswith(title)
        assert not texts[page - 2].startswith(title)
    links = [link.get_object() for link in pdf.pages[1]["/Annots"]]
    assert len(links) == len(book.sections) + 2
    assert [item.title for item in pdf.outline][-1] == "Solutions"


def test_pdf_has_every_puzzle_and_its_solution(book, texts):
    whole = squeezed("".join(texts[2:]))
    for number, record in enumerate(in_order(book), 1):
        minutes = round(record.predicted / 60)
        givens = record.puzzle.text.replace(".", "")
        assert f"{number}{minutes}min{givens}" in whole
        assert f"{number}{record.solution}" in whole


def test_digits_stand_in_the_middle_of_their_cells(book, pdf):
    page, laid = pdf.pages[2], layout(book).pages[2]
    origin = laid_origin(book, 3)
    found = set()

    def see(operator, operands, cm, tm):
        if operator == b"Tj":
            found.add((round(cm[4] + tm[4], 2), round(cm[5] + tm[5], 2)))

    page.extract_text(visitor_operand_before=see)
    assert laid.figures
    for figure in laid.figures:
        size = 0.62 * figure.cell
        for cell, symbol in enumerate(figure.record.puzzle.text):
            row, column = divmod(cell, 9)
            # Digits of the font are 0.636 wide and 0.729 high.
            x = origin[0] + figure.x + (column + 0.5) * figure.cell - 0.636 / 2 * size
            y = origin[1] - figure.y - (row + 0.5) * figure.cell - 0.729 / 2 * size
            near = any(abs(x - left) < 0.1 and abs(y - low) < 0.1 for left, low in found)
            assert near == (symbol != ".")


def laid_origin(book, number):
    size = PAGE_SIZES[book.page_size]
    return size.left(number), size.height - size.top


def test_hints_name_the_first_cells(book, texts):
    page = next(text for text in texts if text.startswith("Where to begin"))
    for number, record in enumerate(in_order(book), 1):
        row, column = divmod(record.first_cell, 9)
        assert f"\n{number}\nr{row + 1}c{column + 1}\n" in page + "\n"


def test_every_font_is_embedded_and_nothing_is_a_picture(pdf):
    fonts = [
        font.get_object()
        for page in pdf.pages
        for font in page["/Resources"]["/Font"].get_object().values()
    ]
    assert {font["/BaseFont"].rpartition("+")[2] for font in fonts} == {
        "BitstreamVeraSans-Roman",
        "BitstreamVeraSans-Bold",
    }
    for font in fonts:
        assert font["/Subtype"] == "/TrueType"
        assert "/FontFile2" in font["/FontDescriptor"]
    assert not any(page.images for page in pdf.pages)


WRITE_AGAIN = """
import sys
from nando.books.book import read_book
book = read_book(sys.argv[1])
for path in sys.argv[2:]:
    book.write(path)
"""


@pytest.mark.parametrize("hints", [False, True])
def test_the_manifest_makes_the_same_bytes(hints, pypdf, tmp_path):
    records = [*SMALL[:12], *LARGE]
    book = Book.from_records(records, title="Ünïcode & <b>", page_size="letter", hints=hints)
    for suffix in ("json", "pdf", "html"):
        book.write(tmp_path / f"first.{suffix}")
        book.write(tmp_path / f"second.{suffix}")
    # The number of givens is known from the puzzle.
    assert in_order(read_book(tmp_path / "first.json")) == [
        replace(record, features={"dependency": record.features["dependency"]})
        for record in in_order(book)
    ]
    paths = [tmp_path / f"third.{suffix}" for suffix in ("json", "pdf", "html")]
    subprocess.run([sys.executable, "-c", WRITE_AGAIN, tmp_path / "first.json", *paths], check=True)
    for path in paths:
        wanted = path.with_stem("first").read_bytes()
        assert path.read_bytes() == wanted
        assert path.with_stem("second").read_bytes() == wanted


def test_manifest_says_everything(book):
    manifest = json.loads(json.dumps(book.to_manifest(), allow_nan=False))
    import nando

    assert manifest["nando"] == nando.__version__
    options = {name: manifest[name] for name in ("title", "subtitle", "page_size", "per_page")}
    assert options == {
        "title": "Forty Sudoku",
        "subtitle": "From here & there",
        "page_size": "6x9",
        "per_page": 4,
    }
    assert manifest["hints"] is True
    assert sum(len(section["records"]) for section in manifest["sections"]) == len(SMALL)
    record = manifest["sections"][0]["records"][0]
    assert (record["seed"], record["model_id"]) == (7, "0123abcd")


def test_records_without_a_rating_have_neither_stars_nor_minutes(pypdf, tmp_path):
    book = Book.from_records([Record(SMALL[0].puzzle, SMALL[0].solution)])
    book.write(tmp_path / "book.pdf")
    book.write(tmp_path / "book.html")
    for page in pypdf.PdfReader(tmp_path / "book.pdf").pages:
        assert "min" not in page.extract_text().replace("minutes", "")
    page = (tmp_path / "book.html").read_text(encoding="utf-8")
    assert 'class="stars"' not in page
    assert "model" not in page
    assert " min<" not in page


def test_long_titles_are_fitted(pypdf, tmp_path):
    title = "A very long title of a book that goes on and on, and on; " * 3
    sections = [Section("Puzzles for the train, the tram and the waiting room" * 2, (SMALL[0],))]
    Book(sections=sections, title=title, page_size="6x9").write(tmp_path / "book.pdf")
    texts = [page.extract_text() for page in pypdf.PdfReader(tmp_path / "book.pdf").pages]
    assert squeezed(title) in squeezed(texts[0])
    assert "…" in texts[1]
    assert "…" in texts[2]


# HTML


class Reader(HTMLParser):
    """Checks that elements close in order, and gathers ids, links and the texts of figures."""

    VOID = frozenset({"meta", "use", "path", "polygon", "rect", "br"})

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.tags = [], [], [], set()
        self.figures, self.pages = {}, {}

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
        if tag == "text":
            self.place = round(float(attrs["y"]) - 0.726), float(attrs["x"]) - 0.5

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        assert tag in self.VOID

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        within = [attrs.get("id", "") for _, attrs in self.open]
        page = next((name for name in within if name.startswith("page-")), "")
        self.pages[page] = self.pages.get(page, "") + data
        if self.open and self.open[-1][0] == "text":
            name = next((n for n in within if n.startswith(("puzzle-", "solution-"))), "cover")
            self.figures.setdefault(name, {})[self.place] = data


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


def grid(cells):
    return "".join(cells.get((row, column), ".") for row in range(9) for column in range(9))


def test_html_has_every_puzzle_and_its_solution(book, html):
    _, reader = html
    for number, record in enumerate(in_order(book), 1):
        assert grid(reader.figures[f"puzzle-{number}"]) == record.puzzle.text
        assert grid(reader.figures[f"solution-{number}"]) == record.solution
    assert len(reader.figures) == 2 * len(SMALL) + 1


def test_html_has_the_pages_of_the_pdf(book, html):
    _, reader = html
    pages = layout(book).pages
    assert len([name for name in reader.pages if name]) == len(pages) == book.n_pages
    for page in pages[1:]:
        text = reader.pages[f"page-{page.number}"]
        assert page.heading in text
        assert str(page.number) in text
    for entry in pages[1].entries:
        assert f"{entry.title}\n" in reader.pages[f"page-{entry.page}"].replace(
            f"{entry.stars} of 5 stars", ""
        ).replace(pages[entry.page - 1].detail, "")
        assert f"#page-{entry.page}" in reader.links
    hints = next(page for page in pages if page.kind == "hints")
    for hint in hints.hints:
        assert f"{hint.number} {hint.cell}" in reader.pages[f"page-{hints.number}"]


def test_html_stands_alone(html):
    text, reader = html
    assert len(reader.ids) == len(set(reader.ids))
    assert all(link.startswith("#") and link[1:] in reader.ids for link in reader.links)
    assert not {"script", "link", "img", "iframe"} & reader.tags
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "url(" not in text
    assert "@import" not in text
    assert "@page { size: 432.00pt 648.00pt; margin: 0; }" in text
    assert "break-after: page" in text


def test_titles_are_escaped(tmp_path):
    sections = [Section("<i>4 & more</i>", (SMALL[0],))]
    Book(sections=sections, title="a <script> & 数独").write(tmp_path / "book.html")
    text = (tmp_path / "book.html").read_text(encoding="utf-8")
    assert "<script>" not in text
    assert "a &lt;script&gt; &amp; 数独" in text
    assert "&lt;i&gt;4 &amp; more&lt;/i&gt;" in text


# Errors


def test_options_are_checked():
    with pytest.raises(ValueError, match="page_size must be one of a4, letter, 6x9, got 'a5'"):
        Book.from_records(SMALL, page_size="a5")
    with pytest.raises(ValueError, match="per_page must be one of 1, 2, 4, 6, got 3"):
        Book.from_records(SMALL, per_page=3)
    with pytest.raises(ValueError, match="a book needs at least one puzzle, got none"):
        Book.from_records([])
    with pytest.raises(ValueError, match="section '4 min' has no puzzles; leave it out"):
        Book(sections=[Section("4 min", ())])
    with pytest.raises(ValueError, match="none has one; leave the hints out"):
        Book.from_records([replace(SMALL[0], first_cell=None)], hints=True)


@pytest.mark.parametrize("solution", ["", "1" * 81, SMALL[1].solution, LARGE[0].solution])
def test_wrong_solutions_are_not_printed(solution):
    with pytest.raises(ValueError, match="does not solve it"):
        Book.from_records([replace(SMALL[0], solution=solution)])


def test_unknown_suffixes_leave_no_file(tmp_path):
    book = Book.from_records(SMALL[:1])
    for name in ("book.docx", "book"):
        with pytest.raises(ValueError, match=rf"\.pdf, \.html or \.json, got '.*{name}'"):
            book.write(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_letters_the_font_has_not_leave_the_file_as_it_was(pypdf, tmp_path):
    path = tmp_path / "book.pdf"
    path.write_bytes(b"before")
    with pytest.raises(ValueError, match=r"has no 数 独; .* \.html"):
        Book.from_records(SMALL[:1], title="数独").write(path)
    assert [p.name for p in tmp_path.iterdir()] == ["book.pdf"]
    assert path.read_bytes() == b"before"


def test_without_reportlab_html_works_and_pdf_says_what_to_install(monkeypatch, tmp_path):
    for name in list(sys.modules):
        if name.partition(".")[0] == "reportlab":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "reportlab", None)
    book = Book.from_records(SMALL[:1])
    book.write(tmp_path / "book.html")
    with pytest.raises(ImportError, match=r"pip install 'nando\[book\]'.*\.html"):
        book.write(tmp_path / "book.pdf")
    assert [path.name for path in tmp_path.iterdir()] == ["book.html"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no json", "book.json: not JSON (Expecting value"),
        ("[]", "book.json: it has no 'book'; wanted the manifest of a book"),
        ('{"book": 1}', "it cannot be read (KeyError('sections'))"),
        ('{"book": 1, "sections": [{"title": "a", "records": [1]}]}', "cannot be read"),
        ('{"book": 1, "sections": []}', "a book needs at least one puzzle"),
        ('{"book": 2, "nando": "9.9"}', "must be of form 1, got 2; it was written by nando 9.9"),
    ],
)
def test_bad_manifests_are_refused(text, message, tmp_path):
    path = tmp_path / "book.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        read_book(path)

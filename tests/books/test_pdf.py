"""Books as PDF: the requirements of printers and of readers."""

import io
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from helpers.samples.books import LARGE, NURIKABE, SMALL, book_of, figures, links

from nando.books import Book, Cover, Design, Include, Section, read_book
from nando.puzzles import format_puzzle

pytest.importorskip("reportlab", reason="reportlab is not installed (nando[book])")
pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed (nando[test])")
pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

ALL = Include(times=True, dividers=True, hints="cell")


@pytest.fixture(scope="module")
def book():
    return book_of(
        SMALL + NURIKABE, title="Forty Sudoku", author="Ada", subtitle="From A & B", include=ALL
    )


@pytest.fixture(scope="module")
def pdf(book, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "book.pdf"
    book.write(path)
    return pypdf.PdfReader(path)


def read(book, tmp_path, cover=False):
    path = tmp_path / "book.pdf"
    (book.write_cover if cover else book.write)(path)
    return pypdf.PdfReader(path)


def squeezed(text):
    return "".join(text.split())


def operators(reader):
    """Return the drawing operators of each page."""
    return [page.get_contents().get_data() for page in reader.pages]


def test_pages_and_metadata_describe_the_book(book, pdf):
    assert len(pdf.pages) == book.n_pages
    assert {(page.mediabox.width, page.mediabox.height) for page in pdf.pages} == {(432, 648)}
    assert (pdf.metadata.title, pdf.metadata.author) == ("Forty Sudoku", "Ada")
    assert pdf.metadata.creator == "nando"
    assert pdf.trailer["/Root"]["/Lang"] == "en"
    texts = [page.extract_text() for page in pdf.pages]
    assert squeezed(texts[0]).startswith("FortySudokuFromA&B")
    for number, text in enumerate(texts, 1):
        if book.layout.pages[number - 1].kind in ("puzzles", "solutions"):
            assert str(number) in text.split("\n")


def test_a_pdf_says_what_it_is(book, pdf, tmp_path, monkeypatch):
    assert pdf.metadata.subject == "From A & B"
    assert pdf.metadata["/Keywords"] == "Nurikabe, Sudoku"
    assert pdf.metadata.creation_date_raw is None
    assert pdf.metadata.modification_date_raw is None
    spec = {"subject": "Logik für Züge", "keywords": ("Sudoku", "travel"), "date": "2027-03-01"}
    found = read(book_of(SMALL[:1], **spec), tmp_path).metadata
    assert (found.subject, found["/Keywords"]) == ("Logik für Züge", "Sudoku, travel")
    assert found.creation_date_raw == found.modification_date_raw == "D:20270301000000Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert read(book_of(SMALL[:1]), tmp_path).metadata.creation_date_raw == "D:20231114221320Z"
    assert "20270301" in read(book_of(SMALL[:1], **spec), tmp_path).metadata.creation_date_raw
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    with pytest.raises(ValueError, match="must be seconds since 1970, got 'today'; or set the"):
        book_of(SMALL[:1]).write(tmp_path / "book.pdf")


def test_screen_readers_hear_headings_texts_and_grids(book, pdf):
    root = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    (whole,) = [root["/StructTreeRoot"]["/K"]]
    elements = [element.get_object() for element in whole["/K"]]
    parents = root["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    assert parents[::2] == list(range(len(pdf.pages)))
    spoken = []
    for number, page in enumerate(pdf.pages):
        assert page["/StructParents"] == number
        own = [element.get_object() for element in parents[2 * number + 1]]
        data = page.get_contents().get_data().decode("latin-1")
        marks = re.findall(r"/(\w+) <</MCID (\d+)>> BDC|/Artifact (BMC)|\b(EMC)\b", data)
        tagged = [(role, int(n)) for role, n, _, _ in marks if role]
        assert tagged == [(e["/S"][1:], e["/K"]) for e in own]
        assert [bool(end) for *_, end in marks] == [False, True] * (len(marks) // 2)
        assert all(e["/Pg"].get_object() == page for e in own)
        # Nothing is drawn outside the crop marks.
        outside = re.sub(r"(BDC|BMC).*?\bEMC\b", "", data, flags=re.S)
        assert not re.search(r"\b(Tj|TJ|f|f\*|S|B)\n", outside)
        spoken += own
    assert spoken == elements
    said = {e["/Alt"] for e in elements if e["/S"] == "/Figure"}
    for number, record in enumerate(book.records, 1):
        if record.puzzle.kind == "sudoku":
            rows = (record.puzzle.text[i : i + 9] for i in range(0, 81, 9))
            assert f"Sudoku {number}: {' / '.join(rows)}" in said
            assert sum(text.startswith(f"Sudoku {number}: ") for text in said) == 2
    headings = [page.title for page in book.layout.pages if page.title]
    assert sum(e["/S"] == "/H1" for e in elements) == len(headings)


def test_pdf_x_names_its_inks_and_has_nothing_that_a_printer_cannot_print(tmp_path):
    design = Design(pdf_x="FOGRA39", colour=True)
    include = replace(ALL, qr="play")
    made = book_of(SMALL[:4], design=design, include=include, date="2027-03-01")
    for cover in (False, True):
        pdf = read(made, tmp_path, cover)
        assert (tmp_path / "book.pdf").read_bytes().startswith(b"%PDF-1.3")
        (intent,) = pdf.trailer["/Root"]["/OutputIntents"]
        assert intent["/S"] == "/GTS_PDFX"
        assert intent["/OutputConditionIdentifier"] == "FOGRA39"
        assert intent["/RegistryName"] == "http://www.color.org"
        assert pdf.metadata["/GTS_PDFXVersion"] == "PDF/X-1:2001"
        assert pdf.metadata["/GTS_PDFXConformance"] == "PDF/X-1a:2001"
        assert pdf.metadata["/Trapped"] == "/False"
        assert pdf.metadata.creation_date_raw
        for page in pdf.pages:
            assert "/Annots" not in page
            assert "/TrimBox" in page
        assert not any(re.search(rb"(?<![\w.])(rg|RG)(?!\w)", page) for page in operators(pdf))
    with pytest.raises(ValueError, match="pdf_x = 'FOGRA39' needs the date of the book: set date"):
        read(book_of(SMALL[:4], design=design), tmp_path)


def test_every_puzzle_and_its_solution_can_be_found(book, pdf):
    whole = squeezed("".join(page.extract_text() for page in pdf.pages))
    for number, record in enumerate(book.records, 1):
        if record.puzzle.kind != "sudoku":
            continue
        assert record.puzzle.text.replace(".", "") in whole
        assert f"{number}{record.solution}" in whole


def test_bookmarks_lead_to_titled_pages(book, pdf):
    found = [(item.title, pdf.get_destination_page_number(item) + 1) for item in pdf.outline]
    assert found == [(page.title, page.number) for page in book.layout.pages if page.title]
    assert [title for title, _ in found][:2] == ["Forty Sudoku", "Contents"]
    assert {section.title for section in book.sections} <= {title for title, _ in found}


def test_links_lead_to_what_they_name(book, pdf):
    pages = book.layout.pages
    where = {f.shape.name: (page.number, f.top) for page in pages for f in figures(page, "")}
    place = {page.indirect_reference.idnum: number for number, page in enumerate(pdf.pages, 1)}
    n_links = 0
    for page, printed in zip(pages, pdf.pages, strict=True):
        found = [link.get_object()["/Dest"] for link in printed.get("/Annots", ())]
        for (goal, _, _, top, _), link in zip(found, links(page), strict=True):
            number, y = where[link.target]
            assert place[goal.idnum] == number
            assert float(top) == pytest.approx(648 - y, abs=0.01)
            n_links += 1
    # Links lead from each puzzle to its solution and back, from its hint and the table of times.
    assert n_links > 4 * book.n_puzzles


@pytest.mark.parametrize(
    ("typeface", "fonts"),
    [
        ("source-sans", {"SourceSansPro-Regular", "SourceSansPro-Bold"}),
        ("source-serif", {"SourceSerifPro-Regular", "SourceSerifPro-Bold"}),
        ("vera", {"BitstreamVeraSans-Roman", "BitstreamVeraSans-Bold"}),
    ],
)
def test_every_font_is_embedded_and_nothing_is_a_picture(typeface, fonts, tmp_path):
    pdf = read(book_of(SMALL[:4], design=Design(typeface=typeface)), tmp_path)
    found = [
        font.get_object()
        for page in pdf.pages
        for font in page["/Resources"]["/Font"].get_object().values()
    ]
    assert {font["/BaseFont"].rpartition("+")[2] for font in found} == fonts
    for font in found:
        assert font["/Subtype"] == "/TrueType"
        assert "/FontFile2" in font["/FontDescriptor"]
    assert not any(page.images for page in pdf.pages)


@pytest.mark.thorough
def test_japanese_fonts_are_embedded_with_the_characters_that_are_used(tmp_path):
    pytest.importorskip("noto_cjk_sans_jp_regular", reason="nando[japanese] is not installed")
    book = book_of(SMALL[:4] + NURIKABE, title="夜の数独", language="ja", include=ALL)
    pdf = read(book, tmp_path)
    assert "夜の数独" in pdf.pages[0].extract_text()
    assert (tmp_path / "book.pdf").stat().st_size < 300_000
    assert pdf.trailer["/Root"]["/Lang"] == "ja"
    for page in pdf.pages:
        for font in page["/Resources"]["/Font"].get_object().values():
            assert "/FontFile2" in font.get_object()["/FontDescriptor"]


@pytest.mark.thorough
def test_each_japanese_book_has_its_own_characters(tmp_path):
    pytest.importorskip("noto_cjk_sans_jp_regular", reason="nando[japanese] is not installed")
    from reportlab.pdfbase import pdfmetrics

    from nando.books.pdf import _register
    from nando.books.trim import load_typeface

    font = load_typeface("noto-sans-jp").regular
    for text in ("夜の数独", "朝・昼"):
        face = pdfmetrics.getFont(_register(font, text)).face
        assert set(map(ord, text)) <= set(face.charToGlyph)


def test_print_is_grey_and_screens_have_colours(tmp_path):
    coloured = re.compile(rb"(?<![\w.])(rg|RG|k|K)(?!\w)")
    grey = read(book_of(SMALL[:4], include=ALL), tmp_path)
    assert not any(coloured.search(page) for page in operators(grey))
    design = Design(colour=True, accent="#8a1f1f")
    on_screen = read(book_of(SMALL[:4], design=design, include=ALL), tmp_path)
    found = b"".join(operators(on_screen))
    assert b".541176 .121569 .121569 rg" in found
    # Black is never mixed from red, green and blue.
    assert b"0 0 0 rg" not in found


def test_bleed_says_where_pages_are_cut(tmp_path):
    for bleed, width, lefts in ((True, 585, (0, 9)), ("all", 594, (9, 9))):
        design = Design(trim="8x10", bleed=bleed)
        pdf = read(book_of(SMALL[:4], design=design, include=ALL), tmp_path)
        for number, page in enumerate(pdf.pages, 1):
            left = lefts[(number + 1) % 2]  # the spine is on the left of odd pages
            for box in (page.mediabox, page.bleedbox, page.cropbox):
                assert tuple(box) == (0, 0, width, 738)
            assert tuple(page.trimbox) == (left, 9, left + 576, 729)
    plain = read(book_of(SMALL[:4], design=Design(trim="8x10"), include=ALL), tmp_path)
    assert tuple(plain.pages[0].mediabox) == (0, 0, 576, 720)


def test_the_cover_is_in_four_colours_and_in_one_piece(tmp_path):
    cover = Cover(paper="cream", blurb="Puzzles for the night train.")
    book = Book(
        [Section("Night", tuple(SMALL[:4] * 40), 1)],
        book_of(SMALL[:4], title="Evenings", author="Ada", cover=cover).spec,
    )
    (page,) = read(book, tmp_path, cover=True).pages
    spine = book.n_pages * 0.0025 * 72
    assert float(page.mediabox.width) == pytest.approx(2 * 432 + spine + 18, abs=0.01)
    assert page.mediabox.height == 648 + 18
    assert float(page.trimbox.width) == pytest.approx(2 * 432 + spine, abs=0.01)
    text = page.extract_text()
    assert text.count("Evenings") == 2  # on the front and on the spine
    assert "night train" in " ".join(text.split())
    drawn = page.get_contents().get_data()
    assert b" k\n" in drawn
    assert b" rg\n" not in drawn


def test_codes_can_be_read():
    segno = pytest.importorskip("segno", reason="segno is not installed (nando[book])")
    from nando.books.pages.marks import address_of, code_of

    for record, address in (
        (SMALL[0], "https://sudokuexchange.com/play/?s=" + SMALL[0].puzzle.text.replace(".", "0")),
        (NURIKABE[0], format_puzzle(NURIKABE[0].puzzle, "puzz.link")),
    ):
        assert address_of(record.puzzle, "play") == address
        picture = code_of(address)
        wanted = segno.make(address, error="m", micro=False)
        cells = {
            (int(shape.y), x)
            for shape in picture.shapes
            for x in range(int(shape.x), int(shape.x + shape.width))
        }
        rows = list(wanted.matrix_iter(border=2))
        assert cells == {(y, x) for y, row in enumerate(rows) for x, dark in enumerate(row) if dark}
        assert (picture.width, picture.height) == (len(rows), len(rows))
    assert address_of(SMALL[0].puzzle, "https://a.org/{puzzle}").endswith(SMALL[0].puzzle.text)
    sixteen, largest = (next(r for r in LARGE if r.puzzle.order == n) for n in (4, 5))
    assert address_of(sixteen.puzzle, "play").startswith("https://sudokupad.app/fpuzzlesN4Ig")
    book = book_of([sixteen, largest], include=Include(qr="play"))
    assert book.notes[0].startswith("no code next to puzzle 2: ")


WRITE_AGAIN = """
import sys
from nando.books import read_book
book = read_book(sys.argv[1])
for path in sys.argv[2:]:
    book.write(path)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("include", [Include(), replace(ALL, answers="foot", qr="hint")])
def test_the_manifest_makes_the_same_bytes(include, tmp_path):
    large = [record for record in LARGE if record.puzzle.order == 4]
    book = book_of([*SMALL[:8], *large], title="Ünïcode & <b>", include=include)
    for suffix in ("json", "pdf", "html"):
        book.write(tmp_path / f"first.{suffix}")
        book.write(tmp_path / f"second.{suffix}")
    # The number of givens is known from the puzzle.
    assert read_book(tmp_path / "first.json").records == [
        replace(record, features={"dependency": record.features["dependency"]})
        for record in book.records
    ]
    paths = [tmp_path / f"third.{suffix}" for suffix in ("json", "pdf", "html")]
    subprocess.run([sys.executable, "-c", WRITE_AGAIN, tmp_path / "first.json", *paths], check=True)
    for path in paths:
        wanted = path.with_stem("first").read_bytes()
        assert path.read_bytes() == wanted
        assert path.with_stem("second").read_bytes() == wanted


def test_unknown_suffixes_leave_no_file(tmp_path):
    book = Book.from_records(SMALL[:1])
    for name in ("book.docx", "book"):
        with pytest.raises(ValueError, match=rf"\.pdf, \.html, \.epub or \.json, got '.*{name}'"):
            book.write(tmp_path / name)
    with pytest.raises(ValueError, match=r"a cover is written as \.pdf"):
        book.write_cover(tmp_path / "cover.png")
    with pytest.raises(ValueError, match=r"a preview is written as \.png"):
        book.write_preview(tmp_path / "book.jpg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", ["pdf", "html"])
def test_letters_the_typeface_has_not_leave_the_file_as_it_was(suffix, tmp_path):
    path = tmp_path / f"book.{suffix}"
    path.write_bytes(b"before")
    with pytest.raises(ValueError, match=r"Source Sans Pro has no 数 独; choose noto-sans-jp$"):
        book_of(SMALL[:1], title="数独").write(path)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"before"


@pytest.mark.parametrize(
    ("author", "language", "typeface", "advice"),
    [
        (
            "Wisława Żółć",
            "ja",
            "",
            "Sans CJK JP has no .* no other has all: leave them out",
        ),
        (
            "Wisława Żółć",
            "en",
            "vera",
            "Vera Sans has no .* choose source-sans or source-serif or dejavu",
        ),
        ("数独", "ja", "vera", "Vera Sans has no .* choose noto-sans-jp"),
    ],
)
def test_the_advice_names_no_typeface_that_lacks_letters(
    author, language, typeface, advice, tmp_path
):
    path, design = tmp_path / "book.pdf", Design(typeface=typeface) if typeface else Design()
    with pytest.raises(ValueError, match=f"{advice}$"):
        book_of(SMALL[:1], author=author, language=language, design=design).write(path)


@pytest.mark.parametrize(
    ("missing", "suffix", "extra"),
    [
        ("reportlab", "pdf", "book"),
        ("font_source_sans_pro", "html", "book"),
        ("noto_cjk_sans_jp_regular", "html", "japanese"),
    ],
)
def test_missing_packages_are_named(missing, suffix, extra, monkeypatch, tmp_path):
    for name in list(sys.modules):
        if name.partition(".")[0] == missing:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    from nando.books.trim import load_typeface

    load_typeface.cache_clear()
    language = "ja" if extra == "japanese" else "en"
    with pytest.raises(ImportError, match=rf"pip install 'nando\[{extra}\]'"):
        book_of(SMALL[:1], language=language).write(tmp_path / f"book.{suffix}")
    assert not list(tmp_path.iterdir())


def test_the_preview_shows_every_page(book):
    Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed (nando[plot])")
    from nando.books.pictures import WIDTH, contact_sheet, write_preview
    from nando.drawing.shapes import Placed

    sheet = contact_sheet(book.layout.pages)
    placed = [shape for shape in sheet.shapes if isinstance(shape, Placed)]
    assert [shape.picture for shape in placed] == [page.picture for page in book.layout.pages]
    assert len({(shape.x, shape.y) for shape in placed}) == book.n_pages
    for shape in placed:
        assert 0 <= shape.x <= sheet.width - 1
        assert 0 <= shape.y <= sheet.height - shape.picture.height * shape.scale
    file = io.BytesIO()
    write_preview(book_of(SMALL[:2]).layout, file)
    assert Image.open(file).width == WIDTH

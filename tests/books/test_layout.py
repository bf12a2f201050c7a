"""The pages of books: nothing overlaps, everything is found, and references are right."""

import re
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from helpers.sampled import one_in, only
from helpers.samples.books import (
    LARGE,
    NURIKABE,
    RECORDS,
    SMALL,
    book_of,
    check,
    figures,
    grid,
    of_kind,
    words,
)

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

from nando.books import Book, BookSpec, Design, Include, Section, TextPage
from nando.books.kinds import PLAIN, solution_of
from nando.books.pages.answers import LARGEST_CELL
from nando.books.pages.hints import hardest_step
from nando.books.pages.marks import CODE_SIZE
from nando.books.sheet import LARGE_CELL, Style
from nando.books.spec import ANSWERS_PER_PAGE, LABELS, LINES, PER_PAGE
from nando.books.trim import TRIMS, page_size
from nando.drawing.boards import board, solution_board
from nando.drawing.shapes import FAINT, MARGIN, ROOM, SCREEN, Path, Text
from nando.drawing.symbols import PICTURED
from nando.generators.records import Record
from nando.puzzles import Nurikabe, Variant
from nando.rating import GRADES
from nando.solvers.logic import LANGUAGES

ALL = Include(rules=True, times=True, dividers=True, hints="cell")
PAGES = (
    TextPage(text="*For Brno*\n\nand its trains", centred=True),
    TextPage(text="# Preface\n\nVolume {volume} has many **words**, and more of them. " * 9),
    TextPage(text="Also by Ada", before="end"),
)
KILLER = Record(
    Variant("4x4+killer:r1c1r1c2:3+killer:r2c1r2c2:7"), "1234341221434321", first_cell=1
)
VARIANTS = [KILLER] * 13 + [
    Record(puzzle, solution_of(puzzle), first_cell=0)
    for puzzle in (Variant(PLAIN[size]) for size in (6, 10, 12))
]
DESIGN = {
    "trim": [*TRIMS, "11x8.5", "170x240mm"],
    "typeface": ["", "source-sans", "source-serif"],
    "lines": [*LINES],
    "large_print": [False, False, False, True],
    "colour": [False, True],
    "bleed": [False, True, "all"],
    "multiple": [1, 2, 4, 16],
}
INCLUDE = {
    "dividers": [False, True],
    "times": [False, True],
    "hints": ["none", "cell"],
    "answers": [*ANSWERS_PER_PAGE, "foot", "foot"],
    "answers_after": ["book", "part"],
    "labels": ["", *LABELS],
    "dots": [False, True],
    "scribble": [0.0, 0.0, 0.3],
    "qr": ["", "play", "hint", "https://a.org/{puzzle}"],
    "closing": [True, "seeds", False],
}
WHOLE = {
    "records": [RECORDS + NURIKABE, SMALL[:13] + NURIKABE, SMALL[:4] + LARGE[:1], VARIANTS],
    "per_page": PER_PAGE,
    "language": [*LANGUAGES],
    "pages": [(), PAGES],
}
N_BOOKS = 36
NAMES = r"r\d+c\d+|(row|column|box|boxe)s? \d+( and \d+)?|[Dd]igits 1 to 9|1–9"
"""Names with digits: of cells and houses, and of all digits."""


@cache
def chosen(seed):
    """Return the options of books: each value of an option as often as its others."""
    rng = np.random.default_rng(seed)
    columns = {}
    for name, values in (DESIGN | INCLUDE | WHOLE).items():
        rounds = [rng.permutation(len(values)) for _ in range(-(-N_BOOKS // len(values)))]
        columns[name] = [values[i] for i in np.concatenate(rounds)[:N_BOOKS]]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@pytest.mark.parametrize(("seed", "number"), one_in(18, product(range(3), range(N_BOOKS))))
def test_books_of_all_designs_are_laid_out_well_or_refused(seed, number):
    options = chosen(seed)[number]
    if options["language"] == "ja":
        pytest.importorskip("noto_cjk_sans_jp_regular", reason="nando[japanese] is not installed")
        options = options | {"typeface": ""}
    book = book_of(
        options["records"],
        author="An author with a long name " * 4,
        per_page=options["per_page"],
        language=options["language"],
        pages=options["pages"],
        design=Design(**{name: options[name] for name in DESIGN}),
        include=Include(**{name: options[name] for name in INCLUDE}),
    )
    refusal = ""
    try:
        book.layout  # noqa: B018
    except ValueError as error:
        refusal = str(error)
    if not refusal:
        check(book)
    else:
        wanted = "large_print needs" if options["large_print"] else "answers = 'foot' leaves"
        assert refusal.startswith(wanted)


def test_contents_run_over_pages():
    book = Book([Section(f"Part {i}", (SMALL[i % 30],)) for i in range(60)])
    assert sum(page.kind == "contents" for page in book.layout.pages) > 1
    check(book)


def test_titles_that_leave_no_room_for_a_grid_have_none():
    title = "Puzzles for the Long Journeys of a Whole Year, from the First Snow to the Last"
    book = book_of(SMALL[:1], title=title, subtitle=title * 2, design=Design(trim="17x4"))
    for page in (book.layout.pages[0], book.layout.cover):
        assert not [found for found in figures(page) if found.shape.picture.width == 9]


@pytest.mark.parametrize("trim", only(["6x9"], ["a5", "6x9", "a4"]))
@pytest.mark.parametrize("per_page", only([2], [1, 2, 4]))
def test_each_grid_has_a_code_and_loses_little_size_to_it(trim, per_page):
    records = [replace(record, grade=GRADES[1]) for record in SMALL[:4]]
    sides = []
    for qr in ("", "play"):
        book = book_of(records, per_page=per_page, design=Design(trim=trim), include=Include(qr=qr))
        check(book)
        found = [f for page in of_kind(book, "puzzles") for f in figures(page)]
        assert [f.right - f.left == CODE_SIZE for f in found].count(True) == 4 * bool(qr)
        sides.append(found[0].right - found[0].left)
    # Grids above one another lose little size to codes, which have room next to them.
    assert per_page != 2 or sides[1] > 0.97 * sides[0]


@pytest.mark.parametrize("answers", [4, 12, 20])
def test_as_many_solutions_a_page_as_are_wanted(answers):
    book = book_of(SMALL, design=Design(trim="8.5x11"), include=Include(answers=answers))
    counts = [len(list(figures(page, "solution-"))) for page in book.layout.pages]
    counts = [count for count in counts if count]
    assert sum(counts) == len(SMALL)
    assert len(counts) == -(-len(SMALL) // answers)
    assert max(counts) <= answers
    assert min(counts) > answers / 3  # no page has a stray last row
    check(book)


def counts_and_sides(book, prefix):
    """Return, for each page with such figures, their number and the side of their cells."""
    pages = [list(figures(page, prefix)) for page in book.layout.pages]
    return [(len(found), round(found[0].shape.scale, 6)) for found in pages if found]


@pytest.mark.parametrize(
    ("trim", "per_page", "count", "wanted"),
    [
        ("8.5x11", 12, 12, [6, 6]),  # nine fit
        ("8.5x11", 9, 10, [9, 1]),  # as requested
        ("8.5x11", 12, 4, [4]),
        ("8.5x11", 6, 1, [1]),
        ("5x8", 12, 7, [4, 3]),
    ],
)
def test_pages_have_about_as_many_puzzles_each(trim, per_page, count, wanted):
    book = Book(
        [Section("One", tuple(SMALL[:count]), per_page)], BookSpec(design=Design(trim=trim))
    )
    found = counts_and_sides(book, "puzzle-")
    assert [n for n, _ in found] == wanted
    assert len({side for _, side in found}) == 1
    check(book)
    if count < per_page:
        full = Book(
            [Section("One", tuple(SMALL[:13]), per_page)], BookSpec(design=Design(trim=trim))
        )
        assert found[0][1] >= counts_and_sides(full, "puzzle-")[0][1]


def test_few_solutions_are_larger_and_the_rest_as_large_as_those_before():
    include = Include(answers=20)
    design = Design(trim="8.5x11")
    ((n, side),) = counts_and_sides(book_of(LARGE[:1], design=design, include=include), "solution-")
    least = Style(design, "en").least_answer_cell
    assert n == 1
    assert side >= 1.6 * least
    found = counts_and_sides(book_of(SMALL[:23], design=design, include=include), "solution-")
    assert [n for n, _ in found] == [12, 11]
    assert len({side for _, side in found}) == 1
    found = counts_and_sides(
        book_of([KILLER] * 23, design=Design(), include=Include()), "solution-"
    )
    assert [n for n, _ in found] == [12, 11]
    assert all(side >= LARGEST_CELL for _, side in found)


@pytest.mark.parametrize("trim", only(["6x9"], ["5x8", "6x9", "a4"]))
def test_the_last_puzzles_and_solutions_leave_no_half_page_white(trim):
    design = Design(trim=trim)
    book = Book([Section("One", tuple(SMALL[:5]), 2)], BookSpec(design=design))
    last = of_kind(book, "puzzles")[-1]
    (figure,) = figures(last, "puzzle-")
    assert abs((figure.top + figure.bottom) / 2 / last.picture.height - 0.5) < 0.05
    most = counts_and_sides(book_of(SMALL[:12], design=design), "solution-")[0][1]
    for count in range(6, 12):
        found = counts_and_sides(book_of(SMALL[:count], design=design), "solution-")
        assert found[0][1] >= most


def test_a_time_is_printed_once():
    records = tuple(replace(record, predicted=600.0) for record in SMALL[:4])
    for title, times in (("Sudoku · 10\u00a0min", 0), ("Over tea", 2)):
        spec = BookSpec(include=Include(dividers=True))
        book = Book([Section(title, records)], spec)
        pages = [page for page in book.layout.pages if page.kind in ("divider", "puzzles")]
        details = [text for page in pages for text in words(page) if "4 puzzles" in text]
        assert len(details) == 2
        assert sum("10\u00a0min" in text for text in details) == times


@pytest.mark.parametrize(
    ("trim", "records", "message"),
    [
        ("8.5x11", LARGE[-1:], "cells of 9.0 mm for puzzle 1 of 25x25 cells, .* leave 7.1 mm"),
        ("6x9", LARGE[:1], "cells of 9.0 mm for the rules .* 6x9 leave 7.8 mm: choose a larger"),
        (
            "a4",
            [
                Record(
                    Nurikabe("/".join(["?" + "." * 29, *["." * 30] * 19])),
                    "/".join(["o" * 30] * 20),
                )
            ],
            "puzzle 1 of 30x20 cells, .* pages of a4 leave .* mm: choose a larger trim",
        ),
    ],
)
def test_large_print_that_a_page_cannot_hold_is_refused(trim, records, message):
    book = book_of(records, design=Design(trim=trim, large_print=True))
    with pytest.raises(ValueError, match=f"large_print needs .*{message}"):
        book.layout  # noqa: B018


def test_techniques_in_large_print_have_large_cells_or_are_refused():
    include = Include(techniques=True, rules=False)
    book = book_of(SMALL[:9], design=Design(trim="a4", large_print=True), include=include)
    check(book)
    pages = of_kind(book, "techniques")
    drawn = [found for page in pages for found in figures(page) if found.shape.picture.width > 9]
    assert len(drawn) >= 5
    assert min(found.shape.scale for found in drawn) >= LARGE_CELL
    book = book_of(SMALL[:1], design=Design(trim="4.2x11", large_print=True), include=include)
    with pytest.raises(ValueError, match=r"large_print .* for the techniques, .* techniques out"):
        book.layout  # noqa: B018


@pytest.mark.parametrize(("trim", "answers"), [("5x8", 12), ("8.5x11", 12), ("8.5x11", "foot")])
def test_a_grid_of_large_print_has_a_page(trim, answers):
    design, include = Design(trim=trim, large_print=True), replace(ALL, answers=answers)
    book = book_of(
        SMALL[:4], per_page=6, design=design, include=include, rights="© Ada", author="A"
    )
    check(book)
    # One per page if grids would be smaller than four inches with two per page.
    found = [list(figures(page, "puzzle-")) for page in of_kind(book, "puzzles")]
    assert [len(own) for own in found] == [1] * 4
    if (trim, answers) == ("8.5x11", 12):
        assert all(own[0].right - own[0].left > 6 * 72 for own in found)


@pytest.mark.parametrize("typeface", ["source-sans", "source-serif", "vera"])
def test_digits_at_the_foot_leave_a_point_of_paper(typeface):
    design = Design(trim="5x8", lines="heavy", typeface=typeface)
    book = book_of(SMALL[:5], design=design, include=Include(answers="foot"))
    check(book)
    for page in of_kind(book, "puzzles"):
        for found in figures(page, "solution-"):
            lines = (s.line for s in found.shape.picture.shapes if isinstance(s, Path))
            assert (found.bottom - found.top) / 9 * (1 - 0.46 - max(lines)) / 2 > 1.0


def test_solutions_at_the_foot_that_leave_no_room_are_refused():
    book = book_of(LARGE[-1:], design=Design(trim="5x8"), include=Include(answers="foot"))
    message = "answers = 'foot' leaves cells of .* mm for puzzle 1 of 25x25 .* at least 4.5 mm"
    with pytest.raises(ValueError, match=message):
        book.layout  # noqa: B018


def test_long_titles_are_whole_and_touch_nothing():
    title = "Puzzles for the Long Journeys of a Whole Year, from the First Snow to the Last of"
    for language, trim in zip(LANGUAGES, ("5x8", "6x9"), strict=False):
        spec = BookSpec(
            title=f"{title} the Candles of December Evenings",
            subtitle="A subtitle that is longer than a line of the page, as some like them",
            language=language,
            design=Design(trim=trim),
            include=ALL,
        )
        book = Book([Section(title, tuple(SMALL[:2])), Section("B", tuple(LARGE))], spec)
        check(book)
        pages = [p for p in book.layout.pages if p.kind in ("title", "contents")]
        said = " ".join(word for page in pages for word in words(page))
        assert "…" not in said
        assert said.count("Puzzles for the Long") == 2


@pytest.mark.thorough
def test_thick_books_have_wide_gutters():
    for trim in TRIMS:
        inner = [page_size(trim, n).margins.inner for n in (24, 151, 301, 501, 701)]
        assert inner == sorted(inner)
        for n, least in ((24, 0.375), (151, 0.5), (301, 0.625), (501, 0.75), (701, 0.875)):
            assert page_size(trim, n).margins.inner > least * 72
        size = page_size(trim, 24)
        assert size.margins.inner > size.margins.outer
        assert (size.left(1), size.left(2)) == (size.margins.inner, size.margins.outer)
    sections = [Section("Many", tuple(SMALL[:4] * 160), 4)]
    book = Book(sections, BookSpec(include=Include(answers=4)))
    assert book.n_pages > 300
    assert book.layout.size == page_size("6x9", book.n_pages)


# Boards


@pytest.mark.parametrize("record", [SMALL[0], *LARGE])
def test_drawing_of_a_sudoku(record):
    size, order = record.puzzle.size, record.puzzle.order
    drawn = board(record.puzzle, SCREEN)
    assert (drawn.width, drawn.height) == record.puzzle.shape
    lines = [shape for shape in drawn.shapes if isinstance(shape, Path)]
    assert len(lines) == 2 * (size + 1)
    assert sum(line.line == SCREEN.thick.line for line in lines) == 2 * (order + 1)
    assert grid(drawn, size) == record.puzzle.text
    solved = board(record.puzzle, SCREEN, record.solution)
    assert grid(solved, size) == record.solution
    bold = [shape.bold for shape in solved.shapes if isinstance(shape, Text)]
    assert bold == [given != "." for given in record.puzzle.text]


@pytest.mark.parametrize("trim", only(["6x9"], ["5x8", "6x9", "letter"]))
@pytest.mark.parametrize("symbols", ["letters", "pictures"])
def test_books_for_children_have_large_cells_stars_and_no_digits(trim, symbols):
    design = Design(trim=trim, children=True, symbols=symbols)
    six = Record(Variant(PLAIN[6]), solution_of(Variant(PLAIN[6])))
    book = Book((Section("A", (*SMALL[:2], six)),), BookSpec(design=design))
    n_stars = n_puzzles = 0
    for page in of_kind(book, "puzzles"):
        n_stars += sum(isinstance(s, Path) and len(s.points) == 12 for s in page.picture.shapes)
        for found in figures(page, "puzzle-"):
            n_puzzles += 1
            assert found.shape.scale >= 9 * 72 / 25.4 - 0.01
            said = {s.text for s in found.shape.picture.shapes if isinstance(s, Text)}
            assert said <= set("ABCDEFGHI" if symbols == "letters" else "")
    assert n_stars == n_puzzles == 3
    solved = [found for page in of_kind(book, "solutions") for found in figures(page, "solution-")]
    letters = grid(solved[0].shape.picture) if symbols == "letters" else None
    digits = {1 + "ABCDEFGHI".index(letter) for letter in letters or "ABCDEFGHI"}
    assert digits == set(range(1, 10))
    key = "Instead of digits"
    assert [key in words(page) for page in of_kind(book, "rules")] == [True, True]


def test_pictures_of_a_solution_are_fainter_unless_nearly_all_would_be():
    look = Style(Design(symbols="pictures"), "en").grid(18.0)
    for record, fades in ((SMALL[0], True), (KILLER, False)):
        drawn = solution_board(record.puzzle, look, record.solution)
        assert any(getattr(shape, "fill", "") == FAINT for shape in drawn.shapes) == fades


@pytest.mark.parametrize("symbols", ["letters", "pictures"])
def test_hints_steps_and_techniques_for_children_name_no_digit(symbols):
    include = Include(hints="step", techniques=True)
    book = book_of(SMALL[:3], include=include, design=Design(symbols=symbols))
    n_steps = n_pictures = 0
    for page in (page for kind in ("rules", "hints", "techniques") for page in of_kind(book, kind)):
        said = [line for line in words(page) if not line.isdigit()]  # numbers of pages and puzzles
        placed = [found.shape for found in figures(page)]
        lines = [shape.picture.shapes for shape in placed if shape.scale == 1]
        said += [part.text for line in lines for part in line if isinstance(part, Text)]
        n_pictures += sum(map(len, lines))
        assert not re.search(r"\d", re.sub(NAMES, "", " ".join(said)))
        for step in (shape.picture for shape in placed if shape.picture.width == 9 + ROOM):
            n_steps += 1
            marks = [s for s in step.shapes if isinstance(s, Text) and min(s.x, s.y) > MARGIN]
            assert not any(mark.text.isdigit() for mark in marks)
    assert n_steps > 2
    assert (n_pictures > 0) == (symbols == "pictures")


@pytest.mark.parametrize("language", only(["de"], LANGUAGES))
def test_hints_name_letters_where_pictures_are_drawn(language):
    letters = str.maketrans(PICTURED, "ABCDEFGHI")
    for puzzle in (record.puzzle for record in (*SMALL, VARIANTS[13])):
        named, drawn = (hardest_step(puzzle, language, kind) for kind in ("letters", "pictures"))
        assert drawn.translate(letters) == named
        assert (drawn != hardest_step(puzzle, language)) == bool(drawn)


def test_a_title_a_little_too_long_is_on_one_line():
    six = Record(Variant(PLAIN[6] + "+greater:r1c2r1c1"), solution_of(Variant(PLAIN[6])))
    book = book_of([six], design=Design(trim="5x8"))
    (page,) = of_kind(book, "rules")
    assert "How to play Greater-Than Sudoku 6\xa0×\xa06" in words(page)
    check(book)


def test_pictures_stand_for_nine_digits_only():
    book = book_of(LARGE[:1], design=Design(symbols="pictures", trim="letter"))
    with pytest.raises(ValueError, match=r"pictures stand for the digits 1 to 9, got \w: "):
        book.layout  # noqa: B018

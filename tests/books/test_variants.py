"""Books of variants: the rules of every genre, marks around grids, puzzles chosen from files."""

from unittest import mock

import numpy as np
import pytest
from helpers.samples.books import SMALL, check, figures, of_kind, words, words_on
from helpers.samples.sudokus import SOLUTION

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

from nando.books import Book, BookSpec, Cover, Design, Include, Part, Section, making, rehearse
from nando.books.kinds import kind_of
from nando.books.language import words_of
from nando.books.pages.front import pattern_of
from nando.books.pages.marks import MODULE, address_of
from nando.books.pages.rules import first_step, small_example
from nando.books.sheet import Style
from nando.drawing.boards import board, margins
from nando.drawing.rules.board import rule_example, rule_examples
from nando.drawing.shapes import Disc, GridStyle, Pen, Rect, Text
from nando.generators.records import Record
from nando.puzzles import Variant, read_puzzle
from nando.puzzles.rules.registry import RULES, rule_name, rule_sentences
from nando.puzzles.variants.genre import Genre
from nando.solvers import unique_solution
from nando.solvers.logic import LANGUAGES

KILLER = Variant("4x4+killer:r1c1r1c2:3+killer:r2c1r2c2:7")
SANDWICH = [
    Variant(f"{SOLUTION[:9]}{'.' * 72}+sandwich:{side}")
    for side in ("left2:19", "bottom1:17", "top1:17")
]


def unsolved(puzzle, **more):
    """Return a record with a placeholder for the solution."""
    return Record(puzzle, "." * puzzle.givens.size, first_cell=0, **more)


@pytest.fixture
def any_solution():
    with (
        mock.patch.object(Record, "solved", True),
        mock.patch("nando.books.pages.rules.first_step", return_value=None),
    ):
        yield


@pytest.mark.parametrize(
    "language",
    [tag if tag == "en" else pytest.param(tag, marks=pytest.mark.thorough) for tag in LANGUAGES],
)
@pytest.mark.usefixtures("any_solution")
def test_every_rule_is_explained_with_an_example(language):
    if language == "ja":
        pytest.importorskip("noto_cjk_sans_jp_regular", reason="nando[japanese] is not installed")
    puzzles = {cls: Variant(rule_examples()[cls.name]) for cls in RULES[1:]}
    sections = tuple(Section(cls.name, (unsolved(puzzle),)) for cls, puzzle in puzzles.items())
    book = Book(sections, BookSpec(language=language, design=Design(trim="8x10")))
    check(book)
    pages = of_kind(book, "rules")
    assert len(pages) == len(puzzles)
    for page, (cls, puzzle) in zip(pages, puzzles.items(), strict=True):
        own = next(rule for rule in puzzle.rules if isinstance(rule, cls))
        said = "".join(words(page)).replace(" ", "")
        assert rule_name(cls, language).replace(" ", "") in said
        for sentence in rule_sentences(own, puzzle.board.values, language):
            assert sentence.replace(" ", "") in said
        (drawn,) = [f for f in figures(page) if f.shape.picture.width > 5]
        assert drawn.bottom < book.layout.size.height


@pytest.mark.parametrize(
    "language",
    [tag if tag == "en" else pytest.param(tag, marks=pytest.mark.thorough) for tag in LANGUAGES],
)
def test_a_first_step_by_the_rule_is_drawn_on_an_image_of_the_first_puzzle(language):
    if language == "ja":
        pytest.importorskip("noto_cjk_sans_jp_regular", reason="nando[japanese] is not installed")
    rules = "killer:r2c1r3c1:5+killer:r3c2r4c2:4+thermometer:r1c1r1c2r1c3r1c4"
    puzzle = Variant(f"...............1+{rules}")
    record = Record(puzzle, puzzle.solution_text(unique_solution(puzzle)))
    section = Section("Killer", (record,))
    book = Book((section,), BookSpec(language=language, seed=3))
    check(book)
    before, step, sentence = first_step(puzzle, ("killer",), language, 3)
    assert before.puzzle.equivalence_key() == puzzle.equivalence_key()
    assert before.puzzle.rules[step.rules[0]].name == "killer"
    said = "".join(words_on(book, "rules")).replace(" ", "")
    assert sentence.replace(" ", "").replace("\n", "") in said
    assert words_of(language)("labels.step").replace(" ", "") in said


@pytest.mark.parametrize("kind", ["kropki", "thermometer", "diagonals", "regions", "anti-king"])
def test_small_boards_have_examples_of_their_size(kind):
    """Their digits are those of the marks; a rule that names no cells keeps the usual example."""
    puzzle, _ = making._example(Part(kind=f"6x6+{kind}"))
    shown = small_example(puzzle, kind, 1)
    if kind == "anti-king":
        assert shown is None
        return
    own = [each for each in shown.rules if each.name == kind]
    named = {cell for each in own for cell in each.cells_named()} if kind != "regions" else ()
    assert (shown.shape, shown.rules.count(own[0])) == ((6, 6), 1)
    assert len(own) <= 4
    assert sorted(shown.board.places(named)) == np.flatnonzero(shown.givens).tolist()
    assert shown.status().valid


def test_a_first_step_whose_cells_would_be_too_small_takes_no_page():
    samurai, solution = making._example(Part(kind="samurai"))
    for trim, n_pages in (("6x9", 1), ("200x200mm", 2)):
        spec = BookSpec(design=Design(trim=trim))
        book = Book((Section("Samurai", (Record(samurai, solution),), per_page=1),), spec)
        pages = of_kind(book, "rules")
        assert len(pages) == n_pages, trim
        assert all(figures(page) for page in pages)


@pytest.mark.usefixtures("any_solution")
def test_sentences_that_hold_for_some_puzzles_name_them():
    texts = "4x4+kropki:r1c1r1c2:all-given", "4x4+kropki:r1c1r1c2", "4x4+kropki:r2c1r2c2"
    book = Book((Section("Dots", tuple(unsolved(Variant(text)) for text in texts)),))
    (page,) = of_kind(book, "rules")
    assert "No. 1: All dots are given; between 1 and 2 there may be either." in words(page)


@pytest.mark.usefixtures("any_solution")
def test_letters_are_explained():
    for size, sentence in (
        (10, "The letter A stands for 10."),
        (12, "The letters A to C stand for 10 to 12."),
    ):
        book = Book((Section("Large", (unsolved(Variant(f"{size}x{size}")),)),))
        assert sentence in " ".join(words_on(book, "rules"))


@pytest.mark.usefixtures("any_solution")
def test_grids_align_with_any_text_around_them():
    book = Book((Section("Sums", tuple(map(unsolved, SANDWICH)), per_page=1),))
    pages = of_kind(book, "puzzles")
    corners = set()
    for page, puzzle in zip(pages, SANDWICH, strict=True):
        (found,) = figures(page, "puzzle-")
        left, top, _, _ = margins(puzzle)
        scale = found.shape.scale
        x = found.left + left * scale - book.layout.size.left(page.number)
        corners.add((round(x, 6), round(found.top + top * scale, 6)))
    assert len(corners) == 1


def test_solutions_have_neither_cages_nor_numbers_outside():
    solution = "1234341221434321"
    book = Book((Section("Killer", (Record(KILLER, solution),)),))
    (found,) = [f for page in book.layout.pages for f in figures(page, "solution-")]
    shapes = found.shape.picture.shapes
    assert "".join(shape.text for shape in shapes if isinstance(shape, Text)) == solution
    assert found.shape.picture.width == 4


def test_rules_without_marks_tint_the_cells_that_they_compare():
    look = Style(Design(), "en").grid(20.0)
    tinted = {
        name: sum(
            isinstance(s, Rect) and s.fill == "#eeeeee"
            for s in rule_example(name, look, "#eeeeee").shapes
        )
        for name in ("anti-knight", "anti-king", "non-consecutive", "disjoint-groups", "killer")
    }
    assert tinted == {
        "anti-knight": 8,
        "anti-king": 8,
        "non-consecutive": 4,
        "disjoint-groups": 8,
        "killer": 0,
    }


def test_a_pattern_of_marks_stands_in_for_givens():
    pattern = pattern_of(KILLER, "#000000")
    assert sum(shape.fill is not None for shape in pattern.shapes) == 2


def test_books_name_their_genres():
    assert kind_of(KILLER) == "4x4+killer"
    assert words_of("fr").kind("4x4+killer") == "Sudoku killer 4\xa0×\xa04"
    one = Book((Section("A", (Record(KILLER, "1234341221434321"),)),))
    assert words(one.layout.pages[0])[0] == "Killer Sudoku 4\xa0×\xa04"


@pytest.mark.usefixtures("any_solution")
def test_many_genres_have_one_name_in_the_title():
    texts = "4x4", "4x4+diagonals", "4x4+anti-king"
    sections = [Section(text, (unsolved(Variant(text)),)) for text in texts]
    book = Book((*sections, Section("Plain", (SMALL[0],))))
    title = " ".join(words(book.layout.pages[0]))
    assert title.startswith("Sudoku Variants & Sudoku")


@pytest.mark.parametrize(
    "kind",
    [
        *("killer", "6x6", "samurai", "diagonals,anti-knight", "5x5", "12x12"),
        *("9x9", "16x16", "25x25", "nurikabe"),
    ],
)
def test_every_kind_can_be_rehearsed(kind):
    include = Include(hints="cell", times=True)
    rehearse(BookSpec(parts=(Part(kind=kind),), include=include, cover=Cover()))


@pytest.mark.parametrize("kind", ["samurai", "6x6+thermometer", "anti-knight,diagonals"])
def test_a_rehearsal_has_the_rules_of_each_part(kind):
    puzzle, solution = making._example(Part(kind=kind))
    assert Genre.of(puzzle) == Genre.read(kind)
    assert Record(puzzle, solution).solved


def test_rules_that_no_digits_obey_are_refused_before_a_book_is_made():
    with pytest.raises(ValueError, match="no digits obey non-consecutive"):
        rehearse(BookSpec(parts=(Part(kind="4x4+non-consecutive"),)))


@pytest.mark.usefixtures("any_solution")
def test_codes_open_variants_where_a_site_can():
    pytest.importorskip("segno", reason="segno is not installed (nando[book])")
    puzzles = KILLER, Variant("4x4+low:r1c1"), Variant("9x9+samurai")
    assert [address_of(puzzle, "play") is None for puzzle in puzzles] == [False, True, True]
    assert read_puzzle(address_of(KILLER, "play")).text == KILLER.text
    sections = tuple(Section(puzzle.text[:9], (unsolved(puzzle),)) for puzzle in puzzles)
    book = Book(sections, BookSpec(include=Include(qr="play")))
    check(book)
    codes = [
        found
        for page in of_kind(book, "puzzles")
        for found in figures(page)
        if len(found.shape.picture.shapes) > 300
    ]
    assert len(codes) == 1
    assert codes[0].right - codes[0].left >= MODULE * codes[0].shape.picture.width - 1e-6
    (code,) = book.notes
    (pages,) = book.printing_notes
    assert code == "no code next to puzzle 2–3: no known site opens it, or its address is too long"
    assert pages.startswith(f"{book.n_pages} pages: paperbacks need at least 24 at Amazon KDP")
    assert Book(sections, BookSpec(design=Design(multiple=24))).printing_notes == ()


@pytest.mark.parametrize(
    ("trim", "cover", "n_pages", "note"),
    [
        ("6x9", Cover(), 24, ""),
        ("6x9", Cover(), 828, ""),
        ("6x9", Cover(), 830, "paperbacks of this size and paper have at most 828 at Amazon KDP"),
        ("6x9", Cover(paper="cream"), 778, "have at most 776 at Amazon KDP; divide it into vol"),
        ("8.5x11", Cover(), 592, "have at most 590 at Amazon KDP"),
        ("a4", Cover(paper="cream"), 732, "have at most 730 at Amazon KDP"),
        ("6x9", Cover(binding="hardcover"), 74, "hardcovers need at least 75 at Amazon KDP, 18 at"),
        ("6x9", Cover(binding="hardcover"), 76, ""),
        ("6x9", Cover(binding="hardcover"), 552, "hardcovers of this size and paper have at most"),
    ],
)
def test_books_that_shops_do_not_print_have_a_note(monkeypatch, trim, cover, n_pages, note):
    monkeypatch.setattr(Book, "n_pages", n_pages)
    book = Book((Section("Easy", (SMALL[0],)),), BookSpec(design=Design(trim=trim), cover=cover))
    notes = book.printing_notes
    assert len(notes) == bool(note)
    assert note in "".join(notes)


def test_thin_lines_do_not_cross_given_digits():
    puzzle = Variant(
        "9x9+arrow:r1c1:r1c2r1c3r1c4+diagonals+between:r8c1r8c2r8c3+zipper:r6c4r6c5r6c6"
    )
    given = Variant.of(np.arange(81) % 9 + 1, puzzle.rules)
    style = GridStyle(Pen(0.02, "#000000"), Pen(0.06, "#000000"))
    white = [
        {
            (shape.x, shape.y)
            for shape in board(each, style).shapes
            if isinstance(shape, Disc) and (shape.radius, shape.fill) == (0.3, "#ffffff")
        }
        for each in (puzzle, given)
    ]
    crossed = {(1.5, 0.5), (2.5, 0.5), (1.5, 7.5), (3.5, 5.5), (5.5, 5.5)}
    assert crossed <= white[1] - white[0]
    assert {(i + 0.5, i + 0.5) for i in range(9)} <= white[1]


KINDS = ("killer", "thermometer", "sandwich", "arrow", "jigsaw", "diagonals,anti-knight", "9x9")


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("trim", ["5x8", "6x9", "letter"])
@pytest.mark.thorough
def test_rules_examples_and_a_first_step_share_a_page(trim, language):
    examples = [making._example(Part(kind=kind)) for kind in KINDS]
    records = [Record(*example) for example in examples]
    sections = tuple(Section("A", (record,)) for record in records)
    book = Book(sections, BookSpec(design=Design(trim=trim), language=language))
    check(book)
    pages = of_kind(book, "rules")
    assert len(pages) == len(KINDS)
    for page in pages:
        assert words_of(language)("labels.step") in words(page)
        *_, step = sorted(figures(page), key=lambda found: found.shape.scale)
        assert step.shape.scale >= 15

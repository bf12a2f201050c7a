"""The texts of books: every language has the same ones."""

import re
from dataclasses import replace

import pytest
from helpers.samples.books import SMALL, check, of_kind, words_on

from nando.books import Book, BookSpec, Design, Include, Section
from nando.books.kinds import KINDS
from nando.books.language import pieces, words_of
from nando.books.right_to_left import visual
from nando.books.spec import TextPage
from nando.books.trim import load_typeface
from nando.drawing.shapes import Text
from nando.rating import GRADES
from nando.solvers.logic import LANGUAGES
from nando.solvers.logic.language import words_for


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_grade_and_kind_has_a_name(language):
    table = words_of(language).table
    assert {f"grades.{grade}" for grade in GRADES} <= set(table)
    assert {f"kinds.{kind}" for kind in KINDS} == {key for key in table if key[:6] == "kinds."}
    assert len({words_of(language).grade(grade) for grade in GRADES}) == len(GRADES)
    for kind in KINDS.values():
        assert f"rules.{kind.puzzle}.title" in table


def test_names_without_translation_stay_unchanged():
    assert words_of("de").grade("brutal") == "Brutal"
    assert words_of("de").kind("stripes") == "Stripes"


@pytest.mark.parametrize("typeface", ["source-sans", "source-serif", "vera"])
def test_the_typefaces_have_every_character_of_steps(typeface):
    regular = load_typeface(typeface).regular
    for tag in set(LANGUAGES) - {"ja"} - ({"pl"} if typeface == "vera" else set()):
        for kind in ("sudoku", "nurikabe", "variant"):
            said = "".join(words_for(kind, tag).table.values())
            assert not regular.missing(said), (tag, kind)


@pytest.mark.parametrize(
    ("language", "minutes", "between", "counts", "large"),
    [
        ("en", "6\u00a0min", "6–12\u00a0min", "1 puzzle, 1,200 puzzles", "12,000\u00a0min"),
        ("de", "6\u00a0Min.", "6–12\u00a0Min.", "1 Rätsel, 1.200 Rätsel", "12.000\u00a0Min."),
        (
            "fr",
            "6\u00a0min",
            "6–12\u00a0min",
            "1 grille, 1\u00a0200 grilles",
            "12\u00a0000\u00a0min",
        ),
        (
            "es",
            "6\u00a0min",
            "6-12\u00a0min",
            "1 pasatiempo, 1200 pasatiempos",
            "12\u00a0000\u00a0min",
        ),
        ("ja", "6分", "6～12分", "1問, 1,200問", "12,000分"),
    ],
)
def test_numbers_and_minutes_as_each_language_writes_them(
    language, minutes, between, counts, large
):
    words = words_of(language)
    short, long = (replace(SMALL[0], predicted=60.0 * n) for n in (6, 12))
    assert words.length(short) == minutes
    assert words.lengths([long, short]) == between
    assert f"{words.n_puzzles(1)}, {words.n_puzzles(1200)}" == counts
    assert words.length(replace(SMALL[0], predicted=720_000.0)) == large


def test_puzzles_without_a_prediction_have_no_minutes():
    unrated = replace(SMALL[0], predicted=None)
    assert words_of("en").lengths([unrated]) == ""
    assert words_of("en").lengths([unrated, SMALL[0]]) == words_of("en").length(SMALL[0])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a bc d", ["a ", "bc ", "d"]),
        ("", []),
        ("数独を解く。", ["数", "独", "を", "解", "く。"]),
        (
            "「一つ」だけ、1から9まで",
            ["「一", "つ」", "だ", "け、", "1", "か", "ら", "9", "ま", "で"],
        ),
        ("a、b 「c", ["a、", "b ", "「c"]),
    ],
)
def test_where_lines_may_break(text, found):
    assert pieces(text) == found
    assert "".join(pieces(text)) == text


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Sudoku 12 (1)", "Sudoku 12 (1)"),
        ("\u05d0\u05d1\u05d2", "\u05d2\u05d1\u05d0"),
        ("\u05d0\u05d1 12 (\u05d2)", "(\u05d2) 12 \u05d1\u05d0"),
        ("\u05d0 Sudoku 9x9 \u05d1", "\u05d1 Sudoku 9x9 \u05d0"),
        ("My \u05d0\u05d1 12 book", "My 12 \u05d1\u05d0 book"),
        ("\u05d0 12:30 14", "14 12:30 \u05d0"),
        ("\u05d0\u05d1 \u00b7 8 puzzles", "8 puzzles \u00b7 \u05d1\u05d0"),
        ("8 \u05d0\u05d1 \u00b7 9", "9 \u00b7 \u05d1\u05d0 8"),
        ("\u0633\u0644\u0627\u0645", "\ufee1\ufefc\ufeb3"),  # seen joins lam-alef, meem is alone
        ("\u0628\u0628\u0628", "\ufe90\ufe92\ufe91"),  # initial, medial, final
    ],
)
def test_lines_from_right_to_left_are_drawn_from_their_end(text, drawn):
    assert visual(text) == drawn


def test_a_book_has_titles_from_right_to_left_in_every_format(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    title = "\u05e1\u05d5\u05d3\u05d5\u05e7\u05d5 12"
    section = Section("\u0633\u0647\u0644", tuple(SMALL[:2]))
    include = Include(dividers=True, contents=False)
    design = Design(typeface="dejavu")
    preface = TextPage(text="# \u05d0\n\n\u05d0\u05d1 **\u05d2\u05d3**!\n\n- \u05d1", before="end")
    spec = BookSpec(title=title, design=design, include=include, pages=(preface,))
    book = Book((section,), spec)
    check(book)
    assert words_on(book, "title")[0] == visual(title) == "12 " + title[:-3][::-1]
    assert visual(section.title) in words_on(book, "divider")
    # A bold word stays between the words before and after it, seen from the right.
    assert words_on(book, "text")[1:] == [
        *("\u05d0", "!", "\u05d3\u05d2", " \u05d1\u05d0", "\u2022", "\u05d1")
    ]
    # A page from right to left begins at its right edge.
    (page,) = of_kind(book, "text")
    at = {each.text: each.x for each in page.picture.shapes if isinstance(each, Text)}
    assert page.picture.width / 2 < at["\u05d1"] < at["\u2022"] < at["\u05d0"]
    book.write(tmp_path / "book.pdf")
    book.write(tmp_path / "book.html")
    page = (tmp_path / "book.html").read_text(encoding="utf-8")
    assert f'unicode-bidi="bidi-override">{visual(title)}' in page
    spec = BookSpec(title=title)
    with pytest.raises(ValueError, match="choose dejavu"):
        Book((section,), spec).layout  # noqa: B018


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cell_that_explains_names_of_cells_is_on_the_smallest_board(language):
    words = words_of(language)
    for text in (words("hints.first_cells"), words("steps.meant")):
        named = {int(digit) for digit in re.findall(r"\d", text)}
        assert len(named) == 2
        assert max(named) <= 4

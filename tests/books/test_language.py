"""The texts of books: every language has the same ones."""

from dataclasses import replace

import pytest
from helpers.samples.books import SMALL

from nando.books.kinds import KINDS
from nando.books.language import pieces, words_of
from nando.books.trim import load_typeface
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
        assert f"rules.{kind.rules}.title" in table


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
        ("it", "6\u00a0min", "6–12\u00a0min", "1 schema, 1.200 schemi", "12.000\u00a0min"),
        ("pt", "6\u00a0min", "6–12\u00a0min", "1 jogo, 1.200 jogos", "12.000\u00a0min"),
        ("nl", "6\u00a0min.", "6–12\u00a0min.", "1 puzzel, 1.200 puzzels", "12.000\u00a0min."),
        (
            "pl",
            "6\u00a0min",
            "6–12\u00a0min",
            "1 łamigłówka, 1200 łamigłówek",
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

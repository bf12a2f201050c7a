"""Rules in words: the same texts and fields in each language, and titles of puzzles."""

from dataclasses import fields
from typing import get_args

import pytest
from helpers.samples.variant_samples import TEXTS

from nando.languages import texts
from nando.names import Language
from nando.puzzles import Variant
from nando.puzzles.rules.registry import RULES, all_sentences, rule_name
from nando.puzzles.variants.genre import Genre
from nando.puzzles.variants.text import LAYOUTS

LANGUAGES = get_args(Language)


def table(language):
    return texts(language, "rules")


def test_every_rule_has_a_name_and_a_sentence_in_every_language():
    for language in LANGUAGES:
        assert set(table(language)) == {"cells", *(rule.name for rule in RULES)}
        assert all({"name", "rule"} <= set(table(language)[rule.name]) for rule in RULES)


def test_every_flag_has_a_sentence_or_is_part_of_the_first():
    texts = table("en")
    for rule in RULES:
        flags = {f.name.replace("_", "-") for f in fields(rule) if f.type in (bool, "bool")}
        assert flags <= set(texts[rule.name])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("9x9+killer:r1c1r1c2:7", "No digit repeats in a cage."),
        ("9x9+killer:r1c1r2c2:4:repeats", "Digits may repeat in a cage."),
        (
            "9x9+kropki:r1c1r1c2:all-given",
            "All dots are given; between 1 and 2 there may be either.",
        ),
        (
            "9x9+whispers:r1c1r1c2",
            "Neighbours on a line with full diamonds differ by at least 5.",
        ),
        ("6x6+non-consecutive:cyclic", "1 and 6 count as consecutive."),
        (
            "6x6+digits:0-5",
            "Every row and every column of a grid holds each digit from 0 to 5 once.",
        ),
        (
            "4x4+digits:1-9",
            "Every cell holds a digit from 1 to 9. "
            "No digit repeats in a row or a column of a grid.",
        ),
        ("9x9+samurai", "Grids overlap; each of them is a Sudoku."),
    ],
)
def test_a_puzzle_states_its_rules(text, said):
    puzzle = Variant(text)
    sentences = all_sentences(puzzle.board, puzzle.rules)
    assert said in sentences
    assert len(set(sentences)) == len(sentences)


def test_names_are_those_of_the_language():
    assert rule_name(RULES[0], "en") == "Box"
    assert rule_name(RULES[0], "de") == "Block"


# Genres


@pytest.mark.parametrize("text", TEXTS)
def test_the_genre_of_a_puzzle_is_read_back(text):
    genre = Genre.of(Variant(text))
    assert Genre.read(str(genre)) == genre
    assert all(genre.name(language) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("text", "size", "genre", "name"),
    [
        ("killer", "", "9x9+killer", "Killer Sudoku"),
        ("killer", "6x6", "6x6+killer", "Killer Sudoku 6\xa0×\xa06"),
        (
            "anti-knight, diagonals",
            "",
            "9x9+diagonals+anti-knight",
            "Diagonal + Anti-Knight Sudoku",
        ),
        ("jigsaw", "", "9x9+regions", "Jigsaw Sudoku"),
        ("6x6", "", "6x6", "Sudoku 6\xa0×\xa06"),
        ("6x6", "6x6", "6x6", "Sudoku 6\xa0×\xa06"),
        ("5x5", "", "5x5", "Latin Square 5\xa0×\xa05"),
        ("diagonals,no-boxes", "", "9x9+no-boxes+diagonals", "Diagonal Sudoku"),
        ("samurai,killer", "", "9x9+samurai+killer", "Samurai + Killer Sudoku"),
    ],
)
def test_names_make_a_genre(text, size, genre, name):
    assert str(Genre.read(text, size)) == genre
    assert Genre.read(text, size).name("en") == name


@pytest.mark.parametrize(
    ("text", "size", "message"),
    [
        ("kiler", "", "did you mean 'killer'"),
        ("6x6,7x7", "", "has 6x6 and 7x7: give one of them"),
        ("6x6", "7x7", "has 6x6 and 7x7: give one of them"),
        ("samurai,sumo", "", "has samurai and sumo: give one of them"),
        ("killer", "6x7", "size must be 2x2 to 25x25"),
        ("30x30", "", "size must be 2x2 to 25x25"),
    ],
)
def test_an_unknown_genre_is_named(text, size, message):
    with pytest.raises(ValueError, match=message):
        Genre.read(text, size)


def test_arrangements_of_grids_have_names():
    for name in LAYOUTS:
        genre = Genre.of(Variant(f"9x9+{name}"))
        assert genre == Genre(grids=name)
        assert len({genre.name(language) for language in LANGUAGES}) > 2
    assert Genre.of(Variant("9x9+grids:r1c1r4c7")).name("en") == "Multi-Grid Sudoku"

"""Genres of puzzles, as text and in words."""

from typing import get_args

import pytest
from helpers.samples.variant_samples import TEXTS

from nando.names import Language
from nando.puzzles import Variant
from nando.puzzles.variants.genre import Genre
from nando.puzzles.variants.text import LAYOUTS

LANGUAGES = get_args(Language)


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

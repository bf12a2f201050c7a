"""Rules in words: the same texts and fields in each language, and titles of puzzles."""

from dataclasses import fields
from typing import get_args

import pytest

from nando.languages import texts
from nando.names import Language
from nando.puzzles import Variant
from nando.puzzles.rules.registry import RULES, all_sentences, rule_name

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

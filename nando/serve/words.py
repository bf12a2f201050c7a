"""The texts of the pages of a contest: one table, by name, then by language."""

from functools import cache
from importlib.resources import files
from typing import Any

from nando.play.page import words as play_words
from nando.puzzles.files import parse_toml


@cache
def words() -> dict[str, dict[str, str]]:
    """Return the texts of the page of puzzles, and those of the contest."""
    own = parse_toml((files("nando.serve") / "words.toml").read_text(encoding="utf-8"))
    return play_words() | own


def say(key: str, language: str = "en", **fields: Any) -> str:
    """Return a text of the table with its fields filled in."""
    return words()[key][language].format(**fields)

"""Texts for people: a file for each language, with a table for each subject.

All languages have the same keys, and the same fields in each text. Grammar is in the tables only. A
language is added by a file like ``en.toml``.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["texts"]


def texts(language: str, subject: str) -> dict[str, Any]:
    """Return the table of a subject in a language, as it is in the file."""
    table: dict[str, Any] = _tables(language)[subject]
    return table


@cache
def _tables(language: str) -> dict[str, Any]:
    place = files(__name__) / f"{language}.toml"
    return tomllib.loads(place.read_text(encoding="utf-8"))

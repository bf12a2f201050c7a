"""Texts for people: a folder for each language, a table for each subject.

All languages have the same keys, and the same fields in each text. Grammar is in the tables only. A
language is added by a folder like ``en``.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["texts"]


@cache
def texts(language: str, subject: str) -> dict[str, Any]:
    """Return the table of a subject in a language, as it is in the file."""
    place = files(__name__) / language / f"{subject}.toml"
    return tomllib.loads(place.read_text(encoding="utf-8"))

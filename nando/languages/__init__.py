"""Texts for people: a file for each language, with a table for each subject.

All languages have the same keys, and the same fields in each text. Grammar is in the tables only. A
language is added by a file like ``en.toml``.
"""

from functools import cache
from typing import Any

from nando.tables import load_table

__all__ = ["texts"]


def texts(language: str, subject: str) -> dict[str, Any]:
    """Return the table of a subject from the file of a language."""
    table: dict[str, Any] = _tables(language)[subject]
    return table


@cache
def _tables(language: str) -> dict[str, Any]:
    return load_table(__name__, f"{language}.toml")

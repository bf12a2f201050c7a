"""Names of players, and the texts of the pages."""

import unicodedata
from functools import cache
from typing import Any

from nando.play.page import words as play_words
from nando.tables import shipped_table


@cache
def words() -> dict[str, dict[str, str]]:
    """Return the texts of the page of puzzles and of the contest."""
    return play_words() | shipped_table("nando.serve", "words.toml")


def say(key: str, language: str = "en", **fields: Any) -> str:
    """Return a text of the table with its fields filled in."""
    return words()[key][language].format(**fields)


LONGEST = 40
"""Most characters of a name."""


class JoinError(ValueError):
    """The error for a player who cannot join.

    Attributes
    ----------
    reason : str
        Key of the reason, after ``refused_`` in the texts of the pages.
    fields : dict
        Fields of the text.
    """

    def __init__(self, reason: str, **fields: Any) -> None:
        super().__init__(say(f"refused_{reason}", **fields))
        self.reason = reason
        self.fields = fields


def clean_name(text: str) -> str:
    r"""Return a name on one line.

    Raises
    ------
    JoinError
        If nothing is left of the name, or it is too long.

    Examples
    --------
    >>> clean_name("  Ada\tLovelace\u202e ")
    'Ada Lovelace'
    """
    # Control characters, and those that change the direction of text, are not part of a name.
    kept = "".join(
        " " if unicodedata.category(c)[0] in "CZ" else c for c in unicodedata.normalize("NFC", text)
    )
    # A spreadsheet would take a name that begins with one of these characters for a formula.
    name = " ".join(kept.split()).lstrip("=+-@ ")
    if not name:
        raise JoinError("no_letter")
    if len(name) > LONGEST:
        raise JoinError("long_name", most=LONGEST, n=len(name))
    return name


def folded(name: str) -> str:
    """Return a name without the case and width of its letters, for comparison."""
    return unicodedata.normalize("NFKC", name).casefold()

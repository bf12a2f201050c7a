"""Names of players, the texts of the pages, and what a contest refuses."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from nando.play.page import words as play_words
from nando.tables import load_table


@cache
def words() -> dict[str, dict[str, str]]:
    """Return the texts of the page of puzzles and of the contest."""
    return play_words() | load_table("nando.serve", "words.toml")


def say(key: str, language: str = "en", **fields: Any) -> str:
    """Return a text of the table with its fields filled in."""
    return words()[key][language].format(**fields)


LONGEST = 40
"""Most characters of a name."""


class RefusedError(Exception):
    """A refusal that the pages show in their language; its message is the English text.

    Attributes
    ----------
    reason : str
        The key of the text, after ``refused_``.
    wait : int
        Seconds after which the request may be repeated; 0 if it will be refused again.
    fields : dict
        Fields of the text.
    """

    def __init__(self, reason: str, *, wait: int = 0, **fields: Any) -> None:
        super().__init__(say(f"refused_{reason}", **fields))
        self.reason = reason
        self.wait = wait
        self.fields = fields


MOST_MARKS = 2
"""Most combining marks on a letter; more of them cover the lines above and below."""

_ALPHABETS = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "COPTIC", "CHEROKEE"}
"""Alphabets with letters that look alike, as Unicode names them."""

_ALIKE = str.maketrans(
    "авгезікмнорстухјѕьԁһԛԝӏѵαβεζηικμνορτυχօսոհզցյıɑɡ01|",
    "abre3ikmhopctyxjsbdhqwlvabezhikmvoptyxounhqgjiagoii",
)
"""Letters in lower case, and digits, whose small or capital form looks like a Latin letter."""


def clean_name(text: str) -> str:
    r"""Return a name on one line.

    Raises
    ------
    RefusedError
        If nothing is left of the name, it is too long, a letter has more than `MOST_MARKS` marks, a
        word mixes alphabets, or the name could be taken for that of the organiser.

    Examples
    --------
    >>> clean_name("  Ada\tLovelace\u202e ")
    'Ada Lovelace'
    """
    text = unicodedata.normalize("NFC", text)
    # Control characters, and those that change the direction of text, are not part of a name.
    seen = [unicodedata.category(c)[0] not in "CZ" for c in text]
    joins = [False, *(c in _JOINERS for c in text[1:-1]), False]
    kept = "".join(
        c if seen[i] or (joins[i] and seen[i - 1] and seen[i + 1]) else " "
        for i, c in enumerate(text)
    )
    # A spreadsheet would take a name that begins with one of these characters for a formula.
    name = " ".join(kept.split()).lstrip("=+-@ ")
    if not name:
        raise RefusedError("no_letter")
    if len(name) > LONGEST:
        raise RefusedError("long_name", most=LONGEST, n=len(name))
    marks = "".join("m" if unicodedata.category(c) in ("Mn", "Me") else "-" for c in name)
    if "m" * (MOST_MARKS + 1) in marks:
        raise RefusedError("marks", most=MOST_MARKS)
    words = unicodedata.normalize("NFKC", name).split()
    if any(len(_ALPHABETS & {unicodedata.name(c, "").split(" ")[0] for c in w}) > 1 for w in words):
        raise RefusedError("alphabets")
    if _reserved_words() & set(re.findall(r"[^\W\d_]+", fold(name))):
        raise RefusedError("reserved", name=name)
    return name


_JOINERS = "\u200c\u200d"
"""Characters that join letters, or the people of an emoji, to what is seen as one sign."""


def fold(name: str) -> str:
    """Return what a name looks like, for comparison: names that look alike are equal.

    Case, width and look-alikes of Latin letters in other alphabets do not count, nor do joiners and
    those marks that make no letter of their own.

    Examples
    --------
    >>> fold("\u0410DA") == fold("Ad\u0430") == fold("ada\u0331"), fold("Zoë")
    (True, 'zoë')
    """
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).casefold())
    letters = unicodedata.normalize("NFC", decomposed.translate(_ALIKE)).replace("l", "i")
    unseen = ("COMBINING ", "VARIATION SELECTOR", "ZERO WIDTH ")
    return "".join(c for c in letters if not unicodedata.name(c, "").startswith(unseen))


def check_free(name: str, taken: Mapping[str, str]) -> None:
    """Raise RefusedError if a name is among those taken, or looks like one; see :func:`folded`."""
    other = taken.get(fold(name))
    if other is not None:
        is_same = unicodedata.normalize("NFKC", name).casefold() == other.casefold()
        raise RefusedError("name_taken" if is_same else "name_alike", name=name)


@cache
def _reserved_words() -> frozenset[str]:
    """Return the words, in all languages of the pages, that only the organiser may use."""
    return frozenset(fold(word) for text in words()["reserved"].values() for word in text.split())

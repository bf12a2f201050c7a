"""Names of players: on one line, short enough for a table, and told apart as people do."""

import unicodedata

LONGEST = 40
"""Characters of a name."""


def clean_name(text: str) -> str:
    r"""A name on one line.

    Raises
    ------
    ValueError
        Where nothing is left, or it is too long.

    Examples
    --------
    >>> clean_name("  Ada\tLovelace\u202e ")
    'Ada Lovelace'
    """
    # Control characters, and those that turn the direction of what follows, are no part of a name.
    kept = "".join(
        " " if unicodedata.category(c)[0] in "CZ" else c for c in unicodedata.normalize("NFC", text)
    )
    # A spreadsheet would take a name that begins with one of these for a formula.
    name = " ".join(kept.split()).lstrip("=+-@ ")
    if not name:
        raise ValueError("a name must have a letter")
    if len(name) > LONGEST:
        raise ValueError(f"a name has at most {LONGEST} characters, got {len(name)}")
    return name


def folded(name: str) -> str:
    """What tells names apart: not case, and not the width of letters."""
    return unicodedata.normalize("NFKC", name).casefold()

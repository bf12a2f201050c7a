"""Colour on a terminal: it repeats what the words say, and ``NO_COLOR`` turns it off."""

import os
import re
from typing import IO

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

_CODES = {
    "beginner": "32",
    "easy": "36",
    "medium": "34",
    "tricky": "33",
    "fiendish": "31",
    "diabolical": "35",
    "fills": "1;32",
    "removes": "1;33",
    "number": "2",
}
"""Codes of grades, and of the parts of a step."""


def takes_colour(stream: IO[str]) -> bool:
    """Return True if a stream is a terminal that shows colour, and nobody has turned it off.

    Any value of ``NO_COLOR`` does so (https://no-color.org).
    """
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, what: str) -> str:
    """Return the text in the colour of a grade or of a part of a step; plain for anything else."""
    code = _CODES.get(what)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


def visible(text: str) -> str:
    """Return the text without its colours."""
    return _ESCAPE.sub("", text)

"""Colour on a terminal: it adds nothing to the words, and ``NO_COLOR`` turns it off."""

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
"""ANSI codes of grades and of the parts of a step."""


def takes_colour(stream: IO[str]) -> bool:
    """Return True if a stream is a terminal that shows colour, and colour is not turned off.

    Any value of ``NO_COLOR`` turns colour off (https://no-color.org).
    """
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, what: str) -> str:
    """Return a text in the colour of `what`: a grade or a part of a step, else no colour."""
    code = _CODES.get(what)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


def visible(text: str) -> str:
    """Return a text without its colours."""
    return _ESCAPE.sub("", text)

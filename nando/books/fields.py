"""Checks of the settings of books."""

import re

from nando.records import Check

_COLOUR = re.compile("#[0-9a-fA-F]{6}")


def optional(check: Check) -> Check:
    """Return a check that accepts an empty text."""
    return lambda name, value: value and check(name, value)


def hex_colour(name: str, value: str) -> str:
    """Check a colour."""
    if not _COLOUR.fullmatch(value):
        raise ValueError(f"{name} must be a colour, for example #1f5a87, got {value!r}")
    return value


def one_line(name: str, value: str) -> str:  # noqa: ARG001
    """Return a text without line ends and repeated spaces; non-breaking spaces stay."""
    return re.sub(r"[ \t\r\n]+", " ", value).strip(" ")


def isbn(name: str, value: str) -> str:
    """Check an ISBN: 13 digits with or without hyphens, or an empty text."""
    digits = value.replace("-", "").replace(" ", "")
    if value and not (re.fullmatch(r"97[89]\d{10}", digits) and check_digit(digits) == digits[-1]):
        why = ""
        if re.fullmatch(r"97[89]\d{10}", digits):
            why = f", whose last digit should be {check_digit(digits)}"
        raise ValueError(
            f"{name} must be an ISBN, for example 978-3-16-148410-0, got {value!r}{why}"
        )
    return value


def check_digit(digits: str) -> str:
    """Compute the last digit of an EAN-13 from its first twelve."""
    weighted = sum(int(digit) * (3 if i % 2 else 1) for i, digit in enumerate(digits[:12]))
    return str(-weighted % 10)

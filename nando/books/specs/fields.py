"""Settings whose fields state their checks, so that each is named, checked and kept in one line."""

import dataclasses
import math
import re
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from nando.checks import check_fields

T = TypeVar("T")

Check = Callable[[str, Any], Any]
"""Takes the name and the value of a setting; returns the value to keep, or raises ValueError."""

_COLOUR = re.compile("#[0-9a-fA-F]{6}")


def setting(default: T, *checks: Check) -> T:
    """Return a field of :class:`Settings` with a default and its checks."""
    field: T = dataclasses.field(default=default, metadata={"checks": checks})
    return field


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """A record that checks its fields."""

    def __post_init__(self) -> None:
        check_fields(self)
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            for check in field.metadata.get("checks", ()):
                value = check(field.name.removesuffix("_"), value)
            object.__setattr__(self, field.name, value)
        self.check()

    def check(self) -> None:
        """Check the fields against each other."""


def among(known: Collection[Any]) -> Check:
    """Return the check for one of some values."""

    def check(name: str, value: Any) -> Any:
        one_of(name, value, known)
        return value

    return check


def between(least: float, most: float = math.inf) -> Check:
    """Return the check for a number in a range, or none at all."""

    def check(name: str, value: Any) -> Any:
        if value is not None and not least <= value <= most:
            limit = f"{least:g} to {most:g}" if math.isfinite(most) else f"at least {least:g}"
            raise ValueError(f"{name} must be {limit}, got {value:g}")
        return value

    return check


def optional(check: Check) -> Check:
    """Return the check for a text that may be empty."""
    return lambda name, value: value and check(name, value)


def hex_colour(name: str, value: str) -> str:
    """Check a colour."""
    if not _COLOUR.fullmatch(value):
        raise ValueError(f"{name} must be a colour such as #1f5a87, got {value!r}")
    return value


def one_line(name: str, value: str) -> str:  # noqa: ARG001
    """Return a text without line ends and repeated spaces; non-breaking spaces stay."""
    return re.sub(r"[ \t\r\n]+", " ", value).strip(" ")


def isbn(name: str, value: str) -> str:
    """Check an ISBN, of 13 digits with or without hyphens, or none."""
    digits = value.replace("-", "").replace(" ", "")
    if value and not (re.fullmatch(r"97[89]\d{10}", digits) and check_digit(digits) == digits[-1]):
        why = ""
        if re.fullmatch(r"97[89]\d{10}", digits):
            why = f", whose last digit should be {check_digit(digits)}"
        raise ValueError(f"{name} must be an ISBN such as 978-3-16-148410-0, got {value!r}{why}")
    return value


def check_digit(digits: str) -> str:
    """Return the last digit of an EAN-13, for its first twelve."""
    weighted = sum(int(digit) * (3 if i % 2 else 1) for i, digit in enumerate(digits[:12]))
    return str(-weighted % 10)


def one_of(name: str, value: Any, known: Collection[Any]) -> None:
    """Reject an unknown value."""
    if value not in known:
        names = [str(v).lower() if isinstance(v, bool) else str(v) for v in known if v != ""]
        raise ValueError(f"{name} must be one of {', '.join(names)}, got {value!r}")

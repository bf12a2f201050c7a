"""Records whose fields state their checks, so that each is named, checked and kept in one line."""

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

from nando.checks import one_of, real, whole

T = TypeVar("T")

Check = Callable[[str, Any], Any]
"""Takes the name and the value of a field; returns the value to keep, or raises an error."""


def setting(default: T, *checks: Check) -> T:
    """Return a field of :class:`Settings` with a default and its checks."""
    field: T = dataclasses.field(default=default, metadata={"checks": checks})
    return field


@dataclasses.dataclass(frozen=True)
class Settings:
    """A record that checks its fields.

    An int field must be a whole number, a float field must not be NaN, and a field that is one of
    several names must be one of them. A field may be None if its type allows None; its own checks
    are then left out.

    Raises
    ------
    TypeError, ValueError
        For the first invalid field, which the message names.
    """

    def __post_init__(self) -> None:
        cls: Any = type(self)
        kinds = _kinds_of(cls)
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            checks, may_be_none = kinds[field.name]
            if may_be_none and value is None:
                continue
            name = field.name.removesuffix("_")
            for check in checks:
                check(name, value)
            for check in field.metadata.get("checks", ()):
                value = check(name, value)
            object.__setattr__(self, field.name, value)
        self.check()

    def check(self) -> None:
        """Check the fields against each other."""


@cache
def _kinds_of(cls: Any) -> dict[str, tuple[list[Check], bool]]:
    """Return the checks of each field's type, and whether the field may be None."""
    of_field = {}
    hints = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        hint = hints[field.name]
        is_union = typing.get_origin(hint) in (types.UnionType, typing.Union)
        kinds = set(typing.get_args(hint)) if is_union else {hint}
        may_be_none = types.NoneType in kinds
        kinds -= {types.NoneType}
        checks: list[Check] = []
        if kinds == {int}:
            checks = [whole]
        elif kinds in ({float}, {int, float}):
            checks = [_not_nan]
        elif all(typing.get_origin(kind) is typing.Literal for kind in kinds):
            checks = [among([name for kind in kinds for name in typing.get_args(kind)])]
        of_field[field.name] = checks, may_be_none
    return of_field


def _not_nan(name: str, value: object) -> float:
    return real(name, value, finite=False)


def among(known: Iterable[Any]) -> Check:
    """Return a check that a value is one of the known values."""
    values = list(known)

    def check(name: str, value: Any) -> Any:
        one_of(name, value, values)
        return value

    return check


def between(least: float, most: float = math.inf) -> Check:
    """Return a check that a number is in a range."""

    def check(name: str, value: Any) -> Any:
        if not least <= value <= most:
            limit = f"{least:g} to {most:g}" if math.isfinite(most) else f"at least {least:g}"
            raise ValueError(f"{name} must be {limit}, got {value:g}")
        return value

    return check


def below_one(name: str, value: float) -> float:
    """Check that a number is at least 0 and below 1, and return it."""
    if not 0.0 <= value < 1.0:
        raise ValueError(f"{name} must be at least 0 and below 1, got {value!r}")
    return float(value)

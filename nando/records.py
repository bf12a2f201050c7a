"""Records: dataclasses whose fields state their bounds and their words, each in one line.

Checks, the reading of TOML and JSON, options of commands and JSON schemas (:mod:`nando.schemas`)
follow from the fields. A field with a default is a :func:`setting`; one without has its checks in
`Annotated`.
"""

import dataclasses
import datetime
import math
import types
import typing
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

from nando.checks import nearest, one_of, positive, real, share, show, whole

T = TypeVar("T")
R = TypeVar("R", bound=type)

Check = Callable[[str, Any], Any]
"""Takes the name and the value of a field; returns the value to keep, or raises an error. It may
have an attribute `schema`, keywords of a JSON schema that say the same."""

_NOUNS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    datetime.datetime: "a date with a time, for example 2027-03-01T19:00:00",
    types.NoneType: "nothing",
}


def setting(default: T, *checks: Check, about: str = "", named: str = "", metavar: str = "") -> T:
    """Return a field of :class:`Settings`.

    Parameters
    ----------
    default : object
    *checks : callable
        Checks of values other than None, in order.
    about : str
        What the field means, for references, help and schemas.
    named : str
        Name in files and options; default: that of the field, without an underscore at its end.
    metavar : str
        Name of the value in the help of a command.
    """
    words = {"checks": checks, "about": about, "named": named, "metavar": metavar}
    field: T = dataclasses.field(default=default, metadata=words)
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
            checks, own_checks, may_be_none = kinds[field.name]
            if may_be_none and value is None:
                continue
            name = name_in_files(field)
            for check in checks:
                check(name, value)
            for check in own_checks:
                value = check(name, value)
            object.__setattr__(self, field.name, value)
        self.check()

    def check(self) -> None:
        """Check the fields against each other."""


def documented(cls: R) -> R:
    """Add a section with the fields that say what they are `about` to the docstring of a record."""
    hints = typing.get_type_hints(cls)
    lines = ["", "", "    Attributes", "    ----------"]
    for field in dataclasses.fields(cls):
        if field.metadata.get("about"):
            kinds = " or ".join(_named(kind) for kind in _kinds_in(hints[field.name]))
            lines += [f"    {field.name} : {kinds}", f"        {field.metadata['about']}"]
    cls.__doc__ = (cls.__doc__ or "").rstrip() + "\n".join(lines) + "\n    "
    return cls


def name_in_files(field: "dataclasses.Field[Any]") -> str:
    """Return the name of a field in files, messages and options."""
    return field.metadata.get("named") or field.name.removesuffix("_")


def read_record(cls: type[T], table: Any, *, noun: str, where: str = "") -> T:
    """Return a record with the values of a table.

    Parameters
    ----------
    cls : type
        A dataclass whose fields are plain values, dataclasses, or tuples of either.
    table : dict
        Plain values, as :func:`tomllib.loads` and :func:`json.loads` return them.
    noun : str
        What the outermost table describes, for messages.
    where : str
        Name of the table within the file.

    Raises
    ------
    ValueError
        For unknown and missing settings, and invalid values.
    """
    if not isinstance(table, dict):
        raise ValueError(f"{where or noun} must be a table, got {show(table)}")
    hints = typing.get_type_hints(cls)
    fields = {name_in_files(field): field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for name in table:
        if name not in fields:
            strange = _path(where, show(name)[1:-1])
            known = ", ".join(fields) + nearest(name, fields)
            raise ValueError(f"{strange} is not a setting; known: {known}")
    missing = [name for name, field in fields.items() if _is_needed(field) and name not in table]
    if missing:
        them = "them" if missing[1:] else "it"
        raise ValueError(f"no {' and no '.join(missing)}: {where or noun} needs {them}")
    values = {
        fields[name].name: _read(hints[fields[name].name], value, noun, _path(where, name))
        for name, value in table.items()
    }
    try:
        return cls(**values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}" if where else str(error)) from None


def plain(value: Any) -> Any:
    """Return the plain values that describe a record, without those that are defaults."""
    if isinstance(value, tuple):
        return [item if isinstance(item, float) else plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if not dataclasses.is_dataclass(value):
        return value
    return {
        name_in_files(field): plain(getattr(value, field.name))
        for field in dataclasses.fields(value)
        if getattr(value, field.name) != _default(field)
    }


def of_length(n: int) -> Check:
    """Return a check that a tuple has `n` items."""

    def check(name: str, value: Any) -> Any:
        if len(value) != n:
            raise ValueError(f"{name} must be {n} numbers, got {len(value)}")
        return value

    return _stated(check, minItems=n, maxItems=n)


def among(known: Iterable[Any]) -> Check:
    """Return a check that a value is one of the known values."""
    values = list(known)

    def check(name: str, value: Any) -> Any:
        one_of(name, value, values)
        return value

    return _stated(check, enum=values)


def between(least: float, most: float = math.inf) -> Check:
    """Return a check that a number is in a range."""

    def check(name: str, value: Any) -> Any:
        if not least <= value <= most:
            limit = f"{least:g} to {most:g}" if math.isfinite(most) else f"at least {least:g}"
            raise ValueError(f"{name} must be {limit}, got {value:g}")
        return value

    upper = {"maximum": most} if math.isfinite(most) else {}
    return _stated(check, minimum=least, **upper)


def _stated(check: Any, **schema: Any) -> Check:
    """Return a check with the keywords of a JSON schema that say the same."""
    check.schema = schema
    stated: Check = check
    return stated


above_zero = _stated(positive, exclusiveMinimum=0)
"""Checks that a number is finite and above 0."""
proper_share = _stated(share, exclusiveMinimum=0, exclusiveMaximum=1)
"""Checks that a number is between 0 and 1, both excluded."""


def below_one(name: str, value: float) -> float:
    """Check that a number is at least 0 and below 1, and return it."""
    if not 0.0 <= value < 1.0:
        raise ValueError(f"{name} must be at least 0 and below 1, got {value!r}")
    return float(value)


@cache
def _kinds_of(cls: Any) -> dict[str, tuple[list[Check], list[Check], bool]]:
    """Return the checks of each field's type, its own checks, and whether it may be None."""
    of_field = {}
    hints = typing.get_type_hints(cls, include_extras=True)
    for field in dataclasses.fields(cls):
        hint, *notes = _annotated(hints[field.name])
        kinds = set(_kinds_in(hint))
        may_be_none = types.NoneType in kinds
        kinds -= {types.NoneType}
        checks: list[Check] = []
        if kinds == {int}:
            checks = [whole]
        elif kinds in ({float}, {int, float}):
            checks = [_check_not_nan]
        elif kinds <= {tuple[float, ...], tuple[int, ...]}:
            checks = [_check_numbers]
        elif all(typing.get_origin(kind) is typing.Literal for kind in kinds):
            checks = [among(name for kind in kinds for name in typing.get_args(kind))]
        own = [*filter(callable, notes), *field.metadata.get("checks", ())]
        of_field[field.name] = checks, own, may_be_none
    return of_field


def _annotated(hint: Any) -> tuple[Any, ...]:
    """Return a type, and what it is annotated with."""
    return typing.get_args(hint) if typing.get_origin(hint) is typing.Annotated else (hint,)


def _kinds_in(hint: Any) -> tuple[Any, ...]:
    """Return the types of which a value may be."""
    is_union = typing.get_origin(hint) in (types.UnionType, typing.Union)
    return typing.get_args(hint) if is_union else (hint,)


def _named(kind: Any) -> str:
    """Return the name of a type in a reference."""
    if typing.get_origin(kind) is typing.Literal:
        return f"{{{', '.join(map(repr, typing.get_args(kind)))}}}"
    if kind is types.NoneType:
        return "None"
    arguments = typing.get_args(kind)
    return f"tuple of {_named(arguments[0])}" if arguments else str(getattr(kind, "__name__", kind))


def _check_not_nan(name: str, value: object) -> float:
    return real(name, value, finite=isinstance(value, int))  # a larger integer than any float


def _check_numbers(name: str, value: Iterable[object]) -> None:
    for number in value:
        if type(number) is not float or math.isnan(number):
            _check_not_nan(name, number)


def _read(expected: Any, value: Any, noun: str, where: str) -> Any:
    if dataclasses.is_dataclass(expected) and isinstance(expected, type):
        return read_record(expected, value, noun=noun, where=where)
    if typing.get_origin(expected) is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{where} must be a list, got {show(value)}")
        kind = typing.get_args(expected)[0]
        if {kind} == set(map(type, value)):  # a model has thousands of numbers
            return tuple(value)
        return tuple(_read(kind, item, noun, f"{where}[{i}]") for i, item in enumerate(value, 1))
    if typing.get_origin(expected) is dict:
        if not isinstance(value, dict):
            raise ValueError(f"{where} must be a table, got {show(value)}")
        kind = typing.get_args(expected)[1]
        return {
            name: _read(kind, item, noun, f"{where}[{show(name)}]") for name, item in value.items()
        }
    kinds = _kinds_in(expected)
    if value is not None and len(kinds) == 2 and kinds[1] is types.NoneType:
        return _read(kinds[0], value, noun, where)
    # An integer is a valid float, but true and false are not numbers.
    fits = type(value) in kinds or (type(value) is int and float in kinds)
    if not fits and all(kind in _NOUNS for kind in kinds):
        nouns = " or ".join(_NOUNS[kind] for kind in kinds if kind is not types.NoneType)
        raise ValueError(f"{where} must be {nouns}, got {show(value)}")
    return value


def _is_needed(field: "dataclasses.Field[Any]") -> bool:
    return field.default is field.default_factory is dataclasses.MISSING


def _default(field: "dataclasses.Field[Any]") -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _path(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name

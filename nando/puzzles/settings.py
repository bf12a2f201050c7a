"""Read tables of TOML files into dataclasses, and read sizes; errors name the faulty setting."""

import dataclasses
import datetime
import types
import typing
from typing import Any, TypeVar

from nando.puzzles.files import shortened

T = TypeVar("T")

_LONGEST_SIDE = 9
"""Most digits of a side of a size."""

_NAMES = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    datetime.datetime: "a date with a time, for example 2027-03-01T19:00:00",
    types.NoneType: "nothing",
}


def settings_of(cls: type[T], table: Any, *, noun: str, where: str = "") -> T:
    """Return an instance of a dataclass with the values of a table.

    Parameters
    ----------
    cls : type
        A dataclass whose fields are plain values, dataclasses, or tuples of either.
    table : dict
        Plain values, as :func:`tomllib.loads` returns them.
    noun : str
        What the outermost table describes, for messages.
    where : str
        Name of the table within the file.

    Raises
    ------
    ValueError
        For unknown settings and invalid values.
    """
    if not isinstance(table, dict):
        raise ValueError(f"{where or noun} must be a table, got {shortened(repr(table))}")
    # A field whose name would be a word of Python ends in an underscore.
    fields = {name.removesuffix("_"): name for name in typing.get_type_hints(cls)}
    types_of = {name: typing.get_type_hints(cls)[field] for name, field in fields.items()}
    unknown = [name for name in table if name not in types_of]
    if unknown:
        strange = _path(where, shortened(unknown[0]))
        raise ValueError(f"{strange} is not a setting; known: {', '.join(types_of)}")
    values = {
        fields[name]: _value(types_of[name], table[name], noun, _path(where, name))
        for name in table
    }
    try:
        return cls(**values)
    except ValueError as error:
        raise ValueError(f"{where}: {error}" if where else str(error)) from None


def _value(expected: Any, value: Any, noun: str, where: str) -> Any:
    if dataclasses.is_dataclass(expected) and isinstance(expected, type):
        return settings_of(expected, value, noun=noun, where=where)
    if typing.get_origin(expected) is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{where} must be a list, got {shortened(repr(value))}")
        (kind, _) = typing.get_args(expected)
        return tuple(_value(kind, item, noun, f"{where}[{i}]") for i, item in enumerate(value, 1))
    kinds = typing.get_args(expected) or (expected,)
    # An integer is a valid float, but true and false are not numbers.
    fits = type(value) in kinds or (type(value) is int and float in kinds)
    if not fits:
        names = " or ".join(_NAMES[kind] for kind in kinds if kind is not types.NoneType)
        raise ValueError(f"{where} must be {names}, got {shortened(repr(value))}")
    return value


def _path(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def shape_of(size: str) -> tuple[int, int]:
    """Return the rows and columns of a size written as width x height; one side is a square.

    Raises
    ------
    ValueError
        If it is not a size.

    Examples
    --------
    >>> shape_of("10x8"), shape_of("7")
    ((8, 10), (7, 7))
    """
    width, cross, height = size.lower().partition("x")
    sides = (width, height) if cross else (width,)
    if not all(side.isdecimal() and len(side) <= _LONGEST_SIDE for side in sides):
        raise ValueError(f"not a size: {shortened(size)!r}; wanted WxH, such as 10x10 or 12x8")
    return int(height or width), int(width)

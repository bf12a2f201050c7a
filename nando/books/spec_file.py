"""Books as TOML files: each table is one of the classes of :mod:`nando.books.spec`."""

import dataclasses
import tomllib
import types
import typing
from pathlib import Path
from typing import Any, TypeVar

from nando.books.spec import BookSpec
from nando.puzzles.files import read_text

T = TypeVar("T")

_NAMES = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    types.NoneType: "nothing",
}


def read_spec(path: str | Path) -> BookSpec:
    r"""The book that a TOML file describes.

    Raises
    ------
    ValueError
        If it is not TOML, has an unknown setting, or a value of the wrong type; the message says
        where in the file.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "book.toml"
    ...     _ = path.write_text('title = "Ten minutes"\n[[parts]]\nminutes = 10\ncount = 24\n')
    ...     spec = read_spec(path)
    >>> spec.title, [(part.minutes, part.count, part.per_page) for part in spec.parts]
    ('Ten minutes', [(10, 24, 4)])
    """
    text = read_text(path)
    try:
        return spec_of(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: not TOML ({error})") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def spec_of(table: dict[str, Any]) -> BookSpec:
    """The book that plain values describe.

    Raises
    ------
    ValueError
        For unknown settings and invalid values.
    """
    return _read(BookSpec, table, "")


def table_of(spec: BookSpec) -> dict[str, Any]:
    """The plain values that describe a book, without defaults."""
    table: dict[str, Any] = _told(spec)
    return table


def _told(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_told(item) for item in value]
    if not dataclasses.is_dataclass(value):
        return value
    plain: Any = type(value)()  # type: ignore[misc]
    return {
        field.name: _told(getattr(value, field.name))
        for field in dataclasses.fields(value)
        if getattr(value, field.name) != getattr(plain, field.name)
    }


def _read(cls: type[T], table: Any, where: str) -> T:
    """A dataclass of a table; `where` names the table in messages."""
    if not isinstance(table, dict):
        raise ValueError(f"{where or 'a book'} must be a table, got {table!r}")
    wanted = typing.get_type_hints(cls)
    unknown = [name for name in table if name not in wanted]
    if unknown:
        raise ValueError(f"{_path(where, unknown[0])} is not a setting; known: {', '.join(wanted)}")
    values = {name: _value(wanted[name], table[name], _path(where, name)) for name in table}
    try:
        return cls(**values)
    except ValueError as error:
        raise ValueError(f"{where}: {error}" if where else str(error)) from None


def _value(wanted: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(wanted) and isinstance(wanted, type):
        return _read(wanted, value, where)
    if typing.get_origin(wanted) is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{where} must be a list, got {value!r}")
        (kind, _) = typing.get_args(wanted)
        return tuple(_value(kind, item, f"{where}[{i}]") for i, item in enumerate(value, 1))
    kinds = typing.get_args(wanted) or (wanted,)
    # An integer is a valid float, but true and false are not numbers.
    fits = type(value) in kinds or (type(value) is int and float in kinds)
    if not fits:
        names = " or ".join(_NAMES[kind] for kind in kinds if kind is not types.NoneType)
        raise ValueError(f"{where} must be {names}, got {value!r}")
    return value


def _path(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name

"""Books as TOML files: each table is one of the classes of :mod:`nando.books.spec`."""

import dataclasses
from pathlib import Path
from typing import Any

from nando.books.spec import BookSpec
from nando.puzzles.files import parse_toml, read_text
from nando.records import plain, read_record


def read_spec(path: str | Path) -> BookSpec:
    r"""Return the book that a TOML file describes.

    Raises
    ------
    ValueError
        If the file is not TOML, has an unknown setting, or a value of the wrong type. The message
        says where in the file.
    OSError
        If the file cannot be read.

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
        spec = spec_of(parse_toml(text))
        if not spec.cover.image:
            return spec
        image = str(Path(path).parent / spec.cover.image)
        return dataclasses.replace(spec, cover=dataclasses.replace(spec.cover, image=image))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def spec_of(table: dict[str, Any]) -> BookSpec:
    """Return the book that plain values describe.

    Raises
    ------
    ValueError
        For unknown settings and invalid values.
    """
    return read_record(BookSpec, table, noun="a book")


def table_of(spec: BookSpec) -> dict[str, Any]:
    """Return the plain values that describe a book, without defaults."""
    table: dict[str, Any] = plain(spec)
    return table

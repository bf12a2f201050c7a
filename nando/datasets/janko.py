"""Read the files of the collection on janko.at."""

import ast
import bz2
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nando.puzzles.files import parse_json

_LONGEST = 1 << 22
"""Most characters of a line that are read at once."""

NO_PUZZLE = "not the JSON of a puzzle"
"""The error of a line without a puzzle."""


def packed_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a packed file; raise ValueError if it is damaged."""
    try:
        with bz2.open(path, "rt", encoding="utf-8") as file:
            while line := file.readline(_LONGEST):
                yield line
    except (EOFError, UnicodeDecodeError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(f"{path}: damaged bzip2 file ({error}); take another copy of it") from None


def page_of(line: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a page and its fields, which may also be written as Python.

    Raises
    ------
    ValueError
        If the line is anything else.
    """
    try:
        record = parse_json(line)
        data = record["data"]
        fields = ast.literal_eval(data) if isinstance(data, str) else data
        if not isinstance(fields, dict):
            raise TypeError
        return str(record["file"]), fields
    except (ValueError, KeyError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise ValueError(NO_PUZZLE) from None

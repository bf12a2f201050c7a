"""All formats of puzzles. A new format is a module here and an entry in `FORMATS`."""

from pathlib import Path

from nando.puzzles.formats import json_values, table, text
from nando.puzzles.formats.base import Format
from nando.puzzles.formats.one_line import ONE_LINE
from nando.puzzles.formats.programs import (
    f_puzzles,
    ipuz,
    lisudoku,
    pencilmark,
    sudokupad,
    xml_files,
)

FORMATS: tuple[Format, ...] = (
    text.LINE,
    text.GRID,
    text.SDM,
    text.SDK,
    table.FORMAT,
    table.SPREADSHEET,
    json_values.FORMAT,
    *ONE_LINE,
    f_puzzles.JSON,
    lisudoku.JSON,
    ipuz.FORMAT,
    pencilmark.FORMAT,
    sudokupad.JSON,
    xml_files.FORMAT,
)
"""Every format; all can be read."""


def find_format(name: str) -> Format:
    """Return the format with a name.

    Raises
    ------
    ValueError
        For an unknown name; the message lists the formats that can be written.
    """
    for format in FORMATS:
        if format.name == name:
            return format
    known = ", ".join(format.name for format in FORMATS if format.write is not None)
    raise ValueError(f"format must be one of {known}, got {name!r}")


def format_of_file(path: str | Path) -> Format:
    """Return the format of a file by its suffix before any ``.gz``; by default, lines."""
    suffix = Path(str(path).lower().removesuffix(".gz")).suffix
    return next((format for format in FORMATS if suffix in format.suffixes), text.LINE)

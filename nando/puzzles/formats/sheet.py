"""Spreadsheets: boards a cell a number, or a column of puzzles. They are read as lines of CSV.

Recognised by their content where lines are read (`nando.puzzles.lines`), as packed files are.
"""

from nando.puzzles.formats.format import Format

FORMAT = Format(
    name="spreadsheet",
    title="spreadsheets of Excel and LibreOffice",
    holds="all kinds",
    suffixes=(".xlsx", ".ods"),
)

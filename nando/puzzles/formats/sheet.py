"""Spreadsheets: boards with one number per cell, or a column of puzzles, read as lines of CSV.

Like compressed files, they are recognised by their content when lines are read
(`nando.puzzles.lines`).
"""

from nando.puzzles.formats.format import Format

FORMAT = Format(
    name="spreadsheet",
    title="spreadsheets of Excel and LibreOffice",
    holds="all kinds",
    suffixes=(".xlsx", ".ods"),
)

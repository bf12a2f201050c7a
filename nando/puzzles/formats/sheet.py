"""Spreadsheets: boards with one number per cell, or a column of puzzles, read as lines of CSV.

Like compressed files, they are recognised by their content when lines are read
(`nando.puzzles.lines`).
"""

from nando.puzzles.formats.format import listed

FORMAT = listed("spreadsheet")

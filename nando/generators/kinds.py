"""The source of new puzzles of each kind."""

from nando.generators.nurikabe.source import NurikabeSource
from nando.generators.sudoku.source import SudokuSource
from nando.generators.target import Source

SOURCES: dict[str, type[Source]] = {"sudoku": SudokuSource, "nurikabe": NurikabeSource}
"""Sources of new puzzles, by kind."""

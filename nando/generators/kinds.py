"""The source of new puzzles of each kind."""

from nando.generators.nurikabe_source import NurikabeSource
from nando.generators.sudoku import SudokuSource
from nando.generators.target import Source
from nando.generators.variants.source import VariantSource

SOURCES: dict[str, type[Source]] = {
    "sudoku": SudokuSource,
    "nurikabe": NurikabeSource,
    "variant": VariantSource,
}
"""Sources of new puzzles, by kind."""

"""Puzzles with one solution at a wanted difficulty, and books of them.

A generator knows no rating: what a puzzle is worth comes as a callable.
"""

from nando.generators.batch import Made, OutOfReachError, generate
from nando.generators.book import Book, Section, read_book, sections_by_grade
from nando.generators.duplicates import Known
from nando.generators.grids import random_grid, root_grid
from nando.generators.lewis import lewis_instance
from nando.generators.nurikabe import NurikabeDraft, NurikabeSource
from nando.generators.records import Record, solution_line
from nando.generators.sudoku import SudokuDraft, SudokuSource
from nando.generators.symmetry import SYMMETRIES, Symmetry, orbits
from nando.generators.target import Draft, Effort, Source, Target

SOURCES: dict[str, type[Source]] = {"sudoku": SudokuSource, "nurikabe": NurikabeSource}
"""What puzzles are drawn from, by their kind."""

__all__ = [
    "SOURCES",
    "SYMMETRIES",
    "Book",
    "Draft",
    "Effort",
    "Known",
    "Made",
    "NurikabeDraft",
    "NurikabeSource",
    "OutOfReachError",
    "Record",
    "Section",
    "Source",
    "SudokuDraft",
    "SudokuSource",
    "Symmetry",
    "Target",
    "generate",
    "lewis_instance",
    "orbits",
    "random_grid",
    "read_book",
    "root_grid",
    "sections_by_grade",
    "solution_line",
]

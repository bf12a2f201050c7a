"""A design in points, fonts and colours."""

from dataclasses import dataclass
from functools import cached_property

from nando.books.spec import LINES, Design
from nando.books.trim import TRIMS
from nando.books.typefaces import load_typeface
from nando.drawing.shapes import GridStyle, Pen
from nando.drawing.typeface import Typeface

LEADING = 1.42
"""Distance of the lines of a paragraph, as a multiple of the type."""

_DIGIT = 0.46
"""Height of the digits of a grid, in cells."""
_NUMBER = 0.27
"""Size of the numbers of cages, in cells."""
_THIN, _THICK = 0.45, 1.5
"""Lines between cells and borders, of normal weight."""


@dataclass(frozen=True)
class Style:
    """Sizes, fonts and colours of the pages of a book.

    Attributes
    ----------
    design : Design
    language : str
    """

    design: Design
    language: str

    @cached_property
    def typeface(self) -> Typeface:
        """The typeface of the design, or the default of the language."""
        return load_typeface(self.design.typeface or DEFAULTS.get(self.language, "source-sans"))

    @property
    def size(self) -> float:
        """Of the type of paragraphs."""
        if self.design.large_print:
            return 16.0
        return min(max(0.0235 * TRIMS[self.design.trim][0], 9.2), 11.5)

    @property
    def small(self) -> float:
        """Of the type of remarks."""
        return 0.82 * self.size

    @property
    def large(self) -> float:
        """Of the type of headings."""
        return 1.9 * self.size

    @property
    def least_cell(self) -> float:
        """Least side of a cell to write in: 4.5 mm, or 9 mm in large print."""
        return 25.5 if self.design.large_print else 12.8

    @property
    def least_answer_cell(self) -> float:
        """Least side of a cell with a readable digit."""
        return 12.0 if self.design.large_print else 6.5

    ink, grey, pale, rule, tint = "#000000", "#555555", "#bdbdbd", "#9a9a9a", "#e9e9e9"

    @property
    def accent(self) -> str:
        """The accent colour; black in a book without colours."""
        return self.design.accent if self.design.colour else self.ink

    def grid(self, cell: float, weight: float = 1.0) -> GridStyle:
        """Return the style of grids whose cells have a given side in points."""
        weight *= LINES[self.design.lines]
        # Lines keep their weight in cells of all sizes, but very small grids would turn black.
        weight *= min(1.0, (cell / 12) ** 0.5)
        thin, thick = (Pen(line * weight / cell, self.ink) for line in (_THIN, _THICK))
        return GridStyle(thin, thick, _DIGIT / self.typeface.cap_height, _NUMBER)


DEFAULTS = {"ja": "noto-sans-jp"}
"""Typefaces of languages that need one of their own."""

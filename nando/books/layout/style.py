"""The sizes in points, fonts and colours of a design."""

from dataclasses import dataclass
from functools import cached_property

from nando.books.spec import LINES, Design
from nando.books.trim import MM, trim_size
from nando.books.typefaces import DEFAULTS, load_typeface
from nando.drawing.shapes import GridStyle, Pen
from nando.drawing.typeface import Typeface

LEADING = 1.42
"""Distance between the lines of a paragraph, as a multiple of the size of type."""

_DIGIT = 0.46
"""Height of the digits of a grid, in cells."""
_NUMBER, _LARGE_NUMBER = 0.27, 0.36
"""Size of the numbers of cages in cells: usual, and in large print, whose cells have more room."""
LARGE_TYPE, LARGE_CELL = 16.0, 9 * MM
"""Least size of type and least side of a cell in large print."""
_THIN, _THICK = 0.45, 1.5
"""Widths of the lines between cells and of borders, at normal weight."""


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
        """Size of the type of paragraphs."""
        if self.design.large_print:
            return LARGE_TYPE
        return min(max(0.0235 * trim_size(self.design.trim)[0], 9.2), 11.5)

    @property
    def small(self) -> float:
        """Size of the type of remarks."""
        return self.scaled(0.82)

    @property
    def least_type(self) -> float:
        """The least size of type; 0 for any."""
        return LARGE_TYPE if self.design.large_print else 0.0

    def scaled(self, share: float) -> float:
        """Return a share of the size of paragraphs, but at least the least size of type."""
        return max(share * self.size, self.least_type)

    @property
    def large(self) -> float:
        """Size of the type of headings."""
        return 1.9 * self.size

    @property
    def least_cell(self) -> float:
        """Least side of a cell to write in: 4.5 mm, or 9 mm in large print."""
        return LARGE_CELL if self.design.large_print else 12.8

    @property
    def least_answer_cell(self) -> float:
        """Least side of a cell with a readable digit."""
        return LARGE_CELL if self.design.large_print else 6.5

    def needed_cell(self, type_: float) -> float:
        """Return the least side of a cell whose smallest type has the size `type_` in cells.

        The result is 0 unless the print is large.
        """
        return max(LARGE_CELL, LARGE_TYPE / type_) if self.design.large_print else 0.0

    @property
    def digit(self) -> float:
        """Size of the type of a digit of a grid, in cells."""
        return _DIGIT / self.typeface.cap_height

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
        number = _LARGE_NUMBER if self.design.large_print else _NUMBER
        return GridStyle(thin, thick, self.digit, number)

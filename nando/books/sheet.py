"""A page that is being laid out, with its text, rules, grids and links, in the style of a design.

Lengths are in points, on a page from its upper left corner.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from nando.books.language import pieces
from nando.books.right_to_left import starts_right, visual
from nando.books.section import N_STARS
from nando.books.spec import LINES, Design
from nando.books.trim import DEFAULTS, MM, PageSize, load_typeface, trim_size
from nando.drawing import shapes
from nando.drawing.symbols import IN_CAPITALS, IN_DIGITS, set_pictures
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
        """Least side of a cell to write in: 4.5 mm, or 9 mm in large print and for children."""
        return LARGE_CELL if self.design.large_print or self.design.children else 12.8

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

    def grid(self, cell: float, weight: float = 1.0) -> shapes.GridStyle:
        """Return the style of grids whose cells have a given side in points."""
        weight *= LINES[self.design.lines]
        # Lines keep their weight in cells of all sizes, but very small grids would turn black.
        weight *= min(1.0, (cell / 12) ** 0.5)
        thin, thick = (shapes.Pen(line * weight / cell, self.ink) for line in (_THIN, _THICK))
        number = _LARGE_NUMBER if self.design.large_print else _NUMBER
        return shapes.GridStyle(thin, thick, self.digit, number, self.design.symbols)


_LEAST_TITLE = 0.8
"""Least share of its size to which the title of a page is shrunk to be on one line."""
LEAST_SHRUNK = 0.7
"""Least share of its size to which a line is shrunk before it is cut."""

_STAR = tuple(
    (0.5 + radius * math.sin(i * math.pi / 5), 0.5 - radius * math.cos(i * math.pi / 5))
    for i, radius in enumerate((0.5, 0.2) * 5)
)
"""Corners of a star in a square of side 1."""


class Tag(NamedTuple):
    """A run of shapes of a page, as a screen reader sees it.

    Attributes
    ----------
    role : str
        ``"H1"``, ``"P"`` or ``"Figure"``; empty for shapes that are skipped.
    first, end : int
        Indices of the first shape, and of the shape after the last.
    alternative : str
        Text that is read in place of a figure.
    """

    role: str
    first: int
    end: int
    alternative: str = ""


class Page(NamedTuple):
    """A page: its number, its picture, its title in bookmarks, if any, and its tags in order."""

    number: int
    kind: str
    picture: shapes.Picture
    title: str = ""
    tags: tuple[Tag, ...] = ()


class Sheet:
    """A page that is being laid out.

    Attributes
    ----------
    number : int
    kind : str
        Its contents: title, rights, contents, rules, minutes, divider, puzzles, hints, solutions,
        times, closing or blank.
    title : str
        Its title in bookmarks; empty without a bookmark.
    left, right, top, bottom : float
        Edges of the area within the margins.
    """

    def __init__(self, number: int, kind: str, size: PageSize, style: Style) -> None:
        self.number = number
        self.kind = kind
        self.title = ""
        self.size = size
        self.style = style
        width, height = size.room
        self.left = size.left(number)
        self.right = self.left + width
        self.top = size.margins.top
        self.bottom = self.top + height
        self._shapes: list[shapes.Shape] = []
        self._tags: list[Tag] = []
        self._is_tagged = False

    @property
    def width(self) -> float:
        """Width of the area within the margins."""
        return self.right - self.left

    @property
    def is_right(self) -> bool:
        """True if it is a right-hand page."""
        return self.number % 2 == 1

    def done(self) -> Page:
        """Return the page as it is now."""
        picture = shapes.Picture(self.size.width, self.size.height, tuple(self._shapes))
        if self.style.design.symbols == "pictures":
            picture = set_pictures(
                picture, lambda line: self.measure(line.text, line.size, bold=line.bold)
            )
        return Page(self.number, self.kind, picture, self.title, tuple(self._tags))

    @contextmanager
    def tag(self, role: str, alternative: str = "") -> Iterator[None]:
        """Tag the shapes that this block draws (see :class:`Tag`), unless a larger run has them."""
        if self._is_tagged:
            yield
            return
        first, self._is_tagged = len(self._shapes), True
        yield
        self._is_tagged = False
        if role and len(self._shapes) > first:
            read = alternative.translate(IN_DIGITS)
            self._tags.append(Tag(role, first, len(self._shapes), read))

    # Text

    def measure(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return the width of a line."""
        font = self.style.typeface.font(shapes.Text(0, 0, text, size, bold=bold))
        assert font is not None  # the typefaces of books have fonts
        return font.width(visual(text).translate(IN_CAPITALS)) * size

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 0.0,
        *,
        colour: str = "",
        bold: bool = False,
        align: str = "start",
        within: float = math.inf,
    ) -> float:
        """Set a line on the baseline `y`, shrunk and then cut to a width; return its width."""
        style = self.style
        size, colour = size or style.size, colour or style.ink
        full = self.measure(text, size, bold=bold)
        if full > within and not style.design.large_print:
            size *= max(0.98 * within / full, LEAST_SHRUNK)
        if self.measure(text, size, bold=bold) > within:
            while text and self.measure(f"{text}…", size, bold=bold) > within:
                text = text[:-1].rstrip()
            text += "…"
        middle = y - style.typeface.cap_height / 2 * size
        if text:
            with self.tag("P"):
                self._shapes.append(shapes.Text(x, middle, visual(text), size, colour, bold, align))
        return self.measure(text, size, bold=bold)

    def shrinks_into(self, text: str, size: float, room: float, *, bold: bool = False) -> bool:
        """Return True if a line fits into a width, shrunk if need be, without being cut."""
        least = 1.0 if self.style.design.large_print else LEAST_SHRUNK / 0.98
        return least * self.measure(text, size, bold=bold) <= room

    def break_lines(self, text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
        """Return the lines of a paragraph."""
        lines = [""]
        for piece in pieces(text):
            if lines[-1] and self.measure((lines[-1] + piece).rstrip(), size, bold=bold) > width:
                lines.append("")
            lines[-1] += piece
        return [line.rstrip() for line in lines]

    def title_size(self, title: str, size: float, width: float, *, least: float) -> float:
        """Return a size for a title of at most three lines whose words fit into the width."""
        while size > least and (
            max(self.measure(word, size, bold=True) for word in title.split(" ")) > width
            or len(self.break_lines(title, size, width, bold=True)) > 3
        ):
            size -= 1
        return size

    def paragraph(
        self,
        x: float,
        y: float,
        text: str,
        width: float,
        size: float = 0.0,
        *,
        colour: str = "",
        bold: bool = False,
        align: str = "start",
        leading: float = LEADING,
    ) -> float:
        """Set a paragraph with its first baseline at `y`; return the baseline after it.

        Text from right to left begins at the right.
        """
        size = size or self.style.size
        if align == "start" and starts_right(text):
            x, align = x + width, "end"
        with self.tag("P"):
            for line in self.break_lines(text, size, width, bold=bold):
                self.text(x, y, line, size, colour=colour, bold=bold, align=align)
                y += leading * size
        return y

    def heading(self, text: str) -> float:
        """Set the title of a page; return the baseline of a paragraph below it.

        A title that is a little too long for a line is set smaller, so that no word is left alone.
        """
        style = self.style
        y = self.top + style.large
        share = 0.98 * self.width / self.measure(text, style.large, bold=True)
        is_close = _LEAST_TITLE <= share < 1 and not style.design.large_print
        with self.tag("H1"):
            y = self.paragraph(
                self.left,
                y,
                text,
                self.width,
                share * style.large if is_close else style.large,
                bold=True,
                colour=style.accent,
                leading=1.15,
            )
        return y + 0.25 * style.large

    # Marks

    def rule(self, y: float, width: float = 0.5, colour: str = "") -> None:
        """Draw a line from margin to margin."""
        self.line(self.left, self.right, y, width, colour)

    def line(self, x: float, end: float, y: float, width: float, colour: str = "") -> None:
        """Draw a line across, from `x` to `end`."""
        self.add(shapes.Path(((x, y), (end, y)), colour or self.style.ink, width))

    def box(self, x: float, y: float, side: float) -> None:
        """Draw a box to tick."""
        self.add(shapes.Rect(x, y, side, side, None, self.style.rule, 0.6))

    def star_to_colour(self, x: float, y: float, size: float) -> None:
        """Draw the outline of a star whose upper left corner is at (`x`, `y`)."""
        corners = tuple((x + size * a, y + size * b) for a, b in (*_STAR, *_STAR[:2]))
        self.add(shapes.Path(corners, self.style.grey, 0.8))

    def stars(self, x: float, y: float, count: int, size: float) -> float:
        """Draw all stars on the baseline `y`, `count` of them filled; return their width."""
        pitch = 1.08 * size
        with self.tag("Figure", f"{count}/{N_STARS}"):
            for i in range(N_STARS):
                corners = tuple((x + i * pitch + size * a, y + size * (b - 0.9)) for a, b in _STAR)
                fill = self.style.accent if i < count else self.style.pale
                self.add(shapes.Polygon(corners, fill))
        return N_STARS * pitch

    def add(self, *drawn: shapes.Shape) -> None:
        """Put shapes on the page."""
        self._shapes += drawn

    def place(
        self,
        picture: shapes.Picture,
        x: float,
        y: float,
        scale: float,
        name: str = "",
        turn: int = 0,
        alternative: str = "",
    ) -> None:
        """Put a picture on the page, with its upper left corner at (`x`, `y`).

        Without an alternative text the picture is an ornament.
        """
        with self.tag("Figure" if alternative else "", alternative):
            self.add(shapes.Placed(x, y, scale, picture, name, turn))

    def link(self, x: float, y: float, width: float, height: float, target: str) -> None:
        """Make an area link to a named place."""
        self.add(shapes.Link(x, y, width, height, target))

    def name(self, name: str) -> None:
        """Make this page a target of links."""
        self.add(shapes.Placed(0, 0, 1, shapes.Picture(1, 1, ()), name))

    def band(self, fill: str, top: float, height: float, bleed: float) -> None:
        """Draw a band across the whole page, bleed included."""
        self.add(shapes.Rect(-bleed, top, self.size.width + 2 * bleed, height, fill))


def grid_of(n: int, width: float, height: float, shape: tuple[float, float]) -> tuple[int, int]:
    """Return the columns and rows in which `n` figures of a shape are largest.

    Parameters
    ----------
    n : int
    width, height : float
        Size of the area for all figures.
    shape : (float, float)
        Height and width of a figure, in any unit.
    """

    def cell(layout: tuple[int, int]) -> float:
        columns, rows = layout
        return min(width / columns / shape[1], height / rows / shape[0])

    return max(_factors(n), key=cell)


def _factors(n: int) -> Iterator[tuple[int, int]]:
    for columns in range(1, n + 1):
        if n % columns == 0:
            yield columns, n // columns

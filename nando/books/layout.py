"""Pages of a puzzle book: what stands on which, and where, for any backend to draw.

Lengths are in points. Places are measured from the upper left corner of the text area, which is
what the margins leave of a page.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from nando.drawing.grid import GridStyle, Pen
from nando.generators.records import UNITS, Record

MM = 72 / 25.4


class PageSize(NamedTuple):
    """A trim size with its margins; `inner` is on the side of the binding."""

    width: float
    height: float
    inner: float
    outer: float
    top: float
    bottom: float

    @property
    def area(self) -> tuple[float, float]:
        """Width and height of the text area."""
        return self.width - self.inner - self.outer, self.height - self.top - self.bottom

    def left(self, number: int) -> float:
        """Left margin of a page: odd pages are right-hand ones, bound on their left."""
        return self.inner if number % 2 else self.outer


PAGE_SIZES = {
    "a4": PageSize(210 * MM, 297 * MM, inner=68, outer=48, top=48, bottom=56),
    "letter": PageSize(612, 792, inner=70, outer=50, top=46, bottom=54),
    "6x9": PageSize(432, 648, inner=54, outer=36, top=36, bottom=44),
}
GRIDS = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3)}
"""Columns and rows of puzzles on a page, by puzzles a page."""

LEGIBLE_CELL = 15.0
"""A cell to write in is not made smaller, if fewer puzzles a page make it larger."""
LARGEST_CELL = 42.0
LEGIBLE_SOLUTION_CELL = 9.0
LARGEST_SOLUTION_CELL = 14.0

HEADER = 34.0
"""Height of the line that heads a page, with the space below it."""
LABEL = 19.0
"""Height of the line above a puzzle; half of it above a solution."""
ROW = 33.0
"""Height of a line of the contents."""
COLUMNS = (100.0, 46.0, 0.0)
"""Right edges of the columns of the contents (time, puzzles, page), from the right margin."""
TIME, STARS_WIDTH = 82.0, 60.0
"""Room in the contents for a range of minutes or points, and for stars."""
HINT_ROW, HINT_COLUMN, HINT_INTRODUCTION = 15.0, 84.0, 36.0
COLUMN_GAP, ROW_GAP = 30.0, 20.0
"""Least space between puzzles."""
WIDEST_COLUMN_GAP = 66.0
SOLUTION_LABEL, SOLUTION_GAP = 11.0, 15.0

STARS = 5
STAR_SHAPE = tuple(
    (radius * math.sin(i * math.pi / 5), radius * math.cos(i * math.pi / 5))
    for i, radius in enumerate((0.5, 0.2) * 5)
)
"""Corners of a star of size 1 around its middle, y up."""

_LEGENDS = {
    "seconds": "Minutes are how long a person is predicted to need.",
    "points": "Points are how much there is to find: at one level a point a cell, at the next two.",
}
_LEGEND_OF_STARS = (
    "Stars are the grade, from one, beginner, to five, expert. Each part begins with its fastest "
    "puzzle."
)
HINT_LEGEND = (
    "The cell that people are predicted to fill first: r4c7 is row 4 from the top, column 7 from "
    "the left."
)


@dataclass(frozen=True)
class Section:
    """Puzzles of a book that stand together under a title.

    Attributes
    ----------
    title : str
    records : tuple of Record
        They are printed by rising predicted time, those without one last.
    """

    title: str
    records: tuple[Record, ...]

    @property
    def length(self) -> str:
        """Range of predictions, such as ``"4–8 min"``; empty where none is known, or units mix."""
        known = [record for record in self.records if record.predicted is not None]
        if len({record.unit for record in known}) != 1:
            return ""
        least, most = min(r.amount for r in known), max(r.amount for r in known)
        unit = UNITS[known[0].unit]
        return f"{least} {unit}" if least == most else f"{least}–{most} {unit}"

    @property
    def stars(self) -> int:
        """The stars that all its puzzles have; 0 where they differ or have none."""
        found = {record.stars for record in self.records}
        return found.pop() if len(found) == 1 else 0


Place = tuple[float, float, float]
"""Where a grid stands: x and y of its upper left corner, and the side of a cell."""


class Figure(NamedTuple):
    """A numbered puzzle, or its solution; (`x`, `y`) is the upper left corner of the grid."""

    number: int
    record: Record
    x: float
    y: float
    cell: float


class Entry(NamedTuple):
    """A line of the contents."""

    title: str
    stars: int = 0
    length: str = ""
    puzzles: str = ""
    page: int = 0


class Hint(NamedTuple):
    """Where to begin with a puzzle."""

    number: int
    cell: str
    x: float
    y: float


@dataclass(frozen=True)
class Page:
    """One page. `kind` is one of title, contents, puzzles, hints, solutions."""

    kind: str
    heading: str = ""
    detail: str = ""
    stars: int = 0
    figures: tuple[Figure, ...] = ()
    hints: tuple[Hint, ...] = ()
    entries: tuple[Entry, ...] = ()
    number: int = 0
    opens: bool = False
    """Whether the contents list this page."""


@dataclass(frozen=True)
class Layout:
    """A book laid out: what the backends draw."""

    size: PageSize
    title: str
    subtitle: str
    footer: str
    legend: str
    cover: Record
    pages: tuple[Page, ...]

    @property
    def measure(self) -> str:
        """What the contents give a range of, in a word."""
        return "time" if self.cover.unit == "seconds" else self.cover.unit


def print_style(cell: float, weight: float = 1.0) -> GridStyle:
    """How a grid to write in is drawn, whose cells have a side of so many points."""
    thin, thick = (Pen(line * weight / cell, "#000000") for line in (0.45, 1.8))
    return GridStyle(thin, thick)


def lay_out(
    sections: Sequence[Section],
    *,
    title: str,
    subtitle: str,
    page_size: str,
    per_page: int,
    hints: bool,
) -> Layout:
    """Number the puzzles and put everything on pages."""
    return _Typesetter(tuple(sections), title, subtitle, page_size, per_page, hints).layout()


@dataclass(frozen=True)
class _Typesetter:
    sections: tuple[Section, ...]
    title: str
    subtitle: str
    page_size: str
    per_page: int
    with_hints: bool

    @cached_property
    def size(self) -> PageSize:
        return PAGE_SIZES[self.page_size]

    @cached_property
    def numbered(self) -> list[tuple[int, Record]]:
        return list(enumerate((r for section in self.sections for r in section.records), 1))

    def layout(self) -> Layout:
        parts = list(self.parts())
        per_contents = int((self.size.area[1] - 2 * HEADER - 60) // ROW)
        number = 2 + math.ceil(len(parts) / per_contents)
        entries, body = [], []
        for entry, pages in parts:
            entries.append(entry._replace(page=number))
            for i, page in enumerate(pages):
                body.append(replace(page, number=number, opens=not i))
                number += 1
        front = [Page("title", number=1)]
        for start in range(0, len(entries), per_contents):
            part = tuple(entries[start : start + per_contents])
            front.append(Page("contents", "Contents", entries=part, number=len(front) + 1))
        records = [record for _, record in self.numbered]
        return Layout(
            self.size,
            self.title or _kinds(records),
            self.subtitle or _summary(self.sections),
            _footer(records),
            _legend(records),
            max(records, key=lambda record: record.predicted or 0),
            (*front, *body),
        )

    def parts(self) -> Iterator[tuple[Entry, list[Page]]]:
        """What the contents list, with the pages; neither knows its number yet."""
        start = 0
        for section in self.sections:
            stop = start + len(section.records)
            title, stars, length = section.title, section.stars, section.length
            detail = " · ".join(filter(None, (length, _count(stop - start))))
            shown = stars if self.has_room_for_stars(title) else 0
            yield (
                Entry(title, shown, length, str(stop - start)),
                [
                    Page("puzzles", title, detail, stars, figures=figures)
                    for figures in self.sheets(self.numbered[start:stop], self.puzzle_grid)
                ],
            )
            start = stop
        if self.with_hints:
            title = "Where to begin"
            yield Entry(title), [Page("hints", title, hints=hints) for hints in self.hint_sheets()]
        title = "Solutions"
        sheets = self.sheets(self.numbered, self.solution_grid)
        yield Entry(title), [Page("solutions", title, figures=figures) for figures in sheets]

    def has_room_for_stars(self, title: str) -> bool:
        """Whether they fit into a line of the contents, judged by the letters of the title."""
        return self.size.area[0] - COLUMNS[0] - TIME - STARS_WIDTH > 7.3 * len(title)

    def sheets(
        self,
        numbered: list[tuple[int, Record]],
        places_of: Callable[[tuple[int, int]], list[Place]],
    ) -> Iterator[tuple[Figure, ...]]:
        """Figures page by page; grids of different shapes do not share a page."""
        for shape, group in groupby(numbered, key=lambda item: item[1].puzzle.shape):
            places, waiting = places_of(shape), list(group)
            for start in range(0, len(waiting), len(places)):
                page = zip(waiting[start : start + len(places)], places, strict=False)
                yield tuple(Figure(*item, *place) for item, place in page)

    def puzzle_grid(self, shape: tuple[int, int]) -> list[Place]:
        """Places of the puzzles of a page, as many as are legible."""
        wanted = sorted((n for n in GRIDS if n <= self.per_page), reverse=True)
        for n in wanted:
            places = self._puzzle_grid(shape, *GRIDS[n])
            if places[0][2] >= LEGIBLE_CELL:
                break
        return places

    def _puzzle_grid(self, shape: tuple[int, int], columns: int, rows: int) -> list[Place]:
        width, height = self.size.area
        # White space in units: one between rows, half of it above all and most of it below.
        spaces = rows + 0.2
        across = (width - (columns - 1) * COLUMN_GAP) / columns
        down = (height - HEADER - spaces * ROW_GAP) / rows - LABEL
        cell = min(across / shape[1], down / shape[0], LARGEST_CELL)
        line = LABEL + shape[0] * cell
        space = (height - HEADER - rows * line) / spaces
        free = width - columns * shape[1] * cell
        gap = min(free / max(columns - 1, 1), WIDEST_COLUMN_GAP)
        left = (free - (columns - 1) * gap) / 2
        pitch = shape[1] * cell + gap
        return [
            (left + column * pitch, HEADER + space / 2 + row * (line + space) + LABEL, cell)
            for row in range(rows)
            for column in range(columns)
        ]

    def solution_grid(self, shape: tuple[int, int]) -> list[Place]:
        """Places of the solutions of a page, as many as are legible."""
        width, height = self.size.area
        room = width + SOLUTION_GAP
        columns = max(1, int(room // (shape[1] * LEGIBLE_SOLUTION_CELL + SOLUTION_GAP)))
        pitch = room / columns
        cell = min((pitch - SOLUTION_GAP) / shape[1], LARGEST_SOLUTION_CELL)
        line = shape[0] * cell + SOLUTION_LABEL + SOLUTION_GAP
        rows = max(1, int((height - HEADER + SOLUTION_GAP) // line))
        return [
            (column * pitch, HEADER + row * line + SOLUTION_LABEL, cell)
            for row in range(rows)
            for column in range(columns)
        ]

    def hint_sheets(self) -> Iterator[tuple[Hint, ...]]:
        width, height = self.size.area
        known = [
            (number, cell_name(record.first_cell, record.puzzle.shape[1]))
            for number, record in self.numbered
            if record.first_cell is not None
        ]
        columns = int((width + 20) // HINT_COLUMN)
        rows = int((height - HEADER - HINT_INTRODUCTION) // HINT_ROW)
        for start in range(0, len(known), rows * columns):
            page = known[start : start + rows * columns]
            high = math.ceil(len(page) / columns)
            yield tuple(
                Hint(
                    number,
                    cell,
                    i // high * width / columns,
                    HEADER + HINT_INTRODUCTION + i % high * HINT_ROW,
                )
                for i, (number, cell) in enumerate(page)
            )


def cell_name(cell: int, columns: int) -> str:
    """Name of a cell in the field's notation, such as ``r4c7``."""
    row, column = divmod(cell, columns)
    return f"r{row + 1}c{column + 1}"


def _count(n: int) -> str:
    return "1 puzzle" if n == 1 else f"{n} puzzles"


def _kinds(records: Iterable[Record]) -> str:
    return " & ".join(dict.fromkeys(record.puzzle.kind.capitalize() for record in records))


def _summary(sections: Sequence[Section]) -> str:
    whole = Section("", tuple(record for section in sections for record in section.records))
    return " · ".join(filter(None, (_count(len(whole.records)), whole.length)))


def _legend(records: Sequence[Record]) -> str:
    units = dict.fromkeys(record.unit for record in records if record.predicted is not None)
    return " ".join([*(_LEGENDS[unit] for unit in units), _LEGEND_OF_STARS])


def _footer(records: Sequence[Record]) -> str:
    seeds = sorted({record.seed for record in records})
    models = sorted({record.model_id for record in records} - {""})
    return " · ".join([_few("seed", seeds), *([_few("model", models)] if models else [])])


def _few(name: str, values: Sequence[object]) -> str:
    if len(values) == 1:
        return f"{name} {values[0]}"
    shown = ", ".join(map(str, values[:3]))
    return f"{name}s {shown}" + (f" and {len(values) - 3} more" if len(values) > 3 else "")

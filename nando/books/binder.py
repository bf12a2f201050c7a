"""The binder that all makers of pages share: a book, its words and style, and its pages so far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from nando.books.kinds import kind_of
from nando.books.language import Words
from nando.books.section import Section
from nando.books.sheet import LARGE_TYPE, LEADING, Page, Sheet, Style
from nando.books.spec import FOOT, BookSpec
from nando.books.trim import BLEED, MM, PageSize
from nando.drawing.walks import N_LETTERS, use_letters
from nando.generators.records import Record
from nando.puzzles import Puzzle

if TYPE_CHECKING:
    from nando.generators.steps import Steps


class Numbered(NamedTuple):
    """A puzzle with its number in the book."""

    number: int
    record: Record


class Entry(NamedTuple):
    """An entry of the table of contents: the title of a page, and the contents of a part."""

    title: str
    stars: int = 0
    length: str = ""
    n_puzzles: str = ""


class Place(NamedTuple):
    """The page of a named part of a book, and its entry in the table of contents, if any."""

    page: int
    entry: Entry | None = None


@dataclass
class Binder:
    """Collects the pages of a book.

    Attributes
    ----------
    spec : BookSpec
    sections : sequence of Section
    words : Words
    style : Style
    size : PageSize
    known : mapping of str to Place
        The places of names in the last layout, so that pages can refer to later pages.
    sheets : list of Sheet
    places : dict of str to Place
        The places of names in this layout.
    without_code : list of int
        Numbers of the puzzles that should have a code, but that no site opens.
    headed : set of str
        Titles of the pages so far; a running head that repeats one is not read aloud.
    cover : Page
        The cover that fits the pages, once they are laid out; a worksheet has none.
    """

    spec: BookSpec
    sections: Sequence[Section]
    words: Words
    style: Style
    size: PageSize
    known: Mapping[str, Place]
    sheets: list[Sheet] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    without_code: list[int] = field(default_factory=list)
    headed: set[str] = field(default_factory=set)
    cover: Page = field(init=False)

    # Pages

    def sheet(self, kind: str) -> Sheet:
        """Return a new page."""
        page = Sheet(len(self.sheets) + 1, kind, self.size, self.style)
        self.sheets.append(page)
        return page

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """The pages, once all of them are made."""
        return tuple(sheet.done() for sheet in self.sheets)

    def to_right(self) -> None:
        """Add a blank page if the next one would be on the left."""
        if len(self.sheets) % 2:
            self.sheet("blank")

    def name(self, name: str, sheet: Sheet, entry: Entry | None = None) -> str:
        """Give a page a name, with an entry in the table of contents if any; return the name."""
        self.places[name] = Place(sheet.number, entry)
        if entry is not None:
            sheet.name(name)
            sheet.title = entry.title
        return name

    def page_of(self, name: str) -> int:
        """Return the page of a name; 0 if it is not known yet."""
        return self.known[name].page if name in self.known else 0

    # Puzzles

    def number_sections(self) -> Iterator[tuple[Section, list[Numbered]]]:
        """Yield the sections, with their puzzles numbered consecutively."""
        number = 1
        for section in self.sections:
            yield section, [Numbered(*item) for item in enumerate(section.records, number)]
            number += len(section.records)

    @cached_property
    def asked(self) -> dict[Puzzle, "Steps"]:
        """What was asked of the steps of each puzzle that was made for techniques."""
        parts = self.spec.parts if len(self.spec.parts) == len(self.sections) else ()
        return {
            record.puzzle: part.steps
            for part, section in zip(parts, self.sections, strict=False)
            if part.steps is not None
            for record in section.records
        }

    def speak(self, item: Numbered, solution: str = "") -> str:
        """Return the rows of a puzzle or its solution for a screen reader."""
        puzzle = item.record.puzzle
        text = solution or puzzle.text
        if puzzle.kind == "variant" and not solution:
            text = puzzle.solution_text(puzzle.givens)
        columns = puzzle.shape[1]
        rows = (
            text.split("/")
            if "/" in text
            else [text[i : i + columns] for i in range(0, len(text), columns)]
        )
        return f"{self.words.kind(kind_of(puzzle))} {item.number}: {' / '.join(rows)}"

    def named(self, text: str, n_rows: int) -> str:
        """Return a text whose cells have the names on the labels of the grids."""
        return use_letters(text, n_rows) if self.has_letters(n_rows) else text

    def has_letters(self, n_rows: int) -> bool:
        """Return True if the rows of a grid have letters, and there are enough letters."""
        return self.spec.include.labels == "A-I" and n_rows <= N_LETTERS

    @property
    def records(self) -> list[Record]:
        """All puzzles in order."""
        return [record for section in self.sections for record in section.records]

    def lengths(self, section: Section) -> str:
        """Return the predicted times of a part; empty if its title has them."""
        lengths = self.words.lengths(section.records)
        return "" if lengths in section.title else lengths

    # Parts of pages

    def keep_promise(self, cell: float, least: float, subject: str) -> None:
        """Check that the cells of large print are large enough.

        Raises
        ------
        ValueError
            If the cells are too small. The message says which cells.
        """
        design = self.spec.design
        if design.large_print and cell < least - 0.01:
            way_out = "choose a larger trim, or leave large_print out"
            if self.spec.include.answers == FOOT:
                way_out = f"put the answers at the back, {way_out}"
            if self.spec.include.techniques:
                way_out = f"leave the techniques out, {way_out}"
            raise ValueError(
                f"large_print needs cells of {least / MM:.1f} mm for {subject}, for digits of "
                f"{LARGE_TYPE:g} points and all marks; pages of {design.trim} leave "
                f"{max(cell, 0.0) / MM:.1f} mm: {way_out}"
            )

    @property
    def bleed(self) -> float:
        """How far printing extends beyond the edge of the page; 0 without bleed."""
        return BLEED if self.spec.design.bleed else 0.0

    def folio(self, sheet: Sheet) -> None:
        """Set the page number at the outer edge."""
        x, align = (sheet.right, "end") if sheet.is_right else (sheet.left, "start")
        y = sheet.bottom + 0.55 * self.size.margins.bottom
        with sheet.tag(""):
            sheet.text(x, y, str(sheet.number), self.style.scaled(0.92), align=align)

    def running_head(self, sheet: Sheet, title: str, detail: str = "", stars: int = 0) -> float:
        """Set the heading of a page of figures; return its lower edge."""
        style = self.style
        size, y = style.size, sheet.top + style.size
        room = sheet.width - sheet.measure(detail, style.small) - 7 * size
        with sheet.tag("" if title in self.headed else "H1"):
            width = sheet.text(
                sheet.left, y, title, size, bold=True, within=room, colour=style.accent
            )
            if stars:
                sheet.stars(sheet.left + width + 0.8 * size, y, stars, 0.8 * size)
            sheet.text(sheet.right, y, detail, style.small, colour=style.grey, align="end")
        self.headed.add(title)
        y += 0.5 * size
        sheet.rule(y, 0.6)
        return y


class Flow:
    """Pages of running text under a heading.

    Attributes
    ----------
    sheet : Sheet
        The page that is being filled.
    y : float
        Baseline of the next line.
    """

    sheet: Sheet
    y: float

    def __init__(self, binder: Binder, kind: str, name: str, title: str) -> None:
        self.binder = binder
        self.style = binder.style
        self._kind, self._name, self._title = kind, name, title
        self.turn()

    def turn(self) -> None:
        """Begin a page: the first has the heading, the others a running head."""
        binder = self.binder
        self.sheet = binder.sheet(self._kind)
        binder.folio(self.sheet)
        if not self._title:
            self.y = self.sheet.top + self.style.size
        elif self._name in binder.places:
            self.y = binder.running_head(self.sheet, self._title) + 2.2 * self.style.size
        else:
            binder.name(self._name, self.sheet, Entry(self._title))
            self.y = self.sheet.heading(self._title)
            binder.headed.add(self._title)

    def make_room(self, height: float) -> None:
        """Start a new page if less than `height` is left below the next baseline."""
        if self.y + height > self.sheet.bottom:
            self.turn()

    def skip(self, height: float) -> None:
        """Move down."""
        self.y += height

    def paragraph(
        self,
        text: str,
        size: float = 0.0,
        *,
        indent: float = 0.0,
        colour: str = "",
        bold: bool = False,
        leading: float = LEADING,
    ) -> None:
        """Set a paragraph."""
        size = size or self.style.size
        width = self.sheet.width - indent
        lines = self.sheet.break_lines(text, size, width, bold=bold)
        while lines:
            self.make_room(leading * size * (len(lines) > 1))  # no line is alone on a page
            n_fit = 1 + max(0, int((self.sheet.bottom - self.y) / (leading * size)))
            n_fit -= len(lines) == n_fit + 1 > 3
            x = self.sheet.left + indent
            with self.sheet.tag("P"):
                for line in lines[:n_fit]:
                    self.sheet.text(x, self.y, line, size, colour=colour, bold=bold)
                    self.y += leading * size
            lines = lines[n_fit:]


def even(n: int, most: int) -> int:
    """Return how many of `n` items a page has if as few pages as hold them have about as many."""
    return -(-n // -(-n // most))


def spread(heights: Sequence[float], room: float) -> list[int]:
    """Return how many items each page has, in order, on as few pages as hold them.

    The pages are filled as evenly as can be, so that none has a stray last item.
    """
    best: list[tuple[int, float, list[int]]] = [(0, 0.0, [])]
    for end in range(1, len(heights) + 1):
        options, filled = [], 0.0
        for start in range(end - 1, -1, -1):
            filled += heights[start]
            if filled > room and start < end - 1:
                break
            n_pages, squares, counts = best[start]
            options.append((n_pages + 1, squares + filled**2, [*counts, end - start]))
        best.append(min(options))
    return best[-1][2]

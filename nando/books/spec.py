"""The spec of a book: its parts, its design, and its other pages, as a TOML file describes them."""

import re
from dataclasses import dataclass, field, fields, replace
from datetime import date
from pathlib import Path
from typing import Any, Self

from nando.books.free_text import check_text
from nando.books.language import join_by_dots
from nando.books.trim import PAPERS, TYPEFACES, trim_size
from nando.checks import nearest
from nando.drawing.symbols import KINDS as SYMBOL_KINDS
from nando.generators.wishes import OF_SOURCES, Wishes
from nando.puzzles.files import parse_toml, read_text
from nando.records import Check, Settings, among, between, documented, plain, read_record, setting
from nando.solvers.logic.language import LANGUAGES, words_for

PER_PAGE = (1, 2, 4, 6, 8, 9, 12)
_SIZES = {3: "9x9", 4: "16x16", 5: "25x25"}


@documented
@dataclass(frozen=True, kw_only=True)
class Part(Wishes):
    """A part of a book: wishes for its puzzles, their number, and how they are printed.

    Without minutes, grade or percentile, puzzles have any difficulty.
    """

    kind: str | None = setting(
        "9x9",
        about="9x9, 16x16, 25x25 or nurikabe; or for variants the rules, for example killer or "
        "diagonals,anti-knight, an arrangement of grids, for example samurai, or a size alone.",
    )
    count: int = setting(12, between(1), about="Number of puzzles.")
    per_page: int = setting(
        4,
        among(PER_PAGE),
        about="Most puzzles on a page: 1, 2, 4, 6, 8, 9 or 12. There are fewer if their cells "
        "would be too small to write in.",
    )
    title: str = setting(
        "", about="Title; default: the grade or the time, in the language of the book."
    )
    each: tuple[str, ...] = setting(
        (), about="A part for each of these techniques, the easiest first, with it as the hardest."
    )
    from_: str = setting("", about="A file of puzzles to choose from; empty to make them.")

    def check(self) -> None:
        """Check the wishes against each other, and that puzzles of a file are not to be made."""
        super().check()
        if self.each and (self.needs or self.hardest):
            raise ValueError("each names what a part needs at most: leave out needs and hardest")
        if not self.from_:
            self.source()
            return
        options = {name: getattr(self, name) for name in OF_SOURCES}
        if made := [name for name, x in options.items() if x is not None and x is not False]:
            raise ValueError(
                f"{' and '.join(made)} can be wished for new puzzles only, but these are chosen "
                f"from {self.from_}: leave out one of the two"
            )

    @property
    def kind_name(self) -> str:
        """The name of the kind or genre, as :func:`nando.books.kinds.kind_of` returns it."""
        if self.genre is not None:
            return str(self.genre)
        return _SIZES[self.sudoku_order] if self.puzzle_kind == "sudoku" else self.puzzle_kind

    def chapters(self, language: str) -> tuple[Self, ...]:
        """Return a part for each technique of `each`, the easiest first, or this part alone.

        Raises
        ------
        ValueError
            For an unknown technique, or one that the order lacks.
        """
        if not self.each:
            return (self,)
        names = words_for(self.puzzle_kind, language)
        asked = replace(self, each=(), needs=",".join(self.each)).steps
        assert asked is not None
        found = sorted(asked.needed, key=lambda each: asked.ladder.index(each.rungs[0]))
        titles = [names.name(rungs[0].name) if len(rungs) == 1 else name for name, rungs in found]
        return tuple(
            replace(
                self,
                each=(),
                needs=name,
                hardest=name,
                title=join_by_dots(self.title, title[0].upper() + title[1:]),
            )
            for (name, _), title in zip(found, titles, strict=True)
        )


ANSWERS_PER_PAGE = (4, 6, 8, 9, 12, 15, 16, 20)
LINES = {"light": 0.7, "normal": 1.0, "heavy": 1.5}
"""Weights of lines, as multiples of the normal weight."""
HINTS = ("none", "cell", "step")
FOOT, PART = "foot", "part"
WHOLE, ISBN = "whole", "isbn"
LABELS = ("1-9", "A-I")
"""Labels of rows."""
PLACES = (
    "title",
    "rights",
    "contents",
    "rules",
    "minutes",
    "techniques",
    "puzzles",
    "hints",
    "solutions",
    "times",
    "closing",
)
"""The kinds of pages in order; pages of free text may come before each."""
END = "end"
ALL_SIDES = "all"
SEEDS = "seeds"
CONDITIONS = (
    "CGATS TR 001",
    "CGATS TR 006",
    "CGATS21_CRPC6",
    "FOGRA39",
    "FOGRA47",
    "FOGRA51",
    "FOGRA52",
    "JC200103",
)
"""Printing conditions in the registry of the ICC, which name paper and inks in PDF/X."""

_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_PART = re.compile(r"part ([1-9]\d*)")


def optional(check: Check) -> Check:
    """Return a check that accepts an empty text."""
    return lambda name, value: value and check(name, value)


def hex_colour(name: str, value: str) -> str:
    """Check a colour."""
    if not _COLOUR.fullmatch(value):
        raise ValueError(f"{name} must be a colour, for example #1f5a87, got {value!r}")
    return value


def one_line(name: str, value: str) -> str:  # noqa: ARG001
    """Return a text without line ends and repeated spaces; non-breaking spaces stay."""
    return re.sub(r"[ \t\r\n]+", " ", value).strip(" ")


def isbn(name: str, value: str) -> str:
    """Check an ISBN: 13 digits with or without hyphens, or an empty text."""
    digits = value.replace("-", "").replace(" ", "")
    if value and not (re.fullmatch(r"97[89]\d{10}", digits) and check_digit(digits) == digits[-1]):
        why = ""
        if re.fullmatch(r"97[89]\d{10}", digits):
            why = f", whose last digit should be {check_digit(digits)}"
        raise ValueError(
            f"{name} must be an ISBN, for example 978-3-16-148410-0, got {value!r}{why}"
        )
    return value


def check_digit(digits: str) -> str:
    """Compute the last digit of an EAN-13 from its first twelve."""
    weighted = sum(int(digit) * (3 if i % 2 else 1) for i, digit in enumerate(digits[:12]))
    return str(-weighted % 10)


def _markdown(name: str, value: str) -> str:
    check_text(name, value)
    return value


def _code(name: str, value: str) -> str:
    if value not in ("", "play", "hint") and "{puzzle}" not in value:
        raise ValueError(
            f"{name} must be play, hint, or an address with {{puzzle}} in it, got {value!r}"
        )
    return value


def _date(name: str, value: str) -> str:
    try:
        return value and date.fromisoformat(value).isoformat()
    except ValueError:
        raise ValueError(f"{name} must be a day, for example 2027-03-01, got {value!r}") from None


@dataclass(frozen=True, kw_only=True)
class Design(Settings):
    """The appearance of the pages.

    Attributes
    ----------
    trim : str
        Size of the pages, one of `TRIMS`.
    typeface : str
        One of `TYPEFACES`; default: source-sans, for Japanese noto-sans-jp.
    lines : {"light", "normal", "heavy"}
        Weight of the lines of grids.
    large_print : bool
        Type of at least 16 points, except candidates of drawn steps, and cells of at least 9 mm.
    children : bool
        Cells of at least 9 mm, and a star to colour at each puzzle.
    symbols : {"", "letters", "pictures"}
        What stands in cells for digits; empty for digits.
    colour : bool
        Use colours, for screens; otherwise everything is grey, for printers with one ink.
    accent : str
        The accent colour, as ``#rrggbb``.
    bleed : bool or "all"
        Whether dividers extend to the edge. The pages of a PDF then include a bleed on three sides,
        not at the spine, as print-on-demand services require; with ``"all"`` on four.
    multiple : int
        Blank pages are added to make the number of pages a multiple of this.
    pdf_x : str
        A printing condition, one of `CONDITIONS`. PDFs then conform to PDF/X-1a and have no links.
    """

    trim: str = setting("6x9", lambda _, trim: trim_size(trim) and trim)
    typeface: str = setting("", among(("", *TYPEFACES)))
    lines: str = setting("normal", among(LINES))
    large_print: bool = False
    children: bool = False
    symbols: str = setting("", among(SYMBOL_KINDS))
    colour: bool = False
    accent: str = setting("#1f5a87", hex_colour)
    bleed: bool | str = setting(False, among((False, True, ALL_SIDES)))
    multiple: int = setting(2, between(1, 64))
    pdf_x: str = setting("", among(("", *CONDITIONS)))


@dataclass(frozen=True, kw_only=True)
class Include(Settings):
    """The pages of a book other than puzzles, and the marks of its puzzles.

    Attributes
    ----------
    contents, rules, minutes, techniques, dividers, times : bool
        Table of contents; rules, with a drawn example for each kind; the meaning of the minutes; a
        page for each technique that the puzzles need; a page before each part; a table for the
        reader's times.
    closing : bool or "seeds"
        A page that says how the puzzles were made; ``"seeds"`` lists seeds and models, too.
    hints : {"none", "cell", "step"}
        The cell to begin with, or the first step beyond singles, explained in one line.
    answers : int or "foot"
        Solutions per page at the back, 4 to 20; or upside down at the foot of the page of the
        puzzles.
    answers_after : {"book", "part"}
        Whether all solutions are at the back, or the solutions of each part follow its puzzles.
    labels : {"", "1-9", "A-I"}
        Labels of the rows of grids, whose columns then have numbers; hints use the same names.
    dots : bool
        Whether each empty cell has a dot for each candidate.
    scribble : float
        Share of the height of a page of puzzles that is left free at its foot.
    qr : {"", "play", "hint"} or str
        A QR code next to each puzzle that opens it for play, or names the cell to begin with; or
        an address with a placeholder ``{puzzle}``.
    """

    contents: bool = True
    rules: bool = True
    minutes: bool = True
    techniques: bool = False
    dividers: bool = False
    hints: str = setting("none", among(HINTS))
    answers: int | str = setting(12, among((*ANSWERS_PER_PAGE, FOOT)))
    answers_after: str = setting("book", among(("book", PART)))
    labels: str = setting("", among(("", *LABELS)))
    dots: bool = False
    scribble: float = setting(0.0, between(0, 0.5))
    times: bool = False
    qr: str = setting("", _code)
    closing: bool | str = setting(True, among((True, False, SEEDS)))


def _place(name: str, value: str) -> str:
    if value not in (*PLACES, END) and not _PART.fullmatch(value):
        raise ValueError(
            f"{name} must be one of {', '.join(PLACES)}, {END}, or a part such as 'part 2', "
            f"got {value!r}{nearest(value, PLACES)}"
        )
    return value


@dataclass(frozen=True, kw_only=True)
class TextPage(Settings):
    """Pages of free text, for example a preface or a dedication.

    Attributes
    ----------
    text : str
        Markdown: headings, paragraphs, lists and bold words. A first heading is listed in the
        contents.
    before : str
        What follows the page: a name of `PLACES`, a part (``"part 2"``), or ``"end"``.
    centred : bool
        Whether the text is in the middle of a right-hand page, as a dedication is.
    """

    text: str = setting("", _markdown)
    before: str = setting("contents", _place)
    centred: bool = False


@dataclass(frozen=True, kw_only=True)
class Cover(Settings):
    """The cover of a book, printed in one piece: back, spine and front.

    Attributes
    ----------
    paper : {"white", "cream", "colour"}
        Paper of the pages, which determines the width of the spine.
    colour, second_colour : str
        Colour of the background, and of the line below the title, the badge and the pattern, as
        ``#rrggbb``.
    blurb : str
        Text on the back.
    series : str
        A line above the title, for example "Night Trains, volume {volume}".
    badge : str
        A few words in a disc, for example "200 puzzles".
    image : str
        An image file next to the file that describes the book; it replaces the background and the
        grid.
    image_area : {"front", "whole"}
        The part of the cover that the image fills.
    front_text : bool
        Whether texts are printed on the front; an image may have its own.
    barcode : {"", "area", "isbn"}
        A white box on the back, empty for a barcode or with the barcode of the ISBN.
    binding : {"paperback", "hardcover"}
        The cover of a hardcover is folded around boards.
    spine : float
        Width of the spine in mm; 0 computes it from the pages and the paper.
    """

    paper: str = setting("white", among(PAPERS))
    colour: str = setting("#1f3f5f", hex_colour)
    second_colour: str = setting("", optional(hex_colour))
    blurb: str = ""
    series: str = setting("", one_line)
    badge: str = setting("", one_line)
    image: str = ""
    image_area: str = setting("front", among(("front", WHOLE)))
    front_text: bool = True
    barcode: str = setting("", among(("", "area", ISBN)))
    binding: str = setting("paperback", among(("paperback", "hardcover")))
    spine: float = setting(0.0, between(0, 100))


@dataclass(frozen=True, kw_only=True)
class BookSpec(Settings):
    """A book as a file describes it.

    Attributes
    ----------
    title : str
        Title of the book; default: the kinds of puzzle, for example "Sudoku & Nurikabe".
    subtitle : str
        Default: the number of puzzles and their range of minutes.
    author, publisher : str
        Names on the title page, that of the publisher at its foot.
    rights, edition, isbn, disclaimer : str
        Lines on the next page, for example "© 2026 Ada Lovelace" and "Second edition".
    volume : int
        Number that replaces ``{volume}`` in all texts.
    subject, keywords : str, tuple of str
        Entries of the PDF for libraries and search; default: the subtitle, and the kinds of puzzle.
    date : str
        Date of the edition in the PDF, for example ``"2027-03-01"``; default: that of
        SOURCE_DATE_EPOCH in the environment, or none.
    language : {"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja"}
    seed : int
        The same seed makes the same puzzles.
    parts : tuple of Part
    pages : tuple of TextPage
    design : Design
    include : Include
    cover : Cover
    """

    title: str = setting("", one_line)
    subtitle: str = setting("", one_line)
    author: str = setting("", one_line)
    publisher: str = setting("", one_line)
    rights: str = setting("", one_line)
    edition: str = setting("", one_line)
    isbn: str = setting("", isbn)
    disclaimer: str = setting("", one_line)
    volume: int = setting(1, between(1, 999))
    subject: str = setting("", one_line)
    keywords: tuple[str, ...] = ()
    date: str = setting("", _date)
    language: str = setting("en", among(LANGUAGES))
    seed: int = setting(0, between(0))
    parts: tuple[Part, ...] = ()
    pages: tuple[TextPage, ...] = ()
    design: Design = field(default_factory=Design)
    include: Include = field(default_factory=Include)
    cover: Cover = field(default_factory=Cover)

    def check(self) -> None:
        """Check the settings that depend on each other."""
        if self.cover.barcode == ISBN and not self.isbn:
            raise ValueError("barcode = 'isbn' needs the isbn of the book; or choose 'area'")
        for page in self.pages:
            match = _PART.fullmatch(page.before)
            if match and self.parts and int(match[1]) > len(self.parts):
                raise ValueError(
                    f"a page comes before {page.before}, but the last is part {len(self.parts)}"
                )

    def fill_in(self) -> Self:
        """Return the spec with the number of the volume in its texts."""
        filled: Self = _fill_in(self, str(self.volume))
        return filled


def _fill_in(value: Any, volume: str) -> Any:
    """Return a value with the number of the volume inserted in all its texts."""
    if isinstance(value, str):
        return value.replace("{volume}", volume)
    if isinstance(value, tuple):
        return tuple(_fill_in(item, volume) for item in value)
    if not isinstance(value, Settings):
        return value
    return replace(
        value, **{f.name: _fill_in(getattr(value, f.name), volume) for f in fields(value)}
    )


def read_spec(path: str | Path) -> BookSpec:
    r"""Return the book that a TOML file describes.

    Raises
    ------
    ValueError
        If the file is not TOML, has an unknown setting, or a value of the wrong type. The message
        says where in the file.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "book.toml"
    ...     _ = path.write_text('title = "Ten minutes"\n[[parts]]\nminutes = 10\ncount = 24\n')
    ...     spec = read_spec(path)
    >>> spec.title, [(part.minutes, part.count, part.per_page) for part in spec.parts]
    ('Ten minutes', [(10, 24, 4)])
    """
    text = read_text(path)
    try:
        spec = spec_of(parse_toml(text))
        if not spec.cover.image:
            return spec
        image = str(Path(path).parent / spec.cover.image)
        return replace(spec, cover=replace(spec.cover, image=image))
    except ValueError as error:
        way_out = f"; for a book of puzzles, give --from {path}"
        is_spec = Path(path).suffix == ".toml"
        raise ValueError(f"{path}: {error}{'' if is_spec else way_out}") from None


def spec_of(table: dict[str, Any]) -> BookSpec:
    """Return the book that plain values describe.

    Raises
    ------
    ValueError
        For unknown settings and invalid values.
    """
    spec = read_record(BookSpec, table, noun="a book")
    chapters = tuple(each for part in spec.parts for each in part.chapters(spec.language))
    return spec if chapters == spec.parts else replace(spec, parts=chapters)


def table_of(spec: BookSpec) -> dict[str, Any]:
    """Return the plain values that describe a book, without defaults."""
    table: dict[str, Any] = plain(spec)
    return table

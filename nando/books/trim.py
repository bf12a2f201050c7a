"""The formats of print: trims of printers, margins, bleed and spine; and the open typefaces.

Lengths are in points.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from nando.drawing.typeface import Font, Typeface

INCH = 72.0
MM = INCH / 25.4

BLEED = 0.125 * INCH
"""How far printing extends beyond the edge, because cuts are never exact."""

TRIMS = {
    "5x8": (5 * INCH, 8 * INCH),
    "5.5x8.5": (5.5 * INCH, 8.5 * INCH),
    "6x9": (6 * INCH, 9 * INCH),
    "7x10": (7 * INCH, 10 * INCH),
    "7.5x9.25": (7.5 * INCH, 9.25 * INCH),
    "8x10": (8 * INCH, 10 * INCH),
    "8.25x11": (8.25 * INCH, 11 * INCH),
    "8.5x8.5": (8.5 * INCH, 8.5 * INCH),
    "8.5x11": (8.5 * INCH, 11 * INCH),
    "letter": (8.5 * INCH, 11 * INCH),
    "a5": (148 * MM, 210 * MM),
    "a4": (210 * MM, 297 * MM),
}
"""Width and height of the pages after cutting."""

_TRIM = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(mm|in)?")
_LEAST_SIDE, _MOST_SIDE = 4.0, 17.0
"""Least and largest side of a page in inches."""


def trim_size(trim: str) -> tuple[float, float]:
    """Return the width and height of a trim in points.

    Raises
    ------
    ValueError
        If it is neither in `TRIMS` nor a width and height, in inches or millimetres.

    Examples
    --------
    >>> trim_size("5.5x8.5"), trim_size("254x127mm")
    ((396.0, 612.0), (720.0, 360.0))
    """
    if trim in TRIMS:
        return TRIMS[trim]
    match = _TRIM.fullmatch(trim)
    unit = MM if match and match[3] == "mm" else INCH
    sides = [round(float(side) * unit, 6) for side in match.groups()[:2]] if match else []
    if not sides or not all(_LEAST_SIDE * INCH <= side <= _MOST_SIDE * INCH for side in sides):
        raise ValueError(
            f"trim must be one of {', '.join(TRIMS)}, or a width and height of "
            f"{_LEAST_SIDE:g} to {_MOST_SIDE:g} inches, for example 6.5x9.5 or 165x240mm, "
            f"got {trim!r}"
        )
    return sides[0], sides[1]


PAPERS = {"white": 0.002252 * INCH, "cream": 0.0025 * INCH, "colour": 0.002347 * INCH}
"""Thickness of a page, which is half a leaf."""

_GUTTERS = ((150, 0.375), (300, 0.5), (500, 0.625), (700, 0.75))
_WIDEST_GUTTER = 0.875
"""Least inner margins in inches by number of pages, as print-on-demand requires."""

WRAP, OVERHANG, HINGE, BOARDS = 15 * MM, 3 * MM, 5 * MM, 5 * MM
"""Dimensions of a hardcover as print-on-demand makes it: the paper folded around the boards, how
far the boards extend beyond the pages, the folds next to the spine, and the thickness of both
boards."""

_LEAST_PAGES = {
    "paperback": {"Amazon KDP": 24, "IngramSpark": 18},
    "hardcover": {"Amazon KDP": 75, "IngramSpark": 18},
}
"""Least pages by binding and print-on-demand service. Sources: the print options of Amazon KDP, and
the answers of IngramSpark to publishers: 18 pages whatever the binding."""

_MOST_HARDCOVER = 550
_MOST_PAPERBACK = (
    (TRIMS["8.5x8.5"], {"white": 590, "cream": 550, "colour": 590}),
    (TRIMS["8.5x11"], {"white": 590, "cream": 550, "colour": 590}),
    (TRIMS["a4"], {"white": 780, "cream": 730, "colour": 590}),
)
_MOST_OTHERWISE = {"white": 828, "cream": 776, "colour": 828}
"""Most pages at Amazon KDP, from the same page; by paper for some trims of paperbacks, and for the
others. How many pages IngramSpark takes depends on papers that a spec does not name."""

SPINE_WITH_TEXT = 0.25 * INCH
"""A thinner spine has no text: covers shift in binding."""


class Margins(NamedTuple):
    """The margins of a page; `inner` is at the binding."""

    inner: float
    outer: float
    top: float
    bottom: float


@dataclass(frozen=True)
class PageSize:
    """The size and margins of the pages of a book; odd pages are right-hand pages."""

    width: float
    height: float
    margins: Margins

    @property
    def room(self) -> tuple[float, float]:
        """Width and height of the area within the margins."""
        margins = self.margins
        return (
            self.width - margins.inner - margins.outer,
            self.height - margins.top - margins.bottom,
        )

    def left(self, number: int) -> float:
        """Return the left margin of a page."""
        return self.margins.inner if number % 2 else self.margins.outer


def page_size(trim: str, n_pages: int) -> PageSize:
    """Return the pages of a trim, with the margins that a book of `n_pages` needs."""
    width, height = trim_size(trim)
    outer = min(max(0.078 * width, 0.375 * INCH), 0.7 * INCH)
    gutter = next((inches for most, inches in _GUTTERS if n_pages <= most), _WIDEST_GUTTER) * INCH
    inner = max(gutter, outer) + 0.14 * INCH
    return PageSize(width, height, Margins(inner, outer, top=0.062 * height, bottom=0.08 * height))


def page_limits(trim: str, paper: str, binding: str) -> dict[str, tuple[int, int | None]]:
    """Return the least and most pages of a book, by print-on-demand service; None if unknown."""
    most = _MOST_HARDCOVER
    if binding == "paperback":
        sides = trim_size(trim)
        most = next(
            (own for own_sides, own in _MOST_PAPERBACK if own_sides == sides), _MOST_OTHERWISE
        )[paper]
    known = {"Amazon KDP": most}
    return {shop: (least, known.get(shop)) for shop, least in _LEAST_PAGES[binding].items()}


def spine_width(n_pages: int, paper: str) -> float:
    """Return the thickness of a book without its cover."""
    return n_pages * PAPERS[paper]


# ---------------------------------------------------------------- typefaces, from Python packages


Place = tuple[str, str]
"""A package, and a file in it."""


@dataclass(frozen=True)
class Family:
    """A typeface and its font files; `extra` is the optional dependency that installs them."""

    name: str
    regular: Place
    bold: Place
    extra: str


_SANS, _SERIF = "font_source_sans_pro", "font_source_serif_pro"

TYPEFACES = {
    "source-sans": Family(
        "Source Sans Pro",
        (_SANS, "files/SourceSansPro-Regular.ttf"),
        (_SANS, "files/SourceSansPro-Bold.ttf"),
        "book",
    ),
    "source-serif": Family(
        "Source Serif Pro",
        (_SERIF, "files/SourceSerifPro-Regular.ttf"),
        (_SERIF, "files/SourceSerifPro-Bold.ttf"),
        "book",
    ),
    "vera": Family(
        "Bitstream Vera Sans",
        ("reportlab", "fonts/Vera.ttf"),
        ("reportlab", "fonts/VeraBd.ttf"),
        "book",
    ),
    "dejavu": Family(
        "DejaVu Sans",
        ("matplotlib", "mpl-data/fonts/ttf/DejaVuSans.ttf"),
        ("matplotlib", "mpl-data/fonts/ttf/DejaVuSans-Bold.ttf"),
        "plot",
    ),
    "noto-sans-jp": Family(
        "Noto Sans CJK JP",
        ("noto_cjk_sans_jp_regular", "NotoSansCJKjp-Regular.otf"),
        ("noto_cjk_sans_jp_bold", "NotoSansCJKjp-Bold.otf"),
        "japanese",
    ),
}
"""Typefaces by their names in specs."""

DEFAULTS = {"ja": "noto-sans-jp"}
"""Typefaces of languages whose characters the usual typeface lacks."""


@cache
def load_typeface(name: str) -> Typeface:
    """Return the fonts of a typeface.

    Raises
    ------
    ImportError
        If the fonts are not installed.
    """
    family = TYPEFACES[name]
    regular, bold = (Font(_path(place, name)) for place in (family.regular, family.bold))
    return Typeface(family.name, regular, bold)


def typefaces_with(characters: str) -> list[str]:
    """Return the names of installed typefaces that have all these characters, also in bold."""
    suitable = []
    for name in TYPEFACES:
        with suppress(ImportError):
            typeface = load_typeface(name)
            if not any(font.missing(characters) for font in typeface.fonts):
                suitable.append(name)
    return suitable


def _path(place: Place, name: str) -> Path:
    package, file = place
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        extra = TYPEFACES[name].extra
        raise ImportError(f"the typeface {name} is not installed: pip install 'nando[{extra}]'")
    return Path(spec.submodule_search_locations[0]) / file

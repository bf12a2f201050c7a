"""The typefaces of books: open fonts from Python packages."""

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from nando.drawing.typeface import Font, Typeface

Place = tuple[str, str]
"""A package, and a file in it."""


@dataclass(frozen=True)
class Family:
    """A typeface and its font files; `extra` is the extra of nando that installs them."""

    name: str
    regular: Place
    bold: Place
    italic: Place
    extra: str


_SANS, _SERIF = "font_source_sans_pro", "font_source_serif_pro"
_JAPANESE = ("noto_cjk_sans_jp_regular", "NotoSansCJKjp-Regular.otf")

TYPEFACES = {
    "source-sans": Family(
        "Source Sans Pro",
        (_SANS, "files/SourceSansPro-Regular.ttf"),
        (_SANS, "files/SourceSansPro-Bold.ttf"),
        (_SANS, "files/SourceSansPro-It.ttf"),
        "book",
    ),
    "source-serif": Family(
        "Source Serif Pro",
        (_SERIF, "files/SourceSerifPro-Regular.ttf"),
        (_SERIF, "files/SourceSerifPro-Bold.ttf"),
        (_SERIF, "files/SourceSerifPro-It.ttf"),
        "book",
    ),
    "vera": Family(
        "Bitstream Vera Sans",
        ("reportlab", "fonts/Vera.ttf"),
        ("reportlab", "fonts/VeraBd.ttf"),
        ("reportlab", "fonts/VeraIt.ttf"),
        "book",
    ),
    "noto-sans-jp": Family(
        "Noto Sans CJK JP",
        _JAPANESE,
        ("noto_cjk_sans_jp_bold", "NotoSansCJKjp-Bold.otf"),
        _JAPANESE,  # Japanese has no italics
        "japanese",
    ),
}
"""Typefaces by their names in specs."""


@cache
def load_typeface(name: str) -> Typeface:
    """Return the fonts of a typeface.

    Raises
    ------
    ImportError
        If they are not installed.
    """
    family = TYPEFACES[name]
    regular, bold, italic = (
        Font(_path(place, name)) for place in (family.regular, family.bold, family.italic)
    )
    return Typeface(family.name, regular, bold, italic)


def _path(place: Place, name: str) -> Path:
    package, file = place
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        extra = TYPEFACES[name].extra
        raise ImportError(f"the typeface {name} is not installed: pip install 'nando[{extra}]'")
    return Path(found.submodule_search_locations[0]) / file

"""The typefaces of books: open fonts from Python packages."""

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from nando.drawing.typeface import Font, Typeface

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

"""Typefaces: fonts, the width of text, missing characters, and subsets to embed in files."""

import base64
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from nando.drawing.shapes import Picture, Placed, Text

FONTS = '"DejaVu Sans", "Bitstream Vera Sans", Verdana, Geneva, sans-serif'
"""Similar fonts in the syntax of a style sheet; every system has one of them."""


@dataclass(frozen=True)
class Font:
    """A font in a file, TrueType or OpenType.

    Attributes
    ----------
    path : Path
    """

    path: Path

    def width(self, text: str) -> float:
        """Return the width of a line, as a share of the type size."""
        return sum(map(self._widths.__getitem__, text)) / self._em

    def missing(self, text: str) -> set[str]:
        """Return the characters of a text that the font lacks."""
        return {char for char in text if ord(char) not in self._glyphs}

    @cached_property
    def cap_height(self) -> float:
        """Height of capitals, as a share of the size of the type."""
        from fontTools.pens.boundsPen import BoundsPen

        glyphs = self._file.getGlyphSet()
        pen = BoundsPen(glyphs)
        glyphs[self._glyphs[ord("H")]].draw(pen)
        return float(pen.bounds[3]) / self._em

    @property
    def is_truetype(self) -> bool:
        """True if reportlab can embed the outlines."""
        return "glyf" in self._file

    @cached_property
    def _em(self) -> int:
        return int(self._file["head"].unitsPerEm)

    @cached_property
    def _file(self) -> Any:
        from fontTools.ttLib import TTFont

        return TTFont(self.path, lazy=True)

    @cached_property
    def _glyphs(self) -> dict[int, str]:
        """Names of the glyphs of characters."""
        glyphs: dict[int, str] = self._file.getBestCmap()
        return glyphs

    @cached_property
    def _widths(self) -> "_Widths":
        metrics = self._file["hmtx"].metrics
        widths = {chr(code): metrics[glyph][0] for code, glyph in self._glyphs.items()}
        return _Widths(widths, metrics[".notdef"][0])


class _Widths(dict[str, int]):
    """Widths of characters; a missing character is as wide as the box shown in its place."""

    def __init__(self, known: dict[str, int], other: int) -> None:
        super().__init__(known)
        self.other = other

    def __missing__(self, char: str) -> int:
        return self.other


@dataclass(frozen=True)
class Typeface:
    """The regular and bold fonts of a family.

    Attributes
    ----------
    name : str
        Name of the family in style sheets.
    regular, bold : Font or None
        None for the font of each backend: DejaVu Sans or Bitstream Vera.
    """

    name: str = ""
    regular: Font | None = None
    bold: Font | None = None

    def font(self, text: Text) -> Font | None:
        """Return the font of a line of text."""
        return self.bold if text.bold else self.regular

    @property
    def fonts(self) -> Iterable[Font]:
        """Each font once."""
        return dict.fromkeys(font for font in (self.regular, self.bold) if font)

    @property
    def css(self) -> str:
        """The family and similar families, for a style sheet."""
        return f'"{self.name}", {FONTS}' if self.name else FONTS

    @cached_property
    def cap_height(self) -> float:
        """Height of capitals, as a share of the size of the type."""
        return 0.729 if self.regular is None else self.regular.cap_height


PLAIN = Typeface()
"""The typeface of pictures outside of books."""


# ---------------------------------------------------------------- subsets, made by fontTools


def used_characters(pictures: Iterable[Picture], typeface: Typeface) -> dict[Font, set[str]]:
    """Return the characters that pictures show in each font of a typeface."""
    used: dict[Font, set[str]] = {font: set() for font in typeface.fonts}
    seen: set[int] = set()
    waiting = list(pictures)
    while waiting:
        picture = waiting.pop()
        if id(picture) in seen:
            continue
        seen.add(id(picture))
        for shape in picture.shapes:
            if isinstance(shape, Placed):
                waiting.append(shape.picture)
            elif isinstance(shape, Text) and (font := typeface.font(shape)) is not None:
                used[font].update(shape.text)
    return used


def used_faces(
    pictures: Iterable[Picture], typeface: Typeface
) -> Iterator[tuple[str, Font, set[str]]]:
    """Yield each font that pictures need, with its weight in CSS and their characters."""
    used = used_characters(pictures, typeface)
    for font, weight in ((typeface.regular, "normal"), (typeface.bold, "bold")):
        if font is not None and used[font]:
            yield weight, font, used[font]


def truetype(font: Font, characters: Iterable[str]) -> bytes:
    """Return a TrueType subset with these characters; cubic outlines become quadratic."""
    subset = _subset(font, characters)
    if "glyf" not in subset:
        _make_quadratic(subset)
    return _to_bytes(subset)


def woff(font: Font, characters: Iterable[str]) -> bytes:
    """Return a WOFF subset with these characters."""
    subset = _subset(font, characters)
    subset.flavor = "woff"
    return _to_bytes(subset)


def woff_address(font: Font, characters: Iterable[str]) -> str:
    """Return a subset with these characters as a data URL."""
    return f"data:font/woff;base64,{base64.b64encode(woff(font, characters)).decode()}"


def _subset(font: Font, characters: Iterable[str]) -> Any:
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    options = Options(
        layout_features=[], hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 4, 6, 13]
    )
    face = TTFont(font.path, recalcTimestamp=False)
    # Without features these tables are not needed, and fontTools would read all of them.
    for table in ("GDEF", "GPOS", "GSUB"):
        if table in face:
            del face[table]
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(sorted(set(characters))))
    subsetter.subset(face)
    return face


def _make_quadratic(font: Any) -> None:
    """Replace the cubic outlines of an OpenType font, which reportlab cannot embed."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    outlines = {}
    glyphs = font.getGlyphSet()
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(None)
        # At most a thousandth of an em from the original; TrueType outlines run the other way.
        glyphs[name].draw(Cu2QuPen(pen, font["head"].unitsPerEm / 1000, reverse_direction=True))
        outlines[name] = pen.glyph()
    builder = FontBuilder(font=font)
    builder.isTTF = True
    builder.setupGlyf(outlines)
    builder.setupMaxp()
    font["maxp"].maxZones = 1
    for name, outline in outlines.items():
        width, _ = font["hmtx"][name]
        font["hmtx"][name] = (width, getattr(outline, "xMin", 0))
    font["post"].formatType = 3.0
    font["head"].glyphDataFormat = 0
    for table in ("CFF ", "VORG"):
        if table in font:
            del font[table]
    font.sfntVersion = "\x00\x01\x00\x00"


def _to_bytes(font: Any) -> bytes:
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()

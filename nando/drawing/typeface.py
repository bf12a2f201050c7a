"""Typefaces: fonts, the width of text, and missing characters."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nando.drawing.shapes import Text

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

    def font(self, text: "Text") -> Font | None:
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

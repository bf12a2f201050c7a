"""Fonts: the width of text, and the parts of a font that are embedded."""

import base64
import io
from pathlib import Path

import pytest

from nando.drawing import typeface
from nando.drawing.shapes import Picture, Placed, Text

ttLib = pytest.importorskip("fontTools.ttLib", reason="fontTools is not installed (nando[book])")


@pytest.fixture(scope="module")
def sans():
    pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")
    from nando.books.trim import load_typeface

    return load_typeface("source-sans")


@pytest.fixture(scope="module")
def japanese():
    package = pytest.importorskip(
        "noto_cjk_sans_jp_regular", reason="nando[japanese] is not installed"
    )
    return typeface.Font(Path(package.__path__[0]) / "NotoSansCJKjp-Regular.otf")


def test_widths_are_those_that_a_pdf_has(sans):
    pdfmetrics = pytest.importorskip("reportlab.pdfbase.pdfmetrics")
    from reportlab.pdfbase.ttfonts import TTFont

    for font in sans.fonts:
        pdfmetrics.registerFont(TTFont(font.path.stem, str(font.path)))
        for text in ("Sudoku 2026 – 12 min", "Größe, œuvre, ¿qué?", ""):
            width = pdfmetrics.stringWidth(text, font.path.stem, 1000)
            assert font.width(text) * 1000 == pytest.approx(width, abs=0.6 * len(text))


def test_capitals_are_measured(sans, japanese):
    assert sans.cap_height == pytest.approx(0.656)
    assert japanese.cap_height == pytest.approx(0.733)
    assert typeface.PLAIN.cap_height == 0.729
    assert (sans.css, typeface.PLAIN.css) == (
        f'"Source Sans Pro", {typeface.FONTS}',
        typeface.FONTS,
    )


def test_a_line_has_the_font_of_its_face(sans):
    assert sans.font(Text(0, 0, "a", 1)) is sans.regular
    assert sans.font(Text(0, 0, "a", 1, bold=True)) is sans.bold
    assert typeface.PLAIN.font(Text(0, 0, "a", 1, bold=True)) is None
    assert sans.regular.missing("Sudoku 数独") == {"数", "独"}


def test_used_characters_are_found_wherever_they_stand(sans):
    inner = Picture(1, 1, (Text(0, 0, "abc", 1), Text(0, 0, "X", 1, bold=True)))
    outer = Picture(9, 9, (Placed(0, 0, 1, inner), Placed(3, 0, 1, inner), Text(0, 0, "cd", 1)))
    assert typeface.used_characters([outer], sans) == {
        sans.regular: set("abcd"),
        sans.bold: set("X"),
    }
    assert typeface.used_characters([outer], typeface.Typeface()) == {}


def test_only_used_glyphs_are_embedded(sans):
    address = typeface.woff_address(sans.regular, "Sudoku")
    data = base64.b64decode(address.removeprefix("data:font/woff;base64,"))
    font = ttLib.TTFont(io.BytesIO(data))
    assert set(font.getBestCmap()) == set(map(ord, "Sudok"))
    assert len(data) < 5_000
    assert typeface.woff_address(sans.regular, "ukodS") == address


@pytest.mark.thorough
def test_cubic_outlines_are_made_quadratic(japanese):
    assert not japanese.is_truetype
    data = typeface.truetype(japanese, "数独 8")
    font = ttLib.TTFont(io.BytesIO(data))
    assert "glyf" in font
    assert "CFF " not in font
    assert set(font.getBestCmap()) == set(map(ord, "数独 8"))
    names, upright = font.getBestCmap(), font["hmtx"]
    for char in "数独8":
        assert upright[names[ord(char)]][0] / 1000 == pytest.approx(japanese.width(char))
        assert font["glyf"][names[ord(char)]].numberOfContours > 0
    assert typeface.truetype(japanese, "8 独数") == data


@pytest.mark.thorough
def test_the_outlines_are_the_same(japanese):
    pens = pytest.importorskip("fontTools.pens.areaPen")
    font = ttLib.TTFont(io.BytesIO(typeface.truetype(japanese, "独")))
    areas = []
    for found in (font, ttLib.TTFont(japanese.path)):
        glyphs = found.getGlyphSet()
        pen = pens.AreaPen(glyphs)
        glyphs[found.getBestCmap()[ord("独")]].draw(pen)
        areas.append(pen.value)
    # TrueType outlines turn the other way.
    assert -areas[0] == pytest.approx(areas[1], rel=0.005)

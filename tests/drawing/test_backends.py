"""A picture is the same picture as SVG, PNG and PDF."""

import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from helpers.samples.sudokus import EXAMPLES

from nando.drawing.boards import board, position
from nando.drawing.pages import scatter
from nando.drawing.shapes import (
    SCREEN,
    Disc,
    Link,
    Path,
    Picture,
    Placed,
    Polygon,
    Rect,
    Text,
    move,
)
from nando.drawing.svg import svg
from nando.puzzles.nurikabe import Nurikabe
from nando.solvers.logic.solver import LogicSolver

SHAPES = (
    Rect(0.2, 0.2, 2, 1, "#c64600"),
    Rect(2.6, 0.2, 2, 1, "#ffe680", "#0060a8", 0.15),
    Rect(2.9, 0.5, 2, 1, None, "#404040", 0.1),
    Disc(1, 2.5, 0.7, "#0060a8"),
    Disc(1.7, 2.5, 0.7, "#ffffff", "#00735a", 0.2),
    Path(((3, 2), (5, 3), (4, 3.5), (3, 3)), "#1a1a1a", 0.1),
    Path(((0.5, 5.5), (2.5, 3.5), (4.5, 5.5)), "#c64600", 0.08, dashed=True, curved=True),
    Polygon(((5, 4), (5.8, 4.4), (5, 5)), "#595959"),
    Text(5.2, 1.8, "47", 0.8, "#0060a8", bold=True),
    Text(2.8, 5.2, "left", 0.7, align="start"),
    Text(5.9, 5.6, "end", 0.7, align="end"),
)
ALL = Picture(6, 6, SHAPES)
WITHIN = Picture(
    6,
    6,
    (
        Placed(0.5, 0.5, 0.4, ALL, "one"),
        Placed(3.2, 0.3, 0.4, ALL, "two", turn=180),
        Placed(0.2, 3, 0.5, Picture(6, 6, (Placed(0, 0, 0.9, ALL, "three", turn=90),))),
        Placed(3.2, 3, 0.4, ALL, turn=270),
        Link(0, 0, 6, 2, "two"),
    ),
)


def rendered_png(picture, unit):
    Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed (nando[plot])")
    from nando.drawing.png import write_png

    file = io.BytesIO()
    write_png(picture, file, unit)
    return np.asarray(Image.open(file).convert("RGB"), dtype=float)


def rendered_pdf(picture, unit, **options):
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="nando[book] is not installed")
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed (nando[test])")
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    from nando.drawing.pdf import FontNames, Pencil

    for name in ("Vera", "VeraBd"):
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
    file = io.BytesIO()
    size = picture.width * unit, picture.height * unit
    page = canvas.Canvas(file, pagesize=size, invariant=1)
    fonts = FontNames("Vera", "VeraBd")
    Pencil(page, fonts, 0.729, **options).draw(picture, 0, size[1], unit)
    page.save()
    (rendered,) = pdfium.PdfDocument(file.getvalue())
    return np.asarray(rendered.render(scale=1).to_pil().convert("RGB"), dtype=float)


def blurred(pixels, width=4):
    """Return the means of squares, which evens out the antialiasing of edges."""
    high, wide = (length // width * width for length in pixels.shape[:2])
    squares = pixels[:high, :wide].reshape(high // width, width, wide // width, width, 3)
    return squares.mean(axis=(1, 3))


def walk(puzzle, n_steps):
    solver = LogicSolver()
    before = solver.start(puzzle)
    for _, step in zip(range(n_steps), solver.steps(puzzle), strict=False):
        yield before, step
        before = before.after(step)


NURIKABE = Nurikabe("3......./....2.1./......../.6..2..8/......../..1...../2...2.../..1...2.")


SUDOKU = EXAMPLES[0]


def step_on(puzzle):
    *_, (before, step) = walk(puzzle, 4)
    return position(before, step)


def plotted():
    """Return a plot in the unit of the other pictures, which are in cells."""
    rises = [float(i) for i in range(1, 9)]
    squares = [i**2 for i in rises]
    plot = scatter(
        rises,
        squares,
        names=("i", "square"),
        ticks=[(1, "1"), (64, "64")],
        line=rises[::-1],
        line_name="back",
    )
    return Picture(plot.width / 50, plot.height / 50, tuple(shrunk(plot.shapes, 50)))


def shrunk(shapes, by):
    for shape in shapes:
        lengths = {name: getattr(shape, name) / by for name in LENGTHS & set(shape._fields)}
        if hasattr(shape, "points"):
            lengths["points"] = tuple((x / by, y / by) for x, y in shape.points)
        yield shape._replace(**lengths)


LENGTHS = {"x", "y", "radius", "line", "size"}
PICTURES = {
    "all shapes": lambda: ALL,
    "pictures within": lambda: WITHIN,
    "Sudoku": lambda: board(SUDOKU, SCREEN),
    "Nurikabe": lambda: board(NURIKABE, SCREEN),
    "step on sudoku": lambda: step_on(SUDOKU),
    "step on nurikabe": lambda: step_on(NURIKABE),
    "plot": plotted,
}


@pytest.mark.parametrize("name", PICTURES)
def test_png_and_pdf_show_the_same(name):
    png, pdf = (blurred(draw(PICTURES[name](), 50)) for draw in (rendered_png, rendered_pdf))
    assert png.shape == pdf.shape
    assert png.min() < 160
    # The fonts are close relatives; the lines are the same.
    assert np.abs(png - pdf).mean() < 2
    assert np.mean(np.abs(png - pdf).max(axis=2) > 48) < 0.009


def test_a_shape_that_is_missing_is_noticed():
    whole = blurred(rendered_pdf(ALL, 40))
    for i in range(len(SHAPES)):
        others = Picture(6, 6, SHAPES[:i] + SHAPES[i + 1 :])
        assert np.mean(np.abs(whole - blurred(rendered_png(others, 40))).max(axis=2) > 48) > 0.009


@pytest.mark.parametrize("name", PICTURES)
def test_svg_has_an_element_for_every_shape(name):
    picture = PICTURES[name]()
    root = ET.fromstring(svg(picture, title="a < b"))
    found = [element.tag.rpartition("}")[2] for element in root.iter()]
    n_paths = sum(element.get("d", "").count("M") for element in root.iter())
    drawn = list(flat(picture))
    counted = {
        # A link is an area that is not seen.
        Rect: found.count("rect") - found.count("a"),
        Disc: found.count("circle"),
        Polygon: found.count("polygon"),
        Text: found.count("text"),
        Path: n_paths,
        Link: found.count("a"),
    }
    assert counted == {kind: sum(type(shape) is kind for shape in drawn) for kind in counted}
    assert [e.get("id") for e in root.iter() if e.get("id")] == [
        shape.name for shape in drawn if isinstance(shape, Placed) and shape.name
    ]
    targets = {e.get("href") for e in root.iter() if e.get("href")}
    assert targets == {f"#{shape.target}" for shape in drawn if isinstance(shape, Link)}


def flat(picture):
    for shape in picture.shapes:
        yield shape
        if isinstance(shape, Placed):
            yield from flat(shape.picture)


def test_greys_are_printed_with_one_ink():
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="nando[book] is not installed")
    from nando.drawing.pdf import FontNames, Ink, Pencil

    def written(picture, ink=Ink.RGB):
        file = io.BytesIO()
        page = canvas.Canvas(file, pageCompression=0, invariant=1)
        Pencil(page, FontNames("Helvetica", "Helvetica"), 0.7, ink).draw(picture, 0, 0, 1)
        page.save()
        return file.getvalue()

    shapes = Rect(0, 0, 1, 1, "#000", "#777777", 1), Text(0, 0, "1", 1, "#808080")
    assert b" rg" not in written(Picture(1, 1, shapes)).lower()
    coloured = Picture(1, 1, (Rect(0, 0, 1, 1, "#c64600"),))
    assert b" rg" in written(coloured).lower()
    assert b" rg" not in written(coloured, Ink.GREY).lower()
    assert b" k" in written(coloured, Ink.CMYK)


def test_moved_shapes_are_the_same_elsewhere():
    back = move(move(SHAPES, 3, 5), -3, -5)
    for shape, other in zip(SHAPES, back, strict=True):
        assert type(shape) is type(other)
        a, b = (np.ravel(s.points if hasattr(s, "points") else (s.x, s.y)) for s in (shape, other))
        assert a == pytest.approx(b)

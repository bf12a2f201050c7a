"""Pictures on a page of a PDF, by reportlab: vector graphics and searchable text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Any, Literal, NamedTuple

from nando.drawing.colour import grey_of, inks_of, is_grey, parts_of
from nando.drawing.shapes import Disc, Link, Path, Picture, Placed, Polygon, Rect, Shape, Text

FILL_EVEN_ODD, FILL_NON_ZERO = 0, 1
"""How reportlab fills paths that overlap."""


class _Style(NamedTuple):
    """The style that shapes must share to be drawn as one path."""

    fill: str | None
    stroke: str | None
    line: float
    dashed: bool
    number: int
    """A different number for each shape with a fill and a frame, which may cover others' frames."""


class Ink(Enum):
    """The inks of a document. Shades of grey always use black ink alone."""

    GREY = "grey"
    """Black only; colours become greys."""
    RGB = "rgb"
    """Red, green and blue, for screens."""
    CMYK = "cmyk"
    """Four inks, for covers."""


class FontNames(NamedTuple):
    """Names under which fonts are registered with reportlab."""

    regular: str
    bold: str

    def of(self, text: Text) -> str:
        """Return the font of a line of text."""
        return self.bold if text.bold else self.regular


@dataclass(frozen=True)
class Pencil:
    """Draws pictures on a canvas.

    Attributes
    ----------
    canvas : reportlab.pdfgen.canvas.Canvas
    fonts : FontNames
    cap_height : float
        Height of the capitals of the fonts, as a share of the size of type.
    ink : Ink
    links : bool
        Whether areas are linked.
    """

    canvas: Any
    fonts: FontNames
    cap_height: float
    ink: Ink = Ink.RGB
    links: bool = True

    def draw(self, picture: Picture, x: float, y: float, unit: float) -> None:
        """Draw a picture.

        Parameters
        ----------
        picture : Picture
        x, y : float
            Its upper left corner, in points from the canvas's origin, y up.
        unit : float
            Points per unit of the picture.
        """
        canvas = self.canvas
        canvas.saveState()
        canvas.translate(x, y)
        canvas.setLineCap(0)
        for kind, shapes in groupby(picture.shapes, key=_family):
            if kind is Text:
                self._texts(shapes, unit)  # type: ignore[arg-type]
            elif kind is Shape:
                for style, alike in groupby(enumerate(shapes), key=_style):
                    self._outlines([shape for _, shape in alike], style, unit)
            else:
                for shape in shapes:
                    self._place(shape, unit)  # type: ignore[arg-type]
        canvas.restoreState()

    def _place(self, shape: Placed | Link, unit: float) -> None:
        canvas = self.canvas
        if isinstance(shape, Link):
            if not self.links:
                return
            x, y = shape.x * unit, -shape.y * unit
            area = (x, y - shape.height * unit, x + shape.width * unit, y)
            canvas.linkRect("", shape.target, area, relative=1, thickness=0)
            return
        if shape.name:
            canvas.bookmarkHorizontal(shape.name, 0, -shape.y * unit)
        x, y = shape.origin
        canvas.saveState()
        canvas.translate(x * unit, -y * unit)
        canvas.rotate(-shape.turn)
        self.draw(shape.picture, 0, 0, shape.scale * unit)
        canvas.restoreState()

    def _texts(self, texts: Iterable[Text], unit: float) -> None:
        drawn = self.canvas.beginText()
        for fill, alike in groupby(texts, key=lambda text: text.fill):
            self._set(drawn, "Fill", fill)
            for text in alike:
                font, size = self.fonts.of(text), text.size * unit
                width = self.canvas.stringWidth(text.text, font, size)
                shift = {"start": 0.0, "middle": width / 2, "end": width}[text.align]
                baseline = text.y + self.cap_height / 2 * text.size
                drawn.setFont(font, size)
                drawn.setTextOrigin(text.x * unit - shift, -baseline * unit)
                drawn.textOut(text.text)
        self.canvas.drawText(drawn)

    def _outlines(self, shapes: Sequence[Shape], style: _Style, unit: float) -> None:
        canvas = self.canvas
        path = canvas.beginPath()
        # Where filled shapes may overlap, the even-odd rule would leave holes.
        overlap = any(isinstance(s, Disc) for s in shapes) or len(set(shapes)) < len(shapes)
        for shape in shapes:
            if isinstance(shape, Rect):
                width, height = shape.width * unit, shape.height * unit
                path.rect(shape.x * unit, -shape.y * unit - height, width, height)
            elif isinstance(shape, Disc):
                path.circle(shape.x * unit, -shape.y * unit, shape.radius * unit)
            elif isinstance(shape, Path | Polygon):
                first, *others = [(x * unit, -y * unit) for x, y in shape.points]
                if overlap and isinstance(shape, Polygon) and _is_clockwise(shape):
                    others.reverse()
                path.moveTo(*first)
                if isinstance(shape, Path) and shape.curved:
                    path.curveTo(*_cubic(first, *others))
                else:
                    for point in others:
                        path.lineTo(*point)
                if isinstance(shape, Polygon):
                    path.close()
        filled, stroked = style.fill is not None, style.stroke is not None
        if style.fill is not None:
            self._set(canvas, "Fill", style.fill)
        if style.stroke is not None:
            line = style.line * unit
            self._set(canvas, "Stroke", style.stroke)
            canvas.setLineWidth(line)
            if any(isinstance(shape, Path) and len(shape.points) > 2 for shape in shapes):
                canvas.setLineJoin(1)
            canvas.setDash([2.6 * line, 2 * line] if style.dashed else [])
        mode = FILL_NON_ZERO if overlap else FILL_EVEN_ODD
        canvas.drawPath(path, stroke=int(stroked), fill=int(filled), fillMode=mode)

    def _set(self, pen: Any, part: Literal["Fill", "Stroke"], colour: str) -> None:
        """Set the colour with which a canvas or a text fills or strokes from now on."""
        if self.ink is Ink.GREY or is_grey(colour):
            getattr(pen, f"set{part}Gray")(grey_of(colour))
        elif self.ink is Ink.RGB:
            getattr(pen, f"set{part}ColorRGB")(*parts_of(colour))
        else:
            getattr(pen, f"set{part}ColorCMYK")(*inks_of(colour))


def _is_clockwise(shape: Polygon) -> bool:
    """Return True if the corners run clockwise on the page."""
    pairs = zip(shape.points, (*shape.points[1:], shape.points[0]), strict=True)
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs) > 0


def _family(shape: Shape) -> Any:
    """Return the class that represents all shapes that can be drawn together with this one."""
    if isinstance(shape, Text):
        return Text
    return Placed if isinstance(shape, Placed | Link) else Shape


def _style(numbered: tuple[int, Shape]) -> _Style:
    number, shape = numbered
    if isinstance(shape, Path):
        return _Style(None, shape.stroke, shape.line, shape.dashed, 0)
    if isinstance(shape, Rect | Disc):
        both = shape.fill is not None and shape.stroke is not None
        return _Style(shape.fill, shape.stroke, shape.line, False, number if both else 0)
    assert isinstance(shape, Polygon)
    return _Style(shape.fill, None, 0.0, False, 0)


def _cubic(start: Any, bend: Any, end: Any) -> Iterator[float]:
    """Yield the two control points and the end of a quadratic curve as a cubic curve, for PDF."""
    for near in (start, end):
        yield from (a + 2 / 3 * (b - a) for a, b in zip(near, bend, strict=True))
    yield from end

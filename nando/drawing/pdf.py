"""Pictures on a page of a PDF, by reportlab: vector graphics, and text that can be searched."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from nando.drawing.shapes import Disc, Path, Picture, Polygon, Rect, Shape, Text

CAP_HEIGHT = 0.729
"""Height of digits and capitals in Bitstream Vera, as a share of the size of the type."""


class _Style(NamedTuple):
    """What shapes must share to be drawn as one path."""

    fill: str | None
    stroke: str | None
    line: float
    dashed: bool
    number: int
    """Tells apart shapes that are filled and framed: one may lie on the frame of another."""


def draw(
    canvas: Any, picture: Picture, x: float, y: float, unit: float, fonts: tuple[str, str]
) -> None:
    """Draw a picture on a canvas.

    Parameters
    ----------
    canvas : reportlab.pdfgen.canvas.Canvas
    picture : Picture
    x, y : float
        Its upper left corner, in points from the canvas's origin, y up.
    unit : float
        Points to a unit of the picture.
    fonts : (str, str)
        Names of the regular and the bold font, as registered with reportlab.
    """
    canvas.saveState()
    canvas.translate(x, y)
    canvas.setLineCap(0)
    for are_texts, shapes in groupby(picture.shapes, key=lambda shape: isinstance(shape, Text)):
        if are_texts:
            _texts(canvas, shapes, unit, fonts)  # type: ignore[arg-type]
            continue
        for style, alike in groupby(enumerate(shapes), key=_style):
            _outlines(canvas, [shape for _, shape in alike], style, unit)
    canvas.restoreState()


def _texts(canvas: Any, texts: Iterable[Text], unit: float, fonts: tuple[str, str]) -> None:
    drawn = canvas.beginText()
    for fill, alike in groupby(texts, key=lambda text: text.fill):
        _set_fill(drawn, fill)
        for text in alike:
            font, size = fonts[text.bold], text.size * unit
            width = canvas.stringWidth(text.text, font, size) if text.centred else 0.0
            baseline = text.y + CAP_HEIGHT / 2 * text.size
            drawn.setFont(font, size)
            drawn.setTextOrigin(text.x * unit - width / 2, -baseline * unit)
            drawn.textOut(text.text)
    canvas.drawText(drawn)


def _style(numbered: tuple[int, Shape]) -> _Style:
    number, shape = numbered
    if isinstance(shape, Path):
        return _Style(None, shape.stroke, shape.line, shape.dashed, 0)
    if isinstance(shape, Rect | Disc):
        both = shape.fill is not None and shape.stroke is not None
        return _Style(shape.fill, shape.stroke, shape.line, False, number if both else 0)
    return _Style(shape.fill, None, 0.0, False, 0)


def _outlines(canvas: Any, shapes: Sequence[Shape], style: _Style, unit: float) -> None:
    path = canvas.beginPath()
    for shape in shapes:
        if isinstance(shape, Rect):
            width, height = shape.width * unit, shape.height * unit
            path.rect(shape.x * unit, -shape.y * unit - height, width, height)
        elif isinstance(shape, Disc):
            path.circle(shape.x * unit, -shape.y * unit, shape.radius * unit)
        elif isinstance(shape, Path | Polygon):
            first, *others = [(x * unit, -y * unit) for x, y in shape.points]
            path.moveTo(*first)
            if isinstance(shape, Path) and shape.curved:
                path.curveTo(*_cubic(first, *others))
            else:
                for point in others:
                    path.lineTo(*point)
            if isinstance(shape, Polygon):
                path.close()
    if style.fill is not None:
        _set_fill(canvas, style.fill)
    if style.stroke is not None:
        line = style.line * unit
        _set_stroke(canvas, style.stroke)
        canvas.setLineWidth(line)
        canvas.setDash([2.6 * line, 2 * line] if style.dashed else [])
    canvas.drawPath(path, stroke=int(style.stroke is not None), fill=int(style.fill is not None))


def _cubic(start: Any, bend: Any, end: Any) -> tuple[float, ...]:
    """The two control points and the end of a quadratic curve, as PDF wants them."""
    return (
        *(a + 2 / 3 * (b - a) for a, b in zip(start, bend, strict=True)),
        *(a + 2 / 3 * (b - a) for a, b in zip(end, bend, strict=True)),
        *end,
    )


# Shades of grey are said as grey: a printer makes a grey of red, green and blue of four inks.


def _set_fill(pen: Any, colour: str) -> None:
    red, green, blue = _parts(colour)
    if red == green == blue:
        pen.setFillGray(red)
    else:
        pen.setFillColorRGB(red, green, blue)


def _set_stroke(pen: Any, colour: str) -> None:
    red, green, blue = _parts(colour)
    if red == green == blue:
        pen.setStrokeGray(red)
    else:
        pen.setStrokeColorRGB(red, green, blue)


def _parts(colour: str) -> tuple[float, ...]:
    """Red, green and blue of ``#rrggbb`` or ``#rgb``, from 0 to 1."""
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return tuple(int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))

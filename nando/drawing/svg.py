"""Pictures as SVG: no script, no network, fonts that every system has."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from unicodedata import bidirectional

from nando.drawing.shapes import Disc, Link, Path, Picture, Placed, Polygon, Rect, Shape, Text
from nando.drawing.typeface import PLAIN, Typeface


def svg(
    picture: Picture,
    *,
    unit: float | None = None,
    points: float | None = None,
    title: str = "",
    typeface: Typeface = PLAIN,
    role: str = "img",
) -> str:
    """Return a picture as an SVG element.

    Parameters
    ----------
    picture : Picture
    unit, points : float or None
        Pixels or points per unit of the picture; without either it fills the available space.
    title : str
        Alternative text.
    typeface : Typeface
        Typeface of the texts; its fonts are named, not embedded.
    role : str
        ``"img"`` for one image, ``"document"`` for text that screen readers should read.
    """
    size = ""
    if unit is not None:
        size = f' width="{picture.width * unit:.0f}" height="{picture.height * unit:.0f}"'
    elif points is not None:
        size = f' width="{picture.width * points:.2f}pt" height="{picture.height * points:.2f}pt"'
    named = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{size} role="{role}" '
        f'viewBox="0 0 {picture.width:.4g} {picture.height:.4g}" '
        f"font-family='{typeface.css}'>{named}"
        f"{''.join(_elements(picture.shapes, typeface.cap_height))}</svg>"
    )


def _elements(shapes: Sequence[Shape], cap_height: float) -> Iterator[str]:
    for (kind, style), group in groupby(shapes, key=_style):
        parts = "".join(_element(shape, style, cap_height) for shape in group)
        if kind is Text:
            parts = f"<g {style}>{parts}</g>"
        elif kind is Path:
            parts = f'<path {style} d="{parts}"/>'
        yield parts


def _style(shape: Shape) -> tuple[type, str]:
    """Return the style that neighbouring shapes must share to be written as one element."""
    if isinstance(shape, Text):
        weight = ' font-weight="bold"' if shape.bold else ""
        anchor = f' text-anchor="{shape.align}"' if shape.align != "start" else ""
        return Text, f'font-size="{_n(shape.size)}" fill="{shape.fill}"{weight}{anchor}'
    if isinstance(shape, Path):
        dash = f' stroke-dasharray="{_n(2.6 * shape.line)} {_n(2 * shape.line)}"'
        return Path, (
            f'fill="none" stroke="{shape.stroke}" stroke-width="{_n(shape.line)}"'
            f"{dash if shape.dashed else ''}"
        )
    if isinstance(shape, Polygon):
        return Polygon, f'fill="{shape.fill}"'
    if isinstance(shape, Rect | Disc):
        stroke = f' stroke="{shape.stroke}" stroke-width="{_n(shape.line)}"' if shape.stroke else ""
        return type(shape), f'fill="{shape.fill or "none"}"{stroke}'
    return type(shape), ""


def _element(shape: Shape, style: str, cap_height: float) -> str:
    """Return a shape; for texts and paths, only the part that is not shared."""
    if isinstance(shape, Text):
        baseline = shape.y + cap_height / 2 * shape.size
        # Lines are in the order in which they are drawn, also those from right to left.
        is_turned = any(bidirectional(char) in ("R", "AL") for char in shape.text)
        order = ' direction="ltr" unicode-bidi="bidi-override"' if is_turned else ""
        return f'<text x="{_n(shape.x)}" y="{_n(baseline)}"{order}>{escape(shape.text)}</text>'
    if isinstance(shape, Path):
        first, *others = (f"{_n(x)} {_n(y)}" for x, y in shape.points)
        return f"M{first}{'Q' if shape.curved else 'L'}{' '.join(others)}"
    if isinstance(shape, Rect):
        return f"<rect {_area(shape)} {style}/>"
    if isinstance(shape, Disc):
        return f'<circle cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.radius)}" {style}/>'
    if isinstance(shape, Placed):
        name = f' id="{escape(shape.name)}"' if shape.name else ""
        body = "".join(_elements(shape.picture.shapes, cap_height))
        return f'<g{name} transform="{_transform(shape)}">{body}</g>'
    if isinstance(shape, Link):
        area = f'<rect {_area(shape)} fill="none" pointer-events="all"/>'
        return f'<a href="#{escape(shape.target)}">{area}</a>'
    return f'<polygon points="{" ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)}" {style}/>'


def _area(shape: Rect | Link) -> str:
    return (
        f'x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" height="{_n(shape.height)}"'
    )


def _transform(placed: Placed) -> str:
    x, y = placed.origin
    turn = f" rotate({placed.turn})" if placed.turn else ""
    return f"translate({_n(x)} {_n(y)}){turn} scale({placed.scale:.6g})"


def _n(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")

"""Walks as one SVG that shows a step after the other, without a script.

Each shape is written once for each stretch of steps that have it; shapes of one stretch share an
animation. What lies above what follows from what a shape is, as on the page to step through.
"""

from collections.abc import Sequence

from nando.drawing.shapes import Picture, Shape
from nando.drawing.stepped import layer_of
from nando.drawing.svg import svg


def animated_svg(
    pictures: Sequence[Picture], seconds: float, *, unit: float, title: str, ground: str = "#ffffff"
) -> str:
    """Return an SVG that shows pictures of one size in turn, and then begins again.

    Parameters
    ----------
    pictures : sequence of Picture
    seconds : float
        Time for which each is shown.
    unit : float
        Pixels per unit of the pictures.
    title : str
        Alternative text.
    ground : str
        Colour behind the pictures.
    """
    width = max(picture.width for picture in pictures)
    height = max(picture.height for picture in pictures)
    stretches: dict[tuple[int, int, int], list[Shape]] = {}
    last: dict[Shape, tuple[int, int]] = {}
    for number, picture in enumerate(pictures):
        for shape in dict.fromkeys(picture.shapes):
            first, end = last.get(shape, (number, -1))
            last[shape] = (first if end == number - 1 else number, number)
            if end not in (-1, number - 1):
                stretches.setdefault((layer_of(shape), first, end), []).append(shape)
    for shape, (first, end) in last.items():
        stretches.setdefault((layer_of(shape), first, end), []).append(shape)
    whole = svg(Picture(width, height, ()), unit=unit, title=title)
    opening = whole.removesuffix("</svg>")
    parts = [opening, f'<rect width="{width:.4g}" height="{height:.4g}" fill="{ground}"/>']
    for (_, first, end), shapes in sorted(stretches.items(), key=lambda item: item[0]):
        inner = svg(Picture(width, height, tuple(shapes)))
        body = inner[inner.index(">") + 1 :].removesuffix("</svg>")
        parts.append(f"<g>{_shown(first, end + 1, len(pictures), seconds)}{body}</g>")
    return "".join([*parts, "</svg>"])


def _shown(first: int, end: int, n: int, seconds: float) -> str:
    """Return the animation of what is shown from one picture until another."""
    if (first, end) == (0, n):
        return ""
    times = [(0.0, "visible" if first == 0 else "hidden")]
    times += [(first / n, "visible")] if first else []
    times += [(end / n, "hidden")] if end < n else []
    values = ";".join(value for _, value in times)
    keys = ";".join(f"{time:.6g}" for time, _ in times)
    return (
        f'<animate attributeName="visibility" calcMode="discrete" values="{values}" '
        f'keyTimes="{keys}" dur="{n * seconds:g}s" repeatCount="indefinite"/>'
    )

"""Walkthroughs as one HTML page that is stepped through: one board, the walk beside it.

The pictures of all steps are sent as data: each shape once, and for each step the shapes that come
and go. One script draws them. What lies above what follows from what a shape is, so that a picture
is a set of shapes.
"""

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

from nando.drawing.boards import legend
from nando.drawing.colour import colour_name
from nando.drawing.pages import embedded, page
from nando.drawing.printed import Section, page_words
from nando.drawing.shapes import Disc, Path, Placed, Polygon, Rect, Shape, Text

_TINT, _LINE, _FRAME, _DISC, _TEXT, _STRIKE, _LINK = range(7)
"""Layers, from below."""

_UNIT = 100
"""Coordinates are whole numbers of this part of a cell."""


def stepped_html(
    title: str, kind: str, sections: Sequence[Section], language: str = "en"
) -> Iterator[str]:
    """Return the parts of the file, in order."""
    words = page_words(language)
    script = (files("nando.drawing") / "web" / "stepped.mjs").read_text(encoding="utf-8")
    return page(
        "nando.drawing",
        "web/stepped.html",
        title=title,
        language=language,
        say=words,
        legend=legend(kind, words),
        sections=sections,
        **embedded(script, walk_data(sections)),
    )


def walk_data(sections: Sequence[Section]) -> dict[str, Any]:
    """Return the pictures of all steps.

    Every shape with its layer, and what each step adds and drops.

    Returns
    -------
    dict
        ``shapes``, each a list of its layer, its kind and its numbers; and ``walks``, for each
        section its width and height and, for each panel, the shapes added to the picture before it
        and those dropped from it, by their number.
    """
    numbers: dict[str, int] = {}
    walks = []
    for section in sections:
        before: set[int] = set()
        panels = []
        for panel in section.panels:
            told = map(json.dumps, _plain_all(panel.picture.shapes))
            shown = {numbers.setdefault(text, len(numbers)) for text in told}
            panels.append([sorted(shown - before), sorted(before - shown)])
            before = shown
        first = section.panels[0].picture
        walks.append({"size": [_n(first.width), _n(first.height)], "panels": panels})
    return {"shapes": [json.loads(text) for text in numbers], "walks": walks}


def layer_of(shape: Shape) -> int:
    """Return the layer in which a shape of a step lies, from below."""
    if isinstance(shape, Polygon) and len(shape.points) == 3:
        return _LINK
    layer: int = _plain(shape, head=False)[0]
    return layer


def _plain_all(shapes: Sequence[Shape]) -> Iterator[list[Any]]:
    """Yield the shapes as short lists. An arrow is a curve with a head, which comes before it."""
    head = False
    for shape in shapes:
        if isinstance(shape, Polygon) and len(shape.points) == 3:
            head = True
            continue
        yield _plain(shape, head)
        head = False


def _plain(shape: Shape, head: bool) -> list[Any]:
    if isinstance(shape, Rect):
        x, y, width, height = map(_n, shape[:4])
        fill, stroke = colour_name(shape.fill), colour_name(shape.stroke)
        return [_FRAME if stroke else _TINT, "r", x, y, width, height, fill, stroke, _n(shape.line)]
    if isinstance(shape, Disc):
        x, y, radius = map(_n, shape[:3])
        fill, stroke = colour_name(shape.fill), colour_name(shape.stroke)
        return [_DISC, "c", x, y, radius, fill, stroke, _n(shape.line)]
    if isinstance(shape, Path):
        stroke = colour_name(shape.stroke)
        layer = _LINK if shape.curved else _STRIKE if stroke == "red" else _LINE
        points = [_n(number) for point in shape.points for number in point]
        flags = int(shape.dashed) + 2 * int(shape.curved) + 4 * int(head)
        return [layer, "p", points, stroke, _n(shape.line), flags]
    if isinstance(shape, Text):
        x, y = _n(shape.x), _n(shape.y)
        size, fill = _n(shape.size), colour_name(shape.fill)
        return [_TEXT, "t", x, y, shape.text, size, fill, int(shape.bold)]
    if isinstance(shape, Placed):
        # The marks of a board, which all steps share: a picture in cells, drawn as it is.
        inner = [_plain(one, False)[1:] for one in shape.picture.shapes]
        return [_LINE, "b", _n(shape.x), _n(shape.y), inner]
    if isinstance(shape, Polygon):
        points = [_n(number) for point in shape.points for number in point]
        return [_LINE, "g", points, colour_name(shape.fill)]
    raise TypeError(f"no step is drawn with a {type(shape).__name__}")


def _n(number: float) -> int:
    return round(number * _UNIT)

"""Walkthroughs as files: pages to print or to step through, one picture, or one animation.

A page to step through has the pictures of all steps as data: each shape once, and for each step
the shapes that it adds and drops. A script draws them. An animation is an SVG without a script, in
which each shape is written once for each run of steps that show it. In both, the kind of a shape
determines its layer, so that a picture is a set of shapes.
"""

import json
import textwrap
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from nando.drawing.boards import legend
from nando.drawing.colour import colour_name
from nando.drawing.pages import embedded, page
from nando.drawing.shapes import (
    MARGIN,
    Disc,
    Path,
    Picture,
    Placed,
    Polygon,
    Rect,
    Shape,
    Text,
    moved,
)
from nando.drawing.svg import svg
from nando.puzzles import Puzzle, Variant
from nando.puzzles.variants.genre import Genre
from nando.solvers.logic.language import Words, words_of

_CAPTION, _LEADING, _GAP = 0.3, 0.44, 0.5
"""Size of type and height of a line of captions, and gap between panels, in cells."""


class Panel(NamedTuple):
    """A step to show: its number, its sentence, its picture, and why each of its links follows."""

    number: int
    sentence: str
    picture: Picture
    reasons: Sequence[str] = ()


class Section(NamedTuple):
    """A puzzle: its line, a summary, the table of its techniques, and its steps."""

    line: str
    summary: str
    techniques: Sequence[tuple[str, str, int]]
    panels: Sequence[Panel]


def page_words(language: str) -> Words:
    """Return the texts of pages of walks, in a language."""
    return words_of(language, "drawings")


def title_of(puzzles: Sequence[Puzzle], language: str = "en") -> str:
    """Return the title of a page of puzzles of one kind; that of variants names their rules."""
    names = {
        Genre.of(puzzle).name(language) if isinstance(puzzle, Variant) else puzzle.kind.capitalize()
        for puzzle in puzzles
    }
    name = names.pop() if len(names) == 1 else "Sudoku"
    return page_words(language).count("page.title", len(puzzles), kind=name)


def html(title: str, kind: str, sections: Sequence[Section], language: str = "en") -> Iterator[str]:
    """Return the parts of the file, in order."""
    return _page("web/walk.html", title, kind, sections, language)


def _page(
    template: str,
    title: str,
    kind: str,
    sections: Sequence[Section],
    language: str,
    **values: Any,
) -> Iterator[str]:
    words = page_words(language)
    return page(
        "nando.drawing",
        template,
        title=title,
        language=language,
        say=words,
        legend=legend(kind, words),
        sections=sections,
        **values,
    )


def sheet_of(panels: Sequence[Panel], *, captions: bool = True) -> Picture:
    """Return all panels in one picture, row by row."""
    n_columns = min(len(panels), max(1, round((len(panels) * 1.6) ** 0.5)))
    width, tall = panels[0].picture.width, panels[0].picture.height
    # A character is a little more than half as wide as it is high.
    line = int((width - MARGIN) / (0.57 * _CAPTION))
    shapes: list[Shape] = []
    top = 0.0
    for start in range(0, len(panels), n_columns):
        deepest = 0.0
        for i, panel in enumerate(panels[start : start + n_columns]):
            left = i * (width + _GAP)
            shapes += moved(panel.picture.shapes, left, top)
            said = _lines(f"{panel.number}. {panel.sentence}", line) if captions else []
            for k, text in enumerate(said):
                y = top + tall + 0.3 + k * _LEADING
                shapes.append(Text(left + MARGIN, y, text, _CAPTION, align="start"))
            deepest = max(deepest, tall + len(said) * _LEADING + _GAP)
        top += deepest
    return Picture(n_columns * (width + _GAP) - _GAP, top - _GAP + 0.15, tuple(shapes))


def _lines(text: str, most: int) -> list[str]:
    """Wrap a sentence at `most` characters; Japanese characters count nearly twice."""
    is_wide = any(east_asian_width(character) in "WF" for character in text)
    return textwrap.wrap(text, int(most / 1.8) if is_wide else most)


_TINT, _LINE, _FRAME, _DISC, _TEXT, _STRIKE, _LINK = range(7)
"""Layers, from the lowest to the highest."""

_UNIT = 100
"""Coordinates are whole numbers; a cell has this many units."""


def stepped_html(
    title: str, kind: str, sections: Sequence[Section], language: str = "en"
) -> Iterator[str]:
    """Return the parts of the file, in order."""
    script = (files("nando.drawing") / "web" / "stepped.mjs").read_text(encoding="utf-8")
    values = embedded(script, walk_data(sections))
    return _page("web/stepped.html", title, kind, sections, language, **values)


def walk_data(sections: Sequence[Section]) -> dict[str, Any]:
    """Return the pictures of all steps: each shape with its layer, and the changes of each step.

    Returns
    -------
    dict
        ``shapes``, each a list of its layer, its kind and its numbers; and ``walks``, for each
        section its width and height and, for each panel, the numbers of the shapes that it adds to
        the picture before it and of those that it drops.
    """
    numbers: dict[str, int] = {}
    walks = []
    for section in sections:
        before: set[int] = set()
        panels = []
        for panel in section.panels:
            drawn = map(json.dumps, _plain_all(panel.picture.shapes))
            shown = {numbers.setdefault(text, len(numbers)) for text in drawn}
            panels.append([sorted(shown - before), sorted(before - shown)])
            before = shown
        first = section.panels[0].picture
        walks.append({"size": [_n(first.width), _n(first.height)], "panels": panels})
    return {"shapes": [json.loads(text) for text in numbers], "walks": walks}


def layer_of(shape: Shape) -> int:
    """Return the layer of a shape of a step."""
    if isinstance(shape, Polygon) and len(shape.points) == 3:
        return _LINK
    layer: int = _plain(shape, head=False)[0]
    return layer


def _plain_all(shapes: Sequence[Shape]) -> Iterator[list[Any]]:
    """Yield the shapes as short lists; an arrow is a curve after its head, as one list."""
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
        # The marks of a board, which all steps share: a picture in cells, drawn unchanged.
        inner = [_plain(part, False)[1:] for part in shape.picture.shapes]
        return [_LINE, "b", _n(shape.x), _n(shape.y), inner]
    if isinstance(shape, Polygon):
        points = [_n(number) for point in shape.points for number in point]
        return [_LINE, "g", points, colour_name(shape.fill)]
    raise TypeError(f"no step is drawn with a {type(shape).__name__}")


def _n(number: float) -> int:
    return round(number * _UNIT)


def animated_svg(
    pictures: Sequence[Picture], seconds: float, *, unit: float, title: str, ground: str = "#ffffff"
) -> str:
    """Return an SVG that shows pictures of one size in a loop.

    Parameters
    ----------
    pictures : sequence of Picture
    seconds : float
        Time for which each picture is shown.
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
    """Return the animation of shapes that are visible from picture `first` until picture `end`."""
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

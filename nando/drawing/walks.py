"""Walkthroughs as files: a page to print, one picture, or one animation.

An animation is an SVG without a script, in which each shape is written once for each run of steps
that show it.
"""

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

from nando.drawing.boards import legend
from nando.drawing.pages import page
from nando.drawing.plain import layer_of
from nando.drawing.shapes import MARGIN, Picture, Shape, Text, move
from nando.drawing.svg import svg
from nando.puzzles import Puzzle, Variant
from nando.puzzles.variants.genre import Genre
from nando.solvers.logic.language import Words, words_of
from nando.solvers.logic.walkthrough import span_of

_CAPTION, _LEADING, _GAP = 0.3, 0.44, 0.5
"""Size of type and height of a line of captions, and gap between panels, in cells."""


class Panel(NamedTuple):
    """A step to show: its number, its sentence, its picture, and why each of its links follows.

    `last` is the number of the last of several steps that are told together.
    """

    number: int
    sentence: str
    picture: Picture
    reasons: Sequence[str] = ()
    last: int | None = None

    @property
    def numbers(self) -> str:
        """The number of the step, or the first and the last of several."""
        return span_of(self.number, self.last or self.number)


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
    """Return the parts of a page to print, in order."""
    words = page_words(language)
    return page(
        "nando.drawing",
        "web/walk.html",
        title=title,
        language=language,
        say=words,
        legend=legend(kind, words),
        sections=sections,
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
            shapes += move(panel.picture.shapes, left, top)
            said = _lines(f"{panel.numbers}. {panel.sentence}", line) if captions else []
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


def animate(
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
        parts.append(f"<g>{_animate_between(first, end + 1, len(pictures), seconds)}{body}</g>")
    return "".join([*parts, "</svg>"])


def _animate_between(first: int, end: int, n: int, seconds: float) -> str:
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

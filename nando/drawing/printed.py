"""Walkthroughs to be printed: one HTML file, or several steps in one picture."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nando.drawing.boards import legend
from nando.drawing.grid import MARGIN
from nando.drawing.pages import page
from nando.drawing.shapes import Picture, Shape, Text, moved
from nando.solvers.logic.language import Words, words_of

_CAPTION, _LEADING, _GAP = 0.3, 0.44, 0.5
"""Type and line of a caption, and room between panels, in cells."""


class Panel(NamedTuple):
    """A step to be shown: its number, a sentence, the picture, and why its links follow."""

    number: int
    sentence: str
    picture: Picture
    reasons: Sequence[str] = ()


class Section(NamedTuple):
    """A puzzle: its line, what is said of the whole, the table of techniques, and its steps."""

    line: str
    summary: str
    techniques: Sequence[tuple[str, str, int]]
    panels: Sequence[Panel]


def page_words(language: str) -> Words:
    """Return the texts of pages of walks, in a language."""
    return words_of(language, "nando.drawing")


def title_of(kind: str, n: int, language: str = "en") -> str:
    """Return the title of a page with a number of puzzles of a kind."""
    return page_words(language).count("page.title", n, kind=kind.capitalize())


def html(title: str, kind: str, sections: Sequence[Section], language: str = "en") -> Iterator[str]:
    """Return the parts of the file, in order."""
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
    # A character of the type is a little over half as wide as it is high.
    line = int((width - MARGIN) / (0.57 * _CAPTION))
    shapes: list[Shape] = []
    top = 0.0
    for start in range(0, len(panels), n_columns):
        deepest = 0.0
        for i, panel in enumerate(panels[start : start + n_columns]):
            left = i * (width + _GAP)
            shapes += moved(panel.picture.shapes, left, top)
            said = textwrap.wrap(f"{panel.number}. {panel.sentence}", line) if captions else []
            for k, text in enumerate(said):
                y = top + tall + 0.3 + k * _LEADING
                shapes.append(Text(left + MARGIN, y, text, _CAPTION, align="start"))
            deepest = max(deepest, tall + len(said) * _LEADING + _GAP)
        top += deepest
    return Picture(n_columns * (width + _GAP) - _GAP, top - _GAP + 0.15, tuple(shapes))

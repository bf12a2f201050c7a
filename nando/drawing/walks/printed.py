"""Walkthroughs as one printable HTML file: a picture and a sentence per step."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nando.drawing.kinds import legend
from nando.drawing.pages import page
from nando.drawing.shapes import Picture


class Panel(NamedTuple):
    """A step to be shown: its number, a sentence, and the picture."""

    number: int
    sentence: str
    picture: Picture


class Section(NamedTuple):
    """A puzzle: its line, what is said of the whole, the table of techniques, and its steps."""

    line: str
    summary: str
    techniques: Sequence[tuple[str, str, int]]
    panels: Sequence[Panel]


def html(title: str, kind: str, sections: Sequence[Section]) -> Iterator[str]:
    """The parts of the file, in order."""
    samples = [(words, Picture(1, 1, tuple(shapes))) for words, shapes in legend(kind)]
    return page("nando.drawing", "walk.html", title=title, legend=samples, sections=sections)

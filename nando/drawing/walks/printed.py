"""Walkthroughs as one printable HTML file: a picture and a sentence per step."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nando.drawing.kinds import legend
from nando.drawing.pages import page
from nando.drawing.shapes import Picture
from nando.solvers.logic.language import Words, words_of


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


def page_words(language: str) -> Words:
    """The texts of pages of walks, in a language."""
    return words_of(language, "nando.drawing")


def title_of(kind: str, n: int, language: str = "en") -> str:
    """The title of a page with a number of puzzles of a kind."""
    return page_words(language).count("page.title", n, kind=kind.capitalize())


def html(title: str, kind: str, sections: Sequence[Section], language: str = "en") -> Iterator[str]:
    """The parts of the file, in order."""
    words = page_words(language)
    return page(
        "nando.drawing",
        "walk.html",
        title=title,
        language=language,
        say=words,
        legend=legend(kind, words),
        sections=sections,
    )

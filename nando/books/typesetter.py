"""Lay out a book: make its pages in order, with the numbers by which they refer to each other.

The table of contents lists page numbers, which depend on its own length. The inner margin depends
on the number of pages, and the number of pages on the margin. As in TeX, the layout is therefore
repeated until nothing changes.
"""

from collections.abc import Callable, Sequence

from nando.books.language import words_of
from nando.books.layout.binder import Binder, Place
from nando.books.layout.style import Style
from nando.books.pages.answers import answer_pages
from nando.books.pages.closing import closing_pages
from nando.books.pages.contents import contents_pages
from nando.books.pages.cover import cover_page
from nando.books.pages.front import rights_page, title_page
from nando.books.pages.hints import hint_pages
from nando.books.pages.minutes import minutes_pages
from nando.books.pages.puzzles import puzzle_pages
from nando.books.pages.rules import rules_pages
from nando.books.pages.techniques import technique_pages
from nando.books.pages.text import text_pages
from nando.books.pages.times import times_pages
from nando.books.section import Section
from nando.books.spec import END, PLACES, BookSpec
from nando.books.trim import page_size

MAKERS: tuple[Callable[[Binder], None], ...] = (
    title_page,
    rights_page,
    contents_pages,
    rules_pages,
    minutes_pages,
    technique_pages,
    puzzle_pages,
    hint_pages,
    answer_pages,
    times_pages,
    closing_pages,
)
"""The makers of the pages of a book, in the order of `PLACES`."""

_MOST_PASSES = 10


def lay_out(spec: BookSpec, sections: Sequence[Section]) -> Binder:
    """Make the pages of a book and its cover.

    Raises
    ------
    ImportError
        If the typeface is not installed.
    """
    style = Style(spec.design, spec.language)
    words = words_of(spec.language)
    known: dict[str, Place] = {}
    n_pages = 0
    for _ in range(_MOST_PASSES):
        size = page_size(spec.design.trim, n_pages)
        binder = Binder(spec, sections, words, style, size, known)
        for place, make in zip(PLACES, MAKERS, strict=True):
            text_pages(binder, place)
            make(binder)
        text_pages(binder, END)
        while len(binder.sheets) % spec.design.multiple:
            binder.sheet("blank")
        # A book that once needed the wider gutter keeps it, so the loop ends.
        n_needed = max(n_pages, len(binder.sheets))
        if (binder.places, n_needed) == (known, n_pages):
            break
        known, n_pages = binder.places, n_needed
    binder.cover = cover_page(binder)
    return binder

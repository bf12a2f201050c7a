"""Makes a book from its spec and a callable that makes the puzzles."""

from collections.abc import Callable, Iterable

import numpy as np

from nando.books.book import Book
from nando.books.kinds import KINDS
from nando.books.language import dotted, words_of
from nando.books.section import Section
from nando.books.spec import BookSpec, Part
from nando.generators.records import Record

Maker = Callable[[Part], Iterable[Record]]
"""Makes the puzzles of a part: its number, kind and difficulty of them."""


def make_book(spec: BookSpec, maker: Maker) -> Book:
    """Make a book.

    Parameters
    ----------
    spec : BookSpec
    maker : callable
        Called with each part in order.

    Raises
    ------
    ValueError
        For a book without parts, and for a part that does not get all its puzzles.
    """
    sections = []
    for i, (part, title) in enumerate(_titled(spec), 1):
        records = tuple(maker(part))
        if len(records) != part.count:
            raise ValueError(f"parts[{i}] needs {part.count} puzzles, got {len(records)}")
        sections.append(Section(title, records, part.per_page))
    return Book(tuple(sections), spec)


def rehearse(spec: BookSpec) -> None:
    """Lay a book out with an example in place of the puzzles of each part.

    This finds what cannot be printed before hours are spent on making puzzles.

    Raises
    ------
    ValueError
        For a book without parts, titles with characters that the typeface lacks, and codes of
        puzzles that no site opens.
    ImportError
        If fonts are not installed.
    """
    sections = []
    for part, title in _titled(spec):
        kind = KINDS[part.kind]
        cell = int(np.flatnonzero(kind.example.givens == 0)[0])
        example = Record(kind.example, kind.solution, first_cell=cell)
        sections.append(Section(title, (example,), part.per_page))
    _ = Book(tuple(sections), spec).layout


def _titled(spec: BookSpec) -> list[tuple[Part, str]]:
    if not spec.parts:
        raise ValueError("a book needs parts: add [[parts]] with a count and a grade or minutes")
    several_kinds = len({part.kind for part in spec.parts}) > 1
    return [
        (part, title_of(part, spec.language, several_kinds=several_kinds)) for part in spec.parts
    ]


def title_of(part: Part, language: str, *, several_kinds: bool = False) -> str:
    """Return the title of a part.

    By default its difficulty, after its kind if there are several.
    """
    if part.title:
        return part.title
    words = words_of(language)
    if part.grade:
        how_hard = words.grade(part.grade)
    elif part.minutes is not None:
        whole = max(1, round(part.minutes))
        how_hard = words.amount(whole, whole, "seconds")
    elif part.points is not None:
        whole = max(1, round(part.points))
        how_hard = words.amount(whole, whole, "points")
    else:
        how_hard = "" if several_kinds else words("labels", "other")
    kind = words.kind(part.kind) if several_kinds else ""
    return dotted(kind, how_hard)

"""Make a book from its spec and a callable that makes the puzzles."""

from collections.abc import Callable, Iterable

import numpy as np

from nando.books.book import Book
from nando.books.kinds import KINDS, solution_of
from nando.books.language import join_by_dots, words_of
from nando.books.pages.cover import cover_image
from nando.books.section import Section
from nando.books.spec import BookSpec, Part
from nando.checks import how_many
from nando.generators.records import Record
from nando.puzzles import Nurikabe, Puzzle, Variant
from nando.puzzles.boards.board import box_shape
from nando.puzzles.variants.genre import Genre

Maker = Callable[[Part], Iterable[Record]]
"""Makes the puzzles of a part, with its number, kind and difficulty."""


_DRAWN = 5
"""Most attempts to draw an example with the rules of a part; after them it has no rules."""


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
        If the book has no parts, or a part does not get all its puzzles.
    """
    sections, spec = [], spec.fill_in()
    for i, (part, title) in enumerate(_title_parts(spec), 1):
        records = tuple(maker(part))
        if len(records) != part.count:
            raise ValueError(
                f"parts[{i}] needs {how_many(part.count, 'puzzle')}, got {len(records)}"
            )
        sections.append(Section(title, records, part.per_page))
    return Book(tuple(sections), spec)


def rehearse(spec: BookSpec) -> None:
    """Lay out a book with an example in place of the puzzles of each part.

    This finds errors of layout before hours are spent on making puzzles.

    Raises
    ------
    ValueError
        If the book has no parts, if the typeface lacks characters of a title, or if no digits obey
        the rules of a part.
    ImportError
        If fonts are not installed.
    """
    sections, spec = [], spec.fill_in()
    for part, title in _title_parts(spec):
        puzzle, solution = _example(part)
        cell = int(np.flatnonzero(puzzle.givens == 0)[0])
        example = Record(puzzle, solution, first_cell=cell)
        sections.append(Section(title, (example,), part.per_page))
    cover_image(Book(tuple(sections), spec).layout)


def _example(part: Part) -> tuple[Puzzle, str]:
    """Return a puzzle of the size of a part and its solution; make a new one if it has rules."""
    kind = part.kind_name
    if part.shape is not None:
        rows, columns = part.shape
        white = ["o" * columns] * rows
        numbers = np.zeros((rows, columns), np.int16)
        numbers[0, 0] = numbers.size  # an island on all cells: hints need a single solution
        return Nurikabe.from_numbers(numbers), "/".join(white)
    if kind in KINDS and kind != "25x25":
        return KINDS[kind].example, solution_of(KINDS[kind].example)
    genre = Genre.read(kind)
    if not part.from_ and (genre.names or genre.digits not in (9, 16, 25)):
        # Solvers import the compiler: load them only for a part that needs them.
        from nando.generators import VariantCandidate, VariantSource

        source, rng = VariantSource(genre.names, genre.digits), np.random.default_rng(0)
        for _ in range(_DRAWN):
            drawn = source.draw(rng)
            if isinstance(drawn, VariantCandidate):
                return drawn.puzzle, solution_of(drawn.puzzle)
    n = genre.digits
    height, width = box_shape(n) or (1, n)
    solved = [
        [(row % height * width + row // height + i) % n + 1 for i in range(n)] for row in range(n)
    ]
    values = np.array(solved).ravel()
    text = Variant.of(values).solution_text(values)
    values[0] = 0
    return Variant.of(values), text


def _title_parts(spec: BookSpec) -> list[tuple[Part, str]]:
    if not spec.parts:
        raise ValueError("a book needs parts: add [[parts]] with a count and a grade or minutes")
    several_kinds = len({part.kind_name for part in spec.parts}) > 1
    return [
        (part, title_of(part, spec.language, several_kinds=several_kinds)) for part in spec.parts
    ]


def title_of(part: Part, language: str, *, several_kinds: bool = False) -> str:
    """Return the title of a part.

    The default title is the difficulty, after the kind if there are several kinds.
    """
    if part.title:
        return part.title
    words = words_of(language)
    if part.grade:
        how_hard = words.grade(part.grade)
    elif part.minutes is not None:
        whole = max(1, round(part.minutes))
        how_hard = words.amount(whole, whole)
    else:
        how_hard = "" if several_kinds else words("labels.other")
    kind = words.kind(part.kind_name) if several_kinds else ""
    return join_by_dots(kind, how_hard)

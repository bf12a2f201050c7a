"""Books for tests, and the contents of their pages."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from helpers.samples.sudokus import EXAMPLES
from nando.books import Book, BookSpec
from nando.books.sheet import Page
from nando.drawing.shapes import Link, Placed, Rect, Text
from nando.generators.records import Record
from nando.puzzles.nurikabe import Nurikabe
from nando.rating import GRADES

# Constants, because books are made while tests are collected, which must not compile kernels.
SOLUTIONS = dict(
    line.split() for line in Path(__file__).with_name("solutions.txt").read_text().splitlines()
)


def made(puzzle, i):
    """Return a record with an invented time and a grade that depends on its index."""
    seconds = 100.0 + 37 * (i * 7 % 40)
    return Record(
        puzzle,
        SOLUTIONS[puzzle.text],
        predicted=seconds,
        low=seconds / 2,
        high=seconds * 2,
        grade=GRADES[min(len(GRADES) - 1, int(seconds // 300))],
        percentile=50.0,
        seed=7,
        index=i,
        model_id="0123abcd",
        first_cell=puzzle.givens.tolist().index(0),
        features={"givens": float((puzzle.givens > 0).sum()), "dependency": 0.1 + i},
    )


RECORDS = [made(puzzle, i) for i, puzzle in enumerate(EXAMPLES)]
SMALL = [record for record in RECORDS if record.puzzle.order == 3]
LARGE = [record for record in RECORDS if record.puzzle.order > 3]
NURIKABE = [
    replace(made(Nurikabe(text), i), predicted=20.0 + 9 * i, model_id="levels")
    for i, text in enumerate(
        (
            "1.....3/......./..2.1../.3.6.../......./1....../......5",
            "3....../...1.3./......./..1..../6....../..1..3./...2...",
            "..1..../.1....7/..1..../......./.3....2/......./..3...5",
        )
    )
]


def book_of(records, *, per_page=4, **spec):
    return Book.from_records(records, BookSpec(**spec), per_page=per_page)


class Found(NamedTuple):
    """A shape on a page and its bounding box."""

    shape: object
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other, slack=0.0):
        return (
            self.left < other.right - slack
            and other.left < self.right - slack
            and self.top < other.bottom - slack
            and other.top < self.bottom - slack
        )


def figures(page: Page, prefix: str = ""):
    """Yield the pictures on a page whose names begin with `prefix`, nested ones as well."""
    for placed, x, y, scale in _placed(page.picture, 0.0, 0.0, 1.0):
        if placed.name.startswith(prefix):
            width, height = placed.picture.width * scale, placed.picture.height * scale
            yield Found(placed, x, y, x + width, y + height)


def _placed(picture, x, y, scale):
    for shape in picture.shapes:
        if not isinstance(shape, Placed):
            continue
        inner = scale * shape.scale
        at = x + scale * shape.x, y + scale * shape.y
        yield shape, *at, inner
        if shape.turn == 180:
            # Seen from its lower right corner.
            right = at[0] + inner * shape.picture.width
            bottom = at[1] + inner * shape.picture.height
            for placed, left, top, size in _placed(shape.picture, 0.0, 0.0, inner):
                width, height = placed.picture.width * size, placed.picture.height * size
                yield placed, right - left - width, bottom - top - height, size
        else:
            yield from _placed(shape.picture, *at, inner)


def texts(page: Page, typeface):
    """Yield the lines of text on a page outside grids, with the boxes of their capitals."""
    for shape in page.picture.shapes:
        if isinstance(shape, Text):
            width = typeface.font(shape).width(shape.text) * shape.size
            left = shape.x - {"start": 0.0, "middle": width / 2, "end": width}[shape.align]
            high = typeface.cap_height * shape.size / 2
            yield Found(shape, left, shape.y - high, left + width, shape.y + high)


def links(page: Page):
    return [shape for shape in page.picture.shapes if isinstance(shape, Link)]


def of_kind(book, kind):
    return [page for page in book.layout.pages if page.kind == kind]


def words(page: Page):
    return [shape.text for shape in page.picture.shapes if isinstance(shape, Text)]


def words_on(book, kind):
    return [word for page in of_kind(book, kind) for word in words(page)]


def grid(picture, n=9):
    """Return the digits of a drawn Sudoku as a line."""
    cells = ["."] * n * n
    for shape in picture.shapes:
        if isinstance(shape, Text):
            assert (shape.x % 1, shape.y % 1) == (0.5, 0.5)
            cells[int(shape.y) * n + int(shape.x)] = shape.text
    return "".join(cells)


def sizes_of_type(picture, scale=1.0):
    """Yield the sizes of all texts of a picture, nested ones as well."""
    for shape in picture.shapes:
        if isinstance(shape, Text):
            yield shape.size * scale
        elif isinstance(shape, Placed):
            yield from sizes_of_type(shape.picture, scale * shape.scale)


def check(book):
    """Check what holds for every book.

    All lies within the margins, nothing overlaps, and all can be read. Each puzzle and each
    solution is there once, and every reference leads to its goal.
    """
    pages, where = book.layout.pages, {}
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    assert len(pages) % book.spec.design.multiple == 0
    for page in pages:
        _check_page(book, page)
        for found in figures(page):
            if found.shape.name:
                assert found.shape.name not in where
                where[found.shape.name] = page, found.shape.picture
    for page in pages:
        assert {link.target for link in links(page)} <= set(where), page.kind
    for kind in ("contents", "minutes", "hints", "times"):
        lines = [
            len({found.shape.y for found in texts(page, book.layout.style.typeface)})
            for page in pages
            if page.kind == kind
        ]
        # The number of the page and its head are lines, too.
        assert len(lines) < 2 or min(lines) >= 4, kind
    _check_order(book, where)
    _check_puzzles(book, where)
    if book.spec.include.contents:
        _check_contents(book, where)


def _check_page(book, page):
    layout, include = book.layout, book.spec.include
    size, style, is_large = layout.size, layout.style, book.spec.design.large_print
    left, right = size.left(page.number), size.left(page.number) + size.room[0]
    puzzles, solutions = (list(figures(page, f"{name}-")) for name in ("puzzle", "solution"))
    codes = [
        f for f in figures(page) if {type(shape) for shape in f.shape.picture.shapes} == {Rect}
    ]
    figured = [found for found in puzzles + solutions + codes if found.shape.picture.shapes]
    if page.kind in ("rules", "techniques"):
        placed = {id(shape) for shape in page.picture.shapes}
        figured = [f for f in figures(page) if id(f.shape) in placed and f.shape.picture.shapes]
    said = list(texts(page, style.typeface))
    for found in figured + said:
        assert left - 0.6 < found.left < found.right < right + 0.6, (page.kind, found.shape)
        assert 0 < found.top < found.bottom < size.height, (page.kind, found.shape)
    free = include.scribble * (size.room[1] - 3 * style.size)
    for found in puzzles:
        assert found.bottom < size.height - size.margins.bottom - free + 0.6
    for found in solutions:
        assert found.bottom < size.height - 0.7 * size.margins.bottom
        if include.answers == "foot":
            assert min(sizes_of_type(found.shape.picture, found.shape.scale), default=6) > 5.99
    for one, other in itertools.combinations(figured + said, 2):
        assert not one.overlaps(other, slack=0.5), (page.kind, one.shape, other.shape)
    assert len(puzzles) <= max(section.per_page for section in book.sections)
    scales = {(found.shape.picture[:2], found.shape.scale) for found in solutions}
    assert len(scales) == len({shape for shape, _ in scales})
    if is_large:  # candidates of drawn steps are smaller
        least = 7.6 if page.kind in ("rules", "techniques") else 15.99
        assert min(sizes_of_type(page.picture), default=16) > least, page.kind
    # A puzzle that is too large for cells to write in has a page of its own.
    for found in puzzles if is_large or len(puzzles) > 1 else ():
        assert found.shape.scale >= style.least_cell - 0.01
        assert min(sizes_of_type(found.shape.picture, found.shape.scale), default=6) >= 5.5 - 1e-9


def _check_order(book, where):
    """Check that solutions follow all puzzles or those of their part, and dividers lead parts."""
    include, order, last = book.spec.include, [[], []], 0
    for i, section in enumerate(book.sections, 1):
        first, last = last + 1, last + len(section.records)
        names = (f"{kind}-{n}" for kind in ("puzzle", "solution") for n in range(first, last + 1))
        for name in names:
            order[include.answers_after == "book" and name[0] == "s"].append(name)
        if include.dividers:
            divider = where[f"part-{i}"][0].number
            assert (divider % 2, where[f"puzzle-{first}"][0].number) == (1, divider + 1)
    numbers = [where[name][0].number for name in itertools.chain(*order)]
    assert include.answers == "foot" or numbers == sorted(numbers)


def _check_puzzles(book, where):
    layout, at_foot = book.layout, book.spec.include.answers == "foot"
    assert sum(name.startswith("puzzle-") for name in where) == book.n_puzzles
    for number, record in enumerate(book.records, 1):
        page, drawn = where[f"puzzle-{number}"]
        answer, solved = where[f"solution-{number}"]
        if record.puzzle.kind == "sudoku":
            assert grid(drawn, record.puzzle.size) == record.puzzle.text
            assert grid(solved, record.puzzle.size) == record.solution
        if at_foot:
            assert answer is page
            continue
        whole = layout.words("labels.solution_page", page=answer.number)
        assert {whole, f"→ {answer.number}"} & set(words(page))
        assert f"solution-{number}" in [link.target for link in links(page)]
        assert f"puzzle-{number}" in [link.target for link in links(answer)]


def _check_contents(book, where):
    layout = book.layout
    pages = [page for page in layout.pages if page.kind == "contents"]
    said = [word for page in pages for word in words(page)]
    listed = {name: place for name, place in layout.places.items() if place.entry}
    assert [link.target for page in pages for link in links(page)] == list(listed)
    for name, place in listed.items():
        assert where[name][0].number == place.page
        assert str(place.page) in said
    shown = "".join("".join(said).split())
    for section in book.sections:
        assert book.spec.design.large_print or "".join(section.title.split()) in shown

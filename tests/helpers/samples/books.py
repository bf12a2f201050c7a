"""Books for tests, and the contents of their pages."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from nando.books import Book, BookSpec
from nando.books.sheet import Page
from nando.datasets import load_examples
from nando.drawing.shapes import Link, Placed, Text
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


RECORDS = [made(puzzle, i) for i, puzzle in enumerate(load_examples().puzzles)]
SMALL = [record for record in RECORDS if record.puzzle.order == 3]
LARGE = [record for record in RECORDS if record.puzzle.order > 3]
NURIKABE = [
    replace(made(Nurikabe(text), i), unit="points", predicted=20.0 + 9 * i, model_id="levels")
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


def in_order(book):
    return [record for section in book.sections for record in section.records]


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


def words(page: Page):
    return [shape.text for shape in page.picture.shapes if isinstance(shape, Text)]


def grid(picture, n=9):
    """Return the digits of a drawn Sudoku as a line."""
    cells = ["."] * n * n
    for shape in picture.shapes:
        if isinstance(shape, Text):
            assert (shape.x % 1, shape.y % 1) == (0.5, 0.5)
            cells[int(shape.y) * n + int(shape.x)] = shape.text
    return "".join(cells)


def check(book):
    """Check that no two grids or lines of text touch and that all lie within the margins."""
    layout = book.layout
    size, typeface = layout.size, layout.style.typeface
    for page in layout.pages:
        left, right = size.left(page.number), size.left(page.number) + size.room[0]
        grids = list(figures(page, "puzzle-")) + list(figures(page, "solution-"))
        said = list(texts(page, typeface))
        for found in grids + said:
            assert left - 0.6 < found.left < found.right < right + 0.6, (page.kind, found.shape)
            assert 0 < found.top < found.bottom < size.height, (page.kind, found.shape)
        for found in grids:
            assert found.bottom < size.height - 0.7 * size.margins.bottom
        for one, other in itertools.combinations(grids + said, 2):
            assert not one.overlaps(other, slack=0.5), (page.kind, one.shape, other.shape)

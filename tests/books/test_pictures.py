"""Pages look like pictures that somebody has looked at and approved, apart from antialiasing.

To approve the pages as they are now, run ``python -m books.test_pictures`` in the folder ``tests``
and look at what it wrote.
"""

import io
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from helpers.samples.books import LARGE, NURIKABE, SMALL, book_of

from nando.books import Cover, Design, Include, TextPage
from nando.books.pdf import write_book, write_cover
from nando.rating import GRADES

pypdfium2 = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed (nando[test])")
Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed (nando[plot])")
pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

FOLDER = Path(__file__).with_name("approved")
MOST = 24.0
"""Of 255: how much a square of 3 by 3 points may be lighter or darker."""

ENGLISH = {
    "title": "Evening Sudoku",
    "subtitle": "From a coffee break to a long train ride",
    "author": "Ada Example",
    "publisher": "Example Press",
    "rights": "© Ada Example",
    "cover": Cover(blurb="Puzzles that begin with a cup of tea and end with the last train."),
}
EASY = [replace(record, grade=GRADES[1]) for record in SMALL[:6]]
MIXED = [*EASY, replace(SMALL[6], grade=GRADES[3]), *NURIKABE]

PREFACE = """# Preface

Take **a pencil** and a train that is long enough for all of the puzzles in this book, or at least
for those of a part.

## On the train

- Find a seat
- Begin with the first puzzle

---

*Ada Example*"""

HARD = Cover(
    series="Night Trains, volume {volume}",
    badge="160 new puzzles",
    second_colour="#e0a030",
    barcode="isbn",
    binding="hardcover",
)

TRANSLATED = {
    "french": ("fr", "7.5x9.25"),
    "spanish": ("es", "8x10"),
    "italian": ("it", "8.25x11"),
    "portuguese": ("pt", "8.5x8.5"),
    "dutch": ("nl", "letter"),
}
"""Books that differ in their language and trim alone."""


def translated(language, trim):
    """Return a book of two kinds with hints in words."""
    return book_of(
        [*SMALL[:3], NURIKABE[0]],
        language=language,
        design=Design(trim=trim),
        include=Include(hints="step"),
    )


BOOKS = {
    "plain": lambda: book_of(
        MIXED,
        **ENGLISH,
        include=Include(hints="cell", times=True, dividers=True),
    ),
    "foot": lambda: book_of(
        EASY,
        per_page=2,
        title="Seven Ways to Waste an Afternoon",
        design=Design(trim="5.5x8.5", typeface="source-serif", lines="light"),
        include=Include(answers="foot", qr="play"),
    ),
    "large": lambda: book_of(
        [*SMALL[:2], *LARGE[:1]],
        design=Design(trim="8.5x11", large_print=True, lines="heavy"),
    ),
    "colour": lambda: book_of(
        EASY,
        per_page=12,
        language="de",
        design=Design(trim="a4", colour=True, bleed=True),
        include=Include(dividers=True, answers=20),
    ),
    "series": lambda: book_of(
        EASY,
        per_page=2,
        **(ENGLISH | {"title": "Evenings {volume}", "cover": HARD}),
        volume=2,
        edition="Second edition",
        isbn="978-3-16-148410-0",
        disclaimer="Nobody is liable for a train that you miss over one of these puzzles. " * 2,
        pages=(TextPage(text=PREFACE),),
        design=Design(trim="7x10"),
        include=Include(labels="A-I", dots=True, scribble=0.1, hints="cell", answers_after="part"),
    ),
    "polish": lambda: book_of(
        [*SMALL[:3], NURIKABE[0]],
        language="pl",
        design=Design(trim="5x8"),
        include=Include(techniques=True, hints="step"),
    ),
    "japanese": lambda: book_of(
        MIXED, title="夜の数独", language="ja", design=Design(trim="a5"), include=Include(qr="hint")
    ),
    **{name: partial(translated, *how) for name, how in TRANSLATED.items()},
}

_KINDS = {
    "plain": "cover title rights contents rules minutes divider puzzles hints solutions times "
    "closing",
    "foot": "title puzzles",
    "large": "rules puzzles",
    "colour": "divider puzzles",
    "series": "cover rights text puzzles hints",
    "polish": "rules techniques hints",
    "japanese": "rules puzzles",
    **dict.fromkeys(TRANSLATED, "contents rules hints"),
}
PAGES = [(name, kind) for name, kinds in _KINDS.items() for kind in kinds.split()]
"""The first page of each kind in each book."""


@cache
def printed(name):
    """Return a book and its cover as PDF, and the kinds of its pages."""
    pages, cover = io.BytesIO(), io.BytesIO()
    # The closing page shows the version.
    with mock.patch("nando.__version__", "1.2.3"):
        layout = BOOKS[name]().layout
    write_book(layout, pages)
    write_cover(layout, cover)
    return pages.getvalue(), cover.getvalue(), [page.kind for page in layout.pages]


def picture(name, kind):
    """Return a page as an array of grey values from 0 to 255, one pixel per point."""
    pages, cover, kinds = printed(name)
    data, number = (cover, 0) if kind == "cover" else (pages, kinds.index(kind))
    rendered = pypdfium2.PdfDocument(data)[number].render(scale=1, grayscale=True)
    return np.asarray(rendered.to_pil(), dtype=float)


def furthest(a, b):
    """Return the largest difference of two pictures, averaged over squares to even out edges."""
    assert a.shape == b.shape
    high, wide = (length // 3 * 3 for length in a.shape)
    squares = (a - b)[:high, :wide].reshape(high // 3, 3, wide // 3, 3)
    return np.abs(squares.mean(axis=(1, 3))).max()


def approved(name, kind):
    with Image.open(FOLDER / f"{name}-{kind}.png") as found:
        return np.asarray(found, dtype=float)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param(*page, marks=pytest.mark.thorough)
        if page[0] in ("japanese", "polish", *TRANSLATED)
        else page
        for page in PAGES
    ],
)
def test_pages_look_as_approved(name, kind):
    if name == "japanese":
        pytest.importorskip("noto_cjk_sans_jp_regular", reason="nando[japanese] is not installed")
    assert furthest(picture(name, kind), approved(name, kind)) < MOST


def test_every_picture_is_compared():
    assert {path.stem for path in FOLDER.iterdir()} == {f"{name}-{kind}" for name, kind in PAGES}


def test_small_changes_are_noticed():
    page = approved("plain", "puzzles")
    moved = page.copy()
    moved[:, 1:] = page[:, :-1]
    assert furthest(page, moved) > MOST
    # Erase a digit: the darkest square away from the lines of the grid.
    erased = page.copy()
    rows, columns = np.nonzero(page < 60)
    erased[rows[0] - 2 : rows[0] + 8, columns[0] - 2 : columns[0] + 8] = 255
    assert furthest(page, erased) > MOST


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, kind in PAGES:
        path = FOLDER / f"{name}-{kind}.png"
        Image.fromarray(picture(name, kind).astype("uint8")).save(path, optimize=True)
        print(path)

"""Pages look like the approved pictures, apart from antialiasing."""

import numpy as np
import pytest
from helpers.pages.approved import FOLDER, PAGES, TRANSLATED, picture

pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed (nando[test])")
Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed (nando[plot])")
pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

MOST = 24.0
"""Of 255: how much a square of 3 by 3 points may be lighter or darker."""


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

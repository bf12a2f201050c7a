"""Six kinds of variant in a real browser on a phone: drawn, judged by rule, and solved."""

import numpy as np
import pytest
from helpers.pages.browser import BROWSER, PHONE, cell, set_language, tabs
from helpers.samples.sudokus import SOLUTION

from nando.generators import Record
from nando.play import PlayedPuzzle, play_html
from nando.puzzles import Variant
from nando.solvers import solve

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

REGIONS = (
    "regions:111222333111222333111222333444555666444555666444555666777888999777888999777888999"
)
MARKS = {
    "killer": "killer:r1c1r1c2r2c1:14+killer:r4c4r4c5r5c4r5c5:26",
    "jigsaw": REGIONS,
    "thermometer": "thermometer:r2c7r2c8r3c8r3c9r2c9+thermometer:r9c7r9c8r9c9",
    "kropki": "kropki:r1c2r1c3-r2c1r2c2:black=r1c8r1c9",
    "sandwich": "sandwich:left4:13+sandwich:top5:20",
    "samurai": "samurai",
}
BLANKS = {"killer": 0, "jigsaw": 0, "thermometer": 17, "kropki": 1, "sandwich": 28, "samurai": 0}
"""A cell that is left to the player; its mistake breaks the rule."""
WRONG = {
    "killer": ("1", "The cage of 14 at r1c1: the digits do not fit the sum."),
    "jigsaw": ("3", "The region of r1c1: the digit 3 appears more than once"),
    "thermometer": ("1", "The thermometer from r2c7 to r2c9: the digits do not fit."),
    "kropki": ("9", "The white dot between r1c2 and r1c3: the digits do not fit."),
    "sandwich": ("1", "The sandwich of 13 in row 4 from the left: the digits"),
    "samurai": ("", ""),
}


def puzzle_of(name):
    """Return the puzzle with a few open cells, and its solution."""
    if name == "samurai":
        blank = Variant("9x9+samurai")
        values = solve(blank)
        kept = values.copy()
        kept[[*blank.places[:3], *blank.places[-3:]]] = 0
    else:
        values = np.array(list(map(int, SOLUTION)), np.int8)
        kept = values.copy()
        kept[[BLANKS[name], 40, 41, 80]] = 0
    symbols = "".join(map(str, kept.tolist())).replace("0", ".")
    puzzle = Variant(symbols + "+" + MARKS[name])
    return puzzle, values


@pytest.fixture(scope="module")
def puzzles():
    return {name: puzzle_of(name) for name in MARKS}


@pytest.fixture(scope="module")
def file(puzzles, tmp_path_factory):
    path = tmp_path_factory.mktemp("variants") / "play.html"
    played = [
        PlayedPuzzle(Record(puzzle, puzzle.solution_text(values)), hints=False)
        for puzzle, values in puzzles.values()
    ]
    path.write_text(play_html(played), encoding="utf-8")
    return path


@pytest.fixture
def page(browser, file):
    with tabs(browser, **PHONE) as opened:
        yield opened(file)


def begin(page, name):
    page.select_option("#puzzle", str(list(MARKS).index(name)))
    page.click("#start")


def digit(page, value):
    page.locator("#digits button", has_text=str(value)).first.tap()


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("killer", "samurai") else pytest.param(name, marks=pytest.mark.thorough)
        for name in MARKS
    ],
)
def test_a_puzzle_is_played_with_a_finger(page, puzzles, name):
    puzzle, values = puzzles[name]
    begin(page, name)
    # Nothing but the board itself is wider than the screen.
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    said = page.locator("#rule-list li").all_text_contents()
    assert said[0].startswith(("Every row", "Grids overlap"))
    assert page.locator("svg.lines path").count() >= 2
    wrong, message = WRONG[name]
    if wrong:
        cell(page, BLANKS[name]).tap()
        digit(page, wrong)
        assert message in page.text_content("#conflicts")
        assert page.locator(".cell.conflict").count() >= 2
        page.click("#undo")
        assert page.text_content("#conflicts") == ""
    for number in np.flatnonzero((puzzle.givens == 0) & (values > 0)).tolist():
        place = cell(page, number)
        place.scroll_into_view_if_needed()
        place.tap()
        digit(page, values[number])
    assert page.text_content("#result").startswith("Solved")


def test_cells_of_a_samurai_are_large_enough_and_gaps_are_not_cells(page, puzzles):
    puzzle, _ = puzzles["samurai"]
    begin(page, "samurai")
    box = cell(page, 0).bounding_box()
    assert box["width"] >= 28
    # From the last column of the first grid, the next cell to the right is beyond the gap.
    cell(page, 8).tap()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.cell") == "12"
    shown = cell(page, 12).bounding_box()
    assert 0 <= shown["x"] <= 390 - shown["width"] / 2
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.cell") == "8"
    page.keyboard.press("Control+a")
    assert page.locator(".cell.selected").count() == len(puzzle.board.cells)


def test_a_large_board_is_scrolled_by_the_keys(page):
    begin(page, "samurai")
    board = page.locator(".scroller")
    assert (board.get_attribute("role"), board.get_attribute("aria-label")) == ("region", "Board")
    board.focus()
    active = page.locator('[tabindex="0"].cell').get_attribute("data-cell")
    for _ in range(50):
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.querySelector('.scroller').scrollLeft") > 0:
            break
        page.wait_for_timeout(100)
    else:
        raise AssertionError("the board never moved")
    assert page.locator('[tabindex="0"].cell').get_attribute("data-cell") == active
    page.select_option("#puzzle", "0")
    assert page.locator(".scroller[tabindex]").count() == 0


SPOKEN = {
    "killer": (0, "row 1, column 1: empty, The cage of 14 at r1c1, 1 of 3"),
    "jigsaw": (10, "row 2, column 2: 7, given, The region of r1c1, 5 of 9"),
    "thermometer": (16, "row 2, column 8: 4, given, The thermometer from r2c7 to r2c9, 2 of 5"),
    "kropki": (2, "row 1, column 3: 4, given, The white dot between r1c2 and r1c3"),
    "sandwich": (27, "row 4, column 1: 8, given, The sandwich of 13 in row 4 from the left"),
}


@pytest.mark.parametrize("name", SPOKEN)
def test_cells_say_their_marks(page, name):
    begin(page, name)
    number, spoken = SPOKEN[name]
    assert cell(page, number).get_attribute("aria-label") == spoken


def test_a_hint_on_a_samurai_is_in_sight(browser, puzzles, tmp_path):
    puzzle, values = puzzles["samurai"]
    path = tmp_path / "hints.html"
    record = Record(puzzle, puzzle.solution_text(values))
    path.write_text(play_html([PlayedPuzzle(record)]), encoding="utf-8")
    n_steps = int((puzzle.givens[puzzle.places] == 0).sum())
    with tabs(browser, **PHONE) as tab:
        page = tab(path)
        page.click("#start")
        page.click("#walk")
        for _ in range(n_steps - 1):
            page.click("#walk-on")
        assert page.text_content("#hint-text").startswith(f"{n_steps}/{n_steps}")
        tint = page.locator("svg.under rect").last.bounding_box()
        assert -1 <= tint["x"] <= 391 - tint["width"]


def test_the_rules_are_said_in_the_language_of_the_page(page):
    begin(page, "killer")
    set_language(page, "de")
    texts = page.locator("#rule-list li").all_text_contents()
    assert "In einem Käfig kommt keine Ziffer doppelt vor." in texts
    cell(page, 0).tap()
    digit(page, 1)
    assert "Käfig Z1S1 mit Summe 14: Die Ziffern" in page.text_content("#conflicts")
    spoken = cell(page, 1).get_attribute("aria-label")
    assert spoken.endswith("Käfig Z1S1 mit Summe 14, 2 von 3")


def test_dark_boards_keep_black_and_white_dots(browser, file):
    with tabs(browser, color_scheme="dark") as tab:
        page = tab(file)
        begin(page, "kropki")
        colours = page.evaluate(
            "[...document.querySelectorAll('svg.marks circle')]"
            ".map((one) => getComputedStyle(one).fill)"
        )
        assert sorted(set(colours)) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]

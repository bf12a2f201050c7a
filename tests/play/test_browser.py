"""The page in a real browser: by keyboard, mouse and touch, reloaded, and with hostile text."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.command import rows_of
from helpers.pages.browser import (
    BROWSER,
    FORGETFUL,
    PHONE,
    cell,
    check_accessible,
    look,
    set_language,
    tabs,
)
from helpers.pages.played_pages import NURIKABE, SUDOKU, TRICKY, played
from helpers.sampled import only

from nando.games import read_games
from nando.play import play_html
from nando.solvers import unique_solution

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

TITLE = "<img src=x onerror=alert(1)> & </script>"
NAME = '<b>Eve</b>, "=1+1"'
LIKELY = np.where(SUDOKU.givens == 0, np.arange(81.0), 0.0)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "play.html"
    puzzles = [played(SUDOKU), played(TRICKY), played(NURIKABE)]
    puzzles[0] = replace(puzzles[0], likely=LIKELY)
    path.write_text(play_html(puzzles, title=TITLE), encoding="utf-8")
    return path


@pytest.fixture
def tab(browser):
    with tabs(browser, permissions=["clipboard-read", "clipboard-write"], **PHONE) as opened:
        yield opened


@pytest.fixture
def page(tab, file):
    return tab(file)


def cell_text(page, number):
    found = cell(page, number).locator(".value")
    return found.text_content() if found.count() else ""


def log_of(page, tmp_path):
    """Return the rows of the saved log and the games that nando reads from it."""
    page.click("#log")
    with page.expect_download() as download:
        page.click("#save")
    page.click("#log-dialog [data-close]")
    path = tmp_path / "games.csv"
    download.value.save_as(path)
    read = read_games(path)
    assert read.problems == []
    return rows_of(path.read_text(encoding="utf-8")), read.games


def blanks(puzzle):
    solution = unique_solution(puzzle).tolist()
    return [(c, v) for c, v in enumerate(solution) if not puzzle.givens[c]]


def test_entered_digits_look_different_from_givens(page):
    page.click("#start")
    number, value = blanks(SUDOKU)[0]
    cell(page, number).click()
    page.keyboard.press(str(value))
    given = next(c for c, digit in enumerate(SUDOKU.givens) if digit)

    def look(number):
        style = "(e) => [getComputedStyle(e).color, getComputedStyle(e).fontSize]"
        return cell(page, number).locator(".value").evaluate(style)

    (entered, size), (ink, same) = look(number), look(given)
    assert entered == "rgb(0, 96, 168)"
    assert ink != entered
    assert size == same


def test_a_sudoku_is_solved_by_keyboard(page, tmp_path):
    page.fill("#player", NAME)
    page.press("#player", "Enter")
    at = 0
    cell(page, at).focus()
    for number, value in blanks(SUDOKU):
        for _ in range(number // 9 - at // 9):
            page.keyboard.press("ArrowDown")
        for _ in range((number - at) % 9):
            page.keyboard.press("ArrowRight")
        at = number
        page.keyboard.press(str(value))
    assert "Solved in" in page.text_content("#result")
    assert "Predicted: 6 min" in page.text_content("#result")
    assert " % of that." in page.text_content("#result")
    assert page.evaluate("JSON.parse(localStorage['nando.paces'])[0][0]").endswith("-1.1")
    rows, (game,) = log_of(page, tmp_path)
    assert game.finished
    assert game.player == NAME
    assert game.cells.tolist() == [number for number, _ in blanks(SUDOKU)]
    moves = [(int(row["t_ms"]), row["cell"]) for row in rows if row["event"] == "value"]
    assert [name for _, name in moves] == [SUDOKU.cell_name(c) for c, _ in blanks(SUDOKU)]
    assert "✓" in page.text_content("#puzzle option:first-child")


def test_a_nurikabe_is_solved_by_touch(page, tmp_path):
    page.select_option("#puzzle", "2")
    page.tap("#start")
    for number, value in blanks(NURIKABE):
        for _ in range({2: 1, 1: 2}[value]):
            if not page.is_visible("#result"):
                cell(page, number).tap()
    assert "Solved in" in page.text_content("#result")
    _, (game,) = log_of(page, tmp_path)
    assert game.finished
    assert game.puzzle == NURIKABE


def test_dragging_paints_and_one_undo_takes_it_back(page):
    page.select_option("#puzzle", "2")
    page.click("#start")
    first, last = cell(page, 1).bounding_box(), cell(page, 4).bounding_box()
    page.mouse.move(first["x"] + 9, first["y"] + 9)
    page.mouse.down()
    page.mouse.move(last["x"] + 9, last["y"] + 9, steps=12)
    page.mouse.up()
    assert page.locator(".cell.black").count() == 4
    assert "1/3" in page.text_content('[data-cell="5"]')
    page.click("#undo")
    assert page.locator(".cell.black").count() == 0
    page.click("#redo")
    cell(page, 0).click(button="right")
    assert "2/3" in page.text_content('[data-cell="5"]')


def test_several_cells_take_marks_at_once(page):
    page.click("#start")
    cell(page, 2).click()
    cell(page, 3).click(modifiers=["Control"])
    page.keyboard.press("Shift+Digit1")
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    page.keyboard.press("2")
    for number in (2, 3):
        assert cell(page, number).locator(".corner").text_content() == "1"
        assert cell(page, number).locator(".centre").text_content() == "2"
    assert "corner marks 1" in cell(page, 2).get_attribute("aria-label")
    page.click("#fill")
    assert cell(page, 2).locator(".centre").text_content() == "124"


def test_a_reload_loses_nothing(page, tmp_path):
    page.fill("#player", "Ada")
    page.click("#start")
    cell(page, 2).click()
    page.keyboard.press("4")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+Digit6")
    before, _ = log_of(page, tmp_path)
    page.reload()
    assert page.text_content("#start") == "Continue"
    page.click("#start")
    assert cell_text(page, 2) == "4"
    assert cell(page, 3).locator(".corner").text_content() == "6"
    page.click("#undo")
    page.click("#undo")
    assert cell_text(page, 2) == ""
    after, _ = log_of(page, tmp_path)
    assert after[: len(before)] == before
    assert {row["player"] for row in after} == {"Ada"}
    times = [int(row["t_ms"]) for row in after]
    assert times == sorted(times)


def test_the_clock_stops_at_a_pause_and_out_of_sight(page, tmp_path):
    page.click("#start")
    page.click("#pause")
    assert page.is_visible("#curtain")
    assert not cell(page, 2).is_visible()
    page.click("#start")
    look(page, at=False)
    look(page, at=True)
    rows, _ = log_of(page, tmp_path)
    assert [row["event"] for row in rows] == ["start", "pause", "resume", "hide", "show"]
    at = {row["event"]: (int(row["t_ms"]), int(row["real_ms"])) for row in rows}
    assert at["pause"][0] == at["resume"][0]
    assert at["pause"][1] < at["resume"][1]
    assert at["hide"][0] == at["show"][0]


def test_hints_come_in_three_degrees_and_are_drawn(page, tmp_path):
    page.click("#start")
    page.click("#hint")
    assert page.text_content("#hint-text") == "Look for a hidden single in box 2."
    assert page.locator("svg.under rect").count() == 9
    page.click("#hint")
    page.click("#hint")
    assert "in box 2, the 8 can only go in r1c6" in page.text_content("#hint-text")
    assert page.locator("svg.over text").text_content() == "8"
    page.click("#follow")
    assert cell_text(page, 5) == "8"
    assert page.locator("svg.over *").count() == 0
    rows, (game,) = log_of(page, tmp_path)
    assert [row["detail"] for row in rows if row["event"] == "hint"] == [
        f"degree={degree} step=1" for degree in (1, 2, 3)
    ]
    assert game.n_hints == 3
    assert "entries made by hints: 1" in game.notes


def test_a_mistake_is_a_hint_of_its_own(page):
    page.click("#start")
    cell(page, 2).click()
    page.keyboard.press("1")
    for words in ("Something on the board is wrong.", "Something in row 1", "r1c3 is wrong."):
        page.click("#hint")
        assert words in page.text_content("#hint-text")


def test_the_whole_walk_is_shown_and_left_again(page):
    page.click("#start")
    cell(page, 2).click()
    page.keyboard.press("4")
    page.click("#walk")
    page.click("#walk-on")
    assert page.text_content("#hint-text").startswith("2/51. ")
    assert cell_text(page, 2) == ""
    page.click("#walk-end")
    assert cell_text(page, 2) == "4"
    assert page.locator("svg.under *").count() == 0


def test_conflicts_are_shown_or_hidden(page):
    page.click("#start")
    cell(page, 2).click()
    page.keyboard.press("5")
    assert "5 appears twice in row 1." in page.text_content("#conflicts")
    assert page.locator(".cell.conflict").count() >= 2
    assert cell(page, 2).get_attribute("aria-invalid") == "true"
    assert "conflict" in cell(page, 2).get_attribute("aria-label")
    page.click("#settings")
    page.uncheck('[data-setting="conflicts"]')
    page.click("#settings-dialog [data-close]")
    assert page.locator(".cell.conflict").count() == 0
    assert page.text_content("#conflicts") == ""


def test_likely_cells_are_shown_on_wish(page):
    page.click("#start")
    assert page.locator(".cell.likely").count() == 0
    page.click("#settings")
    page.check('[data-setting="likely"]')
    page.click("#settings-dialog [data-close]")
    shown = page.eval_on_selector_all(".cell.likely", "cells => cells.map(c => +c.dataset.cell)")
    assert shown == [number for number, _ in blanks(SUDOKU)][:3]


def test_titles_and_names_are_text(page, tmp_path):
    assert page.text_content("h1") == TITLE
    assert page.locator("h1 *").count() == 0
    page.fill("#player", NAME)
    page.click("#start")
    page.keyboard.press("PageUp")
    cell(page, 2).click()
    page.keyboard.press("4")
    rows, _ = log_of(page, tmp_path)
    assert {row["player"] for row in rows} == {NAME}
    page.click("#log")
    assert TITLE not in page.input_value("#csv")
    page.click("#copy")
    assert page.evaluate("navigator.clipboard.readText()") == page.input_value("#csv")
    page.click("#log-dialog [data-close]")


def test_hints_and_the_walk_are_in_the_chosen_language(page):
    page.click("#start")
    page.click("#hint")
    set_language(page, "de")
    assert page.text_content("#hint-text") == "Suchen Sie einen versteckten Einer in Block 2."
    page.click("#hint")
    assert page.text_content("#hint-text").startswith("Versteckter Einer: Wohin passt in Block 2")
    page.click("#walk")
    page.click("#walk-on")
    assert page.text_content("#hint-text").startswith("2/51. Versteckter Einer: In ")
    set_language(page, "en")
    assert page.text_content("#hint-text").startswith("2/51. Hidden single: in ")
    set_language(page, "de")
    page.reload()  # the choice is kept
    assert page.evaluate("document.documentElement.lang") == "de"
    assert page.text_content("#start") == "Weiter"


def test_a_browser_without_storage_says_so_and_plays_on(tab, file, tmp_path):
    page = tab(file, FORGETFUL)
    assert "This browser keeps nothing" in page.text_content("#warning")
    page.click("#start")
    cell(page, 2).click()
    page.keyboard.press("4")
    _, (game,) = log_of(page, tmp_path)
    assert game.cells.tolist() == [2]


@pytest.mark.parametrize("scheme", only(["dark"], ["light", "dark"]))
def test_the_page_is_accessible(page, scheme):
    page.emulate_media(color_scheme=scheme)
    for prepare in (
        lambda: None,
        lambda: page.click("#start"),
        lambda: page.click("#hint"),
        lambda: page.click("#walk"),
        lambda: (page.click("#walk-end"), page.click("#settings")),
        lambda: (page.click("#settings-dialog [data-close]"), page.click("#log")),
    ):
        prepare()
        check_accessible(page)


def test_nothing_is_wider_than_a_phone(page):
    page.click("#start")
    for number in range(3):
        page.select_option("#puzzle", str(number))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1200, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 1200


def test_the_print_has_the_board_and_no_buttons(page):
    page.click("#start")
    page.emulate_media(media="print")
    assert page.locator("button:visible").count() == 0
    assert cell(page, 0).is_visible()

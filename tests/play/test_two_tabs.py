"""One page in two tabs: only one can be played in, and no move is lost."""

import json

import pytest
from helpers.pages.browser import (
    BROWSER,
    ENTRIES,
    FORGETFUL,
    UNSEEN,
    WITHOUT_EVENTS,
    cell,
    check_accessible,
    enter,
    entered,
    look,
    tabs,
)
from helpers.pages.played_pages import NURIKABE, SUDOKU, played

from nando.games import read_games
from nando.play import play_html
from nando.puzzles.nurikabe import BLACK
from nando.solvers import unique_solution

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

RIVER = [c for c, v in enumerate(unique_solution(NURIKABE)) if v == BLACK]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "play.html"
    path.write_text(play_html([played(SUDOKU), played(NURIKABE)], title="T"), encoding="utf-8")
    return path


@pytest.fixture
def tab(browser, file):
    with tabs(browser) as opened:
        yield lambda *scripts: opened(file, *scripts)


def kept(page):
    """Return the cells of the entries in the storage, in their order."""
    pieces = page.evaluate(
        "Object.entries(localStorage).filter(([k]) => /\\.0\\.0\\.\\d+$/.test(k)).map(([, v]) => v)"
    )
    events = [event for piece in pieces for event in json.loads(piece)]
    return [event["c"][0] for event in events if event["e"] == "value"]


def is_lost(page):
    page.wait_for_selector("#elsewhere:not([hidden])")
    assert page.is_visible("#take-over")
    assert page.is_disabled("#start")
    assert page.is_disabled("#log")
    assert page.is_visible("#curtain")
    before = kept(page)
    clock = page.text_content("#time")
    # Neither keys nor the buttons reach the game.
    page.locator("#start").dispatch_event("click")
    place, value = ENTRIES[9]
    cell(page, place).dispatch_event("click")
    page.keyboard.press(str(value))
    page.locator("#undo").dispatch_event("click")
    page.wait_for_timeout(1_200)
    assert page.text_content("#time") == clock
    assert page.is_visible("#curtain")
    assert kept(page) == before
    return True


def places(*numbers):
    return [ENTRIES[n][0] for n in numbers]


@pytest.mark.parametrize(
    "scripts", [pytest.param((), marks=pytest.mark.thorough), (WITHOUT_EVENTS,)]
)
def test_a_tab_that_comes_back_is_not_played_in_until_it_takes_over(tab, scripts, tmp_path):
    first = tab(*scripts)
    first.click("#start")
    enter(first, 0, 1)
    look(first, at=False)
    second = tab(*scripts)
    assert second.text_content("#start") == "Continue"
    second.click("#start")
    enter(second, 2)
    look(second, at=False)
    look(first, at=True)
    assert is_lost(first)
    look(first, at=False)
    look(second, at=True)
    assert second.is_hidden("#elsewhere")
    enter(second, 3)
    assert kept(second) == places(0, 1, 2, 3)
    look(second, at=False)
    look(first, at=True)
    first.click("#take-over")
    first.click("#start")
    assert entered(first) == [0, 1, 2, 3]
    enter(first, 4)
    look(second, at=True)
    assert is_lost(second)
    first.click("#log")
    with first.expect_download() as download:
        first.click("#save")
    download.value.save_as(tmp_path / "games.csv")
    read = read_games(tmp_path / "games.csv")
    assert read.problems == []
    assert read.games[0].cells.tolist() == places(0, 1, 2, 3, 4)


@pytest.mark.thorough
def test_two_windows_side_by_side_notice_each_other(tab):
    first = tab(WITHOUT_EVENTS)
    first.click("#start")
    enter(first, 0)
    second = tab(WITHOUT_EVENTS)
    second.click("#start")
    enter(second, 1)
    # The first tab stays visible: its next entry, or its clock, checks the storage.
    place, value = ENTRIES[2]
    cell(first, place).dispatch_event("click")
    first.keyboard.press(str(value))
    assert is_lost(first)
    assert entered(second) == [0, 1]
    assert kept(second) == places(0, 1)


def test_a_finished_game_is_shown_and_can_be_taken_over(tab):
    first = tab()
    first.select_option("#puzzle", "1")
    first.click("#start")
    for place in RIVER:
        cell(first, place).click()
    assert first.is_visible("#result")
    second = tab()
    first.wait_for_selector("#elsewhere:not([hidden])")
    assert first.is_visible("#result")
    assert first.is_hidden("#curtain")
    first.click("#take-over")
    first.wait_for_selector("#elsewhere", state="hidden")
    assert first.is_visible("#result")
    second.wait_for_selector("#elsewhere:not([hidden])")


@pytest.mark.thorough
def test_a_tab_in_the_background_takes_nothing_until_it_is_looked_at(tab):
    first = tab()
    first.click("#start")
    enter(first, 0)
    second = tab(UNSEEN)
    enter(first, 1)
    assert first.is_hidden("#elsewhere")
    assert second.locator(".cell").count() == 0
    look(first, at=False)
    look(second, at=True)
    second.click("#start")
    assert entered(second) == [0, 1]
    look(first, at=True)
    assert is_lost(first)


@pytest.mark.thorough
def test_tabs_that_keep_nothing_do_not_stop_each_other(tab):
    first = tab(FORGETFUL)
    first.click("#start")
    enter(first, 0)
    second = tab(FORGETFUL)
    second.click("#start")
    enter(second, 1)
    enter(first, 2)
    assert (entered(first), entered(second)) == ([0, 2], [1])
    for page in (first, second):
        assert page.is_hidden("#elsewhere")
        assert "keeps nothing" in page.text_content("#warning")
    second.click("#settings")
    second.select_option('[data-setting="language"]', "de")
    assert second.text_content("#take-over") == "In diesem Tab spielen"


def test_a_tab_that_lost_is_accessible(tab):
    first = tab()
    first.click("#start")
    enter(first, 0)
    tab()
    first.wait_for_selector("#elsewhere:not([hidden])")
    check_accessible(first)

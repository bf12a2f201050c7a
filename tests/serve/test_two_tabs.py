"""A player of a contest in two tabs: only one can be played in, and no move is lost."""

import pytest
from helpers.pages.browser import (
    BROWSER,
    ENTRIES,
    FORGETFUL,
    UNSEEN,
    enter,
    entered,
    join,
    look,
    tabs,
    until,
)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")


@pytest.fixture
def tab(browser, contest):
    with tabs(browser, may_fail=True) as opened:
        yield lambda *scripts: opened(str(contest.base_url), *scripts)


def go_on(page):
    page.click('#start:text-is("Continue")')


def on_server(page, contest, *numbers):
    """Wait until the server's board has exactly these entries."""

    def is_so():
        (seat,) = contest.server.room
        board = seat.boards[0].values if 0 in seat.boards else []
        return {c for c, _ in ENTRIES if len(board) and board[c]} == wanted

    wanted = {ENTRIES[n][0] for n in numbers}
    until(is_so, page)


def is_lost(page):
    page.wait_for_selector("#elsewhere:not([hidden])")
    assert page.is_visible("#take-over")
    page.locator("#start").dispatch_event("click")
    assert page.is_visible("#curtain")
    assert page.text_content("#connection") == ""
    return True


def test_a_tab_that_comes_back_sends_nothing_until_it_takes_over(tab, contest):
    first = join(tab(), "Ada")
    first.click("#start")
    enter(first, 0, 1)
    look(first, at=False)
    second = tab()
    go_on(second)
    enter(second, 2)
    on_server(second, contest, 0, 1, 2)
    n_moves = contest.server.room.n_moves
    look(first, at=True)
    assert is_lost(first)
    first.keyboard.press(str(ENTRIES[9][1]))
    look(first, at=False)
    enter(second, 3)
    on_server(second, contest, 0, 1, 2, 3)
    assert contest.server.room.n_moves == n_moves + 1
    look(second, at=False)
    look(first, at=True)
    first.click("#take-over")
    go_on(first)
    assert entered(first) == [0, 1, 2, 3]
    enter(first, 4)
    on_server(first, contest, 0, 1, 2, 3, 4)
    look(second, at=True)
    assert is_lost(second)


@pytest.mark.thorough
def test_moves_that_waited_for_the_connection_go_with_the_games(tab, contest):
    first = join(tab(), "Ada")
    first.click("#start")
    enter(first, 0)
    on_server(first, contest, 0)
    first.route("**/contest/moves", lambda route: route.fulfill(status=503, json={}))
    enter(first, 1, 2)
    second = tab()
    assert is_lost(first)
    on_server(second, contest, 0, 1, 2)
    go_on(second)
    enter(second, 3)
    first.unroute("**/contest/moves")
    first.wait_for_timeout(1_500)
    on_server(second, contest, 0, 1, 2, 3)


@pytest.mark.thorough
def test_a_tab_that_waited_in_the_background_takes_nothing_at_the_start(tab, contest):
    contest.clock.set(-1)
    hidden = join(tab(), "Ada")
    hidden.wait_for_selector("#waiting:not([hidden])")
    look(hidden, at=False)
    second = tab(UNSEEN)
    look(second, at=True)
    contest.clock.set(10)
    second.click("#start")
    enter(second, 0)
    on_server(second, contest, 0)
    hidden.wait_for_timeout(2_500)
    assert hidden.is_hidden("#table")
    assert second.is_hidden("#elsewhere")
    look(second, at=False)
    look(hidden, at=True)
    go_on(hidden)
    assert entered(hidden) == [0]
    look(second, at=True)
    assert is_lost(second)


@pytest.mark.thorough
def test_tabs_that_share_no_storage_cannot_drop_each_others_moves(tab, contest):
    first = join(tab(FORGETFUL), "Ada")
    first.click("#start")
    enter(first, 0)
    on_server(first, contest, 0)
    second = tab(FORGETFUL)
    go_on(second)
    enter(second, 1)
    on_server(second, contest, 0, 1)
    enter(first, 2)
    assert is_lost(first)
    on_server(second, contest, 0, 1)
    first.click("#take-over")
    go_on(first)
    assert entered(first) == [0, 1]
    enter(first, 2)
    on_server(first, contest, 0, 1, 2)
    enter(second, 3)
    assert is_lost(second)
    on_server(first, contest, 0, 1, 2)

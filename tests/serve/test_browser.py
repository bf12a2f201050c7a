"""A contest in real browsers: two players, a hostile name, a lost connection, the organiser."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from helpers.pages.browser import (
    BROWSER,
    FORGETFUL,
    cell,
    check_accessible,
    join,
    tabs,
    type_in,
    until,
)
from helpers.pages.contests import PASSWORD, Visitor, begin, blanks, entry, proxied, served
from helpers.pages.played_pages import NURIKABE, SOLUTIONS, SUDOKU
from helpers.sampled import only
from sqlalchemy import event as events
from sqlalchemy.exc import OperationalError

from nando.puzzles import Sudoku
from nando.serve import PuzzlePart

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

NAME = '<img src=x onerror="alert(1)">'

LINES = [["1", NAME, "20", "1"], ["2", "Ben", "5", "1"]]


SHORT = Sudoku(f"{SOLUTIONS[SUDOKU][:69]}............")
"""A Sudoku that a test has soon entered."""
PARTS = (PuzzlePart(puzzle=SHORT.text, points=20), PuzzlePart(puzzle=NURIKABE.text, points=5))


@pytest.fixture
def contest(tmp_path):
    with served(tmp_path, title=NAME, puzzles=PARTS, wait=False) as client:
        yield client


@pytest.fixture
def visit(browser, contest):
    """Open pages of the contest, each in a window of its own."""
    with ExitStack() as windows:

        def opened(path="/", *scripts, width=390, **options):
            size = {"width": width, "height": 844}
            tab = windows.enter_context(tabs(browser, viewport=size, **options))
            return tab(f"{contest.base_url}{path}", *scripts)

        yield opened


def log_in(page):
    page.fill("#password", PASSWORD)
    page.click("#login button")
    page.wait_for_selector("#standings-rows tr, #desk:not([hidden])")
    return page


def standings(page):
    return [row.split("\t") for row in page.inner_text("#standings-rows").splitlines()]


@pytest.mark.thorough
def test_a_contest_that_starts_in_days_says_so(visit, contest):
    page = None
    for seconds, text in (
        (-373 * 86_400 + 1_000, "starts in 372 days"),
        (-2 * 86_400 - 60, "starts in 2 days"),
        (-2 * 86_400 + 60, "starts in 47:58:"),
    ):
        contest.clock.set(seconds)
        page = page or visit()
        page.reload()
        page.wait_for_selector(f"text={text}")


def test_two_browsers_in_one_contest(visit, contest):
    contest.clock.set(-3)
    one, two = join(visit(), NAME), join(visit(), "Ben")
    one.wait_for_selector("text=starts in")
    assert "The puzzles appear when the contest starts" in one.text_content("#waiting")
    assert not one.is_visible("#table")
    contest.clock.set(60)
    for page in (one, two):
        page.reload()
        page.wait_for_selector("#table:not([hidden])")
        assert "left" in page.text_content("#countdown")
        page.click("#start")
    type_in(one, blanks(SHORT))
    one.wait_for_selector("#result:not([hidden])")
    assert "Solved in" in one.text_content("#result")
    two.select_option("#puzzle", "1")
    two.click("#start")
    for number, _ in blanks(NURIKABE):
        cell(two, number).click()
    two.wait_for_selector("#result:not([hidden])")
    for page in (one, two):
        # A hostile name is shown as text.
        until(lambda page=page: [line[:4] for line in standings(page)] == LINES, page)
        assert page.text_content("h1") == NAME
        assert page.locator("img").count() == 0


@pytest.mark.thorough
def test_the_server_reports_a_full_wrong_board(visit, contest):
    page = join(visit(), "Ada")
    page.click("#start")
    *most, (last, value) = blanks(SHORT)
    type_in(page, most)
    page.click("#settings")
    page.uncheck('[data-setting="conflicts"]')
    page.click("#settings-dialog [data-close]")
    type_in(page, [(last, value % 9 + 1)])
    page.wait_for_selector("#conflicts >> text=something is wrong")
    type_in(page, [(last, value)])
    page.wait_for_selector("#result:not([hidden])")


def test_a_lost_connection_is_made_good(visit, contest):
    page = join(visit(), "Ada")
    page.click("#start")
    type_in(page, blanks(SHORT)[:3])
    until(lambda: contest.server.room.n_moves >= 4, page)
    page.quiet = True  # the browser itself tells of failed requests
    page.context.set_offline(True)
    type_in(page, blanks(SHORT)[3:8])
    page.wait_for_selector("text=No connection")
    assert contest.server.room.n_moves == 4
    page.context.set_offline(False)
    until(lambda: contest.server.room.n_moves >= 9, page)
    until(lambda: page.text_content("#connection") == "", page)
    page.quiet = False
    (seat,) = contest.server.room
    assert [int(seat.boards[0].values[c]) for c, _ in blanks(SHORT)[:8]] == [
        v for _, v in blanks(SHORT)[:8]
    ]


def test_unsent_moves_are_sent_after_a_reload(visit, contest):
    page = join(visit(), "Ada")
    page.click("#start")
    page.quiet = True
    page.route("**/contest/moves", lambda route: route.abort())
    type_in(page, blanks(SHORT)[:4])
    page.wait_for_selector("text=No connection")
    page.unroute("**/contest/moves")
    page.reload()
    page.quiet = False
    until(lambda: contest.server.room.n_moves >= 5, page)
    page.wait_for_selector("#table:not([hidden])")
    page.click("#start")
    for number, value in blanks(SHORT)[:4]:
        assert cell(page, number).locator(".value").text_content() == str(value)
    page.click("#undo")
    (seat,) = contest.server.room
    until(lambda: seat.boards[0].values[blanks(SHORT)[3][0]] == 0, page)


def test_a_player_continues_in_another_browser(visit, contest):
    one = join(visit(), "Ada")
    one.click("#start")
    type_in(one, blanks(SHORT)[:3])
    until(lambda: contest.server.room.n_moves >= 4, one)
    key = one.text_content("#key").rpartition("key ")[2].rstrip(".")
    two = visit()
    two.click("#return summary")
    two.fill("#return-name", "Ada")
    two.fill("#return-key", key.upper().replace("-", "  ", 1).replace("-", ""))
    # From now on, every request of the first page is refused.
    one.quiet = True
    two.click("#return-form button")
    two.wait_for_selector("#table:not([hidden])")
    two.click("#start")
    for number, value in blanks(SHORT)[:3]:
        assert cell(two, number).locator(".value").text_content() == str(value)
    type_in(two, blanks(SHORT)[3:5])
    until(lambda: contest.server.room.n_moves >= 7, two)
    type_in(one, blanks(SHORT)[5:6])
    one.wait_for_selector("text=You continued on another device")


@pytest.mark.thorough
def test_a_contest_below_the_path_of_a_proxy(browser, tmp_path):
    with (
        served(tmp_path, root_path="/sudoku") as contest,
        proxied(contest.server.address.removesuffix("/sudoku"), "/sudoku", keeps=False) as proxy,
    ):
        context = browser.new_context(locale="en-GB")
        asked, page = [], context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{proxy.address}/sudoku/")
        join(page, "Ada").click("#start")
        type_in(page, blanks(SHORT)[:2])
        until(lambda: contest.server.room.n_moves >= 3, page)
        desk = context.new_page()
        desk.on("request", lambda request: asked.append(request.url))
        desk.goto(f"{proxy.address}/sudoku/organiser")
        log_in(desk).wait_for_selector("#standings-rows tr")
        with desk.expect_download() as download:
            desk.click("text=Standings as CSV")
        assert "Ada" in Path(download.value.path()).read_text(encoding="utf-8")
        assert all(url.startswith(f"{proxy.address}/sudoku/") for url in asked)
        assert {cookie["path"] for cookie in context.cookies()} == {"/sudoku/"}
        context.close()


def test_enter_in_the_name_field_joins_with_the_right_code(visit, contest):
    page = visit()
    page.fill("#join-name", "Ada")
    page.press("#join-name", "Enter")
    assert page.evaluate("document.activeElement.id") == "join-code"
    page.quiet = True
    page.fill("#join-code", "coffee")
    page.press("#join-name", "Enter")
    page.wait_for_selector("text=this is not the code of the contest")
    page.quiet = False
    page.fill("#join-code", "tea-time")
    page.press("#join-name", "Enter")
    page.wait_for_selector("#table:not([hidden])")


def test_a_browser_without_storage_plays_and_loses_nothing(visit, contest):
    page = join(visit("/", FORGETFUL), "Ada")
    page.click("#start")
    type_in(page, blanks(SHORT)[:3])
    until(lambda: contest.server.room.n_moves >= 4, page)
    page.reload()
    page.click("#start")
    type_in(page, blanks(SHORT)[3:4])
    until(lambda: contest.server.room.n_moves >= 6, page)
    assert cell(page, blanks(SHORT)[0][0]).locator(".value").count() == 1


@pytest.mark.thorough
def test_the_organiser_sees_standings_and_evidence(visit, contest):
    ada = join(visit(), NAME)
    ada.click("#start")
    type_in(ada, blanks(SHORT))
    ada.wait_for_selector("#result:not([hidden])")
    ada.select_option("#puzzle", "1")
    ada.click("#start")
    for number, _ in blanks(NURIKABE):
        cell(ada, number).click()
    ada.wait_for_selector("#result:not([hidden])")
    page = visit("/organiser", width=1100)
    page.quiet = True
    page.fill("#password", "wrong horse")
    page.click("#login button")
    page.wait_for_selector("text=this is not the password")
    page.quiet = False
    log_in(page)
    until(lambda: [line[1] for line in standings(page)] == [NAME], page)
    page.wait_for_selector("#audit-rows tr", timeout=120_000)
    games = [row.split("\t") for row in page.inner_text("#audit-rows").splitlines()]
    n_moves = [str(len(blanks(puzzle))) for puzzle in (SHORT, NURIKABE)]
    assert sorted(game[1:3] for game in games) == sorted([NAME, n] for n in n_moves)
    # The player's verdict, by both games together, comes first.
    assert page.inner_text("#audit-players-rows tr").split("\t")[:2] == [NAME, "2"]
    first, second = (page.locator(f"#audit-{name}").bounding_box() for name in ("players", "rows"))
    assert first["y"] < second["y"]
    assert "judged by their order alone" in page.text_content("#audit-notes")
    with page.expect_download() as download:
        page.click("text=All moves as CSV")
    assert download.value.suggested_filename == "games.csv"
    with page.context.expect_page() as report:
        page.click("text=The whole report")
    report.value.wait_for_load_state()
    assert report.value.text_content("h1") == "Audit of 2 games"
    assert report.value.locator("img").count() == 0
    page.click("#logout")
    page.wait_for_selector("#login:not([hidden])")


def test_games_that_arrived_late_are_marked_in_the_standings(visit, contest):
    ben = Visitor(contest)
    ben.join("Ben")
    late = [entry(n, *move, age_ms=9_000) for n, move in enumerate(blanks(SHORT), 2)]
    assert ben.send(begin(), *late).json()["solved"] == [0]
    page = join(visit(), "Ada")
    until(lambda: "1 (mostly sent late: 1)" in [line[3] for line in standings(page)[:1]], page)


@pytest.mark.thorough
def test_the_organiser_sees_that_nothing_can_be_saved(visit, contest):
    page = log_in(visit("/organiser", width=1100))
    assert page.text_content("#storage") == ""

    def full(connection, cursor, statement, parameters, context, executemany):
        raise OperationalError(statement, parameters, Exception("disk full"))

    events.listen(contest.server.store.journal.engine, "before_cursor_execute", full)
    page.wait_for_selector("text=nothing can be saved: disk full. Players can continue")


@pytest.mark.thorough
def test_the_organiser_changes_players_and_the_contest(visit, contest):
    ada, ben = join(visit(), "Ada"), join(visit(), "Ben")
    ada.click("#start")
    type_in(ada, blanks(SHORT)[:1])
    desk = log_in(visit("/organiser"))
    desk.fill("#announcement-text", "Tea is ready.")
    desk.click("#announce button")
    ada.wait_for_selector("#announcement >> text=Tea is ready.")
    ada.quiet = True  # the browser itself tells of refused requests
    desk.click("#pause")
    ada.wait_for_selector("#paused >> text=The contest is paused")
    assert not ada.is_visible("#table")
    assert ada.text_content("#connection") == ""
    desk.click("#resume")
    ada.wait_for_selector("#table:not([hidden])")
    until(lambda: contest.server.room.n_moves >= 3, ada)
    ada.quiet = False
    ada.click("#start")
    type_in(ada, blanks(SHORT)[1:])
    ada.wait_for_selector("#own-times >> text=Your times: puzzle 1 at 1:00")
    desk.fill("#minutes", "30")
    desk.click("#extend button >> nth=0")
    until(lambda: ada.text_content("#countdown").startswith("1:28:"), ada)

    def change(name, press):
        desk.click(f"#standings-rows button:text-is('{name}')")
        press()
        desk.wait_for_selector("#player-dialog:not([open])", state="attached")

    def renamed():
        desk.fill("#new-name", "Ben")
        desk.quiet = True
        desk.click("#rename button")
        desk.wait_for_selector("#player-refusal >> text=Ben is already playing")
        desk.quiet = False
        desk.fill("#new-name", "Augusta")
        desk.click("#rename button")

    def removed():
        assert not desk.is_visible("#remove-yes")
        desk.click("#remove")
        assert "All moves of Augusta" in desk.text_content("#remove-question")
        desk.click("#remove-yes")

    change("Ada", renamed)
    until(lambda: "You are Augusta" in ada.text_content("#key"), ada)
    change("Augusta", lambda: desk.click("#disqualify"))
    until(lambda: [line[:2] for line in standings(ben)][1] == ["", "Augusta (disqualified)"], ben)
    ada.quiet = True
    change("Augusta (disqualified)", removed)
    until(lambda: [line[1] for line in standings(ben)] == ["Ben"], ben)


def test_evidence_takes_the_width_of_a_phone(visit, contest):
    desk = log_in(visit("/organiser"))
    row = ["1-1.1", "Ada", "51", "0.0001", "4.0", "unlike a person", "a sentence " * 20]
    desk.evaluate(
        "async (row) => (await import('/static/standings.mjs'))"
        ".fillTable(document.getElementById('audit-rows'), [row])",
        row,
    )
    line, evidence = desk.locator("#audit-rows tr"), desk.locator("#audit-rows td").last
    assert evidence.bounding_box()["width"] > 340
    assert line.bounding_box()["height"] < 300
    assert desk.locator("#audit-rows td").first.get_attribute("data-head") == "Game"
    assert desk.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_pages_speak_the_language_of_the_contest(visit, contest):
    object.__setattr__(contest.server.contest, "language", "de")
    page = visit()
    page.wait_for_selector("#join:not([hidden])")
    assert page.text_content("#join h2") == "Am Wettbewerb teilnehmen"
    page.quiet = True
    page.fill("#join-name", "Ada")
    page.fill("#join-code", "coffee")
    page.click("#join button")
    page.wait_for_selector("text=Das ist nicht der Code des Wettbewerbs.")
    page.quiet = False
    join(page, "Ada")
    page.wait_for_selector("#table:not([hidden])")
    assert page.text_content("#start") == "Los"
    desk = visit("/organiser", width=1100)
    desk.wait_for_selector("#login:not([hidden])")
    assert desk.text_content("#login button") == "Anmelden"
    assert desk.title().startswith("Veranstalter: ")
    log_in(desk).wait_for_selector("#standings-rows tr")
    assert "Teilnehmende: 1, Züge: 0." in desk.text_content("#state")
    assert "Noch keine Prüfung" in desk.text_content("#audit-state")


@pytest.mark.parametrize("scheme", only(["dark"], ["light", "dark"]))
def test_the_pages_are_accessible(visit, contest, scheme):
    def check(page):
        page.quiet = True  # axe is put into the page from outside, past its policy
        check_accessible(page)
        page.quiet = False

    contest.clock.set(-30)
    page = visit(color_scheme=scheme, bypass_csp=True)
    page.wait_for_selector("#join:not([hidden])")
    check(page)
    join(page, "Ada")
    page.wait_for_selector("#waiting:not([hidden])")
    check(page)
    contest.clock.set(60)
    page.reload()
    page.wait_for_selector("#standings-rows tr")
    check(page)
    page.click("#start")
    type_in(page, blanks(SHORT)[:2])
    check(page)
    desk = visit("/organiser", width=1100, color_scheme=scheme, bypass_csp=True)
    desk.wait_for_selector("#login:not([hidden])")
    check(desk)
    log_in(desk).wait_for_selector("#standings-rows tr")
    check(desk)


def test_nothing_is_wider_than_a_phone(visit, contest):
    page = join(visit(), "W" * 40)
    page.wait_for_selector("#standings-rows tr")
    for number in ("0", "1"):
        page.select_option("#puzzle", number)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390

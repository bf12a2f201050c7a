"""A Chromium for tests in a real browser, with visible and hidden tabs."""

import contextlib
import shutil
import time
from pathlib import Path

import pytest

from helpers.pages.played_pages import SOLUTIONS, SUDOKU

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}

UNSEEN = "Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})"
"""A script that lets a page begin in the background."""

WITHOUT_EVENTS = "addEventListener('storage', (event) => event.stopImmediatePropagation(), true)"
"""A script that hides the writes of other tabs from a page, as some browsers do for files."""

FORGETFUL = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})"
"""A script that denies a page its storage."""


@contextlib.contextmanager
def chromium():
    """Start a browser; skip the test if none starts."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        try:
            opened = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        except sync_api.Error as error:
            pytest.skip(f"{BROWSER} does not start: {error.message.splitlines()[0]}")
        yield opened
        opened.close()


@contextlib.contextmanager
def tabs(browser, *, may_fail=False, **options):
    """Yield a function that opens tabs of one window, with scripts that run before the page's.

    No tab may write to its console unless it is ``quiet``, open a dialog, or ask for anything but
    files if it shows one. With `may_fail`, the browser may report requests that are refused.
    """
    context = browser.new_context(locale="en-GB", **options)
    context.set_default_timeout(30_000)
    troubles = []

    def heard(page, text):
        if not page.quiet and not (may_fail and "Failed to load" in text):
            troubles.append(text)

    def opened(place, *scripts):
        page = context.new_page()
        page.quiet = False
        page.on("console", lambda message: heard(page, message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: (troubles.append(dialog.message), dialog.dismiss()))
        if isinstance(place, Path):
            page.on("request", lambda r: r.url[:5] in ("file:", "blob:") or troubles.append(r.url))
        for script in scripts:
            page.add_init_script(script)
        page.goto(place.as_uri() if isinstance(place, Path) else place)
        return page

    yield opened
    context.close()
    assert troubles == []


def cell(page, number):
    return page.locator(f'[data-cell="{number}"]')


def type_in(page, moves):
    """Enter values by mouse and keyboard."""
    for number, value in moves:
        cell(page, number).click()
        page.keyboard.press(str(value))


ENTRIES = [(c, int(v)) for c, v in enumerate(SOLUTIONS[SUDOKU]) if not SUDOKU.givens[c]]
"""Cell and value of each blank of the Sudoku."""


def enter(page, *numbers):
    """Enter some of the `ENTRIES`."""
    type_in(page, [ENTRIES[number] for number in numbers])


def entered(page):
    """Return the numbers of the `ENTRIES` whose cells show a value."""
    shown = page.eval_on_selector_all(
        ".cell:not(.given) .value", "all => all.map(e => +e.closest('.cell').dataset.cell)"
    )
    return [n for n, (place, _) in enumerate(ENTRIES) if place in shown]


def join(page, name, code="tea-time"):
    """Join a contest on its page."""
    page.fill("#join-name", name)
    page.fill("#join-code", code)
    page.click("#join button")
    return page


def until(is_so, page=None):
    """Poll a condition from Python, because the policy of a page forbids scripts given as text."""
    for _ in range(300):
        if is_so():
            return
        page.wait_for_timeout(100) if page else time.sleep(0.1)
    raise AssertionError("this never came")


def set_language(page, language):
    page.click("#settings")
    page.select_option('[data-setting="language"]', language)
    page.click("#settings-dialog [data-close]")


def check_accessible(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing").Axe
    # The script of axe is injected from outside, past the page's policy.
    found = axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def look(page, *, at):
    """Show or hide a tab, because Playwright leaves all tabs visible."""
    page.evaluate(
        "(state) => { Object.defineProperty(document, 'visibilityState',"
        " {value: state, configurable: true});"
        " document.dispatchEvent(new Event('visibilitychange', {bubbles: true})); }",
        "visible" if at else "hidden",
    )

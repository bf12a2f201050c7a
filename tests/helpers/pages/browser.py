"""A Chromium for tests in a real browser, with visible and hidden tabs."""

import contextlib
import shutil

import pytest

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

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


def look(page, *, at):
    """Show or hide a tab, because Playwright leaves all tabs visible."""
    page.evaluate(
        "(state) => { Object.defineProperty(document, 'visibilityState',"
        " {value: state, configurable: true});"
        " document.dispatchEvent(new Event('visibilitychange', {bubbles: true})); }",
        "visible" if at else "hidden",
    )

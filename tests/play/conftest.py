"""The browser of the tests of pages."""

import pytest
from helpers.pages.browser import chromium


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened

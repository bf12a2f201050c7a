"""A player of pages without a browser."""

import pytest
from helpers.pages.played_pages import NODE, Player


@pytest.fixture(scope="module")
def player():
    if NODE is None:
        pytest.skip("node is not installed")
    made = Player()
    yield made
    made.close()

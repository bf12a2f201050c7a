"""Contests that tests of the server share."""

import pytest
from helpers.pages.contests import Visitor, served


@pytest.fixture
def contest(tmp_path):
    with served(tmp_path, wait=False) as client:
        yield client


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Serve a contest for tests that join under names of their own, or are refused."""
    with served(tmp_path_factory.mktemp("contest"), wait=False) as client:
        yield client


@pytest.fixture
def ada(contest):
    visitor = Visitor(contest)
    visitor.answer = visitor.join("Ada")
    return visitor

"""The helper that compares compiled kernels with plain Python notices what is missing."""

import sys

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain, compiled_kernels, plain_kernels

from nando.kernels import streams
from nando.kernels.compile import kernel, lean_kernel

HERE = sys.modules[__name__]
WAY = "compiled"
"""A global that kernels keep as it was when they were compiled."""


@lean_kernel
def is_plain(number):
    return number + (WAY != "compiled")


@kernel
def outer(number):
    return 10 * is_plain(number)


IMPORTED = {"elsewhere": outer}
"""A place that no patch of a module's names would reach."""


def called():
    return IMPORTED["elsewhere"](1), is_plain(2)


@pytest.fixture
def changed(monkeypatch):
    called()
    monkeypatch.setattr(HERE, "WAY", "plain")


@pytest.mark.usefixtures("changed")
def test_the_first_is_compiled_and_the_second_is_plain():
    assert compiled_and_plain(called) == ((10, 2), (20, 3))
    assert compiled_and_plain(called, HERE) == ((10, 2), (20, 3))


@pytest.mark.usefixtures("changed")
def test_kernels_of_other_modules_stay_compiled():
    stream = np.arange(4)
    with plain_kernels(streams):
        word = streams.next_word(stream)
        assert called() == (10, 2)
    assert word == streams.next_word(np.arange(4))


def test_a_block_without_kernels_is_noticed():
    with pytest.raises(AssertionError, match="no kernel was run"), compiled_kernels():
        pass
    with pytest.raises(AssertionError, match="no kernel was run as plain Python"), plain_kernels():
        pass
    with (
        pytest.raises(AssertionError, match=r"no kernel of nando.kernels.streams was run"),
        plain_kernels(HERE, streams),
    ):
        called()

"""Nando's changes to numba's compiler do not change results."""

import gc

import pytest

from nando.kernels.internals.dispatchers import keep_garbage


@pytest.mark.parametrize("enabled", [False, True])
def test_garbage_is_collected_again_afterwards(enabled):
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with keep_garbage():
            assert not gc.isenabled()
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()

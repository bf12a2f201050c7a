"""What nando changes in numba while it compiles changes nothing that numba computes."""

import gc

import pytest
from numba.core.compiler import Flags
from numba.core.targetconfig import TargetConfig

from nando.kernels.internals.flags import compare_flags_quickly
from nando.kernels.internals.garbage import kept_garbage


def test_flags_are_those_of_their_properties():
    compare_flags_quickly()
    assert TargetConfig.values.__module__ == "nando.kernels.internals.flags"
    flags = Flags()
    flags.nrt = True
    flags.error_model = "numpy"
    other = flags.copy()
    assert flags.values() == {name: getattr(flags, name) for name in flags.options}
    assert flags == other
    assert hash(flags) == hash(other)
    other.no_cpython_wrapper = True
    assert flags != other
    assert Flags() != flags


@pytest.mark.parametrize("enabled", [False, True])
def test_garbage_is_collected_again_afterwards(enabled):
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with kept_garbage():
            assert not gc.isenabled()
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()

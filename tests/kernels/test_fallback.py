"""Kernels compiled by numba.njit alone: never stale, used when needed.

Continuous integration runs all tests in both ways.
"""

import os
import time

import numpy as np
import pytest
from helpers.installed import Installed
from numba import njit

from nando.kernels import compile
from nando.kernels.compile import drawn_bit, highest_bit, lowest_bit, n_bits, unsigned
from nando.kernels.extensions import extend_numba


def test_bits_and_indices():
    rng = np.random.default_rng(0)
    masks = [1 << i for i in range(63)] + [2**63 - 1] + rng.integers(1, 2**63 - 1, 100).tolist()
    extend_numba()
    compiled = njit(lambda mask: (n_bits(mask), lowest_bit(mask), unsigned(mask)))
    for mask in [*masks, *map(np.int16, (1, 6, 96)), np.uint8(200)]:
        expected = bin(mask).count("1"), bin(mask)[::-1].index("1"), mask
        assert compiled(mask) == (n_bits(mask), lowest_bit(mask), unsigned(mask)) == expected
    assert njit(lambda: (n_bits(0), n_bits(5), lowest_bit(12), unsigned(7)))() == (0, 2, 2, 7)


def test_the_highest_bit_and_drawn_ones():
    extend_numba()
    highest = njit(lambda mask: highest_bit(mask))
    for mask in [0, *(1 << i for i in range(32)), *range(1, 100), 2**32 - 1]:
        assert highest_bit(mask) == highest(mask) == mask.bit_length() - 1
    drawn = njit(lambda mask, n, rng: drawn_bit(mask, n, rng))
    rngs = np.random.default_rng(1), np.random.default_rng(1)
    bits = [(drawn_bit(0b101101, 3, rngs[0]), drawn(0b101101, 3, rngs[1])) for _ in range(60)]
    assert all(plain == compiled for plain, compiled in bits)
    assert {plain for plain, _ in bits} == {0, 2, 3}


FALLBACK = {"NANDO_FALLBACK_KERNELS": "1"}
HOME = """
import sys
from nando.kernels.fallback import process_folder
print(process_folder().name)
"""
TINY = "from nando.kernels.compile import kernel\n@kernel\ndef inner(n):\n    return n + 1\n"
CALL = "from nando.puzzles.inner import inner\nprint(inner(1))"


@pytest.fixture
def copy(tmp_path):
    return Installed(tmp_path, {"inner": TINY})


@pytest.mark.thorough
def test_processes_at_the_same_time_have_folders_of_their_own(copy):
    waiting = HOME + "sys.stdout.flush(); input()"
    started = [copy.start(waiting, **FALLBACK) for _ in range(3)]
    numbers = {int(process.stdout.readline()) for process in started}
    assert numbers == {0, 1, 2}
    for process in started:
        process.communicate("\n")
    assert copy.run(HOME, **FALLBACK) == ((0,), "")


@pytest.mark.thorough
def test_compiling_without_a_cache_is_reported(copy):
    telling = "from nando.kernels.extensions import on_first_compile\n"
    telling += "on_first_compile(lambda module: print(0))\n"
    assert copy.run(telling + CALL, **FALLBACK)[0] == (0, 2)
    assert copy.run(telling + CALL, **FALLBACK)[0] == (2,)


@pytest.mark.thorough
def test_folders_go_when_unused(copy):
    old = copy.folder / "cache" / "nando" / "fallback" / "0" / "inner-0123456789abcdef"
    old.mkdir(parents=True)
    month_ago = time.time() - 30 * 24 * 3600
    os.utime(old, (month_ago, month_ago))
    copy.run(CALL, **FALLBACK)
    assert not old.exists()


def test_a_version_that_was_not_tested_is_reported_and_uses_no_internals(monkeypatch):
    monkeypatch.delenv(compile.FALLBACK, raising=False)
    monkeypatch.setattr(compile, "version", lambda _: "0.99.0rc1")
    with pytest.warns(RuntimeWarning, match=r"tested with numba 0.58 to 0.68, and numba 0.99.0rc1"):
        assert not compile.uses_internals.__wrapped__()
    for chosen, used in (("1", False), ("0", True)):
        monkeypatch.setenv(compile.FALLBACK, chosen)
        assert compile.uses_internals.__wrapped__() == used
    monkeypatch.delenv(compile.FALLBACK)
    for tested in ("0.58.1", "0.68.1"):
        monkeypatch.setattr(compile, "version", lambda _, tested=tested: tested)
        assert compile.uses_internals.__wrapped__()

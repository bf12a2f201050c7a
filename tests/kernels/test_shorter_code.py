"""Nando's changes to the code that numba generates for LLVM."""

import pickle
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit, typeof
from numba.core import types

from nando.kernels.compile import kernel, lean_kernel
from nando.kernels.internals.states import by_address


class State(NamedTuple):
    n: int
    marks: np.ndarray
    counts: np.ndarray


def branching(state, first):
    marks = state.marks
    total = 0
    if first > 0:
        last = marks[0]
    else:
        last = marks[1]
        late = 5
    for i in range(state.n):
        if marks[i] > first:
            total += state.counts[i]
            last = i
        elif first < 0:
            total += late
        state.counts[i] = total
    return total + last


@pytest.mark.parametrize("decorate", [kernel, lean_kernel])
@pytest.mark.parametrize("first", [-1, 0, 2])
def test_values_that_several_blocks_use(decorate, first):
    rng = np.random.default_rng(1)
    marks, counts = rng.integers(0, 4, (2, 9))
    again = counts.copy()
    result = decorate(branching)(State(9, marks, counts), first)
    assert result == branching(State(9, marks, again), first)
    np.testing.assert_array_equal(counts, again)


class Pair(NamedTuple):
    first: np.ndarray
    second: np.ndarray


class Nested(NamedTuple):
    n: int
    pair: Pair
    ratio: float


@lean_kernel
def swapped_sum(pair, n):
    total = 0
    for i in range(n):
        pair.first[i] += pair.second[n - 1 - i]  # the second may be the first
        total += pair.first[i] * (i + 1)
    return total


@lean_kernel
def nested_sum(nested):
    total = swapped_sum(nested.pair, nested.n)
    if nested.n > 1:
        shorter = Nested(nested.n - 1, Pair(nested.pair.second, nested.pair.first), 2.5)
        for _ in range(2):
            total += swapped_sum(shorter.pair, shorter.n)
            shorter = Nested(shorter.n - 1, nested.pair, shorter.ratio)
            total += int(2 * shorter.ratio)
    return total + nested.pair.second[0]


@lean_kernel
def sum_of_states(n, first, second):
    return nested_sum(Nested(n, Pair(first, second), 0.5)) + nested_sum(
        Nested(n - 1, Pair(second, second), 1.5)
    )


@pytest.mark.parametrize("dtype", [np.int64, np.int8])
def test_states_are_passed_by_address(dtype, monkeypatch):
    arrays = np.random.default_rng(3).integers(0, 3, (2, 6)).astype(dtype)
    copies = arrays.astype(np.int64)
    result = sum_of_states(6, *arrays)
    for name in ("swapped_sum", "nested_sum"):
        monkeypatch.setitem(globals(), name, globals()[name].py_func)
    assert result == sum_of_states.py_func(6, *copies)
    np.testing.assert_array_equal(arrays, copies)


def test_states_of_one_name_differ_by_module_and_fields():
    def kind(module, *fields):
        made = NamedTuple("Made", [(field, int) for field in fields])
        made.__module__ = module
        return by_address(types.NamedTuple((types.int64, types.float64), made))

    assert kind("a", "x", "y") == kind("a", "x", "y")
    assert len({kind("a", "x", "y"), kind("b", "x", "y"), kind("a", "y", "x")}) == 3
    same = pickle.loads(pickle.dumps(by_address(typeof(Pair(np.ones(1), np.ones(2))))))
    assert same == by_address(typeof(Pair(np.ones(3), np.ones(4))))


def blank(n):
    return np.zeros((n, 2, 1), np.uint16).sum()


def test_others_use_what_numba_compiled_for_a_kernel(monkeypatch, tmp_path):
    for folder in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    for compiled in (kernel(blank), njit(blank)):
        assert compiled(3) == 0
        with pytest.raises(ValueError, match="negative dimensions"):
            compiled(-1)

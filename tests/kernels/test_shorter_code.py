"""Nando's changes to the code that numba generates for LLVM."""

import pickle
from typing import NamedTuple

import numpy as np
import pytest
from llvmlite import ir
from numba import typeof
from numba.core import types
from numba.core.compiler import run_frontend
from numba.core.registry import cpu_target

from nando.kernels.compile import kernel, lean_kernel
from nando.kernels.internals.lowering import _assigned_once, _Builder
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


def test_only_a_variable_assigned_once_before_all_its_uses_needs_no_memory():
    names = set(_assigned_once(run_frontend(branching).blocks))
    assert {"state", "first", "marks"} <= names
    assert not names & {"total", "last", "late"}


class Pair(NamedTuple):
    first: np.ndarray
    second: np.ndarray


class Two(NamedTuple):
    n: int
    ratio: float


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


def test_a_state_is_stored_once_where_it_is_put_together():
    model = cpu_target.target_context.data_model_manager[by_address(typeof(Two(1, 2.0)))]
    word, ratio = ir.IntType(64), ir.DoubleType()
    function = ir.Function(ir.Module(), ir.FunctionType(word, [word, ratio]), "f")
    builder = _Builder(function.append_basic_block())
    put = ir.Constant(model.get_value_type(), ir.Undefined)
    for i, part in enumerate(function.args):
        put = builder.insert_value(put, part, i)
    builder.branch(loop := function.append_basic_block())
    builder.position_at_end(loop)
    first, second = (model.as_argument(builder, put) for _ in range(2))
    assert first is second
    copy = builder.load(first)
    assert model.as_argument(builder, copy) is not model.as_argument(builder, copy)
    entry, names = ([made.opname for made in block.instructions] for block in function.blocks)
    assert entry == ["alloca"] * 3 + ["insertvalue"] * 2 + ["store", "br"]
    assert names == ["load", "store", "store"]


@pytest.fixture
def function():
    pair = ir.LiteralStructType([ir.IntType(64), ir.ArrayType(ir.IntType(32), 1)])
    kind = ir.FunctionType(ir.IntType(32), [pair, ir.IntType(64), pair.elements[1]])
    return ir.Function(ir.Module(), kind, "f")


def test_an_added_part_is_not_removed(function):
    builder = _Builder(function.append_basic_block())
    pair, number, row = function.args
    filled = builder.insert_value(builder.insert_value(pair, number, 0), row, 1)
    assert builder.extract_value(filled, 0) is number
    assert builder.extract_value(filled, 1) is row
    inner = builder.extract_value(filled, (1, 0))
    assert (inner.aggregate, inner.indices) == (row, [0])
    replaced = builder.insert_value(filled, inner, (1, 0))
    assert builder.extract_value(replaced, 0) is number
    assert builder.extract_value(replaced, 1) is not row

"""No kernel leaks memory or frees it too early, and a test that compiles such a one says so."""

import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, uses_internals

lean_kernels_exist = pytest.mark.skipif(
    not uses_internals(), reason="numba.njit counts references in every kernel"
)


class Pair(NamedTuple):
    first: NDArray[np.float64]
    second: NDArray[np.float64]


@kernel
def new_array(n):
    return np.zeros(n)


@kernel
def new_pair(n):
    return n, Pair(np.zeros(n), np.ones(n))


@lean_kernel
def uses_new_array(n):
    return new_array(n)[0]


@lean_kernel
def uses_new_pair(n):
    return new_pair(n)[0]


@lean_kernel
def drops_new_array(values):
    new_array(values.size)


@inlined_kernel
def uses_new_array_inlined(n):
    return new_array(n)[0]


@kernel
def calls_what_leaks(n):
    return uses_new_array(n)


@lean_kernel
def copies(values):
    return values.copy()[0]


@lean_kernel
def allocates(n):
    return np.zeros(n)[0]


@lean_kernel
def adds(values):
    return (values + values)[0]


@lean_kernel
def lists(values):
    return len([values[0]])


@lean_kernel
def rest(values):
    return 0, values[1:]


@lean_kernel
def uses_rest(values):
    return rest(values)[1][0]


@kernel
def counts_rest(values):
    return rest(values)[1][0]


@lean_kernel
def last(values):
    return values[-1:]


@lean_kernel
def draws(values, rng):
    return values[0] + rng.random()


@kernel
def draws_for_python(values, rng):
    return draws(values, rng)


@lean_kernel
def length(values):
    return len(values)


@lean_kernel
def first_of(pair, n, flag, nothing):
    return Pair(pair.second, pair.first).first[n] if flag else 0.0


VALUES = np.arange(4.0)

CALLEES = [
    (uses_new_array, (3,), "uses_new_array gets an array from new_array"),
    (uses_new_pair, (3,), r"uses_new_pair gets a Tuple\(.* from new_pair"),
    (drops_new_array, (VALUES,), "drops_new_array gets an array from new_array"),
    (uses_new_array_inlined, (3,), "uses_new_array_inlined gets an array from new_array"),
    (calls_what_leaks, (3,), "the lean kernel uses_new_array gets an array from new_array"),
    (copies, (VALUES,), "copies gets an array from array.copy"),
    (counts_rest, (VALUES,), r"the kernel counts_rest gets a Tuple\(.* from the lean kernel rest"),
]
OF_NUMBA = "NRT required but not enabled|Only accept returning of array passed into"
RESULTS = [
    (rest, (VALUES,), r"the lean kernel rest returns a Tuple\("),
    (last, (VALUES,), OF_NUMBA),
    (allocates, (3,), OF_NUMBA),
    (adds, (VALUES,), OF_NUMBA),
    (lists, (VALUES,), OF_NUMBA),
]
ARGUMENTS = [
    (draws, (VALUES, np.random.default_rng(1)), r"gets rng \(NumPyRandomGeneratorType\) from Pyth"),
    (length, ([1, 2],), r"length gets values \(reflected list\(.* from Python"),
    (length, ({1, 2},), r"length gets values \(reflected set\("),
    (length, ("text",), r"length gets values \(unicode_type\)"),
    (length, (b"bytes",), r"length gets values \(.*bytes\("),
    (length, ((1, VALUES, "text"),), r"length gets values \(Tuple\("),
]


@lean_kernels_exist
@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    CALLEES + RESULTS + ARGUMENTS,
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_misuse_is_an_error_that_names_the_kernel(function, arguments, message):
    from helpers.references import refused_leaks

    for _ in range(2):  # not only the first time
        with refused_leaks(), pytest.raises(Exception, match=message):
            function(*arguments)


def test_lean_kernels_take_usual_arguments():
    assert uses_rest(VALUES) == 1.0
    assert first_of(Pair(VALUES, 2 * VALUES), np.int8(3), True, None) == 6.0
    assert length(VALUES) == 4
    drawn = draws_for_python(VALUES, np.random.default_rng(1))
    assert drawn == draws.py_func(VALUES, np.random.default_rng(1))


def test_no_reference_to_an_argument_is_left():
    rng = np.random.default_rng(1)
    pair = Pair(np.arange(4.0), np.arange(5.0))
    passed = [rng, rng.bit_generator, pair, *pair]
    calls = [
        lambda: first_of(pair, 1, True, None),
        lambda: uses_rest(pair.first),
        lambda: uses_rest(pair.first[1:]),
        lambda: draws_for_python(pair.second, rng),
    ]
    for call in calls:
        call()
    before = [sys.getrefcount(value) for value in passed]
    for call in calls:
        for _ in range(100):
            call()
    assert [sys.getrefcount(value) for value in passed] == before


EVERYTHING = """
from helpers.references import refused_leaks
from nando.precompile import TASKS
with refused_leaks():
    for tasks in TASKS.values():
        for task in tasks.values():
            task()
"""


@pytest.mark.slow
@lean_kernels_exist
def test_no_kernel_of_nando_leaks(tmp_path):
    """Compile every kernel anew."""
    subprocess.run(
        [sys.executable, "-c", EVERYTHING],
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        | {"NUMBA_CACHE_DIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)},
        check=True,
    )

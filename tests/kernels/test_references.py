"""A kernel that would never free memory, or free it too early, is an error when it is compiled."""

import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.kernels.support import internals_work

misuse_is_seen = pytest.mark.skipif(
    not internals_work(), reason="numba.njit counts references in every kernel"
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
    (calls_what_leaks, (3,), "^the lean kernel uses_new_array gets an array from new_array"),
    (copies, (VALUES,), "copies gets an array from array.copy"),
    (counts_rest, (VALUES,), r"the kernel counts_rest gets a Tuple\(.* from the lean kernel rest"),
]
RESULTS = [
    (rest, (VALUES,), r"the lean kernel rest returns a Tuple\("),
    (last, (VALUES,), "the lean kernel last, or one that it calls, allocates or returns an array"),
    (allocates, (3,), "the lean kernel allocates, or one that it calls, allocates or returns"),
    (adds, (VALUES,), "the lean kernel adds, or one that it calls, allocates or returns an array"),
    (lists, (VALUES,), "the lean kernel lists, or one that it calls, allocates or returns"),
]
ARGUMENTS = [
    (draws, (VALUES, np.random.default_rng(1)), r"gets rng \(NumPyRandomGeneratorType\) from Pyth"),
    (length, ([1, 2],), r"length gets values \(reflected list\(.* from Python"),
    (length, ({1, 2},), r"length gets values \(reflected set\("),
    (length, ("text",), r"length gets values \(unicode_type\)"),
    (length, (b"bytes",), r"length gets values \(.*bytes\("),
    (length, ((1, VALUES, "text"),), r"length gets values \(Tuple\("),
]


@misuse_is_seen
@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    CALLEES + RESULTS + ARGUMENTS,
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_misuse_is_an_error_that_names_the_kernel(function, arguments, message):
    for _ in range(2):  # not only the first time
        with pytest.raises(TypeError, match=message) as raised:
            function(*arguments)
        assert "make" in str(raised.value)
        assert "\n" not in str(raised.value)


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


@pytest.mark.thorough
@misuse_is_seen
def test_a_leak_is_refused_where_the_kernel_is_cached(tmp_path):
    """The types of arguments are checked for kernels loaded from the cache, too."""
    (tmp_path / "mine.py").write_text(
        "from nando.kernels.compile import lean_kernel\n\n\n"
        "@lean_kernel\ndef length(values):\n    return len(values)\n"
    )
    program = (
        "import numpy as np, mine\n"
        "print(mine.length(np.zeros(3)))\n"
        "try:\n    mine.length([1])\n"
        "except TypeError as error:\n    print(error)\n"
    )
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", program],
            # With PYTHONSAFEPATH, Python does not look in the working directory.
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])},
            capture_output=True,
            text=True,
            check=True,
        )
        size, error = run.stdout.splitlines()
        assert size == "3"
        assert error.startswith("the lean kernel length gets values")

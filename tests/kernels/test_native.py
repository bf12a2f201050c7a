"""Kernels that came compiled and run without numba."""

import numpy as np
import pytest
from helpers.installed import Installed

from nando.kernels.internals.machine import load
from nando.kernels.native import NotWords, as_words

KERNELS = """
from typing import NamedTuple

import numpy as np

from nando.kernels.compile import kernel, lean_kernel

STEP = np.dtype([("cell", np.int16), ("cost", np.float64)])

class Settings(NamedTuple):
    factor: float
    weights: np.ndarray
    both: tuple

@lean_kernel
def fill(settings, rows, steps, first, doubled):
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            value = settings.weights[i] * settings.factor + settings.both[1][j]
            rows[i, j] += 2 * value if doubled else value
    for k in range(first, steps.shape[0]):
        steps[k]["cell"] = k * k
        steps[k]["cost"] = np.sqrt(k) + np.exp(k / 3.0)

@lean_kernel
def total(values):
    found = 0
    for value in values:
        found += int(value)
    return found

@lean_kernel
def is_rising(values):
    return values[0] < values[1]

@lean_kernel
def refuse(limit):
    if limit > 3:
        raise ValueError("too large")

@kernel
def allocate(values):
    found = 0
    for i in range(1000):
        room = np.full((values[0], 3), i)
        copy = room[1:].copy()
        copy[0, 0] = 1
        found += copy[0, 0] + room[1, 0] + total(values)
    return found

@kernel
def rows_of(values):
    return np.zeros((values[0], 3))
"""
CALL = """
import sys
import numpy as np
from nando.puzzles import kernels
from nando.puzzles.kernels import STEP, Settings, allocate, fill, is_rising, refuse, rows_of, total

def filled(run):
    weights = np.arange(4.0)
    weights.setflags(write=False)
    rows = np.ones((4, 6))[:, ::2]
    steps = np.zeros(5, STEP)
    run(Settings(0.5, weights, (3, np.arange(3))), rows, steps, 1, True)
    # numpy and the system may differ in the last bit of an exponential.
    return rows.tolist(), [(cell, round(cost, 9)) for cell, cost in steps.tolist()]

values = np.array([2, 3], np.int8)
"""
RUN = f"""{CALL}
found = filled(fill), total(values), is_rising(values), is_rising(values[::-1]), refuse(2)
found += (allocate(values),)
without = "numba" not in sys.modules
plain = (filled(fill.py_func), 5, True, False, None, allocate.py_func(values))
print(without, found == plain, type(found[2]) is bool)
"""
SHIP = f"{RUN}rows_of(values)"
WITHOUT, WITH = "True True True", "False True True"


@pytest.fixture
def installed(tmp_path):
    return Installed(tmp_path, {"kernels": KERNELS})


def test_what_came_compiled_runs_without_numba(installed):
    folder = installed.ship(SHIP, objects=True)
    made = [path.name.partition("-")[0] for path in folder.rglob("*.o")]
    # How the elements of an array lie decides its kind. Who returns an array needs numba.
    assert sorted(made) == ["allocate", "fill", "is_rising", "is_rising", "refuse", "total"]
    assert installed.run(RUN).strip() == WITHOUT
    assert not (installed.folder / "cache").exists()


@pytest.mark.thorough
def test_what_is_not_sure_to_fit_is_left_to_numba(installed):
    folder = installed.ship(RUN, objects=True)
    assert installed.run(RUN, NUMBA_CPU_NAME="generic").strip() == WITH
    assert installed.run(RUN, NANDO_FALLBACK_KERNELS="1").strip() == WITH
    other_kind = f"{CALL}print(total(np.array([2.5, 3.0])), 'numba' in sys.modules)"
    assert installed.run(other_kind).split() == ["5", "True"]
    for path in folder.rglob("*.o"):
        path.write_bytes(path.read_bytes()[:-9])
    assert installed.run(RUN).strip() == WITH


@pytest.mark.thorough
def test_changed_source_is_compiled(installed):
    installed.ship(RUN, objects=True)
    module = installed.package / "puzzles" / "kernels.py"
    module.write_text(KERNELS.replace("found = 0", "found = 1"))
    assert installed.run(f"{CALL}print(total(values))").strip() == "6"


@pytest.mark.thorough
def test_a_wheel_for_other_processors(installed):
    note = "\nfrom nando.kernels.internals.processor import processor\n"
    note += "from nando.kernels.shipped import note_processor\nnote_processor(processor())\n"
    folder = installed.ship(
        f"{RUN}{note}", objects=True, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES=""
    )
    assert installed.run(RUN).strip() == WITHOUT
    assert installed.run(RUN, NANDO_OWN_KERNELS="1").strip() == WITH
    (folder / "processor.json").unlink()
    assert installed.run(RUN).strip() == WITH


@pytest.mark.thorough
def test_a_kernel_that_fails_says_how_to_know_more(installed):
    installed.ship(RUN, objects=True)
    fails = f"{CALL}\ntry:\n    refuse(4)\nexcept RuntimeError as error:\n    print(error)"
    wanted = "the kernel refuse failed; with NANDO_FALLBACK_KERNELS=1 numba runs it and says why"
    assert installed.run(fails).strip() == wanted


@pytest.mark.thorough
def test_a_kernel_that_is_called_often_is_left_to_numba(installed):
    installed.ship(RUN, objects=True)
    often = "\nfrom nando.kernels import native\nnative.MOST_CALLS = 3\n"
    often += "print([(total(values), 'numba' in sys.modules) for _ in range(5)])"
    assert installed.run(CALL + often).strip() == str([(5, False)] * 3 + [(5, True)] * 2)


def test_arrays_are_told_apart_by_all_that_decides_their_code():
    array = np.arange(24.0).reshape(4, 6)
    frozen = array.copy()
    frozen.setflags(write=False)
    unlike = [array, array[0], array.astype(np.float32), array.T, array[:, ::2], frozen]
    kinds = [as_words([one])[0] for one in unlike]
    assert len(set(kinds)) == len(kinds)
    assert as_words([array])[0] == as_words([array[2:]])[0]
    assert as_words([array[2:], 7])[1] == [array.ctypes.data + 96, 2, 6, 48, 8, 7]
    assert as_words([(True, -1.5)])[1] == [1, np.float64(-1.5).view(np.int64)]


@pytest.mark.parametrize("argument", [1 << 63, -(1 << 63) - 1, "text", None, np.int32(3), [1]])
def test_what_is_no_word_is_left_to_numba(argument):
    with pytest.raises(NotWords):
        as_words([argument])


def test_code_that_needs_a_symbol_that_is_not_there_is_not_loaded():
    assert load(b"", "entry", ["a_symbol_that_no_library_has"]) is None

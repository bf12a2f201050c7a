"""numba finds BLAS when something needs it, not before a kernel of nando is loaded."""

import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import json, sys
import numpy as np
from nando.puzzles import Sudoku
from nando.solvers import count_solutions

line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
assert count_solutions(Sudoku(line)) == 1
before = "scipy.linalg" in sys.modules

from numba import njit
made = np.arange(9.0).reshape(3, 3) + 5 * np.eye(3)
wanted = {
    "product": (njit(lambda a: a @ a), made @ made),
    "inverse": (njit(lambda a: np.linalg.inv(a)), np.linalg.inv(made)),
}
same = [name for name, (program, value) in wanted.items() if np.allclose(program(made), value)]
print(json.dumps([before, "scipy.linalg" in sys.modules, same]))
"""


@pytest.mark.thorough
def test_kernels_are_loaded_without_blas_and_other_programs_have_it():
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"NANDO_FALLBACK_KERNELS": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    before, after, same = json.loads(run.stdout)
    assert (before, after) == (False, True)
    assert same == ["product", "inverse"]

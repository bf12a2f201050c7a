"""No kernel of the ladder on variants reads or writes outside its arrays."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
from nando.puzzles import Variant
from nando.solvers.logic.technique import standard_ladder
from nando.solvers.logic.house_walk import HouseWalker

walker = HouseWalker(standard_ladder("variant"), 50)
texts = [
    ".......7....5.4................36.............7.4.......2......4.....9......8.36."
    "+diagonals+killer:r1c1r1c2r2c1:11+killer:r5c5r5c6r6c5r6c6:22+sandwich:left5:24"
    "+greater:r5c1r5c2+thermometer:r9c6r9c7r9c8",
    "12x12+killer:r1c1r1c2r2c1r2c2r3c1:30+skyscraper:top4:3+renban:r8c1r8c2r8c3",
    "4x4+no-boxes+x-sums:right1:6+zipper:r1c1r2c2r3c3+quadruple:r2c2r2c3r3c2r3c3:1-2",
    "9x9+butterfly+anti-knight",
    "2x2",
]
print(len(walker.rate([Variant(text) for text in texts]).uses))
"""


@pytest.mark.thorough
def test_the_ladder_stays_inside_its_arrays(tmp_path):
    checked = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=checked, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "5\n"), ended.stderr

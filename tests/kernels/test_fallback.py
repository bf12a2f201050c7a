"""Kernels compiled by numba.njit alone: the same results, never stale, used when needed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from helpers.installed import Installed
from numba import njit

from nando.kernels import compile
from nando.kernels.bits import drawn_bit, highest_bit, lowest_bit, n_bits, unsigned
from nando.kernels.extensions import extend_numba

EASY = "32...1765.17..92....5267..9.58.4.3.2264..39.....9...848.3...52.......49..42..5873"
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
MINIMAL = "......1.53....9......4.8.7....6..3.8.....5.2.468.....92.9..6.1..7..5....6.5..3..."
NURIKABE = "3...2./....../.....8/....../...1.2/......"

COUNT = f"""
import numpy as np
from nando.generators.grids import random_grid
from nando.puzzles import Sudoku
from nando.solvers import solve
from nando.solvers.exact.bands import count_bands
puzzles = [Sudoku("{EASY}"), Sudoku("{HARD}"), Sudoku("{MINIMAL}"), Sudoku("12" + "." * 79)]
counts, guesses = np.zeros((2, 4), np.int64)
firsts = np.zeros((4, 81), np.int8)
count_bands(np.stack([puzzle.givens for puzzle in puzzles]), 600, counts, guesses, firsts)
print(counts, guesses, firsts.tolist(), [*map(solve, puzzles)], random_grid(rng=5))
"""

RATE = """
import pandas
from nando.puzzles import Sudoku
from nando.rating import load_model
rated = load_model().rate([{puzzles}]).to_frame()
print(rated.to_json(double_precision=15))
"""

COMMAND = """
import sys
from nando.cli import main
sys.argv = ["nando", {arguments}]
main()
"""


def said_by(program, **environment):
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_same_in_both(program):
    inside = said_by(program, NANDO_FALLBACK_KERNELS="0")
    assert inside.strip()
    assert said_by(program, NANDO_FALLBACK_KERNELS="1") == inside


def command(*arguments):
    return COMMAND.format(arguments=", ".join(map(repr, arguments)))


def rating(*puzzles):
    return RATE.format(puzzles=", ".join(f"Sudoku({text!r})" for text in puzzles))


@pytest.mark.thorough
def test_results_are_the_same():
    assert_same_in_both(COUNT)


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [
        rating(EASY),
        rating(EASY, HARD, MINIMAL),
        command("explain", MINIMAL),
        command("explain", NURIKABE),
        command("rate", NURIKABE),
        command("features", HARD),
        command("generate", "--target", "8min", "--count", "2", "--seed", "7"),
        command("generate", "--kind", "nurikabe", "--size", "6x6", "--count", "2", "--seed", "7"),
        command("generate", "--order", "4", "--no-rating", "--seed", "7"),
    ],
    ids=lambda program: program.split("[")[-1][:40],
)
def test_results_are_the_same_for_all_commands(program):
    assert_same_in_both(program)


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


HOME = """
from nando.kernels.fallback import process_folder
print(process_folder())
"""


class Copy(Installed):
    """A package like nando with kernels in two modules, one of which calls the other's."""

    INNER = "from nando.kernels.compile import kernel\n@kernel\ndef inner(n):\n    return n + 1\n"
    OUTER = (
        "from nando.kernels.compile import kernel\nfrom nando.puzzles.inner import inner\n"
        "@kernel\ndef outer(n):\n    return inner(n)\n"
    )
    CALL = """
from nando.puzzles.outer import outer
n = outer(1)
stats = outer.dispatcher.stats
print(n, sum(stats.cache_hits.values()), stats.cache_path)
"""

    def __init__(self, folder):
        super().__init__(folder, {"inner": self.INNER, "outer": self.OUTER})
        self.inner = self.package / "puzzles" / "inner.py"

    def environment(self, **more):
        return os.environ | {
            "PYTHONPATH": os.pathsep.join([str(self.folder), *filter(None, sys.path)]),
            "NUMBA_CACHE_DIR": str(self.folder / "cache"),
            "XDG_CACHE_HOME": str(self.folder / "user"),
            "NANDO_FALLBACK_KERNELS": "1",
            # Python itself would not see a change of the same age and size.
            "PYTHONDONTWRITEBYTECODE": "1",
            **more,
        }

    def start(self, program=CALL, **more):
        return subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=self.folder,
            env=self.environment(**more),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, program=CALL, **more):
        process = self.start(program, **more)
        out, said = process.communicate()
        assert process.returncode == 0, said
        return *out.split(), said


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


@pytest.mark.thorough
def test_cached_kernels_are_found(copy):
    assert copy.run()[:2] == ("2", "0")
    value, found, where, said = copy.run()
    assert (value, found, said) == ("2", "1", "")
    assert Path(where).is_relative_to(copy.folder / "cache" / "nando")


@pytest.mark.thorough
def test_a_change_in_a_kernel_that_is_called_is_seen(copy):
    assert copy.run()[0] == "2"
    age = copy.inner.stat().st_mtime_ns
    copy.inner.write_text(Copy.INNER.replace("n + 1", "n + 5"))
    os.utime(copy.inner, ns=(age, age))
    assert copy.run()[:2] == ("6", "0")


@pytest.mark.thorough
def test_processes_at_the_same_time_have_folders_of_their_own(copy):
    waiting = HOME.replace("print(", "import sys; print(") + "sys.stdout.flush(); input()"
    started = [copy.start(waiting) for _ in range(3)]
    folders = {process.stdout.readline().strip() for process in started}
    assert {Path(folder).name for folder in folders} == {"0", "1", "2"}
    for process in started:
        process.communicate("\n")
    assert copy.run(HOME)[0] == min(folders)


@pytest.mark.thorough
def test_an_unwritable_folder_is_reported_and_nothing_is_kept(copy):
    (copy.folder / "file").write_text("no folder")
    nowhere = {name: str(copy.folder / "file") for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    for _ in range(2):
        value, found, where, said = copy.run(**nowhere)
        assert (value, found, where) == ("2", "0", "None")
        assert said.count("compiled kernels cannot be cached") == 1


@pytest.mark.thorough
def test_compiling_without_a_cache_is_reported(copy):
    telling = "from nando.kernels.extensions import on_first_compile\n"
    telling += "on_first_compile(lambda module: print('compiling'))\n"
    assert copy.run(telling + Copy.CALL)[:2] == ("compiling", "2")
    assert copy.run(telling + Copy.CALL)[0] == "2"


@pytest.mark.thorough
def test_folders_go_when_unused(copy):
    old = copy.folder / "cache" / "nando" / "fallback" / "0" / "inner-0123456789abcdef"
    old.mkdir(parents=True)
    month_ago = time.time() - 30 * 24 * 3600
    os.utime(old, (month_ago, month_ago))
    copy.run()
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

"""Input that would take all memory or never end is refused with a message."""

import bz2
import gzip
import lzma
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.command import run
from helpers.endless import Endless
from helpers.samples.sudokus import LINE

from nando.features import SolverFeatures
from nando.games import load_fill_order
from nando.games import log as games
from nando.games.log import read_games
from nando.generators import random_grid
from nando.puzzles import Nurikabe, PuzzleError, Sudoku, read_puzzles
from nando.puzzles import lines as _lines
from nando.solvers import ExactSearch, Outcome, SearchTime, TabuSearch, count_solutions, status
from nando.solvers.exact.houses import HouseSearch
from nando.solvers.exact.nurikabe import search as nurikabe_search


@pytest.mark.parametrize("kind", [Sudoku, Nurikabe])
@pytest.mark.parametrize("symbol", [b"1", b"x", b" ", b"/", b"["])
def test_a_line_without_end(monkeypatch, kind, symbol):
    monkeypatch.setattr(_lines, "LONGEST_SKIPPED", 1 << 22)
    with pytest.raises(ValueError, match=r"line 1 has more than 4,194,304 characters: not a file"):
        list(read_puzzles(Endless(symbol * 8192), kind))


@pytest.mark.parametrize(
    "packer", [gzip, *(pytest.param(p, marks=pytest.mark.thorough) for p in (bz2, lzma))]
)
@pytest.mark.parametrize(
    "line",
    [b"\n", pytest.param(b"0" * 1000 + b"\n", marks=pytest.mark.thorough), b"0" * 1000],
    ids=["blanks", "lines", "a line"],
)
def test_a_small_file_that_unpacks_to_a_large_one(monkeypatch, packer, line):
    monkeypatch.setattr(_lines, "MOST_UNPACKED", 1 << 20)
    monkeypatch.setattr(_lines, "LONGEST_SKIPPED", 1 << 20)
    packed = packer.compress(line * ((1 << 22) // len(line)))
    with pytest.raises(ValueError, match=r"bytes unpack to more than|line 1 has more than"):
        list(read_puzzles(packed))


def test_a_large_bank_is_no_bomb(monkeypatch):
    monkeypatch.setattr(_lines, "MOST_UNPACKED", 1 << 16)
    rng = np.random.default_rng(0)
    lines = [Sudoku(LINE).shuffled(rng).text for _ in range(3_000)]
    packed = gzip.compress("\n".join(lines).encode())
    assert [entry.puzzle for entry in read_puzzles(packed)] == lines


LIMITED = """
import re, resource
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
from helpers.command import run
from helpers.endless import Endless
from nando.puzzles import Nurikabe, Sudoku, read_puzzles
from nando.solvers import ExactSearch, Limit, status

try:
    list(read_puzzles(Endless(b"1" * 65536)))
except ValueError as error:
    print(error)
print(status(Sudoku("." * 625)))
print(ExactSearch().run(Sudoku("." * 625), limit=Limit(steps=100_000)).outcome.value)
board = "/".join(["." * 200] * 200).encode()
print(*(entry.error for entry in read_puzzles(board, Nurikabe)))
# getrusage starts from the size of the parent process.
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) < 1 << 20)
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
def test_little_memory_is_enough():
    code = f"import sys\nsys.path.append({str(Path(__file__).parent.parent)!r})\n{LIMITED}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said = ran.stdout.splitlines()
    assert said[0].startswith("input: line 1 has more than 268,435,456 characters")
    assert said[1].startswith("several solutions")
    assert said[2] == "solved"
    assert said[3] == "wrong length: 200 rows of 200 cells; at most 100 by 100"
    assert said[4] == "True"


def test_large_sudokus_are_given_up(monkeypatch):
    """Large Sudokus with a third of their givens, which would take years, are given up."""
    grid = random_grid(5, np.random.default_rng(0))
    hard = Sudoku.from_values(grid * (np.random.default_rng(0).random(625) < 0.3))
    monkeypatch.setattr(HouseSearch, "patience", 100)
    assert ExactSearch().run(hard).outcome is Outcome.STEP_LIMIT
    with pytest.raises(PuzzleError, match="not decided: step limit reached after 100 guesses"):
        count_solutions(hard)
    assert "not decided" in str(status(hard))


@pytest.mark.parametrize("command", ["solve", "rate", "explain", "order"])
def test_commands_say_what_is_not_known_of_a_puzzle_that_is_given_up(command, monkeypatch):
    monkeypatch.setattr(nurikabe_search, "_PATIENCE", 0)
    monkeypatch.setattr(nurikabe_search, "_LEAST_PATIENCE", 1)
    hard = "......../.....3.1/.4....../......1./.2.1.?../......1./...1.1.."
    ran = run(command, hard)
    assert ran.exit_code in (1, 2)
    assert "not decided: step limit reached after 1 guesses with no solution" in ran.stderr
    assert "whether it has exactly one is not known" in " ".join(ran.stderr.split())
    assert run("solve", "--count", hard).stdout.splitlines()[1].split() == ["undecided", hard]


def test_many_runs_are_refused_before_they_are_in_memory():
    puzzle = Sudoku(LINE)
    for solver in (SearchTime(), TabuSearch()):
        with pytest.raises(ValueError, match="runs must be at most 1,000,000, got 1,000,000,000"):
            solver.profile(puzzle, runs=10**9)
    with pytest.raises(ValueError, match="runs must be at most 100,000, got 1,000,000"):
        load_fill_order().expected_order(puzzle, runs=10**6)
    with pytest.raises(ValueError, match="runs must be at most 1,000,000"):
        SolverFeatures(["search_time"], runs=10**9).fit_transform([puzzle])


def test_a_board_full_of_faults_is_reported_briefly():
    board = Nurikabe("/".join(["1" * 100] * 100))
    found = status(board)
    assert len(found.faults) > 1_000
    assert len(str(found)) < 2_000
    assert str(found).endswith("more faults")


def test_a_log_of_nothing_but_faults(tmp_path, monkeypatch):
    monkeypatch.setattr(games, "MOST_PROBLEMS", 100)
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"{}\n" * 90)
    assert len(read_games(path).problems) == 90
    path.write_bytes(b"{}\n" * 110)
    with pytest.raises(ValueError, match=r"log.jsonl: more than 100 lines cannot be used"):
        read_games(path)

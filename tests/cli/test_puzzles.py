"""`nando solve`, `canonical` and `features`, on each kind of puzzle."""

import numpy as np
import pytest
from helpers.command import records, rows, run
from helpers.sampled import only
from helpers.samples.sudokus import LINE

from nando.features import default_groups, feature_names
from nando.puzzles import Nurikabe, Sudoku, Variant, format_puzzle, kind_of_text
from nando.solvers import unique_solution

ONE = {
    "sudoku": Sudoku(LINE),
    "nurikabe": Nurikabe("....4./..3.../4...../....../....../3..2.."),
    "variant": Variant("...............1+killer:r2c1r3c1:5+killer:r3c2r4c2:4+diagonals"),
}
SEVERAL = {"sudoku": "." * 81, "nurikabe": "2./..", "variant": "4x4"}
NONE = {
    "sudoku": "12345678." + "." * 8 + "9" + "." * 63,
    "nurikabe": "1./.1",
    "variant": "1..............1+diagonals",
}
KINDS = pytest.mark.parametrize("kind", list(ONE))


def lines_of(kind):
    return "\n".join([ONE[kind].text, SEVERAL[kind], NONE[kind], ONE[kind].text])


@KINDS
def test_count(kind):
    arguments = ("solve", "--count", "--kind", kind)
    found = records(*arguments, stdin=lines_of(kind))
    assert [row["solutions"] for row in found] == [1, 2, 0, 1]
    shown = run(*arguments, stdin=lines_of(kind))
    assert [line.split()[0] for line in shown.stdout.splitlines()[1:]] == ["1", "2+", "0", "1"]
    assert shown.exit_code == 0
    assert run(*arguments, stdin=f"{ONE[kind].text}\nx\n").exit_code == 1


@KINDS
def test_solve(kind):
    solved = run("solve", "--kind", kind, stdin=lines_of(kind))
    assert solved.exit_code == 1
    assert "line 2: several solutions" in solved.stderr
    assert "line 3: " in solved.stderr
    puzzle = ONE[kind]
    solution = puzzle.solution_text(unique_solution(puzzle))
    assert solved.stdout == f"{solution}\n" * 2
    (row,) = records("solve", stdin=puzzle.text)
    assert (row["solution"], row["outcome"]) == (solution, "exhausted")


@pytest.mark.parametrize("kind", ["sudoku", "nurikabe"])
@pytest.mark.parametrize("method", only(["refutation"], ["refutation", "brute_force", "annealing"]))
def test_solve_by_another_method(kind, method):
    solved = run("solve", "--method", method, "--seed", 1, "--kind", kind, stdin=ONE[kind].text)
    assert solved.stdout == run("solve", stdin=ONE[kind].text).stdout


def test_a_method_that_does_not_solve_a_puzzle():
    result = run("solve", "--method", "annealing", "--steps", "10", stdin=ONE["sudoku"].text)
    assert result.stdout == "# line 1: not solved (step limit)\n"


@KINDS
def test_canonical(kind):
    images = [ONE[kind].shuffled(np.random.default_rng(seed)).text for seed in range(8)]
    result = run("canonical", "--kind", kind, stdin="\n".join(images))
    assert set(result.stdout.split()) == {ONE[kind].equivalence_key()}


@KINDS
def test_features(kind):
    first, bad, *_ = rows("features", "--runs", "2", stdin=lines_of(kind), exit_code=1)
    names = feature_names(default_groups(kind))
    assert list(first)[2:-2] == names
    assert np.isfinite([float(first[name]) for name in names]).all()
    assert {bad[name] for name in names} == {""}
    assert bad["error"].startswith("several solutions")


def test_some_groups_of_features():
    (row,) = records("features", "--groups", "givens", stdin=ONE["sudoku"].text)
    assert row["givens"] == 30.0


def test_the_kind_is_that_of_the_first_puzzle(tmp_path):
    bank, grid = tmp_path / "bank.csv", tmp_path / "sudoku.txt"
    bank.write_text(f"name,puzzle\none,{ONE['nurikabe'].text}\n", encoding="utf-8")
    grid.write_text("# a/b\n53..7....\n" + ".........\n" * 8, encoding="utf-8")
    assert [run("solve", "--count", file).stdout.split()[2] for file in (bank, grid)] == ["1", "2+"]
    assert kind_of_text(format_puzzle(ONE["nurikabe"], "puzz.link")) == "nurikabe"

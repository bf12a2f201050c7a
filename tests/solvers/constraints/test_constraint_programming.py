"""Lewis's constraint programming step, and annealing after it."""

from itertools import combinations

import numpy as np
import pytest
from helpers.data import stored
from helpers.oracles.singles import Grid
from helpers.samples.sudokus import EASY, ESCARGOT, MEDIUM

from nando.puzzles import Sudoku
from nando.solvers import Annealing, Limit, Outcome, Rule, solve
from nando.solvers.constraints.constraint_programming import ConstraintProgramming, HybridAnnealing

pytestmark = pytest.mark.thorough

LEWIS = Sudoku("........818...23...6..57..1.7.96.....9.7.4.1.....81.4.6..24..8...45...935........")
KINDS = ("row", "column", "box")
SUBSETS = [kinds for n in range(4) for kinds in combinations(KINDS, n)]


def houses(grid, kind):
    if kind == "box":
        return grid.boxes
    return grid.lines[: grid.size] if kind == "row" else grid.lines[grid.size :]


def step_as_written(puzzle, kinds):
    """Fill cell after cell: the first naked single, or else the first hidden one."""
    grid = Grid(puzzle.givens.tolist())
    filled = []

    def next_single():
        for cell in range(len(grid.values)):
            if len(grid.candidates(cell)) == 1:
                return cell, *grid.candidates(cell), Rule.NAKED_SINGLE
        candidates = [grid.candidates(cell) for cell in range(len(grid.values))]
        for kind in kinds:
            for house in houses(grid, kind):
                for cell in house:
                    others = [candidates[other] for other in house if other != cell]
                    lone = candidates[cell].difference(*others)
                    if lone:
                        return cell, *lone, Rule.HIDDEN_SINGLE
        return None

    while (single := next_single()) is not None:
        filled.append(single)
        grid.values[single[0]] = single[1]
    return filled


@pytest.mark.parametrize("kinds", SUBSETS)
@pytest.mark.parametrize("puzzle", [EASY, MEDIUM, LEWIS, ESCARGOT], ids=str)
def test_cells_are_filled_in_the_order_written(puzzle, kinds):
    run = ConstraintProgramming(kinds).run(puzzle)
    trace = run.trace
    found = list(zip(trace["cell"], trace["value"], trace["rule"], strict=True))
    assert found == step_as_written(puzzle, kinds)
    assert trace["step"].tolist() == list(range(1, len(trace) + 1))
    assert (trace["options"] >= 1).all()


def test_fixed_cells_of_the_large_orders():
    for order in (4, 5):
        solution = np.asarray(solve(Sudoku("." * order**4)))
        keep = np.random.default_rng(0).random(order**4) < 0.7
        puzzle = Sudoku.from_values(np.where(keep, solution, 0))
        values = ConstraintProgramming().fixed(puzzle)
        if order == 4:
            assert not Grid(values.tolist()).ways()
        assert ((values == solution) | (values == 0)).all()
        share = ConstraintProgramming().profile(puzzle).fixed_share
        assert share == np.count_nonzero(values) / order**4
        assert share > 0.95


def test_solved_stuck_and_cut():
    whole = ConstraintProgramming().run(EASY)
    assert whole.outcome is Outcome.SOLVED
    assert (whole.solution == solve(EASY)).all()
    cut = ConstraintProgramming().run(EASY, limit=Limit(steps=5))
    assert (cut.outcome, cut.steps, len(cut.trace)) == (Outcome.STEP_LIMIT, 5, 5)
    stuck = ConstraintProgramming().run(ESCARGOT)
    assert (stuck.outcome, stuck.steps, stuck.solution) == (Outcome.STUCK, 1, None)
    profile = ConstraintProgramming().profile(EASY)
    assert profile.solved
    assert profile.fixed_share == 1
    assert profile.naked + profile.hidden == 81 - EASY.n_givens
    full = Sudoku.from_values(solve(EASY))
    assert ConstraintProgramming().run(full).outcome is Outcome.SOLVED


def test_contradictions_end_the_step():
    clash = Sudoku("11" + "." * 79)
    assert ConstraintProgramming().run(clash).steps == 0
    # The first cell has no candidate: 1 to 8 in its row, 9 in its column.
    none_left = Sudoku(".12345678" + "9" + "." * 71)
    assert ConstraintProgramming().run(none_left).outcome is Outcome.STUCK
    wrong = EASY.givens.copy()
    cell = np.flatnonzero(wrong == 0)[0]
    for value in range(1, 10):
        wrong[cell] = value
        run = ConstraintProgramming().run(Sudoku.from_values(wrong))
        assert (run.outcome is Outcome.SOLVED) == (value == solve(EASY)[cell])


def test_hybrid_anneals_only_the_remaining_cells():
    hybrid = HybridAnnealing(ConstraintProgramming(("row",)))
    fixed = hybrid.programming.fixed(LEWIS)
    run = hybrid.run(LEWIS, rng=1)
    assert run.outcome is Outcome.SOLVED
    assert (run.solution == solve(LEWIS)).all()
    filled = run.trace[: np.count_nonzero(fixed) - LEWIS.n_givens]
    assert (filled["step"] == 0).all()
    assert np.isin(filled["rule"], [Rule.NAKED_SINGLE, Rule.HIDDEN_SINGLE]).all()
    swapped = run.trace[len(filled) :]
    assert (swapped["rule"] == Rule.SWAP).all()
    assert sorted(swapped["cell"]) == np.flatnonzero(fixed == 0).tolist()
    left = Sudoku.from_values(fixed)
    assert run.steps == Annealing.lewis().run(left, rng=1).steps > 0


def test_hybrid_makes_no_move_where_none_is_needed():
    run = HybridAnnealing().run(EASY, rng=0)
    assert (run.outcome, run.steps) == (Outcome.SOLVED, 0)
    profile = HybridAnnealing().profile(EASY, runs=3, rng=0)
    assert (profile.fixed_share, profile.solved_share, profile.steps_when_solved) == (1, 1, 0)


@pytest.mark.parametrize(
    ("kinds", "fixed", "solved"),
    [
        ((), 0.212, 0.0),
        (("row",), 0.3085, 0.008),
        (("column",), 0.3085, 0.008),
        (("box",), 0.302, 0.019),
        (("row", "column"), 0.560, 0.209),
        (("row", "box"), 0.469, 0.148),
        (("column", "box"), 0.469, 0.148),
        (KINDS, 0.715, 0.446),
    ],
)
def test_shares_on_17_clue_puzzles(kinds, fixed, solved):
    """A sample agrees with all 49,151 puzzles; Lewis printed a fixed share of 0.30.

    Copies of the list differ in orientation, so half of the puzzles are transposed here; the
    numbers are means of those measured for both orientations.
    """
    programming = ConstraintProgramming(kinds)
    lines = stored("tdoku/17_clue_sample.txt").read_text().split()
    puzzles = [Sudoku(line) for line in lines if len(line) == 81]
    puzzles[::2] = [Sudoku.from_values(p.givens.reshape(9, 9).T) for p in puzzles[::2]]
    profiles = [programming.profile(puzzle) for puzzle in puzzles]
    assert np.mean([p.fixed_share for p in profiles]) == pytest.approx(fixed, abs=0.015)
    assert np.mean([p.solved for p in profiles]) == pytest.approx(solved, abs=0.03)

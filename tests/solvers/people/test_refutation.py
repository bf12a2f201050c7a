"""Refutation-based propagation against its definition."""

import pickle
import random

import numpy as np
import pytest
from helpers.oracles.singles import Grid, refutation_run
from helpers.plain_kernels import compiled_kernels, plain_kernels
from helpers.samples.sudokus import EASY, ESCARGOT, STUCK

from nando.puzzles import PuzzleError, Sudoku
from nando.solvers import Limit, Outcome, Refutation, Rule
from nando.solvers.exact.search import unique_solution
from nando.solvers.people import sudoku_refutation as module
from nando.solvers.singles import copy_of, given_state

DRAWN = Sudoku("...7..8....6....31.4...2....24.7.....1..3..8.....6.29....8...7.86....5....2..6...")
"""Stuck once, with a refutation whose length is a matter of luck."""


def test_every_step_of_a_run_agrees_with_the_definition():
    for puzzle in (EASY, STUCK):
        run = Refutation().run(puzzle, rng=3)
        grid = Grid(puzzle.givens.tolist())
        for step in run.trace:
            ways = grid.ways()
            cell, value = int(step["cell"]), int(step["value"])
            assert step["options"] == len(ways)
            assert value == run.solution[cell]
            if ways:
                kinds = {way for way, _ in ways[cell]}
                hidden = kinds & {"box", "line"}
                assert step["rule"] == (Rule.HIDDEN_SINGLE if hidden else Rule.NAKED_SINGLE)
                assert step["cost"] == 0
            else:
                assert step["rule"] == Rule.REFUTATION
                assert step["cost"] >= 1
            grid.values[cell] = value
        assert puzzle.is_solution(np.array(grid.values, np.int8))


@pytest.mark.thorough
def test_scores_have_the_distribution_of_the_definition():
    """The kernel stops refutations early, which must not change the distribution of scores."""
    solution = unique_solution(DRAWN)
    chance = random.Random(5)
    naive = np.array(
        [
            sum(s[2] for s in refutation_run(DRAWN.givens.tolist(), solution.tolist(), chance))
            for _ in range(12)
        ],
        float,
    )
    ours = np.array([Refutation().run(DRAWN, rng=seed).trace["cost"].sum() for seed in range(300)])
    error = np.sqrt(naive.var(ddof=1) / len(naive) + ours.var(ddof=1) / len(ours))
    assert abs(naive.mean() - ours.mean()) < 4 * error


def test_profile_is_the_mean_of_its_runs():
    rng = np.random.default_rng(11)
    traces = [Refutation().run(STUCK, rng=rng).trace for _ in range(7)]
    profile = Refutation().profile(STUCK, runs=7, rng=11)
    assert profile.refutation_sum == pytest.approx(np.mean([t["cost"].sum() for t in traces]))
    assert profile.refutation_max == pytest.approx(np.mean([t["cost"].max() for t in traces]))
    stuck = [(t["rule"] == Rule.REFUTATION).sum() for t in traces]
    assert profile.stuck_steps == pytest.approx(np.mean(stuck))
    np.testing.assert_allclose(profile.possibilities, np.mean([t["options"] for t in traces], 0))
    assert profile.dependency(25) == pytest.approx(profile.possibilities[:25].mean())
    filled = profile.order[STUCK.givens == 0]
    assert filled.sum() == pytest.approx(np.arange(1, len(filled) + 1).sum())


def test_counting_the_assumption_adds_one_per_wrong_candidate():
    from_one = Refutation().profile(STUCK, runs=40, rng=0).refutation_sum
    from_zero = Refutation(count_assumption=False).profile(STUCK, runs=40, rng=0).refutation_sum
    assert from_one > from_zero >= 0


def test_simple_puzzles_never_get_stuck():
    profile = Refutation().profile(EASY, runs=5, rng=0)
    assert profile.refutation_sum == profile.stuck_steps == profile.refutation_max == 0
    assert (profile.possibilities >= 1).all()


def test_escargot_cannot_be_refuted_by_singles_at_first():
    profile = Refutation().profile(ESCARGOT, runs=5, rng=0)
    assert profile.unrefuted_steps >= 1
    assert profile.refutation_max == 100
    run = Refutation(unrefuted_score=7.0).run(ESCARGOT, rng=0)
    assert run.trace["cost"].max() >= 7
    assert run.outcome is Outcome.SOLVED


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", [EASY, STUCK])
def test_compiled_and_plain_agree(puzzle):
    with compiled_kernels():
        compiled = Refutation().run(puzzle, rng=9).trace
    trace = np.zeros_like(compiled)
    state, solution = given_state(puzzle), unique_solution(puzzle)
    assumed, rng = copy_of(state), np.random.default_rng(9)
    with plain_kernels(drawing=True):
        module._fill(state, assumed, puzzle.layout, solution, (1, 100.0), rng, trace)
    assert (trace == compiled).all()


def test_seeds_make_runs():
    assert (Refutation().run(EASY, rng=1).trace == Refutation().run(EASY, rng=1).trace).all()
    assert (Refutation().run(EASY, rng=1).trace != Refutation().run(EASY, rng=2).trace).any()


def test_relabelling_leaves_deterministic_numbers_unchanged():
    shuffled = EASY.shuffled(np.random.default_rng(0))
    ours = Refutation().profile(EASY, runs=3, rng=0).possibilities[0]
    assert Refutation().profile(shuffled, runs=3, rng=0).possibilities[0] == ours


def test_budget_and_bad_input():
    run = Refutation().run(EASY, limit=Limit(steps=5), rng=0)
    assert run.outcome is Outcome.STEP_LIMIT
    assert len(run.trace) == 5
    assert run.solution is None
    with pytest.raises(PuzzleError, match="several solutions"):
        Refutation().run(Sudoku("." * 81))
    assert pickle.loads(pickle.dumps(Refutation())) == Refutation()


def test_a_full_grid_needs_no_step():
    full = Sudoku.from_values(unique_solution(EASY))
    profile = Refutation().profile(full, runs=3, rng=0)
    assert profile.possibilities.size == 0
    assert profile.dependency() == 0

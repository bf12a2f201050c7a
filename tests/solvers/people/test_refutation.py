"""Refutation-based propagation against its definition."""

import random

import numpy as np
import pytest
from helpers.oracles.singles import Grid, refutation_run
from helpers.samples.sudokus import EASY, ESCARGOT, STUCK

from nando.puzzles import Sudoku
from nando.solvers import Outcome, Refutation, Rule
from nando.solvers.exact.search import unique_solution

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


def test_the_dependency_is_the_mean_of_the_first_steps():
    profile = Refutation().profile(STUCK, runs=7, rng=11)
    assert profile.dependency(25) == pytest.approx(profile.possibilities[:25].mean())


def test_counting_the_assumption_adds_one_per_wrong_candidate():
    from_one = Refutation().profile(STUCK, runs=40, rng=0).refutation_sum
    from_zero = Refutation(count_assumption=False).profile(STUCK, runs=40, rng=0).refutation_sum
    assert from_one > from_zero >= 0


def test_escargot_cannot_be_refuted_by_singles_at_first():
    profile = Refutation().profile(ESCARGOT, runs=5, rng=0)
    assert profile.unrefuted_steps >= 1
    assert profile.refutation_max == 100
    run = Refutation(unrefuted_score=7.0).run(ESCARGOT, rng=0)
    assert run.trace["cost"].max() >= 7
    assert run.outcome is Outcome.SOLVED


def test_a_full_grid_needs_no_step():
    full = Sudoku.from_values(unique_solution(EASY))
    profile = Refutation().profile(full, runs=3, rng=0)
    assert profile.possibilities.size == 0
    assert profile.dependency() == 0

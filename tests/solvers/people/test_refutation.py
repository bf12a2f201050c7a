"""Refutation-based propagation and the search-time race against their definitions."""

import random

import numpy as np
import pytest
from helpers.oracles.singles import Grid, refutation_run
from helpers.samples.sudokus import EASY, ESCARGOT, STUCK

from nando.puzzles import Sudoku
from nando.solvers import Outcome, Refutation, Rule, SearchTime
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


# Search time


RATES = {"box": 1.0, "line": 0.4, "naked": 0.06, "last": 0.7}


def _total_rate(ways):
    return sum(RATES[way] for found in ways.values() for way, _ in found)


@pytest.mark.parametrize("puzzle", [EASY, STUCK])
def test_every_step_takes_the_time_of_the_definition(puzzle):
    run = SearchTime().run(puzzle, rng=4)
    grid = Grid(puzzle.givens.tolist())
    for step in run.trace:
        ways = grid.ways()
        assert step["options"] == len(ways)
        if ways:
            assert int(step["cell"]) in ways
            assert step["cost"] == pytest.approx(0.05 + 1 / _total_rate(ways))
        else:
            assert step["rule"] == Rule.GUESS
            assert step["cost"] == pytest.approx(8.05)
            fewest = min(len(grid.candidates(c)) for c in range(81) if not grid.values[c])
            assert len(grid.candidates(int(step["cell"]))) == fewest
        grid.values[int(step["cell"])] = int(step["value"])
    assert puzzle.is_solution(np.array(grid.values, np.int8))


def test_cells_are_found_in_proportion_to_their_rates():
    grid = Grid(EASY.givens.tolist())
    ways = grid.ways()
    total = _total_rate(ways)
    draws = 2000
    rng = np.random.default_rng(0)
    first = [int(SearchTime().run(EASY, rng=rng).trace["cell"][0]) for _ in range(draws)]
    for cell, found in ways.items():
        share = sum(RATES[way] for way, _ in found) / total
        error = np.sqrt(share * (1 - share) / draws)
        assert abs(first.count(cell) / draws - share) < 5 * error


def test_faster_eyes_make_shorter_times():
    slow = SearchTime(naked_rate=0.01).profile(EASY, runs=20, rng=0).total
    fast = SearchTime(naked_rate=1.0).profile(EASY, runs=20, rng=0).total
    assert fast < slow

"""Harmony search."""

import numpy as np
import pytest
from helpers.oracles.missing_symbols import missing_symbols
from helpers.samples.sudokus import EASY

from nando.puzzles import Sudoku
from nando.solvers import HarmonySearch, Limit, Outcome, solve
from nando.solvers.protocol import N_ROWS
from nando.solvers.search import harmony as module
from nando.solvers.search.harmony import new_memory, sum_distance

pytestmark = pytest.mark.thorough

FALSE_ZERO = np.array(
    [
        int(symbol)
        for symbol in (
            "835465923265319874493827651577743219942186735317592486774651348654238197138974562"
        )
    ],
    np.int8,
)


def test_sums_of_an_invalid_grid_can_all_be_right():
    assert sum_distance(FALSE_ZERO, EASY.layout) == 0
    assert not EASY.is_solution(FALSE_ZERO)


def blanked(values, cells):
    values = values.copy()
    values[cells] = 0
    return Sudoku.from_values(values)


@pytest.mark.parametrize("limit", [None, Limit(steps=9_999)])
def test_a_false_zero_is_not_called_solved(limit):
    run = HarmonySearch(fitness="sum").run(blanked(FALSE_ZERO, [0, 40]), limit=limit, rng=2)
    assert run.trace["cost"][-1] == 0
    assert run.steps < 9_999
    assert (run.outcome, run.solution) == (Outcome.STUCK, None)


@pytest.mark.parametrize("fitness", ["missing", "sum"])
def test_a_true_zero_is_called_solved(fitness):
    puzzle = blanked(solve(EASY), [0, 40, 80])
    run = HarmonySearch(fitness=fitness).run(puzzle, rng=2)
    assert run.outcome is Outcome.SOLVED
    assert puzzle.is_solution(run.solution)


def empty_memory(members, improvisations):
    return new_memory(members, 81, improvisations)


@pytest.mark.parametrize("fitness", ["missing", "sum"])
def test_best_cost_falls_and_is_that_of_the_grid(fitness):
    search = HarmonySearch(improvisations=2_000, fitness=fitness)
    memory = empty_memory(50, 2_000)
    rng = np.random.default_rng(0)
    on = memory, EASY.givens, module.sudoku_objective(EASY), fitness == "sum"
    module.fill_memory(*on, rng)
    module.improvise(*on, (0.7, 0.1), rng, 2_000)
    best = memory.best
    costs = memory.trace["cost"][: memory.progress[N_ROWS]]
    assert (np.diff(costs) < 0).all()
    cost = sum_distance(best, EASY.layout) if fitness == "sum" else missing_symbols(EASY, best)
    assert cost == costs[-1] == memory.trace["cost"][memory.progress[N_ROWS] - 1]
    given = EASY.givens > 0
    assert (best[given] == EASY.givens[given]).all()
    run = search.run(EASY, rng=0)
    assert run.trace["cost"].tolist() == costs.tolist()


def test_no_ordinary_puzzle_is_ever_solved():
    profile = HarmonySearch().profile(EASY, runs=3, rng=0)
    assert profile.solved_share == 0
    assert profile.best_cost > 10

"""Harmony search."""

import numpy as np
import pytest

from nando.puzzles import Sudoku
from nando.solvers import HarmonySearch, Limit, Outcome
from nando.solvers import harmony as module
from nando.solvers._sudoku_cost import missing_symbols

EASY = Sudoku("..867.4.24.23...9.37..2.......4...5.89.251.67.1...3.......9..73.3...52.17.5.329..")
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
    assert module.sum_distance(EASY, FALSE_ZERO) == 0
    assert not EASY.is_solution(FALSE_ZERO)


def test_a_false_zero_is_not_called_solved():
    puzzle = Sudoku("." * 81)
    run = HarmonySearch(fitness="sum", improvisations=60_000).run(puzzle, rng=2)
    solved = run.outcome is Outcome.SOLVED
    assert solved == (run.solution is not None and puzzle.is_solution(run.solution))


@pytest.mark.parametrize("fitness", ["missing", "sum"])
def test_best_cost_falls_and_is_that_of_the_grid(fitness):
    search = HarmonySearch(improvisations=2_000, fitness=fitness)
    best = np.zeros(81, np.int8)
    progress = np.zeros((2_001, 2), np.int64)
    _, rows = module._improvise(
        EASY.givens,
        EASY.layout,
        (50, 2_000, fitness == "sum"),
        (0.7, 0.1),
        np.random.default_rng(0),
        best,
        progress,
    )
    costs = progress[:rows, 1]
    assert (np.diff(costs) < 0).all()
    measure = module.sum_distance if fitness == "sum" else missing_symbols
    assert measure(EASY, best) == costs[-1]
    given = EASY.givens > 0
    assert (best[given] == EASY.givens[given]).all()
    run = search.run(EASY, rng=0)
    assert run.trace["cost"].tolist() == costs.tolist()


def test_no_ordinary_puzzle_is_ever_solved():
    profile = HarmonySearch().profile(EASY, runs=3, rng=0)
    assert profile.solved_share == 0
    assert profile.best_cost > 10


def test_compiled_and_plain_agree():
    results = []
    plain = getattr(module._improvise, "py_func", module._improvise)
    for improvise in (module._improvise, plain):
        best = np.zeros(81, np.int8)
        progress = np.zeros((61, 2), np.int64)
        rng = np.random.default_rng(3)
        steps = improvise(EASY.givens, EASY.layout, (5, 60, False), (0.7, 0.1), rng, best, progress)
        results.append((tuple(steps), best.tolist(), progress.tolist()))
    assert results[0] == results[1]


def test_seeds_and_budget():
    search = HarmonySearch(improvisations=500)
    assert (search.run(EASY, rng=1).trace == search.run(EASY, rng=1).trace).all()
    run = search.run(EASY, limit=Limit(steps=20), rng=1)
    assert (run.outcome, run.steps) == (Outcome.STEP_LIMIT, 20)
    assert HarmonySearch(improvisations=50).run(Sudoku("." * 256), rng=0).steps == 50


def test_parameters_are_checked():
    with pytest.raises(ValueError, match="memory_size must be at least 1, got 0"):
        HarmonySearch(memory_size=0)
    with pytest.raises(ValueError, match=r"considering_rate must be from 0 to 1, got 1.5"):
        HarmonySearch(considering_rate=1.5)
    with pytest.raises(ValueError, match="fitness must be 'missing' or 'sum', got 'x'"):
        HarmonySearch(fitness="x")

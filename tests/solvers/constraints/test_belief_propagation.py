"""Loopy belief propagation against sums over permutations and messages kept in dictionaries."""

import itertools
import math

import numpy as np
import pytest
from helpers.oracles.domains import PUZZLES

from nando.puzzles import Sudoku
from nando.solvers import BeliefPropagation, Outcome, solve
from nando.solvers.constraints import belief_propagation as module

pytestmark = pytest.mark.thorough


def summed(beliefs, k, value):
    """Sum the products of the others' beliefs over permutations that give `value` to cell k."""
    n = len(beliefs)
    return sum(
        math.prod(beliefs[j][p[j]] for j in range(n) if j != k)
        for p in itertools.permutations(range(n))
        if p[k] == value
    )


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_a_house_sums_over_all_permutations(n):
    beliefs = np.random.default_rng(n).random((n, n))
    received, before, after = np.empty((n, n)), np.empty(1 << n), np.empty(1 << n)
    module._sum_product(beliefs, received, before, after)
    wanted = [[summed(beliefs, k, value) for value in range(n)] for k in range(n)]
    np.testing.assert_allclose(received, wanted, rtol=1e-12)


def trace_by_definition(puzzle, iterations, damping):
    """Return entropy and clashes of each iteration over all houses at once, by definition."""
    houses = puzzle.layout.houses.tolist()
    open_cells = [[c for c in cells if not puzzle.givens[c]] for cells in houses]
    lacking = [sorted(set(range(1, 10)) - set(puzzle.givens[cells].tolist())) for cells in houses]
    received = {
        (house, cell): dict.fromkeys(lacking[house], 1.0)
        for house in range(27)
        for cell in open_cells[house]
    }
    rows = []
    for _ in range(iterations):
        new = {}
        for house in range(27):
            believed = []
            for cell in open_cells[house]:
                answer = {}
                for value in lacking[house]:
                    answer[value] = 1.0
                    for other in puzzle.layout.house_of[cell].tolist():
                        if other != house:
                            answer[value] *= received[other, cell].get(value, 0.0)
                total = sum(answer.values())
                believed.append([answer[value] / total for value in lacking[house]])
            for k, cell in enumerate(open_cells[house]):
                sums = [summed(believed, k, v) for v in range(len(lacking[house]))]
                old_total = sum(received[house, cell].values())
                new[house, cell] = {
                    value: (1 - damping) * sums[v] / sum(sums)
                    + damping * (sums[v] > 0) * received[house, cell][value] / old_total
                    for v, value in enumerate(lacking[house])
                }
        received = new
        entropy, values = 0.0, puzzle.givens.tolist()
        for cell in np.flatnonzero(puzzle.givens == 0).tolist():
            chances = {
                value: math.prod(received[house, cell].get(value, 0.0) for house in of_cell)
                for of_cell in [puzzle.layout.house_of[cell].tolist()]
                for value in range(1, 10)
            }
            total = sum(chances.values())
            values[cell] = max(chances, key=chances.get)
            entropy -= sum(c / total * math.log2(c / total) for c in chances.values() if c > 0)
        clashes = sum(
            any(values[peer] == values[cell] for peer in puzzle.layout.peers[cell])
            for cell in range(81)
        )
        rows.append((entropy, clashes))
    return rows


@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_messages_follow_the_definition(damping):
    # Leave at most five empty cells per house, some of them with two fillings.
    solution = solve(PUZZLES["s01a"])
    values = solution.copy()
    values[np.random.default_rng(4).permutation(81)[:30]] = 0
    puzzle = Sudoku.from_values(values)
    run = BeliefPropagation(damping=damping, iterations=4).run(puzzle)
    wanted = trace_by_definition(puzzle, run.steps, damping)
    np.testing.assert_allclose(run.trace["cost"], [row[0] for row in wanted], rtol=1e-6)
    assert run.trace["options"].tolist() == [row[1] for row in wanted]


@pytest.mark.parametrize("damping", [0.0, 0.2, 0.5])
def test_how_many_are_solved(damping):
    """As many puzzles are solved as the docstring says."""
    runs = [BeliefPropagation(damping=damping).run(puzzle) for puzzle in PUZZLES.values()]
    assert sum(run.outcome is Outcome.SOLVED for run in runs) == 39
    assert {run.outcome for run in runs} == {Outcome.SOLVED, Outcome.STUCK}


def test_an_empty_grid_believes_in_nothing():
    run = BeliefPropagation().run(Sudoku("." * 81))
    assert (run.outcome, run.steps) == (Outcome.STUCK, 1)
    assert run.trace["cost"][0] == pytest.approx(81 * math.log2(9))


def test_wide_houses_are_refused():
    with pytest.raises(ValueError, match="at most 16 empty cells, got one with 25"):
        BeliefPropagation().run(Sudoku("." * 625))


def test_a_run_ends_when_no_cell_is_open_to_doubt():
    options = BeliefPropagation().run(PUZZLES["s02a"]).trace["options"]
    assert options[-1] == 0
    assert (options[:-1] > 0).all()


def test_profile():
    profile = BeliefPropagation().profile(PUZZLES["s02a"])
    run = BeliefPropagation().run(PUZZLES["s02a"])
    assert (profile.solved_share, profile.iterations) == (1.0, run.steps)
    assert profile.entropy == run.trace["cost"][-1]
    assert profile.entropy_sum == pytest.approx(run.trace["cost"].sum())
    full = Sudoku.from_values(solve(PUZZLES["s01a"]))
    assert BeliefPropagation().profile(full).entropy_sum == 0

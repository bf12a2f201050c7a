"""Cuckoo search after AC-3, and harmony search."""

import numpy as np
import pytest
from helpers.oracles.domains import PUZZLES
from helpers.oracles.missing_symbols import missing_symbols
from helpers.samples.sudokus import EASY

from nando.puzzles import Sudoku
from nando.solvers import HarmonySearch, Limit, Outcome, solve
from nando.solvers.protocol import N_ROWS
from nando.solvers.search import cuckoo, harmony
from nando.solvers.search import domain_filters as filters
from nando.solvers.search.cuckoo import CuckooSearch
from nando.solvers.search.harmony import new_memory, sum_distance
from nando.solvers.search.swarms import cross_rows, least_cost

pytestmark = pytest.mark.thorough

LAYOUT = PUZZLES["s16"].layout


def built(puzzle, nests=6, seed=0):
    domains = filters.given_domains(puzzle)
    assert filters.propagate(domains, puzzle.layout, filters.STRENGTHS["ac3"])
    state = cuckoo.new_nests(puzzle, domains, nests)
    assert cuckoo._build_all(state, puzzle.layout, np.random.default_rng(seed))
    return state


def keeps_to_rows_and_candidates(state, values, size):
    assert (state.domains.candidates >> (values - 1) & 1).all()
    assert (np.sort(values.reshape(size, size)) == np.arange(1, size + 1)).all()


@pytest.mark.parametrize("name", ["s01a", "s02a", "s10a", "s14b"])
def test_a_puzzle_that_the_filter_solves_takes_no_iteration(name):
    assert (CuckooSearch().run(PUZZLES[name], rng=1).steps == 0) == (name in ("s01a", "s10a"))


def test_nests_are_random_matchings_of_rows():
    puzzle = PUZZLES["s16"]
    state = built(puzzle, nests=400)
    for values, cost in zip(state.swarm.values, state.swarm.costs, strict=True):
        keeps_to_rows_and_candidates(state, values, 9)
        assert cost == missing_symbols(puzzle, values)
    assert least_cost(state.swarm) == state.swarm.costs.min()
    # Every candidate that fits into its row is drawn sometimes.
    for row in range(9):
        cells = np.arange(9 * row, 9 * row + 9)
        alone = filters.domains_of(state.domains.candidates.copy(), 9)
        assert filters._filter_sets(alone, LAYOUT, row)
        drawn = np.bitwise_or.reduce(1 << (state.swarm.values[:, cells].astype(int) - 1), axis=0)
        assert drawn.tolist() == alone.candidates[cells].tolist()


@pytest.mark.parametrize("best_share", [0.0, 0.4, 1.0])
def test_crossover_is_geometric(best_share):
    """An egg lies between its parents: its distances to both add up to theirs."""
    state = built(PUZZLES["s09b"], nests=40)
    rng = np.random.default_rng(1)
    mixed = 0
    for nest, best in zip(state.swarm.values[::2], state.swarm.values[1::2], strict=True):
        egg = nest.copy()
        cross_rows(egg, best, LAYOUT, best_share, rng)
        assert ((egg == nest) | (egg == best)).all()
        keeps_to_rows_and_candidates(state, egg, 9)
        from_nest, from_best = (egg != nest).sum(), (egg != best).sum()
        assert from_nest + from_best == (nest != best).sum()
        mixed += from_nest > 0 and from_best > 0
        if best_share in (0.0, 1.0):
            assert (from_nest, from_best)[int(best_share)] == 0
    assert (mixed > 0) == (best_share == 0.4)


def test_flights_are_mostly_short():
    state = built(PUZZLES["s09b"])
    rng = np.random.default_rng(2)
    moved = {}
    for exponent in (1.0, 50.0):
        moved[exponent] = []
        for _ in range(2_000):
            state.swarm.child[:] = state.swarm.values[0]
            cuckoo._fly(state, LAYOUT, exponent, rng)
            keeps_to_rows_and_candidates(state, state.swarm.child, 9)
            moved[exponent].append(int((state.swarm.child != state.swarm.values[0]).sum()))
    assert set(moved[50.0]) == {0, 2}
    assert max(moved[1.0]) > 20
    assert np.median(moved[1.0]) <= 2


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_worst_nests_are_abandoned_and_the_best_kept(share):
    state = built(PUZZLES["s16"], nests=8)
    before = state.swarm.costs.copy()
    settings = (int(share * 8), 0.0, 50.0)
    cuckoo._breed(state, LAYOUT, settings, np.random.default_rng(0), 1)
    order = np.argsort(before, kind="stable")
    assert state.swarm.costs[order[0]] <= before[order[0]]
    # A flight changes two cells at most; a new nest differs in many.
    fresh = built(PUZZLES["s16"], nests=8)
    n_new = int(((state.swarm.values != fresh.swarm.values).sum(axis=1) > 2).sum())
    assert n_new == min(int(share * 8), 7)
    for values, cost in zip(state.swarm.values, state.swarm.costs, strict=True):
        assert cost == missing_symbols(PUZZLES["s16"], values)


def test_a_proof_of_no_solution_ends_the_search():
    """AC-3 leaves 7 and 8 to the last three cells of the first row and sees no conflict."""
    run = CuckooSearch().run(Sudoku("123456" + "." * 9 + "9" + "." * 65), rng=0)
    assert (run.outcome, run.steps, run.solution) == (Outcome.EXHAUSTED, 0, None)


# Harmony search


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
    on = memory, EASY.givens, harmony.sudoku_objective(EASY), fitness == "sum"
    harmony.fill_memory(*on, rng)
    harmony.improvise(*on, (0.7, 0.1), rng, 2_000)
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

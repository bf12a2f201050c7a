"""The search-time race against its definition."""

import numpy as np
import pytest
from helpers.oracles.singles import Grid
from helpers.plain_kernels import compiled_kernels, plain_kernels
from helpers.samples.sudokus import EASY, STUCK

from nando.solvers import Rule, SearchTime
from nando.solvers.exact.search import unique_solution
from nando.solvers.people import search_time as module
from nando.solvers.singles import given_state

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


def test_profile_is_the_mean_of_its_runs():
    rng = np.random.default_rng(2)
    traces = [SearchTime().run(STUCK, rng=rng).trace for _ in range(6)]
    profile = SearchTime().profile(STUCK, runs=6, rng=2)
    assert profile.total == pytest.approx(np.mean([t["cost"].sum() for t in traces]))
    assert profile.longest == pytest.approx(np.mean([t["cost"].max() for t in traces]))
    assert profile.stuck_steps == pytest.approx(
        np.mean([(t["options"] == 0).sum() for t in traces])
    )
    np.testing.assert_allclose(profile.times, np.mean([t["cost"] for t in traces], axis=0))


@pytest.mark.thorough
def test_compiled_and_plain_agree():
    race = SearchTime()
    with compiled_kernels():
        compiled = race.run(STUCK, rng=9).trace
    trace = np.zeros_like(compiled)
    state, solution = given_state(STUCK), unique_solution(STUCK)
    with plain_kernels(drawing=True):
        settings = (race._rates, race._times(), np.zeros(81))
        module._race(state, STUCK.layout, solution, settings, np.random.default_rng(9), trace)
    for field in trace.dtype.names:
        np.testing.assert_allclose(trace[field], compiled[field], rtol=1e-12)


def test_faster_eyes_make_shorter_times():
    slow = SearchTime(naked_rate=0.01).profile(EASY, runs=20, rng=0).total
    fast = SearchTime(naked_rate=1.0).profile(EASY, runs=20, rng=0).total
    assert fast < slow

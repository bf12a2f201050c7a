"""The search-time race against its definition."""

import numpy as np
import pytest
from helpers.oracles.singles import Grid
from helpers.samples.sudokus import EASY, STUCK

from nando.solvers import Rule, SearchTime

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

"""The chaos-based solver against its equations, written down naively and integrated by scipy."""

import math

import numpy as np
import pytest
from helpers.oracles.backtracking import solutions
from helpers.oracles.domains import PUZZLES
from scipy.integrate import solve_ivp

from nando.puzzles import Sudoku
from nando.solvers import ChaosFlow, Limit, Outcome, solve
from nando.solvers.constraints import chaos as flow_kernels
from nando.solvers.constraints.chaos import arrivals, clauses_of, grid_of
from nando.solvers.protocol import STEPS

pytestmark = pytest.mark.thorough

PUZZLE = PUZZLES["s09b"]


def sign_matrix(clauses):
    """Return c of each clause and variable, 0 where the clause lacks the variable."""
    rows = []
    for first, last in zip(clauses.starts[:-1], clauses.starts[1:], strict=True):
        rows.append(np.zeros(len(clauses.cells)))
        rows[-1][clauses.members[first:last]] = 1
    for pair in clauses.pairs:
        rows.append(np.zeros(len(clauses.cells)))
        rows[-1][pair] = -1
    return np.array(rows)


def slopes_by_definition(signs, state):
    """Return ds/dt and d(log a)/dt as the paper defines them."""
    n = signs.shape[1]
    s, a = state[:n], np.exp(state[n:])
    factors = np.where(signs == 0, 1.0, 1.0 - signs * s)
    k = 2.0 ** -np.abs(signs).sum(axis=1) * factors.prod(axis=1)
    slope = (2 * a * k) @ (signs / factors * k[:, None])
    return np.concatenate([slope, k])


def begun(puzzle=PUZZLE, seed=0):
    clauses = clauses_of(puzzle)
    flow = flow_kernels.new_flow(clauses, np.random.default_rng(seed))
    flow_kernels.begin(flow, clauses)
    return flow, clauses


@pytest.mark.parametrize("name", ["s01a", "s09b", "s12c"])
def test_clauses_follow_the_definition(name):
    puzzle = PUZZLES[name]
    clauses = clauses_of(puzzle)
    allowed = {
        (cell, value)
        for cell in np.flatnonzero(puzzle.givens == 0).tolist()
        for value in range(1, 10)
        if value not in puzzle.givens[puzzle.layout.peers[cell]]
    }
    variables = list(zip(clauses.cells.tolist(), clauses.values.tolist(), strict=True))
    assert set(variables) == allowed
    groups = []
    for name_of in (
        lambda cell, value: cell,
        lambda cell, value: (cell // 9, value),
        lambda cell, value: (cell % 9, value),
        lambda cell, value: (cell // 27, cell % 9 // 3, value),
    ):
        of_name = {}
        for variable, (cell, value) in enumerate(variables):
            of_name.setdefault(name_of(cell, value), set()).add(variable)
        groups += of_name.values()
    starts = zip(clauses.starts[:-1], clauses.starts[1:], strict=True)
    got = [frozenset(clauses.members[first:last].tolist()) for first, last in starts]
    assert sorted(map(sorted, got)) == sorted(map(sorted, groups))
    assert len(clauses.pairs) == sum(math.comb(len(group), 2) for group in groups)
    assert clauses.n_clauses == len(groups) + len(clauses.pairs)


def test_only_solutions_break_no_clause():
    values = solve(PUZZLES["s01a"]).copy()
    values[np.random.default_rng(5).permutation(81)[:61]] = 0
    puzzle = Sudoku.from_values(values)
    found = solutions(values, 50)
    assert len(found) > 10
    flow, clauses = begun(puzzle)
    for grid in found:
        truths = np.array(grid)[clauses.cells] == clauses.values
        flow.s[:] = np.where(truths, 0.1, -0.1)
        flow_kernels._note(flow, clauses)
        assert flow.n_broken == 0
        assert grid_of(clauses, truths, puzzle).tolist() == list(grid)
        for flipped in (0, len(truths) // 2):
            flow.s[flipped] *= -1
            flow_kernels._note(flow, clauses)
            assert flow.n_broken > 0
            flow.s[flipped] *= -1


def test_slopes_follow_the_equations():
    flow, clauses = begun()
    flow.log_a[:] = np.random.default_rng(1).normal(size=len(flow.log_a))
    push, drag, violation = flow.push[0], flow.drag[0], flow.violation[0]
    flow_kernels._derive(flow.s, flow.log_a, clauses, flow.prefix, push, drag, violation)
    signs = sign_matrix(clauses)
    wanted = slopes_by_definition(signs, np.concatenate([flow.s, flow.log_a]))
    np.testing.assert_allclose(push - drag * flow.s, wanted[: len(flow.s)], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(violation, wanted[len(flow.s) :], rtol=1e-9)
    broken = (np.where(signs == 0, -1.0, signs * flow.s) <= 0).all(axis=1).sum()
    assert flow.n_broken == broken


def test_flow_is_that_of_scipy():
    """The difference from scipy's path falls with the tolerance until chaos sets in."""
    flow, clauses = begun()
    signs = sign_matrix(clauses)
    start = np.concatenate([flow.s, flow.log_a])
    path = solve_ivp(
        lambda _, y: slopes_by_definition(signs, y),
        (0, 4),
        start,
        rtol=1e-8,
        atol=1e-8,
        dense_output=True,
    ).sol
    misses = []
    for tolerance in (1e-1, 1e-3, 1e-5):
        flow, _ = begun()
        while flow.clock[flow_kernels.TIME] < 3.5:
            flow_kernels.integrate(flow, clauses, (tolerance, 1e9), int(flow.progress[STEPS]) + 1)
            assert flow.n_broken > 0
        reached = path(flow.clock[flow_kernels.TIME])
        misses.append(np.abs(np.concatenate([flow.s, flow.log_a]) - reached).max())
        assert (np.abs(flow.s) <= 1).all()
    assert misses[0] < 0.3
    # The step error bounds its first-order part, so the path is correct to about that bound.
    assert misses[1] < 3e-3
    assert misses[2] < 3e-5


def rate(times, arrived, transient):
    count, spent = arrivals(times, arrived, transient)
    return count / spent


def test_escape_rate_of_known_decays():
    rng = np.random.default_rng(0)
    times = 30.0 + rng.exponential(200.0, 20_000)
    every = np.ones(len(times), bool)
    assert rate(times, every, 30.0) == pytest.approx(1 / 200, rel=0.03)
    # If counted from before the decay starts, flows seem to take longer.
    assert rate(times, every, 0.0) == pytest.approx(1 / 230, rel=0.03)
    # Flows that were abandoned count with the time for which they were followed.
    left = np.minimum(times, 250.0)
    assert rate(left, times <= 250.0, 30.0) == pytest.approx(1 / 200, rel=0.03)
    # If half arrive before the transient ends, it is taken to end with them.
    assert rate(times, every, 1e4) == pytest.approx(1 / 200, rel=0.03)
    assert arrivals(times, every, 1e4)[0] == 9_999
    assert arrivals(np.full(5, 10.0), np.zeros(5, bool), 20.0) == (0, 0.0)


def test_profile_separates_hard_from_easy():
    easy = ChaosFlow().profile(PUZZLES["s06b"], runs=20, rng=0)
    harder = ChaosFlow().profile(PUZZLES["s04b"], runs=20, rng=0)
    assert easy.solved_share == 1
    assert easy.hardness < 1 < harder.hardness < 2
    assert easy.log_time == pytest.approx(np.log1p(easy.times.mean()))
    assert easy.escape_rate == pytest.approx(10**-easy.hardness)
    assert easy.steps < harder.steps
    assert easy.arrivals == 9
    none = ChaosFlow(horizon=5.0, transient=1.0).profile(PUZZLES["s04b"], runs=3, rng=0)
    assert (none.solved_share, none.arrivals) == (0, 0)
    assert np.isnan(none.hardness)


def test_flows_are_left_at_the_horizon():
    run = ChaosFlow(horizon=25.0, transient=5.0).run(PUZZLES["s12c"], rng=0)
    assert (run.outcome, run.solution) == (Outcome.STUCK, None)
    assert 25.0 <= run.trace["cost"][-1] < 26.0
    assert run.trace["step"][-1] == run.steps < 100_000
    longer = ChaosFlow(horizon=26.0, transient=5.0).run(PUZZLES["s12c"], rng=0)
    assert (longer.trace[:-1] == run.trace[:-1]).all()


def test_time_flows_and_a_short_run_ends_with_where_it_stands():
    run = ChaosFlow().run(PUZZLES["s02a"], rng=1)
    assert (np.diff(run.trace["cost"]) > 0).all()
    short = ChaosFlow().run(PUZZLES["s02a"], limit=Limit(steps=run.steps - 1), rng=1)
    assert short.trace["step"][-1] == short.steps
    assert short.trace["options"][-1] > 0


def test_the_profile_of_a_full_grid():
    full = Sudoku.from_values(solve(PUZZLES["s01a"]))
    profile = ChaosFlow().profile(full, runs=3, rng=0)
    assert (profile.log_time, profile.arrivals) == (0, 0)
    assert np.isnan(profile.hardness)


@pytest.mark.slow
def test_hardness_of_platinum_blonde():
    """The paper has about 3.6; a dozen arrivals in five minutes give an error of 0.13."""
    blonde = Sudoku(
        ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6..."
    )
    profile = ChaosFlow().profile(blonde, runs=559, rng=5)
    assert profile.arrivals >= 5
    assert 3.3 < profile.hardness < 3.95

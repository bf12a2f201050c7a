"""Tabu search for a colouring, after Hertz and de Werra."""

import networkx
import numpy as np
import pytest
from helpers.oracles.domains import PUZZLES, blanked
from helpers.plain_kernels import compiled_and_plain

from nando.puzzles import Sudoku
from nando.solvers import ColouringTabu, Limit, Outcome, Rule, solve
from nando.solvers.constraints.colouring import colouring_graph
from nando.solvers.repeated import N_ROWS
from nando.solvers.search import colouring_tabu as module

pytestmark = pytest.mark.thorough


def n_conflicts(puzzle, colours):
    """Count the edges of the networkx graph between vertices of one colour."""
    return sum(colours[a] == colours[b] for a, b in colouring_graph(puzzle).edges)


@pytest.mark.parametrize("name", ["s01a", "s02a", "s06a", "s10a"])
def test_solves_easy_puzzles(name):
    run = ColouringTabu().run(PUZZLES[name], rng=1)
    assert (run.outcome, run.n_solutions) == (Outcome.SOLVED, 1)
    assert run.solution.tolist() == solve(PUZZLES[name]).tolist()


@pytest.mark.parametrize(("order", "keep"), [(4, 0.55), (5, 0.6)])
def test_larger_orders(order, keep):
    puzzle, _ = blanked(order, keep, 1)
    run = ColouringTabu().run(puzzle, rng=0)
    assert run.outcome is Outcome.SOLVED
    assert run.steps > 0
    assert puzzle.is_solution(run.solution)


@pytest.mark.parametrize("tabu", ["colour", "cell"])
@pytest.mark.parametrize("otherwise", ["best", "any"])
@pytest.mark.parametrize("aspiration", [True, False])
def test_every_move_keeps_the_rules(tabu, otherwise, aspiration):
    """Each move agrees with the definitions, recounted on the graph."""
    puzzle, tenure = PUZZLES["s09b"], 7
    state = module._new_state(puzzle)
    rng = np.random.default_rng(3)
    module._colour_at_random(state, puzzle.layout, rng)
    settings = module._Settings(tenure, tabu == "cell", 12, otherwise == "best", aspiration)
    graph = colouring_graph(puzzle)
    lost = []  # what each iteration took away, the newest last
    before = state.colours.copy()
    least = n_conflicts(puzzle, before)
    worse = 0
    for step in range(1, 101):
        clashing = {cell for cell in graph if any(before[cell] == before[p] for p in graph[cell])}
        module._repair(state, puzzle.layout, settings, step, rng)
        conflicts = n_conflicts(puzzle, state.colours)
        assert state.progress[module._CONFLICTS] == conflicts
        (moved,) = np.nonzero(state.colours != before)
        assert len(moved) <= 1
        if len(moved):
            (cell,) = moved.tolist()
            assert puzzle.givens[cell] == 0
            assert cell in clashing
            taken = (cell, int(state.colours[cell])) if tabu == "colour" else (cell, None)
            if taken in lost[-tenure:]:
                assert aspiration
                assert conflicts < least
            lost.append((cell, int(before[cell])) if tabu == "colour" else (cell, None))
            worse += conflicts > n_conflicts(puzzle, before)
        else:
            lost.append(None)
        least = min(least, conflicts)
        before = state.colours.copy()
        now = {cell for cell in graph if any(before[cell] == before[p] for p in graph[cell])}
        listed = state.clashing[: state.progress[module._N_CLASHING]].tolist()
        assert sorted(listed) == sorted(cell for cell in now if not puzzle.givens[cell])
    assert worse > 0
    assert state.trace["cost"][state.progress[N_ROWS] - 1] == least


def test_counts_agree_with_the_graph():
    puzzle, _ = blanked(4, 0.4, 2)
    state = module._new_state(puzzle)
    module._colour_at_random(state, puzzle.layout, np.random.default_rng(0))
    assert (state.colours[puzzle.givens > 0] == puzzle.givens[puzzle.givens > 0]).all()
    assert set(state.colours.tolist()) == set(range(1, 17))
    assert state.progress[module._CONFLICTS] == n_conflicts(puzzle, state.colours)
    adjacency = networkx.to_numpy_array(colouring_graph(puzzle), nodelist=range(256))
    wanted = adjacency @ (state.colours[:, None] == np.arange(1, 17))
    assert (state.like == wanted).all()


def test_trace_and_budgets():
    search, puzzle = ColouringTabu(), PUZZLES["s03a"]
    run = search.run(puzzle, rng=1)
    assert (search.run(puzzle, rng=1).trace == run.trace).all()
    assert run.trace["step"][[0, -1]].tolist() == [0, run.steps]
    assert (run.trace["cell"][0], run.trace["cost"][-1]) == (-1, 0)
    assert (np.diff(run.trace["cost"]) < 0).all()
    assert (run.trace["options"][1:] >= 1).all()
    assert set(run.trace["rule"]) == {Rule.SWAP}
    short = search.run(puzzle, limit=Limit(steps=run.steps - 1), rng=1)
    assert (short.outcome, short.steps) == (Outcome.STEP_LIMIT, run.steps - 1)
    assert (short.trace == run.trace[:-1]).all()
    assert search.run(puzzle, limit=Limit(steps=run.steps), rng=1).outcome is Outcome.SOLVED
    stuck = ColouringTabu(iterations=10).run(puzzle, rng=1)
    assert (stuck.outcome, stuck.steps, stuck.solution) == (Outcome.STUCK, 10, None)
    late = ColouringTabu().run(PUZZLES["s12c"], limit=Limit(seconds=1e-9), rng=1)
    assert (late.outcome, late.steps) == (Outcome.TIME_LIMIT, module._CHUNK)


def test_conflicting_givens_and_full_grids():
    run = ColouringTabu().run(Sudoku("11" + "." * 79), rng=0)
    assert (run.outcome, run.steps) == (Outcome.EXHAUSTED, 0)
    full = Sudoku.from_values(solve(PUZZLES["s01a"]))
    assert ColouringTabu().run(full, rng=0).outcome is Outcome.SOLVED


def test_profile():
    profile = ColouringTabu(iterations=2_000).profile(PUZZLES["s01a"], runs=6, successes=2, rng=0)
    assert profile.solved_share > 0.5
    assert 0 < profile.iterations_min <= profile.iterations_median <= 2_000


def test_compiled_and_plain_agree():
    search, puzzle, limit = ColouringTabu(), PUZZLES["s12c"], Limit(steps=300)
    compiled, plain = compiled_and_plain(lambda: search.run(puzzle, limit=limit, rng=1), module)
    assert len(plain.trace) > 10
    assert plain.trace.tolist() == compiled.trace.tolist()

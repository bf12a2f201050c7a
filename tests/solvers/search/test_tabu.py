"""Tabu search with domain filters, and for a colouring, after Hertz and de Werra."""

from collections import deque

import networkx
import numpy as np
import pytest
from helpers.oracles.domains import PUZZLES, blanked, given_sets, oracle

from nando.puzzles import Sudoku
from nando.solvers import ColouringTabu, Limit, Outcome, Rule, SolveRun, solve
from nando.solvers.constraints.colouring import colouring_graph
from nando.solvers.protocol import N_ROWS, SuccessProfile
from nando.solvers.search import colouring_tabu, tabu
from nando.solvers.search import domain_filters as filters
from nando.solvers.search.tabu import TabuSearch

pytestmark = pytest.mark.thorough

FILTERS = ("ac3", "alldifferent", "gac")


def test_a_puzzle_that_the_filter_solves_takes_no_iteration():
    run = TabuSearch(domain_filter="gac").run(PUZZLES["s12a"], rng=0)
    assert (run.outcome, run.steps, len(run.trace)) == (Outcome.SOLVED, 0, 0)


@pytest.mark.parametrize("domain_filter", FILTERS)
def test_the_trace_can_be_followed(domain_filter):
    """Every kept assignment, filtered by definition, leaves the cost; a restart the givens."""
    puzzle = PUZZLES["s16"]
    root = given_sets(puzzle)
    assert oracle(root, puzzle.layout, domain_filter)
    domains = [set(values) for values in root]
    run = TabuSearch(domain_filter=domain_filter).run(puzzle, rng=2, limit=Limit(steps=40))
    assert {Rule.GUESS, Rule.BACKTRACK} == set(run.trace["rule"].tolist())
    for row in run.trace:
        if row["rule"] == Rule.GUESS:
            assert len(domains[row["cell"]]) > 1
            assert row["value"] in domains[row["cell"]]
            domains[row["cell"]] = {int(row["value"])}
            assert oracle(domains, puzzle.layout, domain_filter)
            assert 0 < row["options"] <= 10
        else:
            domains = [set(values) for values in root]
            assert (row["cell"], row["options"]) == (-1, 0)
        assert row["cost"] == sum(len(values) > 1 for values in domains)


def test_the_best_candidate_is_kept():
    """With thousands of candidates, every assignment is tried, so none is better."""
    puzzle = PUZZLES["s16"]
    search = TabuSearch(domain_filter="ac3", candidate_list_length=4_000)
    row = search.run(puzzle, rng=0, limit=Limit(steps=1)).trace[0]
    root = given_sets(puzzle)
    oracle(root, puzzle.layout, "ac3")
    costs = {}
    for cell, values in enumerate(root):
        for value in values if len(values) > 1 else ():
            domains = [set(values) for values in root]
            domains[cell] = {value}
            if oracle(domains, puzzle.layout, "ac3"):
                costs[cell, value] = sum(len(values) > 1 for values in domains)
    assert row["cost"] == min(costs.values()) == costs[row["cell"], row["value"]]


@pytest.mark.parametrize("tenure", [0, 1, 7])
def test_the_tabu_list_is_a_queue(tenure):
    domains = filters.given_domains(Sudoku("." * 81))
    search = tabu._search_from(domains, 10, 9)
    queue = deque(maxlen=tenure)
    rng = np.random.default_rng(0)
    for _ in range(60):
        cell, value = int(rng.integers(2)), int(rng.integers(9))
        tabu._make_tabu(search, cell, value, tenure)
        if (cell, value) not in queue:
            queue.append((cell, value))
        for other in range(2):
            free = {value for value in range(9) if (other, value) not in queue}
            drawn = {int(tabu._drawn_value(search, other, tenure, rng)) for _ in range(200)}
            assert drawn == (free or {-1})


def test_a_list_as_long_as_there_are_assignments_does_not_lock_the_search():
    search = TabuSearch(domain_filter="none", tabu_tenure=10**6, candidate_list_length=1_000)
    run = search.run(PUZZLES["s09b"], rng=0, limit=Limit(steps=60))
    later = run.trace[np.flatnonzero(run.trace["rule"] == Rule.BACKTRACK)[0] :]
    assert (later["rule"] == Rule.GUESS).any()


def test_without_a_filter_only_nearly_full_grids_are_solved():
    solution = solve(PUZZLES["s16"])
    blanks = np.random.default_rng(0).choice(81, 8, replace=False)
    nearly = solution.copy()
    nearly[blanks] = 0
    search = TabuSearch(domain_filter="none", iterations=500)
    assert search.profile(Sudoku.from_values(nearly), runs=5, rng=0).solved_share == 1
    run = search.run(PUZZLES["s16"], rng=0)
    assert (run.outcome, run.steps, run.solution) == (Outcome.STUCK, 500, None)


def made(*steps):
    """Return the iterations of runs; None failed."""
    return [
        SolveRun(Outcome.STUCK, 9, None) if n is None else SolveRun(Outcome.SOLVED, n, None)
        for n in steps
    ]


def test_a_profile_sums_up_runs():
    runs = made(None, 4, 10, None, 1, 5)
    assert SuccessProfile.of_runs(runs, 3) == SuccessProfile(4 / 6, 1, 5, 10, np.sqrt(14), 7, 5)
    assert SuccessProfile.of_runs(runs, 4).runs_needed == 6
    assert SuccessProfile.of_runs(runs, 5).runs_needed is None
    assert SuccessProfile.of_runs(made(None, 3), 1) == SuccessProfile(0.5, 3, 3, 3, 0, 6, 2)
    none = SuccessProfile.of_runs(made(None), 1)
    assert (none.solved_share, none.runs_needed) == (0, None)
    assert np.isnan([none.iterations_mean, none.iterations_sd]).all()
    profile = TabuSearch().profile(PUZZLES["s09b"], rng=1)
    assert (profile.solved_share, profile.runs_needed) == (1, 30)


# Tabu search on colourings


def n_conflicts(puzzle, colours):
    """Count the edges of the networkx graph between vertices of one colour."""
    return sum(colours[a] == colours[b] for a, b in colouring_graph(puzzle).edges)


@pytest.mark.parametrize("tabu", ["colour", "cell"])
@pytest.mark.parametrize("otherwise", ["best", "any"])
@pytest.mark.parametrize("aspiration", [True, False])
def test_every_move_keeps_the_rules(tabu, otherwise, aspiration):
    """Each move agrees with the definitions, recounted on the graph."""
    puzzle, tenure = PUZZLES["s09b"], 7
    state = colouring_tabu._new_state(puzzle)
    rng = np.random.default_rng(3)
    colouring_tabu._colour_at_random(state, puzzle.layout, rng)
    settings = colouring_tabu._Settings(tenure, tabu == "cell", 12, otherwise == "best", aspiration)
    graph = colouring_graph(puzzle)
    lost = []  # what each iteration took away, the newest last
    before = state.colours.copy()
    least = n_conflicts(puzzle, before)
    worse = 0
    for step in range(1, 101):
        clashing = {cell for cell in graph if any(before[cell] == before[p] for p in graph[cell])}
        colouring_tabu._repair(state, puzzle.layout, settings, step, rng)
        conflicts = n_conflicts(puzzle, state.colours)
        assert state.progress[colouring_tabu._CONFLICTS] == conflicts
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
        listed = state.clashing[: state.progress[colouring_tabu._N_CLASHING]].tolist()
        assert sorted(listed) == sorted(cell for cell in now if not puzzle.givens[cell])
    assert worse > 0
    assert state.trace["cost"][state.progress[N_ROWS] - 1] == least


def test_counts_agree_with_the_graph():
    puzzle, _ = blanked(4, 0.4, 2)
    state = colouring_tabu._new_state(puzzle)
    colouring_tabu._colour_at_random(state, puzzle.layout, np.random.default_rng(0))
    assert (state.colours[puzzle.givens > 0] == puzzle.givens[puzzle.givens > 0]).all()
    assert set(state.colours.tolist()) == set(range(1, 17))
    assert state.progress[colouring_tabu._CONFLICTS] == n_conflicts(puzzle, state.colours)
    adjacency = networkx.to_numpy_array(colouring_graph(puzzle), nodelist=range(256))
    wanted = adjacency @ (state.colours[:, None] == np.arange(1, 17))
    assert (state.like == wanted).all()


def test_the_trace_begins_before_the_first_move():
    trace = ColouringTabu().run(PUZZLES["s03a"], rng=1).trace
    assert trace["cell"][0] == -1
    assert (trace["options"][1:] >= 1).all()

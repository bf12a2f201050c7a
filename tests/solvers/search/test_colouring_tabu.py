"""Tabu search for a colouring, after Hertz and de Werra."""

import networkx
import numpy as np
import pytest
from helpers.oracles.domains import PUZZLES, blanked

from nando.solvers import ColouringTabu
from nando.solvers.constraints.colouring import colouring_graph
from nando.solvers.protocol import N_ROWS
from nando.solvers.search import colouring_tabu as module

pytestmark = pytest.mark.thorough


def n_conflicts(puzzle, colours):
    """Count the edges of the networkx graph between vertices of one colour."""
    return sum(colours[a] == colours[b] for a, b in colouring_graph(puzzle).edges)


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


def test_the_trace_begins_before_the_first_move():
    trace = ColouringTabu().run(PUZZLES["s03a"], rng=1).trace
    assert trace["cell"][0] == -1
    assert (trace["options"][1:] >= 1).all()

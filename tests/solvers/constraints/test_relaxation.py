"""Constraint relaxation against plain backtracking over the relaxed graph."""

from dataclasses import astuple

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.sudokus import EASY
from helpers.samples.sudokus import STUCK as HARD

from nando.puzzles import PuzzleError, Sudoku
from nando.solvers import Limit, Outcome, Relaxation, solve
from nando.solvers.constraints import relaxation as module

pytestmark = pytest.mark.thorough


def naive_solutions(puzzle, removed, cap):
    """Return all fillings in which cells joined by a remaining edge differ; givens stay."""
    neighbours = [set(line) for line in puzzle.layout.peers.tolist()]
    for a, b in removed:
        neighbours[a].discard(b)
        neighbours[b].discard(a)
    values = puzzle.givens.tolist()
    found = []

    def allowed(cell):
        return [v for v in range(1, 10) if all(values[n] != v for n in neighbours[cell])]

    def search():
        empty = [cell for cell in range(81) if not values[cell]]
        if not empty:
            found.append(list(values))
            return len(found) < cap
        cell = min(empty, key=lambda c: len(allowed(c)))
        for value in allowed(cell):
            values[cell] = value
            if not search():
                return False
            values[cell] = 0
        return True

    search()
    return np.array(found)


def test_the_graph_has_810_edges():
    edges = module._edges(3)
    assert len(edges) == 810
    peers = EASY.layout.peers
    assert len({tuple(edge) for edge in edges.tolist()}) == 810
    assert all(peer in peers[cell] for cell, peer in edges.tolist())


@pytest.mark.parametrize(
    ("puzzle", "removed"),
    [(EASY, 40), (EASY, 60), pytest.param(HARD, 25)],
)
def test_counts_and_fixed_cells_are_those_of_plain_backtracking(puzzle, removed):
    edges = module._edges(3)
    several = 0
    for seed in range(5):
        # The same draw, made here from the same stream.
        rng = np.random.default_rng(seed)
        drawn = np.arange(len(edges))
        for i in range(removed):
            j = i + int(rng.random() * (len(edges) - i))
            drawn[[i, j]] = drawn[[j, i]]
        gone = [tuple(edges[e].tolist()) for e in drawn[:removed]]
        wanted = naive_solutions(puzzle, gone, 200)
        profile = Relaxation(removed, cap=200).profile(puzzle, runs=1, rng=seed)
        assert profile.extra_solutions == len(wanted) - 1
        if len(wanted) < 200:
            fixed = (wanted == wanted[0]).all(axis=0)
            assert (profile.fixedness == fixed).all()
            assert profile.fixed_blanks == fixed[puzzle.givens == 0].sum()
        several += len(wanted) > 1
    assert several


def test_nothing_removed_nothing_gained():
    profile = Relaxation(removed_edges=0).profile(HARD, runs=3, rng=0)
    assert (profile.extra_solutions, profile.unique_share) == (0, 1)
    assert profile.fixed_blanks == (HARD.givens == 0).sum()


def test_compiled_and_plain_agree():
    relaxation = Relaxation(6, cap=50)
    profiles = compiled_and_plain(lambda: relaxation.profile(HARD, runs=2, rng=2), module)
    for one, other in zip(*map(astuple, profiles), strict=True):
        np.testing.assert_array_equal(one, other)


def test_pauses_change_nothing():
    edges = module._edges(3)
    for seed in range(5):
        whole = Relaxation(40).run(HARD, rng=seed)
        count = module._count_of(HARD, solve(HARD))
        module._begin(count, edges, np.arange(810), 40, np.random.default_rng(seed))
        while not module._advance(count, 1_000, int(count.progress[module._STEPS]) + 3):
            pass
        assert count.progress[module._STEPS] == whole.steps
        assert count.progress[module._FOUND] == whole.n_solutions


@pytest.mark.parametrize("order", [4, 5])
def test_large_orders(order):
    """With all edges there is one solution, with none every filling is one."""
    size = order**2
    line = np.arange(size)
    grid = (order * (line % order) + line // order)[:, None] + line
    puzzle = Sudoku.from_values(np.where(line[:, None] + line < order, 0, grid % size + 1))
    profile = Relaxation(removed_edges=0).profile(puzzle, runs=2, rng=0)
    assert (profile.extra_solutions, profile.fixed_blanks) == (0, order * (order + 1) // 2)
    loose = Relaxation(len(module._edges(order)), cap=50).run(puzzle, rng=0)
    assert (loose.outcome, loose.n_solutions) == (Outcome.SOLVED, 50)


def test_runs_budgets_and_bad_input():
    run = Relaxation().run(EASY, rng=3)
    assert run.n_solutions >= 1
    assert run.outcome in (Outcome.EXHAUSTED, Outcome.SOLVED)
    assert Relaxation().run(EASY, rng=3).n_solutions == run.n_solutions
    short = Relaxation(200).run(HARD, limit=Limit(steps=3), rng=0)
    assert (short.outcome, short.n_solutions) == (Outcome.STEP_LIMIT, 1)
    capped = Relaxation(200).profile(HARD, runs=2, limit=Limit(steps=3), rng=0)
    assert (capped.extra_solutions, capped.capped_share) == (0, 1)
    search = Relaxation(400, cap=10**9)
    late = search.run(HARD, limit=Limit(seconds=0.001), rng=0)
    assert late.outcome is Outcome.TIME_LIMIT
    unhurried = Relaxation().profile(EASY, runs=5, limit=Limit(seconds=60), rng=0)
    assert unhurried.extra_solutions == Relaxation().profile(EASY, runs=5, rng=0).extra_solutions
    with pytest.raises(PuzzleError, match="several solutions"):
        Relaxation().run(Sudoku("." * 81))

"""Constraint relaxation against plain backtracking over the relaxed graph."""

from pathlib import Path

import numpy as np
import pytest

from nando.puzzles import PuzzleError, Sudoku, read_puzzles
from nando.solvers import Limit, Outcome, Relaxation, solve
from nando.solvers import relaxation as module

BENCHMARK = Path(__file__).parent / "data" / "mantere_koljonen.txt"
EASY = Sudoku("..867.4.24.23...9.37..2.......4...5.89.251.67.1...3.......9..73.3...52.17.5.329..")
HARD = Sudoku(".9.384.....2.7...........715....324..3.........1..5.9....8.....7.652.........64..")


def naive_solutions(puzzle, removed, cap):
    """All fillings in which cells joined by an edge that is left differ; givens stay."""
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
    for cell, place, peer, back in edges.tolist():
        assert peers[cell, place] == peer
        assert peers[peer, back] == cell


@pytest.mark.parametrize(("puzzle", "removed"), [(EASY, 40), (EASY, 60), (HARD, 25)])
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
        gone = [(int(edges[e, 0]), int(edges[e, 2])) for e in drawn[:removed]]
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


def test_growth_is_exponential_with_the_published_rate():
    """c * e^(k/6) with c from 0.02 to 0.2 (within a factor of 2); few stay unique at k = 50."""
    puzzles = [entry.puzzle for entry in read_puzzles(BENCHMARK)]
    extra, unique = [], []
    for k in (30, 40, 50):
        profiles = [Relaxation(k, cap=3_000).profile(p, runs=30, rng=1) for p in puzzles]
        extra.append(np.median([profile.extra_solutions for profile in profiles]))
        unique.append(np.median([profile.unique_share for profile in profiles]))
    rate = np.polyfit([30, 40, 50], np.log(extra), 1)[0]
    assert 1 / 9 < rate < 1 / 4
    assert all(0.01 < m / np.exp(k / 6) < 0.4 for k, m in zip((30, 40, 50), extra, strict=True))
    assert unique[0] > unique[1] > unique[2]
    assert unique[2] < 0.1


def test_compiled_and_plain_agree():
    solution = solve(HARD)
    results = []
    for samples in (module._samples, getattr(module._samples, "py_func", module._samples)):
        counts, fixed = np.zeros((2, 3), np.int64), np.zeros(81)
        rng = np.random.default_rng(2)
        bounds = (15, 50, 1 << 62)
        samples(HARD.givens, solution, HARD.layout, module._edges(3), bounds, rng, counts, fixed)
        results.append((counts.tolist(), fixed.tolist()))
    assert results[0] == results[1]


def test_runs_budgets_and_bad_input():
    run = Relaxation().run(EASY, rng=3)
    assert run.n_solutions >= 1
    assert run.outcome in (Outcome.EXHAUSTED, Outcome.SOLVED)
    assert Relaxation().run(EASY, rng=3).n_solutions == run.n_solutions
    short = Relaxation(200).run(HARD, limit=Limit(steps=3), rng=0)
    assert short.outcome is Outcome.STEP_LIMIT
    with pytest.raises(PuzzleError, match="several solutions"):
        Relaxation().run(Sudoku("." * 81))
    with pytest.raises(ValueError, match="removed_edges must be at most 810 at order 3, got 900"):
        Relaxation(900).run(EASY)
    with pytest.raises(ValueError, match="cap must be at least 2, got 1"):
        Relaxation(cap=1)

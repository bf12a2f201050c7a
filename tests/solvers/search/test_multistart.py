"""Multistart colouring, breadth first and depth first."""

import itertools
from collections import Counter

import numpy as np
import pytest
from helpers.samples.sudokus import EASY, ESCARGOT

from nando.puzzles import Sudoku
from nando.solvers import Outcome, solve
from nando.solvers.protocol import Rule, trace_of
from nando.solvers.search import multistart as module
from nando.solvers.search.multistart import Multistart

pytestmark = pytest.mark.thorough


def graph_and_work(puzzle, solver, origin):
    layout = puzzle.layout
    graph = module._Graph(
        puzzle.givens,
        module._neighbours(layout, solver.neighbour_order),
        (1 << layout.size) - 1,
        solver.list_size,
        origin,
        solver.traversal == "breadth",
    )
    work = module._Work(
        np.zeros(layout.n_cells, np.int8),
        np.zeros(layout.n_cells, np.int64),
        trace_of(Rule.GUESS, layout.n_cells + 1),
        np.zeros(2, np.int64),
    )
    return graph, work


def construct_as_written(puzzle, solver, origin, draw):
    """Run the paper's pseudocode on sets and lists; return the colours and the last vertex."""
    size = puzzle.size
    order = puzzle.order
    colours = dict(enumerate(puzzle.givens.tolist()))

    def place(cell):
        row, column = divmod(cell, size)
        return row, column, (row // order, column // order)

    def neighbours(cell):
        shared = {
            other: [a == b for a, b in zip(place(cell), place(other), strict=True)].index(True)
            for other in range(size**2)
            if other != cell and any(a == b for a, b in zip(place(cell), place(other), strict=True))
        }
        by_house = solver.neighbour_order == "houses"
        return sorted(shared, key=lambda other: (shared[other] * by_house, other))

    def colour(vertex):
        taken = {colours[other] for other in neighbours(vertex)}
        feasible = [c for c in range(1, size + 1) if c not in taken][: solver.list_size]
        if not feasible:
            return False
        colours[vertex] = feasible[int(draw() * len(feasible))]
        return True

    start = origin
    while True:
        if not colours[start] and not colour(start):
            return colours, start
        container = [start]
        while container:
            here = container.pop(0 if solver.traversal == "breadth" else -1)
            for other in neighbours(here):
                if colours[other]:
                    continue
                if not colour(other):
                    return colours, other
                if solver.traversal == "breadth":
                    container.append(other)
                else:
                    container += [here, other]
                    break
        left = [vertex for vertex, value in colours.items() if not value]
        if not left:
            return colours, -1
        start = left[0]


@pytest.mark.parametrize("neighbour_order", ["index", "houses"])
@pytest.mark.parametrize("traversal", ["breadth", "depth"])
@pytest.mark.parametrize("list_size", [9, 3, 1])
def test_constructions_are_those_of_the_paper(traversal, list_size, neighbour_order):
    solver = Multistart(traversal=traversal, list_size=list_size, neighbour_order=neighbour_order)
    full = Sudoku.from_values(solve(EASY))
    nearly = Sudoku.from_values(np.where(np.arange(81) % 5, full.givens, 0))
    ends = Counter()
    for puzzle, origin, seed in itertools.product((EASY, ESCARGOT, nearly), (0, 40, 77), range(4)):
        rng = np.random.default_rng(seed)
        wanted, end = construct_as_written(puzzle, solver, origin, rng.random)
        graph, work = graph_and_work(puzzle, solver, origin)
        work.colours[:] = puzzle.givens
        last, coloured = module._construction(work, graph, np.random.default_rng(seed))
        assert (last, work.colours.tolist()) == (end, list(wanted.values()))
        assert coloured == np.count_nonzero(work.colours) - puzzle.n_givens
        ends[end == -1] += 1
    assert ends[True]
    assert ends[False]


@pytest.mark.parametrize("traversal", ["breadth", "depth"])
def test_a_walk_continues_from_an_unreachable_vertex(traversal):
    """The first cell has only given neighbours, so the walk continues from another vertex."""
    values = np.asarray(solve(EASY)).copy()
    values[[0, 40, 80]] = 0
    puzzle = Sudoku.from_values(values)
    run = Multistart(traversal=traversal).run(puzzle, rng=0)
    assert (run.outcome, run.steps) == (Outcome.SOLVED, 1)


@pytest.mark.parametrize("traversal", ["breadth", "depth"])
@pytest.mark.parametrize("origin", ["first", "centre", "random", "most coloured"])
def test_solves_an_easy_puzzle(traversal, origin):
    solver = Multistart(traversal=traversal, origin=origin)
    assert solver.profile(EASY, runs=20, rng=1).solved_share >= 0.7
    runs = [solver.run(EASY, rng=seed) for seed in range(3)]
    assert any(EASY.is_solution(run.solution) for run in runs if run.solution is not None)


def test_origins():
    rng = np.random.default_rng(0)
    assert Multistart(origin="centre")._first(EASY, rng) == 40
    assert Multistart(origin="centre")._first(Sudoku("." * 256), rng) == 8 * 16 + 8
    assert Multistart()._first(EASY, rng) == 0
    most = Multistart(origin="most coloured")
    seen = [sum(EASY.givens[other] > 0 for other in EASY.layout.peers[cell]) for cell in range(81)]
    best = [cell for cell in range(81) if seen[cell] == max(seen)]
    assert most._first(EASY, rng) == best[0]
    empty = Sudoku("." * 81)
    drawn = {
        Multistart(origin="most coloured", random_ties=True)._first(empty, rng) for _ in "12345"
    }
    assert len(drawn) > 1


def test_trace_has_the_constructions_that_got_further():
    run = Multistart().run(ESCARGOT, rng=0)
    assert (run.outcome, run.steps, run.solution) == (Outcome.STUCK, 10_000, None)
    assert (np.diff(run.trace["cost"]) < 0).all()
    assert (np.diff(run.trace["step"]) > 0).all()
    assert (ESCARGOT.givens[run.trace["cell"]] == 0).all()
    solved = Multistart().run(EASY, rng=0)
    assert solved.outcome is Outcome.SOLVED
    assert solved.trace[-1]["step"] == solved.steps
    assert solved.trace[-1]["cost"] == 0
    assert solved.trace[-1]["cell"] == -1

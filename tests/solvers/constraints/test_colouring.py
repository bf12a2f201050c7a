"""A Sudoku as a graph to be coloured."""

import builtins
from itertools import combinations

import numpy as np
import pytest
from helpers.sampled import one_in
from helpers.samples.sudokus import EASY

from nando.puzzles import Sudoku
from nando.solvers import solve
from nando.solvers.constraints.colouring import (
    colouring_edges,
    colouring_graph,
    dimacs_text,
    values_of_colouring,
)


def meeting(order):
    """Return the pairs of cells in a row, column or box, from the definition."""
    size = order**2

    def houses(cell):
        row, column = divmod(cell, size)
        return row, column, (row // order, column // order)

    return [
        (a, b)
        for a, b in combinations(range(size**2), 2)
        if any(x == y for x, y in zip(houses(a), houses(b), strict=True))
    ]


@pytest.mark.parametrize(("order", "n_edges"), one_in(2, [(3, 810), (5, 20_000), (4, 4_992)]))
def test_cells_that_share_a_house_meet(order, n_edges):
    edges = colouring_edges(Sudoku("." * order**4))
    assert len(edges) == n_edges
    assert edges == meeting(order)


def test_vertices_of_colours_leave_a_given_its_own_colour_only():
    edges = set(colouring_edges(EASY, colour_vertices=True))
    assert edges >= set(combinations(range(81, 90), 2))
    for cell, given in enumerate(EASY.givens.tolist()):
        barred = {b - 80 for a, b in edges if a == cell and b >= 81}
        assert barred == (set(range(1, 10)) - {given} if given else set())


def test_a_solution_is_a_proper_colouring_and_a_wrong_grid_is_not():
    solution = solve(EASY)
    colours = [*solution.tolist(), *range(1, 10)]
    edges = colouring_edges(EASY, colour_vertices=True)
    assert all(colours[a] != colours[b] for a, b in edges)
    relabelled = [*(10 - solution).tolist(), *range(1, 10)]
    assert sum(relabelled[a] == relabelled[b] for a, b in edges) == np.sum(
        (EASY.givens > 0) & (EASY.givens != 5)
    )


def test_dimacs_text_has_the_edges_of_the_graph():
    lines = dimacs_text(EASY).splitlines()
    assert [line for line in lines if line[0] == "p"] == ["p edge 90 1126"]
    edges = [tuple(map(int, line.split()[1:])) for line in lines if line[0] == "e"]
    assert [(a - 1, b - 1) for a, b in edges] == colouring_edges(EASY, colour_vertices=True)
    givens = dict(map(int, line.split()[2:]) for line in lines if line.startswith("c given"))
    assert givens == {cell + 1: given for cell, given in enumerate(EASY.givens.tolist()) if given}
    assert "p edge 81 810" in dimacs_text(EASY, colour_vertices=False).splitlines()
    assert dimacs_text(Sudoku("." * 625)).count("\ne ") == 20_000 + 300


def test_values_come_back_whatever_the_colours_are_called():
    solution = solve(EASY).tolist()
    assert EASY.is_solution(values_of_colouring(EASY, solution))
    names = {value: 7 * value % 10 + 100 for value in range(1, 10)}
    vertices = [*(names[value] for value in solution), *names.values()]
    assert EASY.is_solution(values_of_colouring(EASY, dict(enumerate(vertices))))


def test_invalid_colourings_are_refused():
    with pytest.raises(ValueError, match=r"must have 81 vertices, or 90 .* got 80"):
        values_of_colouring(EASY, [1] * 80)
    with pytest.raises(ValueError, match=r"must be among \[1, .*, 9\], got \[0\]"):
        values_of_colouring(EASY, [0] * 81)
    with pytest.raises(ValueError, match="each symbol a colour of its own"):
        values_of_colouring(EASY, [1] * 90)


def test_the_graph_of_networkx():
    networkx = pytest.importorskip("networkx", reason="networkx is not installed (nando[graph])")
    graph = colouring_graph(EASY)
    assert sorted(map(tuple, map(sorted, graph.edges))) == colouring_edges(EASY)
    assert dict(graph.nodes(data="colour", default=0)) == dict(enumerate(EASY.givens.tolist()))
    assert graph.nodes[47] == {"row": 5, "column": 2, "box": 3}
    assert graph.graph == {"n_colours": 9}
    whole = colouring_graph(EASY, colour_vertices=True)
    assert whole.number_of_nodes() == 90
    assert whole.number_of_edges() == 1126
    assert whole.nodes[85] == {"colour": 5}
    assert networkx.is_connected(whole)


def test_without_networkx_the_extra_is_named(monkeypatch):
    def without(name, *args, **kwargs):
        if name == "networkx":
            raise ImportError(name)
        return original(name, *args, **kwargs)

    original = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"nando\[graph\]"):
        colouring_graph(EASY)

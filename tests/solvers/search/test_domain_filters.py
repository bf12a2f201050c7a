"""Domain filters: AC-3, Hall intervals, Hall sets."""

import itertools

import numpy as np
import pytest
from helpers.oracles.domains import PUZZLES, ac3, blanked, given_sets, hall, intervals, oracle
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from nando.puzzles import Sudoku
from nando.puzzles.sudoku.layout import SudokuLayout
from nando.solvers import solve
from nando.solvers.search import domain_filters as kernels
from nando.solvers.search.domain_filters import filter_domains

pytestmark = pytest.mark.thorough

FILTERS = ("ac3", "alldifferent", "gac")


REDUCTIONS = {
    "s02a": (74.26, 76.47, 100),
    "s09b": (62.29, 69.07, 79.66),
    "s12b": (69.32, 79.32, 84.09),
    "s16": (64.44, 65.73, 65.73),
}
"""Percent of the candidates that each filter removes, as published."""


def sets_of(candidates):
    return [{value + 1 for value in range(25) if int(mask) >> value & 1} for mask in candidates]


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_the_benchmark(name):
    filtered = [filter_domains(PUZZLES[name], domain_filter) for domain_filter in FILTERS]
    assert tuple(round(result.reduction, 2) for result in filtered) == REDUCTIONS[name]


@pytest.mark.parametrize("domain_filter", FILTERS)
@pytest.mark.parametrize("name", PUZZLES)
def test_fixed_point_is_that_of_the_definition(name, domain_filter):
    puzzle = PUZZLES[name]
    domains = given_sets(puzzle)
    assert oracle(domains, puzzle.layout, domain_filter)
    result = filter_domains(puzzle, domain_filter)
    assert result.consistent
    assert sets_of(result.candidates) == domains
    if result.reduction == 100:
        assert result.solution.tolist() == solve(puzzle).tolist()
    else:
        assert result.solution is None


@pytest.mark.parametrize("domain_filter", FILTERS)
def test_proofs_of_no_solution_are_those_of_the_definition(domain_filter):
    """A grid with wrong values is consistent for a filter exactly when it is by definition."""
    seen = set()
    for seed in range(12):
        puzzle, _ = blanked(3, 0.35, seed)
        rng = np.random.default_rng(seed)
        values = puzzle.givens.copy()
        wrong = rng.choice(np.flatnonzero(values == 0), 1 + seed % 2)
        values[wrong] = rng.integers(1, 10, len(wrong))
        puzzle = Sudoku.from_values(values)
        domains = given_sets(puzzle)
        consistent = oracle(domains, puzzle.layout, domain_filter)
        result = filter_domains(puzzle, domain_filter)
        assert result.consistent == consistent
        seen.add(consistent)
        if consistent:
            assert sets_of(result.candidates) == domains
        else:
            assert not result.candidates.any()
            assert np.isnan(result.reduction)
            assert result.solution is None
    assert seen == {True, False}


@pytest.mark.parametrize(("order", "keep"), [(4, 0.45), (5, 0.5)])
def test_larger_orders(order, keep):
    puzzle, full = blanked(order, keep, 1)
    results = [filter_domains(puzzle, domain_filter) for domain_filter in FILTERS]
    for weaker, stronger in itertools.pairwise(results):
        assert not (stronger.candidates & ~weaker.candidates).any()
        assert weaker.reduction < stronger.reduction
    for result in results:
        assert (result.candidates >> (full - 1) & 1).all()
    domains = given_sets(puzzle)
    assert ac3(domains, puzzle.layout)
    assert sets_of(results[0].candidates) == domains
    if order == 4:
        assert hall(domains, puzzle.layout, intervals(16))
        assert sets_of(results[1].candidates) == domains


def supported(domains, size):
    """Return the values of each cell of a house that appear in some filling of it."""
    kept = []
    for fixed, values in enumerate(domains):
        kept.append(set())
        for value in values:
            graph = np.zeros((size, size), int)
            for cell, others in enumerate(domains):
                for other in {value} if cell == fixed else others - {value}:
                    graph[cell, other - 1] = 1
            if (maximum_bipartite_matching(csr_array(graph)) >= 0).all():
                kept[-1].add(value)
    return kept


def permutations_of(domains, taken=()):
    if len(taken) == len(domains):
        yield taken
        return
    for value in domains[len(taken)] - set(taken):
        yield from permutations_of(domains, (*taken, value))


def one_house(order):
    """Return a layout of a single house, as long as those of a Sudoku of this order."""
    size = order**2
    cells = np.arange(size)
    layout = SudokuLayout(
        order,
        size,
        size,
        houses=cells[None, :].astype(np.int16),
        house_of=np.zeros((size, 3), np.int16),
        peers=np.stack([np.delete(cells, cell) for cell in cells]).astype(np.int16),
        peer_bits=((1 << size) - 1 ^ 1 << cells)[:, None],
    )
    for array in layout[3:]:
        array.setflags(write=False)
    return layout


def random_house(size, rng):
    """Return candidates that usually have a filling and have many Hall sets."""
    near = np.arange(size) if rng.random() < 0.5 else rng.permutation(size)
    candidates = np.zeros(size, np.int32)
    for cell in range(size):
        for offset in {0, *rng.integers(0, 4, rng.integers(1, 4)).tolist()}:
            candidates[cell] |= 1 << int(near[min(cell + offset, size - 1)])
    if rng.random() < 0.3:
        candidates[rng.integers(size)] = candidates[rng.integers(size)]
    return candidates


@pytest.mark.parametrize("order", [3, 5])
@pytest.mark.parametrize("domain_filter", FILTERS)
def test_one_house(domain_filter, order):
    rng = np.random.default_rng(order)
    layout = one_house(order)
    seen = set()
    for _ in range(40):
        candidates = random_house(layout.size, rng)
        before = sets_of(candidates)
        if domain_filter == "gac":
            expected = supported(before, layout.size)
            consistent = all(expected)
            if order == 3:
                fillings = list(permutations_of(before))
                assert expected == [{row[cell] for row in fillings} for cell in range(9)]
        else:
            expected = [set(values) for values in before]
            consistent = oracle(expected, layout, domain_filter)
        domains = kernels.domains_of(candidates, layout.size)._replace(changed=np.ones(1, np.uint8))
        found = kernels.propagate(domains, layout, kernels.STRENGTHS[domain_filter])
        assert found == consistent
        if found:
            assert sets_of(candidates) == expected
        assert domains.n_singles[0] == 0
        assert not domains.changed.any()
        seen.add((consistent, expected == before))
    assert {(True, False), (False, False)} <= seen


def test_only_hall_intervals_depend_on_the_names_of_values():
    puzzle = PUZZLES["s12b"]
    reductions = {domain_filter: set() for domain_filter in FILTERS}
    for seed in range(5):
        alike = puzzle.shuffled(np.random.default_rng(seed))
        for domain_filter in FILTERS:
            reductions[domain_filter].add(filter_domains(alike, domain_filter).reduction)
    assert len(reductions["ac3"]) == len(reductions["gac"]) == 1
    assert len(reductions["alldifferent"]) > 1


def test_nothing_to_filter():
    _, full = blanked(3, 1, 0)
    result = filter_domains(Sudoku.from_values(full))
    assert (result.reduction, result.solution.tolist()) == (100, full.tolist())
    assert filter_domains(Sudoku("." * 625), "gac").reduction == 0


def test_arguments_are_checked():
    with pytest.raises(ValueError, match=r"domain_filter must be 'ac3', .* got 'none'"):
        filter_domains(PUZZLES["s16"], "none")
    with pytest.raises(TypeError, match=r"filter_domains takes a Sudoku, got '1...'"):
        filter_domains("1...")

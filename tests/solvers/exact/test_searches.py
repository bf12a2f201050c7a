"""What all exact searches promise alike: to stop and continue, plain kernels, every solution."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from helpers.oracles.variants import latin_squares
from helpers.plain_kernels import compiled_and_plain
from helpers.sampled import one_in, only
from helpers.samples.nurikabe_boards import LOOSE
from helpers.samples.sudokus import ESCARGOT
from helpers.samples.variant_samples import TEXTS

from nando.puzzles import Nurikabe, Sudoku, Variant
from nando.solvers import count_many, count_solutions, solve, status
from nando.solvers.exact import (
    bands,
    clauses,
    conflicts,
    houses,
    trail,
    variant_bits,
    variant_learning,
    variants,
)
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES, BandSearch
from nando.solvers.exact.houses import HouseSearch
from nando.solvers.exact.nurikabe import ownership, probing, regions
from nando.solvers.exact.nurikabe import search as nurikabe_search
from nando.solvers.exact.nurikabe.probing import ProbingSearch
from nando.solvers.exact.nurikabe.search import learning_search
from nando.solvers.exact.variant_clauses import formula_of
from nando.solvers.exact.variant_learning import LearningSearch
from nando.solvers.exact.variants import VariantSearch, quick_search
from nando.solvers.nurikabe import rules, state

ALL = 1_000
"""More than there are Latin squares of four digits."""
NO_BOUND = 1 << 62
SEVERAL = Sudoku(
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2......"
)
KILLER = Variant("4x4+killer:r1c1r1c2:5+greater:r3c1r3c2")
DIFFERENT = Variant("4x4+diagonals")


def learn(puzzle):
    return LearningSearch(puzzle, formula_of(puzzle), np.zeros((0, puzzle.givens.size), np.int8))


def learn_nurikabe(puzzle):
    return learning_search(puzzle, np.zeros(3, np.int64), np.zeros((2, puzzle.n_cells), np.int8))


class Promise(NamedTuple):
    """A search, puzzles for it, and the modules of its kernels."""

    search: Any
    puzzles: tuple
    modules: tuple


LEARNING = clauses, conflicts, trail
SEARCHES = {
    "bands": Promise(BandSearch, (ESCARGOT, SEVERAL), (bands,)),
    "houses": Promise(HouseSearch, (ESCARGOT, SEVERAL), (houses,)),
    "variants": Promise(VariantSearch, (KILLER, DIFFERENT), (variants,)),
    "bits": Promise(quick_search, (DIFFERENT,), (variant_bits,)),
    "clauses": Promise(learn, (KILLER, DIFFERENT), (variant_learning, *LEARNING)),
    "probing": Promise(
        ProbingSearch, (Nurikabe("?.../..2./..../1..3"), LOOSE), (state, rules, probing)
    ),
    "clauses of Nurikabe": Promise(
        learn_nurikabe,
        (Nurikabe("?.../..2./..../1..3"), LOOSE),
        (nurikabe_search, ownership, regions, *LEARNING),
    ),
}
every_search = pytest.mark.parametrize(
    "promise", only(SEARCHES.keys() - {"clauses of Nurikabe"}, SEARCHES), indirect=True
)


@pytest.fixture
def promise(request):
    return SEARCHES[request.param]


@pytest.mark.thorough
@every_search
def test_compiled_and_plain_agree(promise):
    def run():
        searches = [promise.search(puzzle) for puzzle in promise.puzzles]
        for search in searches:
            search.advance(7, 60)
        return [(search.progress.tolist(), search.solutions.tolist()) for search in searches]

    compiled, plain = compiled_and_plain(run, *promise.modules)
    assert compiled == plain


@pytest.mark.parametrize("most", [1, 3])
@every_search
def test_a_search_continues_where_it_stopped(promise, most):
    whole, parts = (promise.search(promise.puzzles[-1]) for _ in range(2))
    whole.advance(50, NO_BOUND)
    found = whole.solutions[: min(whole.progress[FOUND], 2)]
    assert all(promise.puzzles[-1].is_solution(values) for values in found)
    assert len({values.tobytes() for values in found}) == len(found) > 0
    while parts.progress[DEPTH] >= 0 and parts.progress[FOUND] < 50:
        before = int(parts.progress[GUESSES])
        limit = min(int(parts.progress[FOUND]) + most, 50)
        parts.advance(limit, before + most)
        assert parts.progress[FOUND] <= limit
        assert parts.progress[GUESSES] <= before + most
    assert parts.progress[:3].tolist() == whole.progress[:3].tolist()
    assert parts.solutions[:2].tolist() == whole.solutions[:2].tolist()


GRIDS = [np.ravel(rows).astype(np.int8) for rows in latin_squares(4)]


def solutions(puzzle):
    """Return all solutions of a variant of four digits, by enumeration."""
    return [grid for grid in GRIDS if puzzle.is_solution(grid)]


@pytest.mark.parametrize("text", one_in(6, [text for text in TEXTS if text.startswith("4x4")]))
def test_every_solution_of_a_variant_is_found_once(text):
    puzzle, rng = Variant(text), np.random.default_rng(1)
    known = solutions(puzzle)
    rows = {grid.tobytes() for grid in known}
    for search in (VariantSearch(puzzle), learn(puzzle), quick_search(puzzle)):
        search.advance(ALL, NO_BOUND)
        assert search.progress[FOUND] == len(known)
        assert {row.tobytes() for row in search.solutions[: len(known)]} <= rows
    boxed, counted = any(rule.name == "boxes" for rule in puzzle.rules), [Variant("4x4"), puzzle]
    for n_givens in (1, 2, 4, 6) if known else ():
        values = known[rng.integers(len(known))].copy()
        values[rng.permutation(16)[n_givens:]] = 0
        given = Variant.of(values, puzzle.rules, boxed=boxed)
        kept = solutions(given)
        assert count_solutions(given, ALL) == len(kept)
        assert solve(given).tobytes() in {grid.tobytes() for grid in kept}
        assert status(given).valid == (len(kept) == 1)
        counted.append(given)
    for limit in (1, 50):
        counts = [count_solutions(each, limit) for each in counted]
        assert count_many(counted, limit).tolist() == counts

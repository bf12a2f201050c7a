"""Exact search for variants against enumeration on small boards, and against itself."""

from itertools import islice

import numpy as np
import pytest
from helpers.oracles.cp_sat import first_solutions, model_of
from helpers.samples.variant_samples import TEXTS
from numba import config

from nando.puzzles import PuzzleError, Variant
from nando.solvers import Limit, Outcome, count_solutions, solve, status, unique_solution
from nando.solvers.exact import variants
from nando.solvers.exact.search import ExactSearch
from nando.solvers.exact.variants import quick_search


def test_outcomes():
    several = Variant("9x9+diagonals")
    assert count_solutions(several, 50) == 50
    assert "several solutions" in str(status(several))
    run = ExactSearch().run(several, limit=Limit(steps=3))
    assert run.outcome is Outcome.STEP_LIMIT
    none = Variant("4x4+killer:r1c1r1c2:3+killer:r1c3r1c4:4")
    assert solve(none) is None
    assert "no solution" in str(status(none))
    with pytest.raises(PuzzleError, match="no solution"):
        unique_solution(none)
    contradiction = Variant("4x4+odd:r1c1+even:r1c1")
    assert count_solutions(contradiction) == 0


def test_places_without_a_cell_stay_empty():
    puzzle = Variant("9x9+samurai")
    values = solve(puzzle)
    assert values.shape == puzzle.givens.shape == (441,)
    outside = np.ones(441, bool)
    outside[puzzle.places] = False
    assert not values[outside].any()
    assert puzzle.is_solution(values)


@pytest.mark.parametrize(
    "text",
    [
        "3x3+no-boxes+digits:0-4",
        "4x4+digits:0-4+thermometer:r1c1r1c2r2c2r3c2+killer:r4c1r4c2r4c3:6",
        "4x4+digits:1-5+skyscraper:left1:3+x-sums:top2:7",
    ],
)
def test_rows_that_lack_digits_are_counted_as_enumerated(text):
    puzzle, rng = Variant(text), np.random.default_rng(1)
    n = puzzle.board.size
    several = 0
    for _ in range(8):
        givens = np.zeros(n * n, np.int64)
        chosen = rng.permutation(n * n)[: rng.integers(n, 2 * n)]
        givens[chosen] = rng.integers(1, puzzle.size + 1, len(chosen))
        ends = f"{puzzle.board.values[0]}-{puzzle.board.values[-1]}"
        given = Variant.of(givens, puzzle.rules, boxed=n == 4, digits=ends)
        expected = sum(1 for _ in islice(_fillings(given, givens, 0), 5))
        assert count_solutions(given, limit=5) == expected
        several += expected > 1
    assert several


def _fillings(puzzle, values, cell):
    """Yield the solutions of a puzzle of one grid, cell by cell, by the meaning of its rules."""
    n = puzzle.board.size
    if cell == n * n:
        if puzzle.is_solution(values):
            yield values
        return
    if values[cell]:
        yield from _fillings(puzzle, values, cell + 1)
        return
    row, column = divmod(cell, n)
    for digit in range(1, puzzle.size + 1):
        if digit not in values[row * n : row * n + n] and digit not in values[column::n]:
            filled = values.copy()
            filled[cell] = digit
            yield from _fillings(puzzle, filled, cell + 1)


@pytest.mark.skipif(config.DISABLE_JIT, reason="needs compiled kernels")
def test_kernels_are_compiled_once_for_all_variants():
    for text in (
        "9x9+killer:r1c1r1c2:5",
        "2x2",
        "4x4+no-boxes+diagonals",
        "9x9+samurai",
        TEXTS[-1],
    ):
        solve(Variant(text))
    assert len(variants.advance_variant.dispatcher.signatures) == 1


RULES = [
    "9x9+anti-knight",
    "9x9+diagonals+windoku",
    "9x9+disjoint-groups+killer:r1c1r1c2r1c3:7+killer:r5c5r5c6r6c5r6c6:11",
    "9x9+sandwich:left1:35+sandwich:top5:10+skyscraper:right9:5+x-sums:bottom3:20",
    "9x9+arrow:r1c1:r1c2r2c3+whispers:r5c1r5c2r5c3r5c4+renban:r9c1r8c2r7c3+between:r4c4r5c5r6c6",
    "6x6+zipper:r1c1r2c1r3c2+region-sum:r2c1r2c2r2c3r2c4r2c5+quadruple:r2c2r2c3r3c2r3c3:1-2",
]
"""Boards with few or many givens of a solution."""


@pytest.mark.thorough
@pytest.mark.parametrize("text", RULES)
def test_cp_sat_counts_the_same(text):
    pytest.importorskip("ortools")
    puzzle = Variant(text)
    rng = np.random.default_rng(2)
    solution = solve(puzzle)
    assert puzzle.is_solution(solution)
    counts = []
    for share in (0.2, 0.3, 0.5):
        values = np.where(rng.random(solution.size) < share, solution, 0)
        given = Variant.of(values, puzzle.rules)
        known = {tuple(cells) for cells in first_solutions(given, *model_of(given), 30)}
        search = quick_search(given)
        search.advance(30, 1 << 62)
        counts.append(min(int(search.progress[1]), 30))
        assert counts[-1] == len(known)
        assert all(given.is_solution(row) for row in search.solutions[: counts[-1]])
        if len(known) < 30:
            assert all(tuple(values[given.places]) in known for values in search.solutions[:1])
    assert counts[-1] < 30

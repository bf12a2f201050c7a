"""Sums that know which of their cells differ, against every way to fill these cells."""

from itertools import product

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain

from nando.puzzles import Variant
from nando.solvers import count_solutions, solve
from nando.solvers.exact import variants
from nando.solvers.variants import groups
from nando.solvers.variants.network import differing, network_of
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.work import enlist_all, new_work

TEXTS = [
    "6x6+little-killer:r1c1r2c2r3c3r4c4r5c5:{}",
    "6x6+killer:r1c1r1c2r2c1r5c1r5c3:{}:repeats",
    "6x6+arrow:r1c1:r1c2r1c3r2c4r3c5",
]
CAGES = ["r2c1r2c2r3c2r3c1", "r2c4r2c5r3c5r3c4", "r4c2r5c2r5c3r4c3"]
"""Cages across boxes whose digits differ in the solution of a blank board."""
PARALLEL = "9x9" + "".join(
    f"+little-killer:{cells}:49"
    for cells in (
        "r1c8r2c7r3c6r4c5r5c4r6c3r7c2r8c1",
        "r1c9r2c8r3c7r4c6r5c5r6c4r7c3r8c2r9c1",
        "r9c2r8c3r7c4r6c5r5c6r4c7r3c8r2c9",
        "r9c3r8c4r7c5r6c6r5c7r4c8r3c9",
    )
)


def narrowed(network, masks, number):
    masks = masks.copy()
    return groups.narrow_groups(masks, network, new_work(network), number), masks.tolist()


def kept_by_definition(network, masks, bounds_only):
    """Return the candidates in some digits with the total that differ within each group.

    If `bounds_only`, the sum may be below its total with cells at their least candidate or
    further up, and above it with cells at their greatest or further down.
    """
    end = network.sum_start[1]
    cells, weights = network.sum_cells[:end].tolist(), network.sum_weights[:end]
    ends = network.sum_group_end[:end]
    pairs = [(i, j) for i in range(end) for j in range(i) if ends[i] == ends[j]]
    own = [[d for d in range(1, 7) if masks[cell] >> d - 1 & 1] for cell in cells]

    def reaches(fixed, sign):
        total = sign * network.sum_totals[0]
        if not bounds_only:
            options = fixed
        elif sign > 0:
            options = [
                range(min(digits), 7) if weight > 0 else range(1, max(digits) + 1)
                for digits, weight in zip(fixed, weights, strict=True)
            ]
        else:
            options = [
                range(1, max(digits) + 1) if weight > 0 else range(min(digits), 7)
                for digits, weight in zip(fixed, weights, strict=True)
            ]
        return any(
            all(digits[i] != digits[j] for i, j in pairs)
            for digits in product(*options)
            if (bounds_only and sign * np.dot(weights, digits) <= total)
            or np.dot(weights, digits) == network.sum_totals[0]
        )

    kept = masks.copy()
    for place, cell in enumerate(cells):
        for digit in own[place]:
            fixed = [[digit] if i == place else digits for i, digits in enumerate(own)]
            if not (reaches(fixed, 1) and reaches(fixed, -1)):
                kept[cell] &= ~(1 << digit - 1)
    return kept


@pytest.mark.parametrize("text", TEXTS)
def test_a_sum_keeps_what_its_groups_can_reach(text):
    rng = np.random.default_rng(len(text))
    answers, n_alike = set(), 0
    for _ in range(10):
        network = groups.with_groups(network_of(Variant(text.format(rng.integers(7, 27))))[0])
        masks = rng.integers(64, size=36) | 1 << rng.integers(6, size=36)
        (found, after), plain = compiled_and_plain(lambda n=network, m=masks: narrowed(n, m, 0))
        assert plain == (found, after)
        fitting = kept_by_definition(network, masks, bounds_only=False)
        if found:
            within = kept_by_definition(network, masks, bounds_only=True)
            assert (fitting & ~np.array(after) == 0).all()
            assert (np.array(after) & ~within == 0).all()
            n_alike += (np.array(after) == within).all()
        else:
            assert not fitting[network.sum_cells[0]]
        answers.add(found)
    assert answers == {True, False}
    assert n_alike > 0


def test_groups_differ():
    network = groups.with_groups(network_of(Variant(PARALLEL))[0])
    differ = differing(network)
    for first, end in enumerate(network.sum_group_end.tolist()):
        cells = network.sum_cells[first:end]
        assert len(cells) > 0
        assert all(differ[a, b] for a in cells for b in cells if a != b)


def test_parallel_diagonals_are_added_up():
    network = network_of(Variant(PARALLEL))[0]
    first, *_ = groups.joint_sums(network)
    assert (len(first[0]), first[2]) == (32, 4 * 49)
    # The groups take 198 at most: 24 cells of three boxes 132, three of two boxes 24 each, 9 and 9.
    larger = groups.with_groups(network)
    masks = larger.start.copy()
    found, after = narrowed(larger, masks, len(network.sum_totals))
    assert found
    assert [after[2 * 9 + 5], after[5 * 9 + 2]] == [0b111000000] * 2


def caged(rng):
    """Return a puzzle of 6x6 with cages across boxes, and a solution."""
    solution = np.concatenate([[0], 1 + rng.permutation(6)])[solve(Variant("6x6"))]
    grid, text = solution.reshape(6, 6), "6x6"
    for cells in CAGES:
        places = [(int(cells[i + 1]) - 1, int(cells[i + 3]) - 1) for i in range(0, 16, 4)]
        text += f"+killer:{cells}:{sum(grid[place] for place in places)}"
    return Variant(text), solution


def propagated(network, masks):
    masks, todo = masks.copy(), new_work(network)
    enlist_all(masks, network, todo)
    return propagate(masks, network, todo), masks.tolist()


def test_candidates_of_a_solution_stay():
    rng = np.random.default_rng(2)
    n_less = 0
    for _ in range(60):
        puzzle, solution = caged(rng)
        assert puzzle.is_solution(solution)
        plain = network_of(puzzle)[0]
        network = groups.with_groups(plain)
        masks = rng.integers(64, size=36) | rng.integers(64, size=36) | 1 << solution - 1
        (found, after), (_, before) = propagated(network, masks), propagated(plain, masks)
        assert found
        assert all(a >> digit - 1 & 1 for a, digit in zip(after, solution, strict=True))
        assert all(a & ~b == 0 for a, b in zip(after, before, strict=True))
        n_less += after != before
    assert n_less > 0
    compiled, plain = compiled_and_plain(lambda: propagated(network, masks))
    assert compiled == plain


def test_a_search_with_them_counts_the_same(monkeypatch):
    rng = np.random.default_rng(3)
    puzzles = [Variant(text.format(rng.integers(9, 20))) for text in TEXTS[:2] * 2]
    counts = [count_solutions(puzzle, 200) for puzzle in puzzles]
    monkeypatch.setattr(variants, "_HARD", 0)
    for puzzle, count in zip(puzzles, counts, strict=True):
        assert count_solutions(puzzle, 200) == count


def test_a_puzzle_without_solution_is_refuted():
    text = PARALLEL + "".join(
        f"+little-killer:{cells}:49"
        for cells in (
            "r1c1r2c2r3c3r4c4r5c5r6c6r7c7r8c8r9c9",
            "r2c1r3c2r4c3r5c4r6c5r7c6r8c7r9c8",
            "r3c1r4c2r5c3r6c4r7c5r8c6r9c7",
            "r7c9r6c8r5c7r4c6r3c5r2c4r1c3",
        )
    )
    search = variants.VariantSearch(Variant(text))
    search.advance(2, 20_000)
    assert search.progress.tolist()[:2] == [-1, 0]

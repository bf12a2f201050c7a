"""Propagation of variants, and of sums that know which cells differ, against plain Python."""

from itertools import product

import numpy as np
import pytest
from helpers.oracles.variants import fits, fitting_lines, fixed_point, latin_squares
from helpers.plain_kernels import compiled_and_plain, plain_kernels
from helpers.sampled import one_in
from helpers.samples.variant_samples import TEXTS

from nando.puzzles import Variant
from nando.puzzles.boards.constraints import Pattern, Sum
from nando.solvers import count_solutions, solve
from nando.solvers.exact import variants
from nando.solvers.variants import groups, propagation, sums
from nando.solvers.variants.network import differing, network_of, with_pairs
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.tables import digit_sets
from nando.solvers.variants.work import CELLS, enlist_all, forget, new_work

SMALL = [text for text in TEXTS if not text.startswith("9x9") and "full-rank" not in text]
"""Without ranks, whose patterns are too long to try all digits."""
SUMS = [
    "6x6+killer:r1c1r1c2r1c3:10",
    "6x6+killer:r1c1r1c2r2c1r2c2:17+killer:r3c1r4c1:5",
    "6x6+killer:r1c1r1c2r1c3r1c4r1c5r1c6:21",
    "6x6+killer:r1c1r2c2r3c3r4c4:9:repeats",
    "6x6+little-killer:r1c2r2c3r3c4r4c5r5c6:22",
    "6x6+arrow:r1c1:r1c2r2c3r3c4",
    "6x6+arrow:r1c1r1c2:r2c2r3c3r4c4r4c3",
    "6x6+little-killer:r1c1r2c2r3c3:7",
    "6x6+region-sum:r2c1r2c2r2c3r2c4r2c5",
    "6x6+zipper:r1c1r2c1r3c2r4c3",
    "6x6+double-arrow:r1c1r2c1r3c2r4c3",
]
PATTERNS = [
    "6x6+sandwich:left1:5",
    "6x6+skyscraper:top2:3",
    "6x6+x-sums:right3:11",
    "6x6+numbered-room:bottom4:2",
    "6x6+between:r1c1r1c2r2c3r3c3",
    "6x6+lockout:r1c1r1c2r2c3r3c3:2",
    "6x6+sum-line:r1c1r1c2r2c3r3c3:7",
    "6x6+rellik:r1c1r1c2r2c3r3c3:5:repeats",
    "6x6+look-and-say:r1c1r1c2r2c3r3c3r5c1:2-3",
    "6x6+quadruple:r2c2r2c3r3c2r3c3:1-1-3",
]


def candidates(puzzle, rng, grid=None, share=0.5):
    """Draw some digits of each cell, among them that of the grid, none of them empty."""
    drawn = {}
    for cell in puzzle.board.cells:
        digits = {d for d in range(1, puzzle.size + 1) if rng.random() < share}
        drawn[cell] = digits | ({grid[cell]} if grid else {int(rng.integers(puzzle.size)) + 1})
    return drawn


def masks_of(puzzle, left):
    return np.array(
        [sum(1 << digit - 1 for digit in left[cell]) for cell in puzzle.board.cells], np.int64
    )


def sets_of(puzzle, masks):
    n = range(1, puzzle.size + 1)
    return {
        cell: {digit for digit in n if mask >> digit - 1 & 1}
        for cell, mask in zip(puzzle.board.cells, masks.tolist(), strict=True)
    }


def given_grid(puzzle, rng):
    """Return a full grid that obeys the puzzle, or None where there is none."""
    grids = [
        dict(zip(puzzle.board.cells, np.ravel(rows).tolist(), strict=True))
        for rows in latin_squares(4)
    ]
    kept = [
        grid
        for grid in grids
        if all(fits(constraint, grid) for _, constraint in puzzle.constraints)
    ]
    return kept[rng.integers(len(kept))] if kept else None


def propagated(puzzle, left):
    network = network_of(puzzle)[0]
    masks = masks_of(puzzle, left) & network.start
    todo = new_work(network)
    enlist_all(masks, network, todo)
    sound = propagation.propagate(masks, network, todo)
    assert not any(todo.counts[:3])
    assert not any(flags.any() for flags in todo[3:8])
    return sets_of(puzzle, masks) if sound else None


@pytest.mark.thorough
@pytest.mark.parametrize("text", one_in(2, SMALL))
def test_propagation_reaches_the_fixed_point(text):
    puzzle = Variant(text)
    rng = np.random.default_rng(5)
    grid = given_grid(puzzle, rng) if puzzle.size == 4 else None
    ends = set()
    for turn in range(24):
        share = rng.choice([0.2, 0.5, 0.9])
        left = candidates(puzzle, rng, grid if turn % 2 else None, share)
        after = propagated(puzzle, left)
        assert after == fixed_point(puzzle, left)
        ends.add(after is None)
    assert True in ends
    assert False in ends or grid is None


@pytest.mark.parametrize("text", [text for text in TEXTS if "full-rank" in text])
def test_leaps_change_no_pattern(text):
    network = network_of(Variant(text))[0]
    steps = network._replace(leaps=np.zeros_like(network.leaps))
    steps.leaps.setflags(write=False)  # as in the network: one compiled kernel serves both
    rng, todo, answers = np.random.default_rng(7), new_work(network), set()
    for _ in range(200):
        left = candidates(Variant(text), rng, share=rng.choice([0.1, 0.3, 0.6]))
        ends = []
        for each in (network, steps):
            masks = masks_of(Variant(text), left)
            found = propagation.narrow_pattern(masks, each, todo, network.pattern_first.size - 1)
            forget(todo, CELLS, 0)
            ends.append((found, *masks.tolist()))
            assert not todo.reading.marks.any()
        assert ends[0] == ends[1]
        answers.add(found)
    assert answers == {True, False}
    assert (network.leaps[:, 0] > 1).any()


@pytest.mark.thorough
@pytest.mark.parametrize("text", [*SUMS, *PATTERNS])
def test_one_constraint_keeps_what_some_line_has(text):
    puzzle = Variant(text)
    network = network_of(puzzle)[0]
    (constraint,) = [
        own for number, own in puzzle.constraints if number == 1 and isinstance(own, Sum | Pattern)
    ]
    rng = np.random.default_rng(6)
    sound = 0
    for _ in range(60):
        left = candidates(puzzle, rng, share=rng.choice([0.1, 0.3, 0.6]))
        lines = fitting_lines(constraint, left)
        masks = masks_of(puzzle, left)
        todo = new_work(network)
        if isinstance(constraint, Sum):
            if network.sum_distinct[0]:
                lines = [line for line in lines if len(set(line.values())) == len(line)]
            kept = sums.narrow_sum(masks, network, todo, 0)
        else:
            kept = propagation.narrow_pattern(masks, network, todo, 0)
            assert not todo.reading.marks.any()
        assert kept == bool(lines)
        if kept:
            after = sets_of(puzzle, masks)
            for cell in constraint.cells:
                assert after[cell] == {line[cell] for line in lines}
            sound += 1
    assert sound > 0


@pytest.mark.thorough
def test_wide_sums_keep_bounds():
    cells = "".join(f"r{i}c{i + 2}" for i in range(1, 15))
    puzzle = Variant(f"16x16+little-killer:{cells}:120")
    (constraint,) = [own for _, own in puzzle.constraints if isinstance(own, Sum)]
    network = network_of(puzzle)[0]
    rng = np.random.default_rng(9)
    left = candidates(puzzle, rng, share=0.3)
    for cell in constraint.cells[:2]:
        left[cell] = {1}
    for cell in constraint.cells[2:8]:
        left[cell] = {14, *range(4)} - {0}
    masks = masks_of(puzzle, left)
    assert sums.narrow_sum(masks, network, new_work(network), 0)
    after = sets_of(puzzle, masks)
    least, most = (sum(map(end, map(left.get, constraint.cells))) for end in (min, max))
    for cell in constraint.cells:
        assert after[cell] == {
            digit
            for digit in left[cell]
            if least - min(left[cell]) + digit <= 120 <= most - max(left[cell]) + digit
        }


def test_sets_of_digits():
    start, sets = digit_sets(9)
    assert sorted(sets.tolist()) == list(range(512))
    first, end = start[3 * 46 + 7], start[3 * 46 + 8]
    assert sets[first:end].tolist() == [0b1011]
    assert [array.size for array in digit_sets(25)] == [0, 0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text",
    ["4x4+killer:r1c1r1c2r2c1:6+greater:r2c2r2c3", PATTERNS[0], SUMS[1], SUMS[4], SUMS[6]],
)
def test_kernels_agree_with_their_python(text):
    puzzle = Variant(text)
    rng = np.random.default_rng(7)
    for _ in range(5):
        left = candidates(puzzle, rng, share=0.6)
        compiled, plain = compiled_and_plain(lambda left=left: propagated(puzzle, left))
        assert compiled == plain


@pytest.mark.parametrize("weights", [(1,) * 5, (1, 1, 1, -1, -1), (2, 1, 1, -1, -3)])
def test_a_sum_that_knows_its_pairs_keeps_what_some_digits_have(weights):
    rng = np.random.default_rng(len(set(weights)))
    plain, _ = network_of(Variant("6x6+killer:r1c1r1c2r2c2r3c2r4c3:15:repeats"))
    paired = with_pairs(plain)
    cells = plain.sum_cells.tolist()
    differ = differing(plain)
    apart = [(i, j) for i in range(5) for j in range(i) if differ[cells[i], cells[j]]]
    assert 0 < len(apart) < 10
    n_kept = 0
    for _ in range(40):
        solution = rng.integers(1, 7, 5)
        masks = np.full(plain.n_cells, 63, np.int64)
        masks[cells] = rng.integers(64, size=5) | 1 << solution - 1
        options = [[d for d in range(1, 7) if masks[cell] >> d - 1 & 1] for cell in cells]
        total = int(np.dot(weights, solution))
        network = paired._replace(
            sum_weights=np.array(weights),
            sum_totals=np.array([total]),
            sum_distinct=np.zeros(1, np.bool_),
        )
        fit = [
            digits
            for digits in product(*options)
            if np.dot(weights, digits) == total and all(digits[i] != digits[j] for i, j in apart)
        ]
        held = [sum({1 << d - 1 for d in own}) for own in zip(*fit, strict=True)] or [0] * 5
        with plain_kernels():
            fits_sum = sums.narrow_sum(masks, network, new_work(network), 0)
        left = masks[cells].tolist()
        assert fits_sum or not fit
        assert [own | mask for own, mask in zip(left, held, strict=True)] == left
        if fits_sum and all(mask & (mask - 1) for mask in left):  # else a digit is left to peers
            assert left == held
            n_kept += 1
    assert n_kept > 10


# Sums that know which of their cells differ


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


def propagated_from(network, masks):
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
        (found, after), (_, before) = propagated_from(network, masks), propagated_from(plain, masks)
        assert found
        assert all(a >> digit - 1 & 1 for a, digit in zip(after, solution, strict=True))
        assert all(a & ~b == 0 for a, b in zip(after, before, strict=True))
        n_less += after != before
    assert n_less > 0
    compiled, plain = compiled_and_plain(lambda: propagated_from(network, masks))
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
